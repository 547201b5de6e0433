"""What every store promises, tried on a folder and on an object store."""

import hashlib
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from core.errors import InputError
from core.store import Folder, Store, collect, get_blob, put_blob, seal, unseal
from core.store.blobs import blob_key
from tests.store.faults import LONG

KEYS_FROM_OUTSIDE = [
    "", "/", "../a", "a/../b", "a//b", "/etc/passwd", "a/", "A", "a b", "a\0b", ".hidden", "a/.b", "ä", "c:\\x",
    "%2e%2e/a", "s3://a", "x" * 501,
]  # fmt: skip


def test_what_is_put_is_got_back_and_is_there_for_another_process(opened: Callable[[], Store]) -> None:
    store = opened()
    assert store.put_new("a/b", b"one") is True
    assert store.get("a/b") == opened().get("a/b") == b"one"
    assert store.put_new("a/empty", b"") is True
    assert store.get("a/empty") == b""


def test_a_key_is_never_overwritten(opened: Callable[[], Store]) -> None:
    assert opened().put_new("a", b"one") is True
    assert opened().put_new("a", b"two") is False
    assert opened().put_new("a", b"one") is False
    assert opened().get("a") == b"one"


def test_what_is_not_there_is_none_and_a_store_that_nobody_wrote_to_is_empty(store: Store) -> None:
    assert store.get("a") is None
    assert store.modified("a") is None
    assert store.entries("series/") == []
    assert store.entries("") == []
    assert store.delete("a") is False
    assert store.sweep(0) == 0
    assert not isinstance(store, Folder) or not store.root.exists()


def test_keys_are_listed_in_order_with_their_sizes_and_without_those_of_other_folders(store: Store) -> None:
    for key, data in (("b/2", b"22"), ("a/1", b"1"), ("b/1/x", b"333"), ("bb/1", b"4")):
        store.put_new(key, data)
    found = [(entry.key, entry.size) for entry in store.entries("")]
    assert found == [("a/1", 1), ("b/1/x", 3), ("b/2", 2), ("bb/1", 1)]
    assert [entry.key for entry in store.entries("b/")] == ["b/1/x", "b/2"]
    assert store.entries("b/2") == []
    assert all(abs(entry.modified - time.time()) < 3600 for entry in store.entries(""))
    assert all(entry.modified == store.modified(entry.key) for entry in store.entries(""))


def test_more_keys_than_one_answer_holds_are_all_listed(store: Store) -> None:
    keys = [f"a/{at:04}" for at in range(1100 if LONG else 30)]
    for key in keys:
        store.put_same(key, b"x")
    assert [entry.key for entry in store.entries("a/")] == keys


def test_a_deleted_key_is_gone_and_can_be_put_again(store: Store) -> None:
    store.put_new("a", b"one")
    assert store.delete("a") is True
    assert store.get("a") is None
    assert store.delete("a") is False
    assert store.put_new("a", b"two") is True


@pytest.mark.parametrize("key", KEYS_FROM_OUTSIDE)
def test_a_text_from_outside_never_becomes_a_key(store: Store, key: str) -> None:
    calls: list[Callable[[str], object]] = [
        store.get, store.delete, store.modified, lambda key: store.put_new(key, b""),
        lambda key: store.put_same(key, b""),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(ValueError, match="not a key"):
            call(key)
    assert store.entries("") == []


def test_of_sixteen_who_create_a_key_at_once_one_wins(opened: Callable[[], Store]) -> None:
    stores = [opened() for _ in range(16)]
    stores[0].entries("")
    barrier = Barrier(16)

    def create(number: int, key: str) -> bool:
        barrier.wait()
        return stores[number].put_new(key, f"{number}".encode())

    with ThreadPoolExecutor(16) as pool:
        for key in (f"race/{at}" for at in range(100 if LONG else 5)):
            won = list(pool.map(create, range(16), [key] * 16))
            assert won.count(True) == 1
            assert stores[0].get(key) == f"{won.index(True)}".encode()
    assert [entry.key for entry in stores[0].entries("") if not entry.key.startswith("race/")] == []


def test_putting_the_same_creates_it_and_leaves_it_as_it_is(store: Store) -> None:
    store.put_same("a/b", b"one")
    store.put_same("a/b", b"one")
    assert [(entry.key, entry.size) for entry in store.entries("")] == [("a/b", 3)]
    assert store.get("a/b") == b"one"
    assert store.put_new("a/b", b"two") is False


def test_putting_the_same_mends_what_was_cut_short(store: Store) -> None:
    store.put_same("a/b", b"on")
    store.put_same("a/b", b"one")
    assert store.get("a/b") == b"one"


def test_equal_blobs_are_kept_once_and_come_back_whole(store: Store) -> None:
    data = random.Random(3).randbytes(12_000_000 if LONG else 300_000)
    digest = put_blob(store, data)
    assert put_blob(store, data) == digest == hashlib.sha256(data).hexdigest()
    assert [entry.key for entry in store.entries("blobs/")] == [blob_key(digest)]
    assert get_blob(store, digest, what="the thing") == data


def test_any_changed_bit_any_cut_and_a_lost_part_is_found(store: Store) -> None:
    chance = random.Random(4)
    data = chance.randbytes(64) + bytes(200)
    document = seal({"schema": 1, "parts": ["a" * 64], "text": "Ω “x”"})
    key = blob_key(put_blob(store, data))
    digest = key.rpartition("/")[2]

    def replace(with_what: bytes) -> None:
        store.delete(key)
        store.put_new(key, with_what)

    for _ in range(1000 if LONG else 30):
        at = chance.randrange(8 * len(data))
        replace(_flipped(data, at))
        with pytest.raises(InputError, match=r"the thing: is damaged: its part [0-9a-f]{12}… is not as it was written"):
            get_blob(store, digest, what="the thing")
        store.put_new("doc", _flipped(document, at % (8 * len(document))))
        with pytest.raises(InputError, match="the document: is damaged: it is not as it was written"):
            unseal(store.get("doc") or b"", schema=1, what="the document")
        store.delete("doc")
    for length in (0, 1, len(data) // 2, len(data) - 1):
        replace(data[:length])
        with pytest.raises(InputError, match="is not as it was written"):
            get_blob(store, digest, what="the thing")
    store.delete(key)
    with pytest.raises(InputError, match=f"the thing: is damaged: its part {digest[:12]}… is missing from the store"):
        get_blob(store, digest, what="the thing")


def _flipped(data: bytes, bit: int) -> bytes:
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


def test_what_no_document_names_is_collected_and_what_one_names_is_not(store: Store) -> None:
    kept = [put_blob(store, f"kept {at}".encode()) for at in range(3)]
    loose = [put_blob(store, f"loose {at}".encode()) for at in range(3)]
    store.put_new("saved/a.json", seal({"schema": 99, "parts": {"one": kept[0]}}))
    store.put_new("series/s/b.json", b'{"cut off, of a form that nobody knows": "' + kept[1].encode())
    # One changed bit made the quotation mark before the digest a digit.
    store.put_new("series/s/c.json", b"2" + kept[2].encode() + b'"')
    # Links, and the names of documents, name no blobs.
    store.put_new(f"links/{loose[0]}.json", loose[0].encode())
    assert collect(store) == 0
    assert collect(store, older_than=0) == 3
    assert {entry.key for entry in store.entries("blobs/")} == {blob_key(digest) for digest in kept}
    assert store.delete("saved/a.json")
    assert collect(store, older_than=0) == 1
    assert store.get(blob_key(kept[0])) is None
