"""Access: who may open, export, delete, link to and list a saved comparison, as rules without a server around them.

The rules bind the dashboard. The command line works for whoever can read the store: that is the operator, who can read everything in it.
"""

import hashlib
from dataclasses import dataclass
from typing import Literal, Protocol

Access = Literal["private", "link", "everyone"]
Mode = Literal["own", "open", "link", "sign-in"]
Action = Literal["open", "export", "delete", "link", "list"]
By = Literal["link", "id", "delete link"]

MODES: tuple[Mode, ...] = ("own", "open", "link", "sign-in")
MACHINE = "machine"
LONGEST_IDENTITY = 320


class Kept(Protocol):
    """What the rules look at: whose a saved comparison is, and whom its owner lets in."""

    @property
    def owner(self) -> str | None:
        """Who saved it: `machine`, `person:…` or `browser:…`; None where nobody is known."""

    @property
    def access(self) -> Access:
        """`private`: its owner; `link`: whoever has the link; `everyone`: everyone signed in."""


@dataclass(frozen=True)
class Visitor:
    """Who asks.

    owner      what is saved now would belong to this one; None: nobody who would be known again
    signed_in  someone vouches for who this is: an identity provider, or a proxy that is trusted
    admin      may list and delete everything, and open no more than others
    name       how the page calls them
    """

    owner: str | None = None
    signed_in: bool = False
    admin: bool = False
    name: str | None = None


NOBODY = Visitor()


def person(identity: str) -> str | None:
    """The owner for an identity that somebody vouches for; None where it is no identity.

    Capital letters of ASCII do not count, as in addresses of e-mail. Other letters stay as they are: folding them makes
    different people one (ß and ss, the Kelvin sign and k).
    """
    name = identity.strip()
    if not name or len(name) > LONGEST_IDENTITY or not name.isprintable():
        return None
    return f"person:{name.lower() if name.isascii() else name}"


def browser(cookie: str) -> str:
    """The owner for a browser that is only known again by its cookie: the cookie's SHA-256, so that no record gives it away."""
    return f"browser:{hashlib.sha256(cookie.encode()).hexdigest()}"


def offered(mode: Mode) -> tuple[Access, ...]:
    """Whom a person may let in when saving here, the usual choice first; nothing where the dashboard does not save."""
    match mode:
        case "own" | "open":
            return ("link", "private")
        case "sign-in":
            return ("private", "link", "everyone")
        case _:
            return ()


def may(action: Action, kept: Kept, visitor: Visitor, mode: Mode, by: By = "id") -> bool:
    """Whether a visitor may do something with a saved comparison; what no rule allows is refused.

    by  what they came with: the token of a link, the token of a delete link, or only the id from a list

    own      one person's machine: everything in its store is theirs
    open     private: its owner's browser · link: whoever has the link
    link     opening by a link, nothing else; a delete link deletes
    sign-in  the same and more, for people who are signed in only · everyone: all of them
    """
    if mode == "own":
        return True
    if mode not in MODES or (mode == "sign-in" and not visitor.signed_in):
        return False
    if action == "delete" and by == "delete link":
        return True
    owns = _owns(kept, visitor, mode)
    if action in ("open", "export"):
        return owns or _let_in(kept, visitor, mode, by)
    if action == "delete":
        return owns or _admin(visitor, mode)
    if action == "list":
        return owns or _admin(visitor, mode) or (mode == "sign-in" and kept.access == "everyone")
    return action == "link" and owns


def _owns(kept: Kept, visitor: Visitor, mode: Mode) -> bool:
    """Whether this is the visitor's own; a server that only shows has no owners."""
    return mode != "link" and visitor.owner is not None and kept.owner == visitor.owner


def _admin(visitor: Visitor, mode: Mode) -> bool:
    return mode == "sign-in" and visitor.admin


def _let_in(kept: Kept, visitor: Visitor, mode: Mode, by: By) -> bool:
    """Whether its owner lets this visitor in, who is somebody else."""
    if kept.access == "link":
        return by == "link"
    return kept.access == "everyone" and mode == "sign-in" and visitor.signed_in
