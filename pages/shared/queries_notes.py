"""Notes and tags on queries, kept on this server with the set of files that they are about."""

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

import streamlit as st

from pages.shared import files
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


@st.cache_resource(show_spinner=False)
def notebook() -> Notebook:
    """The one notebook of this server."""
    return Notebook()


def book() -> str | None:
    """What the notes of this session's files are kept under; None where there are no files."""
    token = files.current_token()
    return None if token is None or files.resolve(token) is None else _key(token)


def _key(token: str) -> str:
    """A set's token; a sample is everyone's, so each visit has notes of its own on it."""
    if sample_files(token):
        return f"{token} {st.session_state.setdefault('_own_notes', secrets.token_urlsafe(16))}"
    return token


def of_everyone() -> bool:
    """Whether everyone who has the link sees the notes."""
    return book() == files.current_token()


def current() -> Notes:
    """The notes of the files that this session looks at. A set that was made here from another one takes its notes along."""
    key = book()
    if key is None:
        return {}
    old, new = st.session_state.get("_made_from") or (None, None)
    if old and new == key:
        notebook().carry(_key(old), key)
        st.session_state["_made_from"] = None
    return notebook().of(key)


def write(query: str, text: str, tags: list[str]) -> None:
    """Keep what a person wrote on a query, cut to what a note may hold."""
    key = book()
    if key is None:
        return
    named = dict.fromkeys(tag.strip()[:LONGEST_TAG] for tag in tags if tag.strip())
    notebook().write(key, query, Note(text.strip()[:LONGEST_NOTE], tuple(named)[:MOST_TAGS]))


def tags(notes: Notes) -> list[str]:
    """All tags there are, in their order."""
    return sorted({tag for note in notes.values() for tag in note.tags})
