"""Audit: one line in the log for everything that somebody does with a saved comparison, or was refused."""

from typing import Any, Literal

from core.saved.access import Visitor
from pages.hosted.logs import event
from pages.shared import identity

Deed = Literal["open", "save", "export", "delete", "new link", "sign in", "sign out", "refused"]
Outcome = Literal["done", "refused", "not there", "failed"]


def record(deed: Deed, outcome: Outcome = "done", *, saved: str | None = None, why: str | None = None) -> None:
    """Say in the log who did what with which saved comparison.

    saved  its id, which opens nothing by itself; never a token, which does, and never what somebody typed
    why    in our own words, where it was refused or failed
    """
    said: dict[str, Any] = {"saved": saved} if saved else {}
    said |= {"why": why} if why else {}
    event(deed, who=who(identity.visitor()), outcome=outcome, **said)


def who(visitor: Visitor) -> str:
    """The owner's name of a visitor, as records of the store have it."""
    return visitor.owner or "anonymous"
