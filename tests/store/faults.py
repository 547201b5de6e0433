"""Faults: a disk whose call number so-and-so fails, whichever call that is."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.store import Folder

LONG = os.environ.get("RANKLENS_LONG") == "1"
DISK_CALLS = ("mkdir", "open", "write", "fsync", "link", "replace", "utime")


@contextmanager
def failing(at: int, number: int, calls: tuple[str, ...] = DISK_CALLS) -> Iterator[Callable[[], int]]:
    """Make the disk call number `at` (from 1) fail with an errno; yields what tells how many there were."""
    count = [0]

    def wrap(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **more: Any) -> Any:
            count[0] += 1
            if count[0] == at:
                raise OSError(number, os.strerror(number))
            return real(*arguments, **more)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in calls:
            patch.setattr(os, name, wrap(getattr(os, name)))
        yield lambda: count[0]


def left_in_tmp(store: Folder) -> list[Path]:
    """What lies half done in a folder."""
    tmp = store.root / "tmp"
    return list(tmp.iterdir()) if tmp.is_dir() else []
