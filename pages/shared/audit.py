"""Audit: one line in the log for everything that somebody does with a saved comparison, or was refused."""

from typing import Literal

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
    event(deed, who=who(identity.visitor()), saved=saved, outcome=outcome, why=why)


def who(visitor: Visitor) -> str:
    """The owner's name of a visitor, as records of the store have it."""
    return visitor.owner or "anonymous"
