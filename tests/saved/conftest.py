"""A store of its own for every test, and a clock that can be set."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.saved import records
from core.store import Folder

START = datetime(2026, 5, 1, 2, tzinfo=UTC)
Days = Callable[[float], None]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A folder whose disk is not waited for: no test pulls the plug."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    return Folder(tmp_path / "store")


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Days:
    """The clock stands at START; `later(3)` sets it to three days after."""

    def set_to(days: float) -> None:
        monkeypatch.setattr(records, "now", lambda: START + timedelta(days=days))

    set_to(0)
    return set_to
