"""Garbage: blobs that no document names any more, found and deleted while others save.

A saver puts its blobs, then the document that names them, then its blobs again. Whatever moment a collection deletes a blob
at, either the saver's second round comes later and puts it again, or the document was there before, and the collection,
which looks once more at what it deleted, puts it back. So clocks decide nothing; the age only spares work.
"""

import re
import time
from collections.abc import Iterable, Iterator

from core.store.interface import Entry, Store

DOCUMENTS = ("saved/", "series/")
BLOBS = "blobs/"
YOUNG_SECONDS = 3600.0
AT_ONCE_BYTES = 64_000_000
AT_ONCE = 1000
# Overlapping, so that a damaged byte beside a digest does not hide it.
DIGEST = re.compile(rb"(?=([0-9a-f]{64}))")


def collect(store: Store, older_than: float = YOUNG_SECONDS) -> int:
    """Delete the blobs that no document names and nobody put for `older_than` seconds; returns how many.

    Whatever looks like a digest in a document counts, so damaged ones and those of a later version keep their blobs.
    Raises InputError where something cannot be read; what was deleted until then was not named.
    """
    blobs = store.entries(BLOBS)
    named = _Named(store)
    old = time.time() - older_than
    unnamed = [blob for blob in blobs if blob.modified <= old and blob.key not in named]
    return sum(_deleted(store, [blob.key for blob in some], older_than, named) for some in _portions(unnamed))


class _Named:
    """The blobs that documents name, as far as looked."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._digests: set[str] = set()
        self._seen: set[str] = set()
        self.look()

    def __contains__(self, key: str) -> bool:
        return key.rpartition("/")[2] in self._digests

    def look(self) -> None:
        """Read the documents that were not there when it was last looked: none of them ever changes."""
        for entry in (entry for below in DOCUMENTS for entry in self._store.entries(below)):
            if entry.key in self._seen or (data := self._store.get(entry.key)) is None:
                continue
            self._digests.update(word.decode() for word in DIGEST.findall(data))
            self._seen.add(entry.key)


def _deleted(store: Store, keys: Iterable[str], older_than: float, named: _Named) -> int:
    """Delete blobs that are old, and put back what a document names that is there by now."""
    taken: dict[str, bytes] = {}
    try:
        for key in keys:
            data = store.get(key)
            modified = store.modified(key)
            if key in named or data is None or modified is None or modified > time.time() - older_than:
                continue
            taken[key] = data
            store.delete(key)
    finally:
        named.look()
        back = [key for key in taken if key in named]
        for key in back:
            store.put_same(key, taken[key])
    return len(taken) - len(back)


def _portions(blobs: Iterable[Entry]) -> Iterator[list[Entry]]:
    """What is held at once while it is deleted: so much, or a single one that is larger."""
    portion: list[Entry] = []
    size = 0
    for blob in blobs:
        if portion and (size + blob.size > AT_ONCE_BYTES or len(portion) == AT_ONCE):
            yield portion
            portion, size = [], 0
        portion.append(blob)
        size += blob.size
    if portion:
        yield portion
