"""The shelf of files: immutable sets that cannot be guessed, and bytes that go when nobody names them."""

import hashlib
import os
import threading
import time
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from core.errors import InputError
from core.model.reading import Choice
from pages.shared import shelf as module
from pages.shared.kept import Kept
from pages.shared.limits import HOSTED_BUDGET
from pages.shared.shelf import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def test_a_file_is_written_once_under_its_digest_never_under_its_name(shelf: Shelf) -> None:
    one = shelf.keep("../../etc/passwd", b"bytes")
    other = shelf.keep("other.run", b"bytes")
    assert one.path == other.path == shelf.folder / hashlib.sha256(b"bytes").hexdigest()
    assert [path.name for path in shelf.folder.iterdir()] == [one.sha256]
    assert one.path.read_bytes() == b"bytes"
    assert (one.name, one.size) == ("../../etc/passwd", 5)


def test_files_of_the_same_bytes_are_told_apart_by_name_and_member_only(shelf: Shelf) -> None:
    one = shelf.keep("a", b"x")
    assert one.key != shelf.keep("b", b"x").key
    assert one.key != shelf.keep("a", b"y").key
    assert one.key != replace(one, member="inside").key
    assert one.key == replace(one, choice=Choice(role="run"), title="new").key


def test_a_set_cannot_be_changed(shelf: Shelf) -> None:
    file = shelf.keep("a", b"x")
    with pytest.raises(FrozenInstanceError):
        file.name = "b"  # type: ignore[misc]  # that it cannot be assigned to is what is tested
    token = shelf.put((file,))
    assert shelf.get(token) == (file,)


def test_every_set_has_a_token_of_its_own_that_cannot_be_guessed(shelf: Shelf) -> None:
    file = shelf.keep("a", b"x")
    tokens = {shelf.put((file,)) for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token) >= 22 for token in tokens)  # 128 bits in base 64


def test_an_unknown_token_has_no_files(shelf: Shelf) -> None:
    assert shelf.get("nonsense") is None
    assert shelf.get("") is None


def test_the_set_looked_at_longest_ago_goes_first(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 2)
    first, second = (shelf.put((shelf.keep(name, name.encode()),)) for name in "ab")
    assert shelf.get(first)
    third = shelf.put((shelf.keep("c", b"c"),))
    assert [shelf.get(token) is not None for token in (first, second, third)] == [True, False, True]


def aged(shelf: Shelf, token: str, hours: float) -> None:
    """Let a set be some hours older than it is."""
    made, files = shelf.sets[token]
    shelf.sets[token] = (made - hours * 3600, files)


def test_a_set_lives_for_twelve_hours_and_not_longer_for_being_looked_at(shelf: Shelf) -> None:
    token = shelf.put((shelf.keep("a", b"x"),))
    aged(shelf, token, 11.9)
    assert shelf.get(token) is not None
    assert 0 < shelf.until(token) - time.monotonic() < 0.11 * 3600
    aged(shelf, token, 0.2)
    assert shelf.get(token) is None
    assert shelf.until(token) < time.monotonic() < shelf.until("sample")


def test_what_has_lived_long_enough_goes_although_nobody_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf(tmp_path)
    file = shelf.keep("a", b"x")
    os.utime(file.path, (0, 0))
    aged(shelf, shelf.put((file,)), 12.1)
    monkeypatch.setattr(module, "TIDIED_EVERY_SECONDS", 0.01)
    tidying = threading.Thread(target=shelf.tidy, daemon=True)
    tidying.start()
    for _ in range(1000):
        if not file.path.exists():
            break
        shelf.closed.wait(0.01)
    shelf.closed.set()
    tidying.join()
    assert shelf.sets == {}
    assert not file.path.exists()


def test_bytes_that_no_set_names_go_but_not_while_they_are_being_brought(shelf: Shelf) -> None:
    new, old = shelf.keep("new", b"new"), shelf.keep("old", b"old")
    os.utime(old.path, (0, 0))
    kept = shelf.keep("kept", b"kept")
    os.utime(kept.path, (0, 0))
    shelf.put((kept,))
    assert (new.path.exists(), old.path.exists(), kept.path.exists()) == (True, False, True)


def test_the_sets_of_everybody_have_room_together_and_the_one_looked_at_longest_ago_goes_first(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, replace(HOSTED_BUDGET, shelf=250, on_shelf=200))
    first, second = (shelf.put((shelf.keep(name, name.encode() * 100),), name) for name in "ab")
    assert shelf.get(first)
    third = shelf.put((shelf.keep("c", b"c" * 100),), "c")
    assert [shelf.get(token) is not None for token in (first, second, third)] == [True, False, True]
    # The same bytes in another set take no more room.
    assert shelf.put((shelf.keep("c", b"c" * 100),), "d")
    assert shelf.get(first)


def test_one_session_s_sets_have_a_share_of_the_room_and_leave_the_others_alone(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, replace(HOSTED_BUDGET, shelf=1000, on_shelf=200))
    other = shelf.put((shelf.keep("o", b"o" * 100),), "other")
    tokens = [shelf.put((shelf.keep(name, name.encode() * 100),), "one") for name in "abc"]
    assert [shelf.get(token) is not None for token in (*tokens, other)] == [False, True, True, True]
    with pytest.raises(InputError, match="The files of one comparison may have"):
        shelf.put((shelf.keep("large", b"l" * 201),), "one")


def test_bytes_that_are_brought_again_are_young_again(shelf: Shelf) -> None:
    file = shelf.keep("a", b"x")
    os.utime(file.path, (0, 0))
    shelf.keep("b", b"x")
    shelf.put((shelf.keep("c", b"c"),))
    assert file.path.exists()


def test_what_was_computed_from_a_set_does_not_outlive_it(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Kept()
    monkeypatch.setattr(module, "kept", lambda: mine)
    shelf.put((shelf.keep("a", b"x"),))
    mine.put("comparison of a", "numbers")
    shelf.put((shelf.keep("b", b"y"),))
    assert mine.get("comparison of a") == "numbers"
    # Its time is over; what others have asked for since stays.
    shelf.promised[0] = time.monotonic()
    mine.put("comparison of b", "others")
    shelf.put((shelf.keep("c", b"z"),))
    assert (mine.get("comparison of a"), mine.get("comparison of b")) == (None, "others")
    assert list(mine.asked) == list(mine.results)


def test_closing_removes_everything(shelf: Shelf) -> None:
    shelf.keep("a", b"x")
    shelf.close()
    assert not shelf.folder.exists()
