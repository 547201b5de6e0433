"""Leftovers: what a killed process leaves goes when its time is over, and nothing else does."""

import os
import tempfile
import time
from pathlib import Path

import pytest

from pages.hosted.leftovers import sweep
from pages.shared.shelf import KEPT_HOURS, Shelf

LONG_AGO = time.time() - KEPT_HOURS * 3600 - 60


def test_files_of_a_process_that_is_gone_go_after_twelve_hours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone, living = Shelf(), Shelf()
    old, young = gone.keep("old.run", b"old"), gone.keep("young.run", b"young")
    both = living.keep("again.run", b"old")
    other = tmp_path / "ranklens-fonts-x" / "font.ttf"
    other.parent.mkdir()
    other.write_bytes(b"font")
    for path in (old.path, both.path, other):
        os.utime(path, (LONG_AGO, LONG_AGO))
    # Brought again, it is as young as on the first day.
    living.keep("again.run", b"old")
    assert sweep() == 1
    assert not old.path.exists()
    assert all(path.exists() for path in (young.path, both.path, other, gone.folder))
    assert living.keep("more.run", b"more").path.exists()


def test_a_name_that_leads_elsewhere_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    target = tmp_path / "kept"
    target.write_bytes(b"somebody's")
    os.utime(target, (LONG_AGO, LONG_AGO))
    link = Shelf().folder / "link"
    link.symlink_to(target)
    os.utime(link, (LONG_AGO, LONG_AGO), follow_symlinks=False)
    assert sweep() == 1
    assert target.read_bytes() == b"somebody's"
