"""Signing in: what vouches for people, from the environment, and a start that is refused where nothing sound does."""

import ipaddress
import os
import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from streamlit import config

from core.errors import InputError, Problem
from pages.hosted import settings
from pages.hosted.settings import ADDRESS
from pages.shared.identity import ACCESS, HEADER, TRUSTED, mode

ISSUER = "RANKLENS_OIDC_ISSUER"
CLIENT = "RANKLENS_OIDC_CLIENT_ID"
CLIENT_SECRET = "RANKLENS_OIDC_CLIENT_SECRET"  # noqa: S105 - the name of a variable
COOKIE_SECRET = "RANKLENS_COOKIE_SECRET"  # noqa: S105
PROXY_SECRET = "RANKLENS_PROXY_SECRET"  # noqa: S105
PROMPT = "RANKLENS_OIDC_PROMPT"
PROVIDER = (ISSUER, CLIENT, CLIENT_SECRET, COOKIE_SECRET, ADDRESS)
PROMPTS = ("login", "select_account", "consent")
SHORTEST_SECRET = 32
HEADER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{2,60}")
# Every browser sends these: one of them as the identity would let people name themselves.
NOT_IDENTITIES = ("host", "cookie", "origin", "user-agent", "accept", "accept-language", "referer", "authorization")


def apply() -> None:
    """Tell Streamlit who vouches for people. Raises InputError with everything that is wrong or missing: then nothing may start."""
    problems = list(_problems())
    if problems:
        raise InputError(problems)
    if told(COOKIE_SECRET):
        # The same on every replica, also where nobody signs in.
        config.set_option("server.cookieSecret", told(COOKIE_SECRET), COOKIE_SECRET)
    if mode() != "sign-in":
        return
    if told(HEADER):
        config.set_option("server.trustedUserHeaders", {told(HEADER): TRUSTED}, HEADER)
    else:
        # Merged here and not by st.App, which does so only after the cookie that keeps a sign-in's state has got its key.
        st.secrets.merge_programmatic_secrets({"auth": provider()})


def provider() -> dict[str, Any]:
    """The section `auth` of Streamlit's secrets, made from our variables."""
    return {
        "redirect_uri": f"{told(ADDRESS).rstrip('/')}/oauth2callback",
        "cookie_secret": told(COOKIE_SECRET),
        "client_id": told(CLIENT),
        "client_secret": told(CLIENT_SECRET),
        "server_metadata_url": f"{told(ISSUER).rstrip('/')}/.well-known/openid-configuration",
        "client_kwargs": {"scope": "openid email profile", "prompt": told(PROMPT) or PROMPTS[0]},
    }


def told(name: str) -> str:
    """A variable's value without blanks around it, empty where it is not set."""
    return os.environ.get(name, "").strip()


def by_provider() -> bool:
    """Whether people sign in at an identity provider."""
    return mode() == "sign-in" and not told(HEADER)


def by_header() -> bool:
    """Whether a proxy says who people are."""
    return mode() == "sign-in" and bool(told(HEADER))


def on_this_machine(host: str | None) -> bool:
    """Whether an address is this machine's own, which nobody reaches from elsewhere; so is a socket in the file system."""
    if host in (None, "localhost") or str(host).startswith("/"):
        return True
    try:
        address = ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _problems() -> Iterator[Problem]:
    """Everything that is wrong with the settings, each by its name."""
    try:
        asked = mode()
    except InputError as error:
        yield from error.problems
        return
    named = [name for name in (HEADER, ISSUER, CLIENT, CLIENT_SECRET) if told(name)]
    if asked != "sign-in":
        hint = f"set {ACCESS}=sign-in, or leave it out"
        for name in named:
            yield Problem(name, None, f"is set, but nobody signs in here: {ACCESS} is {asked}", hint)
    elif told(HEADER) and len(named) > 1:
        yield Problem(
            HEADER, None, f"is set beside {named[1]}: one of them says who people are, not both", "leave one out"
        )
    elif told(HEADER):
        yield from _header_problems()
    else:
        yield from _provider_problems()
    if told(COOKIE_SECRET) and len(told(COOKIE_SECRET)) < SHORTEST_SECRET:
        yield _too_short(COOKIE_SECRET)


def _header_problems() -> Iterator[Problem]:
    name, secret = told(HEADER), told(PROXY_SECRET)
    if not HEADER_NAME.fullmatch(name) or name.lower() in NOT_IDENTITIES:
        yield Problem(
            HEADER, None, f'"{name[:60]}" is not a header that only a proxy sets', "for example X-Forwarded-Email"
        )
    if secret and len(secret) < SHORTEST_SECRET:
        yield _too_short(PROXY_SECRET)
    address = config.get_option("server.address")
    if not secret and not on_this_machine(address or "0.0.0.0"):  # noqa: S104 - Streamlit listens everywhere where nothing is said
        hint = f"listen on 127.0.0.1, or set {PROXY_SECRET} and let the proxy send it as X-Ranklens-Proxy"
        yield Problem(
            HEADER,
            None,
            f"is believed, and whoever reaches {address or 'any address of this machine'} can send it",
            hint,
        )


def _provider_problems() -> Iterator[Problem]:
    missing = [name for name in PROVIDER if not told(name)]
    if len(missing) == len(PROVIDER):
        hint = f"set {HEADER} for a proxy that signs people in, or {', '.join(PROVIDER)} for a provider"
        yield Problem(ACCESS, None, "is sign-in, but nothing says who people are", hint)
        return
    if missing:
        message = f"{'is' if len(missing) == 1 else 'are'} missing: nobody can sign in at a provider without"
        yield Problem(", ".join(missing), None, message, f"it takes {', '.join(PROVIDER)}")
    issuer = urlsplit(told(ISSUER))
    if told(ISSUER) and (issuer.scheme not in ("http", "https") or not issuer.hostname):
        yield Problem(ISSUER, None, f'"{told(ISSUER)[:80]}" is not an address', "for example https://login.example")
    elif issuer.scheme == "http" and not on_this_machine(issuer.hostname):
        yield Problem(ISSUER, None, "is asked without encryption, and anybody on the way could answer", "use https")
    if told(PROMPT) and told(PROMPT) not in PROMPTS:
        yield Problem(PROMPT, None, f'"{told(PROMPT)[:40]}" is not a prompt', f"one of {', '.join(PROMPTS)}")
    path = urlsplit(told(ADDRESS)).path.strip("/")
    if told(ADDRESS) and settings.read().base.strip("/") != path:
        yield Problem(
            ADDRESS, None, "ends on another path than this server answers on", "make server.baseUrlPath the same"
        )
    if find_spec("authlib") is None:
        yield Problem(
            "authlib", None, "is not installed, and signing in at a provider needs it", "pip install ranklens[hosted]"
        )


def _too_short(name: str) -> Problem:
    hint = 'python -c "import secrets; print(secrets.token_urlsafe(32))" makes one'
    return Problem(name, None, f"is shorter than {SHORTEST_SECRET} characters, which can be guessed", hint)
