"""Collections while others save: whatever order the two come in, nothing that a document names is lost."""

import os
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from threading import Condition
from typing import Any

import pytest

from core.errors import InputError
from core.store import Entry, Folder, Store, collect, garbage, get_blob, put_blob, seal
from core.store.address import Address
from core.store.blobs import blob_key
from core.store.objects import Objects
from tests.store.faults import LONG

CALLS = ("put_new", "put_same", "get", "modified", "entries", "delete", "sweep")
COLLECTION, SAVE, OTHER_SAVE = "c", "s", "o"
# What a collection of one blob asks of a store, where a document comes that names it: at most this often.
STEPS = 12
SAVE_STEPS = 3


class Turns:
    """Lets those who use a store do one call each in an order set beforehand; who is done is left out."""

    def __init__(self, order: str) -> None:
        self.order = order
        self.done: set[str] = set()
        self.changed = Condition()

    def _next(self) -> str:
        self.order = self.order.lstrip("".join(self.done)) if self.done else self.order
        return self.order[:1]

    def take(self, who: str, call: Callable[[], Any]) -> Any:
        """Do a call when it is this one's turn."""
        with self.changed:
            assert self.changed.wait_for(lambda: self._next() in (who, ""), timeout=30)
            try:
                return call()
            finally:
                self.order = self.order[1:]
                self.changed.notify_all()

    def end(self, who: str) -> None:
        """Wait for this one no longer."""
        with self.changed:
            self.done.add(who)
            self.changed.notify_all()


class InTurn:
    """A store each of whose calls waits for its turn."""

    def __init__(self, store: Store, turns: Turns, who: str) -> None:
        for name in CALLS:
            setattr(self, name, self._in_turn(getattr(store, name), turns, who))

    @staticmethod
    def _in_turn(real: Callable[..., Any], turns: Turns, who: str) -> Callable[..., Any]:
        return lambda *arguments: turns.take(who, lambda: real(*arguments))


@pytest.fixture(autouse=True)
def no_syncing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The order of calls is tried here, not what a disk keeps."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def save(store: Store, data: bytes, name: str) -> None:
    digest = put_blob(store, data)
    store.put_new(f"saved/{name}.json", seal({"schema": 1, "parts": [digest]}))
    put_blob(store, data)


def all_orders() -> list[str]:
    """Every order of the calls of a save and of a collection."""
    steps = SAVE_STEPS + STEPS
    return [
        "".join(SAVE if at in places else COLLECTION for at in range(steps))
        for places in combinations(range(steps), SAVE_STEPS)
    ]


def some_orders(calls: str, number: int) -> Iterator[str]:
    """So many of the orders of these calls, always the same ones."""
    chance = random.Random(calls)
    for _ in range(number):
        yield "".join(chance.sample(calls, len(calls)))


def in_order(store: Store, order: str, calls: dict[str, Callable[[Any], object]]) -> None:
    turns = Turns(order)

    def one(who: str) -> None:
        try:
            calls[who](InTurn(store, turns, who))
        finally:
            turns.end(who)

    with ThreadPoolExecutor(len(calls)) as pool:
        for done in [pool.submit(one, who) for who in calls]:
            done.result()


def tried(store: Store, order: str, older_than: float, collections: str = COLLECTION) -> None:
    """Save in a store in which an equal blob lies that nothing names, while others collect."""
    data = b"the same as was saved before"
    key = blob_key(put_blob(store, data))
    if isinstance(store, Folder):
        os.utime(store.root / key, (time.time() - 7200,) * 2)
    calls: dict[str, Callable[[Any], object]] = {SAVE: lambda store: save(store, data, "new")}
    calls |= dict.fromkeys(collections, lambda store: collect(store, older_than))
    in_order(store, order, calls)
    assert get_blob(store, key.rpartition("/")[2], what=order) == data
    for entry in [*store.entries("saved/"), *store.entries("blobs/")]:
        store.delete(entry.key)


@pytest.mark.parametrize("older_than", [0, 3600])
def test_no_order_of_a_save_and_a_collection_loses_what_was_saved(tmp_path: Path, older_than: float) -> None:
    store = Folder(tmp_path / "store")
    for order in all_orders():
        tried(store, order, older_than)


