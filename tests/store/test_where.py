from pathlib import Path

import pytest

from core.errors import InputError
from core.store import Folder, open_store, where


def test_the_address_given_wins_then_the_variable_then_the_users_data(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.delenv("RANKLENS_STORE", raising=False)
    assert where() == str(Path("/data/ranklens"))
    monkeypatch.setenv("RANKLENS_STORE", "kept")
    assert where() == str(tmp_path / "kept")
    assert where("other") == str(tmp_path / "other")
    assert where("file:///x/y") == str(Path("/x/y"))
    assert where("~/z") == str(Path.home() / "z")
    monkeypatch.delenv("RANKLENS_STORE")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert where() == str(Path.home() / ".local" / "share" / "ranklens")


@pytest.mark.parametrize(
    "text", ["s3:/bucket/x", "s3:bucket", "gs:", "az:/x", "file:x", "file://", " ", "~nobody-here/x"]
)
def test_a_slip_in_an_address_makes_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="RANKLENS_STORE: "):
        open_store(text)


def test_a_folder_is_opened_and_not_made() -> None:
    store = open_store("/nowhere/at/all")
    assert isinstance(store, Folder)
    assert store.entries("") == []


def test_a_kind_of_store_that_there_is_not_is_told() -> None:
    with pytest.raises(InputError, match='"gopher://" is not a kind of store that can be opened'):
        open_store("gopher://somewhere")
