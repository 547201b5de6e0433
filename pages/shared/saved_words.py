"""Words about saved comparisons: days, sizes, who may open one, and the addresses that lead to it."""

import os
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit

import streamlit as st

from core.saved.access import Access
from pages.shared import identity

ADDRESS = "RANKLENS_ADDRESS"


def day(moment: datetime) -> str:
    """A day for people, as UTC has it."""
    there = moment.astimezone(UTC)
    return f"{there.day} {there:%B %Y}"


def moment(at: datetime) -> str:
    """A day and a time for people, as UTC has it."""
    return f"{day(at)}, {at.astimezone(UTC):%H:%M} UTC"


def until(expires: datetime | None) -> str:
    """How long it opens."""
    return "never expires" if expires is None else f"expires on {day(expires)}"


def size(count: int) -> str:
    """Bytes for people."""
    for unit, one in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if count >= one:
            return f"{count / one:.1f} {unit}"
    return f"{count} bytes"


def who(access: Access) -> str:
    """Who may open it, on a server like this one."""
    signs_in = identity.mode() == "sign-in"
    match access:
        case "private":
            return "Only me" if signs_in else "Only this browser"
        case "everyone":
            return "Everyone who signs in here"
        case _:
            return "People with the link who sign in here" if signs_in else "People with the link"


def named(owner: str | None) -> str:
    """An owner as people call them; empty where nobody is known by a name: a browser, or this machine."""
    kind, _, name = (owner or "").partition(":")
    return name if kind == "person" else ""


def base() -> str:
    """Where people reach this server, without a page: RANKLENS_ADDRESS, else what this page was opened under."""
    told = os.environ.get(ADDRESS, "").strip()
    if told:
        return told.rstrip("/")
    parts = urlsplit(str(st.context.url or ""))
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return ""
    return f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/").removesuffix("/share")


def link(token: str) -> str:
    """The address that opens a saved comparison as it was saved."""
    return f"{base()}/?d={quote(token, safe='')}"


def delete_link(token: str) -> str:
    """The address that deletes it, after a question."""
    return f"{base()}/?delete={quote(token, safe='')}"
