"""Backups taken while others save: what the copy names, the copy holds."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from core.history import Result, keep, read_series
from core.store import Folder, Store
from tests.history.made import night
from tests.store.faults import LONG

WRITERS = 4


def copied(source: Store, target: Store, prefix: str) -> int:
    """Copy the keys below a prefix that are not there yet, as any tool does that copies files."""
    count = 0
    for entry in source.entries(prefix):
        data = source.get(entry.key)
        if data is not None and target.put_new(entry.key, data):
            count += 1
    return count


def while_others_save(store: Folder, copy: Callable[[], None]) -> None:
    stop = Event()
    begun = [Event() for _ in range(WRITERS)]

    def save(writer: int) -> None:
        at = 0
        while not stop.is_set() or at == 0:
            keep(store, night(at, [1 + writer, 1 + at % 11], label=f"w{writer}-{at}"))
            begun[writer].set()
            at += 1

    with ThreadPoolExecutor(WRITERS) as pool:
        writers = [pool.submit(save, writer) for writer in range(WRITERS)]
        try:
            for each in begun:
                assert each.wait(60)
            copy()
        finally:
            stop.set()
        for writer in writers:
            writer.result()


def opened(store: Store) -> tuple[Result, ...]:
    """Every record that is there, of which none may be damaged."""
    found = read_series(store, "nightly")
    assert found.problems == ()
    assert len(found.results) == len(store.entries("series/"))
    return found.results


@pytest.mark.parametrize(
    "order",
    [
        # First what names, then what is named; or in any order, and then the parts once more.
        ("links/", "saved/", "series/", "blobs/"),
        ("blobs/", "series/", "saved/", "links/", "blobs/"),
    ],
)
def test_a_copy_taken_while_four_save_opens_whatever_is_in_it(tmp_path: Path, order: tuple[str, ...]) -> None:
    for number in range(10 if LONG else 1):
        store, copy = Folder(tmp_path / f"store{number}"), Folder(tmp_path / f"copy{number}")

        def copying(store: Store = store, copy: Store = copy) -> None:
            for prefix in order:
                copied(store, copy, prefix)

        while_others_save(store, copying)
        assert len(opened(copy)) >= WRITERS
        assert {result.id for result in opened(copy)} <= {result.id for result in opened(store)}


def test_a_store_moves_from_a_folder_to_a_bucket_and_back(tmp_path: Path, store: Store) -> None:
    first, last = Folder(tmp_path / "first"), Folder(tmp_path / "last")
    for at in range(3):
        keep(first, night(at, [1, 1 + at]))
    assert copied(first, store, "") == copied(store, last, "")
    assert [result.means for result in opened(store)] == [result.means for result in opened(first)]
    assert {entry.key: last.get(entry.key) for entry in last.entries("")} == {
        entry.key: first.get(entry.key) for entry in first.entries("")
    }
