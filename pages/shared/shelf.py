"""The shelf: every set of files that is on this server, each immutable and under a token of its own.

A token cannot be guessed, so nobody else finds a set. Sets live for twelve hours at most, and what was computed from one no longer;
the sample sets are always there.
"""

import hashlib
import math
import os
import secrets
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from core.errors import InputError, Problem
from core.model.reading import Choice
from core.saved import Saved
from pages.shared.kept import kept
from pages.shared.limits import Budget, amount, budget

KEPT = 200  # sets; the one looked at longest ago goes first
KEPT_HOURS = 12
# What the names of folders with such files begin with.
FOLDERS = "ranklens-shelf-"
TIDIED_EVERY_SECONDS = 60
# A file without a set may be one that is just being brought: it stays that long.
BRINGING_SECONDS = 600
TOKEN_BYTES = 16
WAY_OUT = "cut runs to the top 100 of each query, or use the command line"


@dataclass(frozen=True)
class Brought:
    """One file: the name people know it by, where its bytes lie on this server, and what the person decided about it.

    sha256 of its bytes; member of a zip with several; title: the name its run was given here; ours: it comes with Ranklens,
    so it is read without a child; saved: it is a saved comparison, whose parts lie in the store (sha256 is then its id).
    """

    name: str
    sha256: str
    size: int
    path: Path
    choice: Choice = Choice()
    member: str | None = None
    title: str | None = None
    ours: bool = False
    saved: Saved | None = None

    @property
    def key(self) -> str:
        """Tells this file from the others of its set: never shown, never a path."""
        return hashlib.sha256(f"{self.sha256}\0{self.name}\0{self.member}".encode()).hexdigest()[:16]


Files = tuple[Brought, ...]


def _oldest() -> float:
    """When a set must have been made at the earliest to be there still."""
    return time.monotonic() - KEPT_HOURS * 3600


@dataclass
class Shelf:
    """Every set of files on this server, in memory, their bytes in one folder that goes with the process.

    sessions  by token: the session that brought the set
    promised  when each set that there ever was is past its time, with what was computed from it
    """

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix=FOLDERS)))
    budget: Budget = field(default_factory=budget)
    sets: OrderedDict[str, tuple[float, Files]] = field(default_factory=OrderedDict)
    sessions: dict[str, str] = field(default_factory=dict)
    promised: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    closed: threading.Event = field(default_factory=threading.Event)

    def keep(self, name: str, data: bytes | memoryview) -> Brought:
        """Write a file's bytes down once, by their digest, and describe it."""
        digest = hashlib.sha256(data).hexdigest()
        path = self.folder / digest
        if path.exists():
            os.utime(path)
        else:
            part = path.with_suffix(f".{secrets.token_hex(4)}")
            part.write_bytes(data)
            part.replace(path)
        return Brought(name, digest, len(data), path)

    def put(self, files: Files, session: str = "") -> str:
        """Keep a set and return its token; sets that nobody looked at for long go, and bytes that no set names.

        session  whose it is: the sets of one session have a share of the room
        Raises InputError where the set by itself is larger than that share.
        """
        if _bytes([files]) > self.budget.on_shelf:
            room = amount(self.budget.on_shelf)
            raise InputError(Problem("", None, f"The files of one comparison may have {room} together here", WAY_OUT))
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self.lock:
            now = time.monotonic()
            self.sets[token] = (now, files)
            self.sessions[token] = session
            self.promised.append(now + KEPT_HOURS * 3600)
            self._fit(self.budget.on_shelf, token, lambda each: self.sessions[each] == session)
            self._fit(self.budget.shelf, token, lambda _: True)
            self._sweep()
        return token

    def get(self, token: str) -> Files | None:
        """The files under a token, or None where there are none (any more). Looking at a set does not make it live longer."""
        with self.lock:
            made, files = self.sets.get(token, (0.0, None))
            if files is None or made < _oldest():
                return None
            self.sets.move_to_end(token)
            return files

    def until(self, token: str) -> float:
        """When the time of a set is over, as time.monotonic() counts; never for what is not a set."""
        with self.lock:
            made, _ = self.sets.get(token, (math.inf, ()))
        return made + KEPT_HOURS * 3600

    def tidy(self) -> None:
        """Sweep now and then until the shelf is closed: what was promised to go goes although nobody comes."""
        while not self.closed.wait(TIDIED_EVERY_SECONDS):
            with self.lock:
                self._sweep()

    def _fit(self, room: int, newest: str, which: Callable[[str], bool]) -> None:
        """Drop the sets looked at longest ago, of those that count, until they fit; the newest stays."""
        counted = [token for token in self.sets if which(token) and token != newest]
        while counted and _bytes([self.sets[token][1] for token in (*counted, newest)]) > room:
            self._drop(counted.pop(0))

    def _drop(self, token: str) -> None:
        del self.sets[token]
        self.sessions.pop(token, None)

    def _sweep(self) -> None:
        for token in [token for token, (made, _) in self.sets.items() if made < _oldest()]:
            self._drop(token)
        while len(self.sets) > KEPT:
            self._drop(next(iter(self.sets)))
        past = [moment for moment in self.promised if moment < time.monotonic()]
        self.promised = self.promised[len(past) :]
        # Nobody can have asked for what was computed from a set since its time was over.
        kept().forget(asked_before=max([_oldest(), *past]))
        named = {file.path for _, files in self.sets.values() for file in files}
        for path in self.folder.iterdir():
            if path not in named and time.time() - path.stat().st_mtime > BRINGING_SECONDS:
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the folder."""
        self.closed.set()
        shutil.rmtree(self.folder, ignore_errors=True)


def _bytes(sets: Iterable[Files]) -> int:
    """Bytes on disk of the files of these sets; those in several count once."""
    return sum({file.path: file.size for files in sets for file in files if not file.ours}.values())


@st.cache_resource(show_spinner=False, on_release=lambda shelf: shelf.close())
def shelf() -> Shelf:
    """The one shelf of this server."""
    made = Shelf()
    threading.Thread(target=made.tidy, name="tidying", daemon=True).start()
    return made