def test_no_order_loses_what_was_saved_in_an_object_store(bucket: str) -> None:
    store = Objects(Address("s3", bucket, ""))
    for order in all_orders()[:: 1 if LONG else 40]:
        tried(store, order, 0)


def test_two_collections_at_once_lose_nothing_either(tmp_path: Path) -> None:
    store = Folder(tmp_path / "store")
    for order in some_orders("sss" + "cd" * STEPS, 5000 if LONG else 200):
        tried(store, order, 0, "cd")


def test_two_savers_of_the_same_and_a_deletion_between_them_lose_nothing(tmp_path: Path) -> None:
    store = Folder(tmp_path / "store")
    data = b"shared by both"
    for order in some_orders("sss" + "oooo" + "c" * STEPS, 5000 if LONG else 200):
        digest = put_blob(store, data)

        def save_and_delete(store: Store) -> None:
            save(store, data, "gone")
            store.delete("saved/gone.json")

        in_order(
            store,
            order,
            {
                SAVE: lambda store: save(store, data, "kept"),
                OTHER_SAVE: save_and_delete,
                COLLECTION: lambda store: collect(store, 0),
            },
        )
        assert get_blob(store, digest, what=order) == data
        assert store.delete("saved/kept.json")
        assert collect(store, 0) == 1


def test_a_document_met_in_one_portion_counts_for_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "AT_ONCE", 1)
    store = Folder(tmp_path / "store")
    both = [put_blob(store, data) for data in (b"one", b"two")]
    deleted: list[str] = []
    real = store.delete

    def delete(key: str) -> bool:
        if not deleted:
            store.put_new("saved/new.json", seal({"schema": 1, "parts": both}))
        deleted.append(key)
        return real(key)

    monkeypatch.setattr(store, "delete", delete)
    assert collect(store, 0) == 0
    assert len(deleted) == 1
    assert all(get_blob(store, digest, what="it") for digest in both)


def test_a_document_that_is_taken_back_and_put_again_still_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Folder(tmp_path / "store")
    document = seal({"schema": 1, "parts": [put_blob(store, b"one")]})
    store.put_new("series/s/new.json", document)
    get, delete = store.get, store.delete

    def get_after_it_is_taken_back(key: str) -> bytes | None:
        if key.startswith("series/"):
            monkeypatch.setattr(store, "get", get)
            delete(key)
        return get(key)

    def delete_after_it_is_put_again(key: str) -> bool:
        store.put_new("series/s/new.json", document)
        return delete(key)

    monkeypatch.setattr(store, "get", get_after_it_is_taken_back)
    monkeypatch.setattr(store, "delete", delete_after_it_is_put_again)
    assert collect(store, 0) == 0
    assert len(store.entries("blobs/")) == 1


def test_portions_hold_no_more_than_so_much_and_a_large_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "AT_ONCE_BYTES", 10)
    sizes = [3, 3, 3, 3, 50, 4, 6, 1]
    found = garbage._portions(Entry(f"blobs/{at}", size, 0) for at, size in enumerate(sizes))
    assert [[entry.size for entry in portion] for portion in found] == [[3, 3, 3], [3], [50], [4, 6], [1]]
    assert list(garbage._portions([])) == []


def test_where_a_document_cannot_be_read_nothing_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Folder(tmp_path / "store")
    put_blob(store, b"loose")
    store.put_new("saved/a.json", b"{}")
    real = Path.read_bytes

    def read(path: Path) -> bytes:
        if path.suffix == ".json":
            raise OSError(5, os.strerror(5))
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", read)
    with pytest.raises(InputError, match="cannot be read: Input/output error"):
        collect(store, 0)
    assert len(store.entries("blobs/")) == 1


def test_where_a_deletion_fails_half_way_what_a_new_document_names_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Folder(tmp_path / "store")
    both = [put_blob(store, data) for data in (b"one", b"two")]
    deleted: list[str] = []
    real = store.delete

    def delete(key: str) -> bool:
        if deleted:
            store.put_new("saved/new.json", seal({"schema": 1, "parts": both}))
            raise OSError(5, os.strerror(5))
        deleted.append(key)
        return real(key)

    monkeypatch.setattr(store, "delete", delete)
    with pytest.raises(OSError, match="Input/output"):
        collect(store, 0)
    assert deleted
    assert all(get_blob(store, digest, what="it") for digest in both)
