"""A small comparison to save, and what opens again."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from core.cli.score import shown
from core.comparison import Comparison
from core.exports.bundle import comparison_of
from core.model.measure import DEFAULT_MEASURES
from core.saved import Link, find, open_saved, read, save
from core.store import Folder, Store, seal
from tests.comparison.made import collection

OWNER = "person:ann@eval.example"
# In this order a copy that is taken while others save holds everything that its links lead to.
BACKUP = ("links", "deletes", "links-of", "owners", "everyone", "series", "saved", "blobs")


@cache
def comparison(queries: int = 12, seed: int = 5) -> Comparison:
    """Two runs with texts, an attribute, an undefined and a missing query."""
    return collection(queries, seed).comparison


def numbers(made: Comparison) -> str:
    """Every number of a comparison to its last digit."""
    return shown(made, DEFAULT_MEASURES, "json", per_query=True)


def kept(store: Store, made: Comparison | None = None, **more: Any) -> Link:
    """A comparison saved for OWNER."""
    return save(store, made or comparison(), **({"owner": OWNER} | more))


def reopened(store: Store, token: str) -> Comparison:
    """The comparison of a link."""
    found = find(store, token)
    assert found is not None
    saved = read(store, found)
    return comparison_of(open_saved(store, saved), "saved")


def path_of(store: Folder, key: str) -> Path:
    """The file of a key."""
    return store.root / key


def changed(path: Path, **fields: Any) -> None:
    """Write a sealed record anew with other fields, as nobody does."""
    path.write_bytes(seal(document(path) | fields))


def document(path: Path) -> dict[str, Any]:
    """What a record says."""
    found: dict[str, Any] = json.loads(path.read_bytes().split(b"\n")[0])
    return found


def blobs_that_are_damaged(store: Store) -> list[str]:
    """Blobs whose bytes are not those of their name."""
    return [
        entry.key
        for entry in store.entries("blobs/")
        if hashlib.sha256(store.get(entry.key) or b"").hexdigest() != entry.key.rpartition("/")[2]
    ]
