"""Identity: who is looking at this page, and what this server lets them do."""

import os
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.errors import InputError, Problem
from core.saved import access as rules
from core.saved.access import MACHINE, MODES, NOBODY, Access, Action, By, Kept, Mode, Visitor, browser, person

ACCESS = "RANKLENS_ACCESS"
HEADER = "RANKLENS_IDENTITY_HEADER"
ADMINS = "RANKLENS_ADMINS"
COOKIE = "ranklens_browser"
# The name under which Streamlit keeps the trusted header's value in st.user.
TRUSTED = "ranklens_identity"
# What tells one sign-in at a provider from the next.
ONE_SIGN_IN = ("iss", "sub", "iat", "nonce")
REMEMBERED = 10_000


class _SignIns:
    """Sign-ins to be remembered, the latest of them. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, ...], None] = OrderedDict()

    def add(self, one: tuple[str, ...]) -> bool:
        """Remember one; False where it was remembered already."""
        with self._lock:
            new = one not in self._kept
            self._kept[one] = None
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)
            return new

    def __contains__(self, one: tuple[str, ...]) -> bool:
        with self._lock:
            return one in self._kept


_known, _ended = _SignIns(), _SignIns()


def mode() -> Mode:
    """How this server lets people in: RANKLENS_ACCESS. Raises InputError for any other word.

    Where nothing is said, a person's own machine is theirs (`own`), and a host (RANKLENS_HOSTED=1) belongs to none of its visitors
    (`open`).
    """
    told = os.environ.get(ACCESS, "").strip() or ("open" if os.environ.get("RANKLENS_HOSTED") == "1" else "own")
    for known in MODES:
        if told == known:
            return known
    raise InputError(Problem(ACCESS, None, f'"{told[:40]}" is not a kind of access', f"one of {', '.join(MODES)}"))


def visitor() -> Visitor:
    """Who is looking: found anew at every run, from what came with this connection and never from the session's state."""
    match mode():
        case "own":
            return Visitor(owner=MACHINE)
        case "open":
            cookie = st.context.cookies.get(COOKIE)
            return Visitor(owner=browser(cookie)) if cookie else NOBODY
        case "sign-in":
            return signed_in(st.user.to_dict(), by_header=bool(os.environ.get(HEADER)))
        case _:
            return NOBODY


def signed_in(told: Mapping[str, Any], *, by_header: bool) -> Visitor:
    """The visitor whom a trusted proxy or an identity provider names; nobody where they do not, or not for sure."""
    identity = told.get(TRUSTED) if by_header else _provided(told)
    owner = person(identity) if isinstance(identity, str) else None
    if owner is None or not isinstance(identity, str):
        return NOBODY
    name = told.get("name")
    called = name if isinstance(name, str) and name.strip() and not by_header else identity.strip()
    return Visitor(owner=owner, signed_in=True, admin=owner in _admins(), name=called)


def _provided(told: Mapping[str, Any]) -> object:
    """What an identity provider calls them: their address, or its own name for them where it gives no address.

    An address that the provider has not verified is one that anybody may have typed: it is nobody's.
    """
    if told.get("is_logged_in") is not True or _sign_in(told) in _ended:
        return None
    if told.get("email"):
        return told["email"] if told.get("email_verified", True) in (True, "true") else None
    return f"subject {told['sub']}" if told.get("sub") else None


def unsure() -> bool:
    """Whether this visitor has signed in at a provider that does not vouch for them: without a name, or with one it has not verified."""
    told = st.user.to_dict()
    return told.get("is_logged_in") is True and _sign_in(told) not in _ended and not visitor().signed_in


def end() -> None:
    """End this visitor's sign-in everywhere on this server: in other tabs, and for copies of its cookie, which Streamlit goes on to believe."""
    _ended.add(_sign_in(st.user.to_dict()))


def first_seen() -> bool:
    """Whether this sign-in at a provider is seen for the first time on this server; a proxy's word has no beginning."""
    one = _sign_in(st.user.to_dict())
    return bool(os.environ.get(HEADER)) or _known.add(one)


def _sign_in(told: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(told.get(claim)) for claim in ONE_SIGN_IN)


def _admins() -> set[str | None]:
    return {person(name) for name in os.environ.get(ADMINS, "").split(",")} - {None}


def admitted() -> bool:
    """Whether this visitor is let in at all: where everything needs an identity, only those who have one."""
    return mode() != "sign-in" or visitor().signed_in


def may_upload() -> bool:
    """Whether this visitor may bring files: a server that only shows takes none."""
    return mode() != "link" and admitted()


def only_shows() -> bool:
    """Whether this server shows what has a link and nothing else: it takes no files and lists nothing, no series either."""
    return os.environ.get(ACCESS, "").strip() == "link"


def may_save() -> bool:
    """Whether this visitor may save comparisons here."""
    return may_upload()


def may(action: Action, kept: Kept, by: By = "id") -> bool:
    """Whether this visitor may do something with a saved comparison; `core.saved.access` holds the rules."""
    return rules.may(action, kept, visitor(), mode(), by)


def offered() -> tuple[Access, ...]:
    """Whom this visitor may let in when saving, the usual choice first."""
    return rules.offered(mode()) if may_save() else ()
