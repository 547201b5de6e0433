"""The shelf: every set of files that is on this server, each immutable and under a token of its own.

A token cannot be guessed, so nobody else finds a set. Sets live for twelve hours at most; the sample sets are always there.
"""

import hashlib
import secrets
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from core.model.reading import Choice
from core.saved import Saved

KEPT = 200  # sets; the one looked at longest ago goes first
KEPT_HOURS = 12
TIDIED_EVERY_SECONDS = 600
TOKEN_BYTES = 16


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
    """Every set of files on this server, in memory, their bytes in one folder that goes with the process."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="ranklens-")))
    sets: OrderedDict[str, tuple[float, Files]] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    closed: threading.Event = field(default_factory=threading.Event)

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
        """The files under a token, or None where there are none (any more). Looking at a set does not make it live longer."""
        with self.lock:
            made, files = self.sets.get(token, (0.0, None))
            if files is None or made < _oldest():
                return None
            self.sets.move_to_end(token)
            return files

    def tidy(self) -> None:
        """Sweep now and then until the shelf is closed: what was promised to go goes although nobody comes."""
        while not self.closed.wait(TIDIED_EVERY_SECONDS):
            with self.lock:
                self._sweep()

    def _sweep(self) -> None:
        for token in [token for token, (made, _) in self.sets.items() if made < _oldest()]:
            del self.sets[token]
        while len(self.sets) > KEPT:
            self.sets.popitem(last=False)
        named = {file.path for _, files in self.sets.values() for file in files}
        for path in self.folder.iterdir():
            # A file without a set may be one that is just being brought: it stays for an hour.
            if path not in named and time.time() - path.stat().st_mtime > 3600:
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the folder."""
        self.closed.set()
        shutil.rmtree(self.folder, ignore_errors=True)


@st.cache_resource(show_spinner=False, on_release=lambda shelf: shelf.close())
def shelf() -> Shelf:
    """The one shelf of this server."""
    made = Shelf()
    threading.Thread(target=made.tidy, name="tidying", daemon=True).start()
    return made
