"""Saved links: what a token or an id in the address opens, looked up in the store at every run and by one path for all that open nothing."""

import hashlib
import re
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import streamlit as st

from core import saved
from core.comparison import Comparison
from core.errors import InputError
from core.saved import Found, Listed, Saved
from core.saved.access import By
from core.store import Store, open_store, where
from pages.shared import identity
from pages.shared.kept import kept
from pages.shared.shelf import Brought, Files

# So long another replica's deletion may stay unseen; one that happens here is seen at once.
SECONDS = 1.0
SECONDS_OF_LISTS = 10
MOST = 2000
ID = re.compile(r"[0-9a-f]{32}")
Whose = Literal["mine", "everyone", "all"]


@dataclass(frozen=True)
class Looked:
    """What the store said: the record and what it was found by, nothing, or why it cannot be read.

    refused  the id of what is there and not for this visitor: for the log, the page knows nothing of it
    """

    found: Found | None = None
    by: By = "link"
    error: InputError | None = None
    refused: str | None = None


@dataclass
class Seen:
    """What the store said a moment ago, by the digest of what was asked."""

    answers: dict[str, tuple[float, Looked]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: str) -> Looked | None:
        """The answer, if it is fresh enough."""
        with self.lock:
            at, looked = self.answers.get(key, (0.0, None))
            return looked if time.monotonic() - at < SECONDS else None

    def put(self, key: str, looked: Looked) -> None:
        """Keep an answer for a moment."""
        with self.lock:
            if len(self.answers) >= MOST:
                self.answers.clear()
            self.answers[key] = (time.monotonic(), looked)

    def forget(self) -> None:
        """Forget every answer: something was deleted."""
        with self.lock:
            self.answers.clear()


@st.cache_resource(show_spinner=False)
def seen() -> Seen:
    """The one memory of this server for what its store said."""
    return Seen()


@st.cache_resource(show_spinner=False, max_entries=4)
def _opened(address: str) -> Store:
    return open_store(address)


def store() -> Store:
    """The store of this server. Raises InputError where it cannot be opened."""
    return _opened(where())


def looked_up(token: str) -> Looked:
    """What this visitor's token or id names. Unknown, malformed, expired, deleted and not allowed are all the same: nothing."""
    key = hashlib.sha256(f"{where()}\0{token}".encode("utf-8", "surrogatepass")).hexdigest()
    looked = seen().get(key)
    if looked is None:
        looked = _asked(token)
        seen().put(key, looked)
    if looked.found is None or identity.may("open", looked.found, looked.by):
        return looked
    return Looked(refused=looked.found.id)


def opened(token: str) -> Saved | None:
    """The saved comparison that this visitor's token or id opens, its manifest read once; None where it opens nothing.

    Raises InputError where it is damaged, or was saved by a later version.
    """
    looked = looked_up(token)
    if looked.error is not None:
        raise looked.error
    if looked.found is None:
        return None
    key = f"saved {looked.found.id}"
    known: Saved | None = kept().get(key)
    if known is None:
        known = saved.read(store(), looked.found)
        kept().put(key, known)
    return known


def files_of(token: str) -> Files | None:
    """The saved comparison that a token or an id opens, as the only file of a set; None where it opens nothing.

    Raises InputError as `opened` does.
    """
    found = opened(token)
    if found is None:
        return None
    return (Brought(found.title, found.id, found.bytes, Path(), saved=found),)


def listed(whose: Whose, owner: str | None = None) -> list[Listed]:
    """A list of saved comparisons, the latest first, read at most once in ten seconds where nothing is saved or deleted here."""
    return list(_lines(where(), whose, owner))


@st.cache_resource(show_spinner=False, ttl=SECONDS_OF_LISTS, max_entries=500)
def _lines(address: str, whose: Whose, owner: str | None) -> tuple[Listed, ...]:
    match whose:
        case "mine":
            return () if owner is None else tuple(saved.listed(_opened(address), owner))
        case "everyone":
            return tuple(saved.listed_for_everyone(_opened(address)))
        case _:
            return tuple(saved.all_listed(_opened(address)))


def forget(identifier: str | None = None) -> None:
    """Forget what the store said, and everything that this process keeps of a saved comparison that was deleted."""
    seen().forget()
    _lines.clear()
    for result in kept().drop(identifier) if identifier is not None else ():
        made = getattr(result, "value", None)
        if isinstance(made, Comparison):
            # And what was computed from it.
            kept().drop(made.key)


def _asked(token: str) -> Looked:
    try:
        found = saved.find(store(), token)
        if found is None and ID.fullmatch(token):
            return Looked(saved.found_by_id(store(), token), "id")
        return Looked(found)
    except InputError as error:
        return Looked(error=error)
