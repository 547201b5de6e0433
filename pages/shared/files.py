"""The files that somebody brought, kept on this server while they work: immutable sets, each under a token of its own.

A change of the files (one more, a correction, one less) makes a new set with a new token. The token is in the address, so reload
and the Back button restore what was there; it cannot be guessed, so nobody else finds it.
"""

import hashlib
import secrets
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import streamlit as st

from core.model.reading import Choice, Repair

KEPT = 200  # sets; the one looked at longest ago goes first
KEPT_HOURS = 12
TOKEN_BYTES = 16


@dataclass(frozen=True)
class Brought:
    """One file: the name people know it by, where its bytes lie on this server, and what the person decided about it.

    sha256 of its bytes; member of a zip with several; title: the name its run was given here.
    """

    name: str
    sha256: str
    size: int
    path: Path
    choice: Choice = Choice()
    member: str | None = None
    title: str | None = None

    @property
    def key(self) -> str:
        """Tells this file from the others of its set: never shown, never a path."""
        return hashlib.sha256(f"{self.sha256}\0{self.name}\0{self.member}".encode()).hexdigest()[:16]


Files = tuple[Brought, ...]


@dataclass
class Shelf:
    """Every set of files on this server, in memory, their bytes in one folder that goes with the process."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="ranklens-")))
    sets: OrderedDict[str, tuple[float, Files]] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, name: str, data: bytes | memoryview) -> Brought:
        """Write a file's bytes down once, by their digest, and describe it."""
        digest = hashlib.sha256(data).hexdigest()
        path = self.folder / digest
        if not path.exists():
            part = path.with_suffix(f".{secrets.token_hex(4)}")
            part.write_bytes(data)
            part.replace(path)
        return Brought(name, digest, len(data), path)

    def put(self, files: Files) -> str:
        """Keep a set and return its token; sets that nobody looked at for long go, and bytes that no set names."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self.lock:
            self.sets[token] = (time.monotonic(), files)
            self._sweep()
        return token

    def get(self, token: str) -> Files | None:
        """The files under a token, or None where there are none (any more)."""
        with self.lock:
            found = self.sets.get(token)
            if found is None:
                return None
            self.sets[token] = (time.monotonic(), found[1])
            self.sets.move_to_end(token)
            return found[1]

    def _sweep(self) -> None:
        oldest = time.monotonic() - KEPT_HOURS * 3600
        while self.sets and (len(self.sets) > KEPT or next(iter(self.sets.values()))[0] < oldest):
            self.sets.popitem(last=False)
        named = {file.path for _, files in self.sets.values() for file in files}
        for path in self.folder.iterdir():
            # A file without a set may be one that is just being brought: it stays for an hour.
            if path not in named and time.time() - path.stat().st_mtime > 3600:
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)


@st.cache_resource(show_spinner=False, on_release=lambda shelf: shelf.close())
def shelf() -> Shelf:
    """The one shelf of this server."""
    return Shelf()


def current_token() -> str | None:
    """The token of the set that this session looks at: the address's where it has one."""
    address = st.query_params.get("d")
    if address:
        st.session_state["_files"] = address
    return address or st.session_state.get("_files")


def current() -> Files:
    """The files that this session looks at; none where it has none or they are gone."""
    token = current_token()
    return (resolve(token) if token else None) or ()


def gone() -> bool:
    """Whether the address names files that are no longer (or never were) on this server."""
    token = current_token()
    return token is not None and resolve(token) is None


def resolve(token: str) -> Files | None:
    """The files under a token."""
    return shelf().get(token)


def look_at(files: Iterable[Brought]) -> None:
    """Make these the files of this session, in a new set."""
    kept = tuple(files)
    if kept:
        token = shelf().put(kept)
        st.session_state["_files"] = token
        st.query_params["d"] = token
    else:
        st.session_state.pop("_files", None)
        st.query_params.pop("d", None)


def bring(brought: Iterable[Brought]) -> None:
    """Add files to those of this session; one with the same bytes and name is there already."""
    known = {file.key: file for file in current()}
    for file in brought:
        known.setdefault(file.key, file)
    look_at(known.values())


def change(file: Brought, **fields: object) -> None:
    """Replace one file of this session's by itself with other fields."""
    look_at(replace(each, **fields) if each.key == file.key else each for each in current())  # type: ignore[arg-type]  # the fields are named by the callers here


def decide(file: Brought, **fields: object) -> None:
    """Change what is decided about one file of this session's."""
    change(file, choice=replace(file.choice, **fields))  # type: ignore[arg-type]  # the fields are named by the callers here


def repair(wanted: tuple[Repair, ...]) -> None:
    """Repair the ids of all files of this session's; each repair knows whose ids it changes."""
    look_at(replace(each, choice=replace(each.choice, repairs=(*each.choice.repairs, *wanted))) for each in current())


def remove(file: Brought) -> None:
    """Take one file out of this session's."""
    look_at(each for each in current() if each.key != file.key)


def keep_in_address() -> None:
    """Put the token back into the address: changing the page drops what no widget is bound to."""
    token = current_token()
    if token and st.query_params.get("d") != token:
        st.query_params["d"] = token
