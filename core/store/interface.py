"""Interface: the few things that a store can do, the same for a folder and for an object store."""

import re
from typing import NamedTuple, Protocol

KEY = re.compile(r"[a-z0-9_-][a-z0-9._-]*(?:/[a-z0-9_-][a-z0-9._-]*)*")
LONGEST_KEY = 500


class Entry(NamedTuple):
    """One key with the size of what it holds in bytes, and when it was put there (seconds since 1970)."""

    key: str
    size: int
    modified: float


class Store(Protocol):
    """Bytes under keys. What is put stays as it is until it is deleted: nothing is ever changed.

    Keys are lower-case words joined by "/", made by the program, never from a text that somebody gave.
    Everything that the disk or the network refuses is an InputError with a sentence for people.
    """

    def put_new(self, key: str, data: bytes) -> bool:
        """Create a key, durably: once this returns, a crash does not lose it. False where the key was there already."""

    def put_same(self, key: str, data: bytes) -> None:
        """See that a key of content-addressed bytes is there, durably, and young: what a collection leaves alone.

        The one call that may write over a key, which its bytes were derived from: so it stays as it is, or is mended.
        """

    def get(self, key: str) -> bytes | None:
        """What a key holds, None where there is no such key."""

    def modified(self, key: str) -> float | None:
        """When a key was put there (seconds since 1970), None where there is no such key."""

    def entries(self, prefix: str) -> list[Entry]:
        """Every key that begins with a prefix (of whole words, as "series/"), sorted by key."""

    def delete(self, key: str) -> bool:
        """Delete a key. False where there was none."""

    def sweep(self, older_than: float) -> int:
        """Take away what writers that were killed left half done, if it is older than so many seconds; returns how many."""


def checked(key: str) -> str:
    """The key, if it is one. Raises ValueError otherwise: a text from outside got here, and that is a bug."""
    if len(key) > LONGEST_KEY or not KEY.fullmatch(key):
        raise ValueError(f"not a key: {key[:80]!r}")
    return key
