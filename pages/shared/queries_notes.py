"""Notes and tags on queries, kept on this server with the set of files that they are about.

What is saved under a link takes its notes along. Whoever opens it has a copy of them to go on with, and nobody else sees that.
"""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.saved import Saved
from pages.shared import files, identity
from pages.shared.samples import sample_files

MOST_SETS = 200
MOST_NOTES = 5000
LONGEST_NOTE = 2000
MOST_TAGS = 12
LONGEST_TAG = 40


@dataclass(frozen=True)
class Note:
    """What people wrote on one query."""

    text: str = ""
    tags: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not self.text and not self.tags


Notes = dict[str, Note]


@dataclass
class Notebook:
    """The notes of every set of files on this server, by what `book` says; the set looked at longest ago goes first."""

    sets: OrderedDict[str, Notes] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, book: str) -> Notes:
        """The notes of a set of files, by query id."""
        with self.lock:
            if book in self.sets:
                self.sets.move_to_end(book)
            return dict(self.sets.get(book, {}))

    def write(self, book: str, query: str, note: Note) -> None:
        """Keep a note, or forget an empty one. Beyond 5,000 notes of a set nothing is added."""
        with self.lock:
            notes = self.sets.setdefault(book, {})
            self.sets.move_to_end(book)
            if note.empty:
                notes.pop(query, None)
            elif query in notes or len(notes) < MOST_NOTES:
                notes[query] = note
            while len(self.sets) > MOST_SETS:
                self.sets.popitem(last=False)

    def carry(self, old: str, new: str) -> None:
        """Give a changed set of files the notes of the set that it was made from, where it has none of its own."""
        with self.lock:
            if old in self.sets and new not in self.sets:
                self.sets[new] = dict(self.sets[old])

    def begin(self, book: str, notes: Notes) -> None:
        """Give a book the notes that it begins with, where it has none of its own."""
        with self.lock:
            self.sets.setdefault(book, notes)


@st.cache_resource(show_spinner=False)
def notebook() -> Notebook:
    """The one notebook of this server."""
    return Notebook()


def book() -> str | None:
    """What the notes of this session's files are kept under; None where there are no files."""
    token = files.current_token()
    return _key(token) if token is not None and files.current() else None


def _key(token: str) -> str:
    """A set's token; a sample is everyone's and so is what a link opens, so each visitor has notes of their own on it."""
    saved = files.saved_one()
    if saved is None and not sample_files(token):
        return token
    visit = st.session_state.setdefault("_own_notes", secrets.token_urlsafe(16))
    return f"{token} {visit}" if saved is None else f"{saved.id} {identity.visitor().owner or visit}"


def where() -> str:
    """Where the notes are kept, in a sentence."""
    token = files.current_token()
    if files.saved_one() is not None:
        return "Kept on this server, for you alone. Save it again on the Share page: the new link holds them."
    if token is not None and sample_files(token):
        return "Kept for this visit: the sample is everyone's. Save it on the Share page: the link holds them."
    return "Kept with these files for everyone who has the link, and saved with them on the Share page."


def current() -> Notes:
    """The notes of the files that this session looks at. A set that was made here from another one takes its notes along."""
    key = book()
    if key is None:
        return {}
    old, new = st.session_state.get("_made_from") or (None, None)
    if old and new == key:
        notebook().carry(_key(old), key)
        st.session_state["_made_from"] = None
    saved = files.saved_one()
    if saved is not None:
        notebook().begin(key, _taken(saved))
    return notebook().of(key)


def told() -> dict[str, Any]:
    """The notes of this session's files as they are saved with them."""
    return {query: {"text": note.text, "tags": list(note.tags)} for query, note in current().items()}


def _taken(saved: Saved) -> Notes:
    """The notes that were saved, as far as they are notes: they may come from anybody."""
    found = {query: _note(told) for query, told in list(saved.notes.items())[:MOST_NOTES] if isinstance(told, dict)}
    return {query: note for query, note in found.items() if not note.empty}


def _note(told: Mapping[str, Any]) -> Note:
    text, named = told.get("text"), told.get("tags")
    texts = [tag for tag in named if isinstance(tag, str)] if isinstance(named, list) else []
    return written(text if isinstance(text, str) else "", texts)


def write(query: str, text: str, tags: list[str]) -> None:
    """Keep what a person wrote on a query, cut to what a note may hold."""
    key = book()
    if key is None:
        return
    notebook().write(key, query, written(text, tags))


def written(text: str, tags: list[str]) -> Note:
    """A note of what somebody wrote, cut to what it may hold."""
    named = dict.fromkeys(tag.strip()[:LONGEST_TAG] for tag in tags if tag.strip())
    return Note(text.strip()[:LONGEST_NOTE], tuple(named)[:MOST_TAGS])


def tags(notes: Notes) -> list[str]:
    """All tags there are, in their order."""
    return sorted({tag for note in notes.values() for tag in note.tags})
