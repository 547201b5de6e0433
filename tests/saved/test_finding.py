"""Finding: whatever text is asked for, dead and unknown links are one answer; what is damaged or newer is said, never opened."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.errors import InputError
from core.saved import all_listed, delete, find, find_delete, found_by_id, listed, listed_for_everyone, read
from core.saved.records import new_token
from core.store import Folder
from tests.saved.conftest import Days
from tests.saved.made import OWNER, changed, comparison, document, kept, numbers, path_of, reopened
from tests.store.faults import LONG

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
FLIPS = 1000 if LONG else 150


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Folder, str]:
    """A store with one comparison, and its token."""
    store = Folder(tmp_path_factory.mktemp("known"))
    return store, kept(store).token


@pytest.mark.parametrize("ask", [find, find_delete])
@given(text=st.text(st.characters()) | st.text(ALPHABET, min_size=32, max_size=32))
@example(text="")
@example(text="..")
@example(text="../../saved")
@example(text="\0")
@example(text="%00")
@example(text="\ud800")
@example(text="x" * 1_000_000)
@example(text="links-of")
def test_any_text_may_be_asked_for_and_is_looked_up_by_its_digest_once(
    known: tuple[Folder, str], ask: Any, text: str
) -> None:
    asked: list[str] = []

    class Watched(Folder):
        def get(self, key: str) -> bytes | None:
            asked.append(key)
            return super().get(key)

    assert ask(Watched(known[0].root), text) is None
    [key] = asked
    assert re.fullmatch(r"(links|deletes)/[0-9a-f]{64}\.json", key)


def test_nothing_that_is_nearly_a_token_opens(known: tuple[Folder, str]) -> None:
    store, token = known
    near = [token.swapcase(), token[:-1], f"{token} ", f" {token}", f"{token}\0", token.lower(), token[::-1], token * 2]
    assert [find(store, each) for each in near] == [None] * len(near)
    assert find(store, token) is not None


def test_an_id_is_no_token_and_a_delete_token_does_not_open(store: Folder) -> None:
    link = kept(store)
    assert find(store, link.saved.id) is None
    assert find(store, link.delete_token) is None
    assert find_delete(store, link.token) is None
    assert find_delete(store, link.delete_token) == find(store, link.token) == found_by_id(store, link.saved.id)
    for entry in store.entries("links/"):
        assert find(store, entry.key) is find(store, entry.key.removeprefix("links/").removesuffix(".json")) is None


def test_a_token_has_at_least_128_bits() -> None:
    tokens = [new_token() for _ in range(4000)]
    assert len(set(tokens)) == 4000
    assert {len(token) for token in tokens} == {32}
    for at in range(32):
        seen = Counter(token[at] for token in tokens)
        # 64 letters (63 at the beginning, which is never "-"), each as likely as any other: about 63 times, give or take 8.
        assert set(seen) == set(ALPHABET) - ({"-"} if at == 0 else set())
        assert max(seen.values()) < 120


def test_unknown_expired_and_deleted_are_one_answer(store: Folder, later: Days) -> None:
    later(0)
    dead, gone = kept(store, days=1), kept(store)
    delete(store, gone.delete_token)
    later(1)
    for token in ("unknown", dead.token, gone.token):
        assert find(store, token) is None
    for token in ("unknown", dead.delete_token, gone.delete_token):
        assert find_delete(store, token) is None
    for identity in ("unknown", "", "0" * 32, "../" * 10, "\0" * 32, dead.saved.id, gone.saved.id):
        assert found_by_id(store, identity) is None
    assert listed(store, OWNER) == all_listed(store) == []


def test_lists_show_the_latest_first(store: Folder, later: Days) -> None:
    for day in (3, 1, 2):
        later(day)
        kept(store, title=f"day {day}", access="everyone")
    later(3)
    assert [line.title for line in listed(store, OWNER)] == ["day 3", "day 2", "day 1"]
    assert listed(store, OWNER) == all_listed(store) == listed_for_everyone(store)
    assert listed(store, "person:bob@eval.example") == []


@pytest.mark.parametrize("owner", ["../../x", "person:\0", "C:\\x", "s3://bucket", "", "Ω", "machine/..", "\ud800"])
def test_an_owner_may_have_any_name_and_none_becomes_a_path(tmp_path: Path, owner: str) -> None:
    store = Folder(tmp_path / "store")
    link = kept(store, owner=owner)
    assert [line.id for line in listed(store, owner)] == [link.saved.id]
    assert {path.name for path in tmp_path.iterdir()} == {"store"}
    assert delete(store, link.delete_token)
    assert listed(store, owner) == []


def test_every_changed_bit_is_found(store: Folder) -> None:
    link = kept(store)
    paths = [
        path for top in ("blobs", "saved", "links") for path in sorted((store.root / top).rglob("*")) if path.is_file()
    ]
    sizes = [path.stat().st_size for path in paths]
    for number in range(FLIPS):
        at = number * sum(sizes) // FLIPS
        path = next(path for path, before in zip(paths, running(sizes), strict=True) if at < before)
        at -= sum(sizes[: paths.index(path)])
        data = path.read_bytes()
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << number % 8]) + data[at + 1 :])
        with pytest.raises(InputError, match="damaged"):
            reopened(store, link.token)
        path.write_bytes(data)
    assert numbers(reopened(store, link.token)) == numbers(comparison())


def running(sizes: list[int]) -> list[int]:
    return [sum(sizes[: at + 1]) for at in range(len(sizes))]


def test_every_part_that_is_cut_short_or_missing_is_named(store: Folder) -> None:
    link, other = kept(store), kept(store, comparison(12, 9))
    for name, part in link.saved.parts.items():
        path = path_of(store, f"blobs/{part['sha256'][:2]}/{part['sha256']}")
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
        with pytest.raises(InputError) as cut:
            reopened(store, link.token)
        path.unlink()
        with pytest.raises(InputError) as lost:
            reopened(store, link.token)
        path.write_bytes(data)
        short = part["sha256"][:12]
        where = f"the saved comparison {link.saved.id[:8]}, {name}: is damaged: its part {short}…"
        assert str(cut.value) == f"{where} is not as it was written"
        assert str(lost.value) == f"{where} is missing from the store"
    assert numbers(reopened(store, other.token)) == numbers(comparison(12, 9))


def test_a_manifest_that_is_missing_is_told(store: Folder) -> None:
    link = kept(store)
    path_of(store, f"saved/{link.saved.id}.json").unlink()
    with pytest.raises(InputError, match="cannot be opened: its manifest is not in the store"):
        reopened(store, link.token)
    assert found_by_id(store, link.saved.id) is None
    assert all_listed(store) == []


@pytest.mark.parametrize("record", ["links", "saved"])
def test_a_link_of_a_later_version_gets_a_message(store: Folder, record: str) -> None:
    link, other = kept(store), kept(store)
    identity = link.saved.id
    [key] = [
        entry.key
        for entry in store.entries(f"{record}/")
        if identity in (store.get(entry.key) or b"").decode() + entry.key
    ]
    changed(path_of(store, key), schema=2)
    with pytest.raises(InputError) as told:
        reopened(store, link.token)
    [problem] = told.value.problems
    assert problem.message == "was written by a later version of Ranklens (schema 2)"
    assert problem.hint == "update Ranklens"
    assert reopened(store, other.token)
    if record == "saved":
        assert [line.id for line in all_listed(store)] == [other.saved.id]


ODD = [None, -1, 1.5, "", "x", [], ["x"], {}, {"x": "y"}, {"x": {"sha256": "../../x"}}, True, "2026-05-01T02:00"]
FIELDS = {
    "links": ["saved", "delete", "owner", "access", "created", "expires", "kind"],
    "saved": [
        "title", "page", "view", "notes", "conventions", "measure", "line", "inputs", "order", "parts", "bytes", "link", "owner",
        "access", "created", "expires", "kind", "ranklens",
    ],
}  # fmt: skip


@pytest.mark.parametrize("record", [*FIELDS])
def test_a_sealed_record_of_another_shape_is_told_or_opens_to_the_same_numbers(store: Folder, record: str) -> None:
    link = kept(store)
    [entry] = store.entries(f"{record}/")
    path = path_of(store, entry.key)
    data = path.read_bytes()
    for field in FIELDS[record]:
        for value in ODD:
            path.write_bytes(data)
            changed(path, **{field: value})
            try:
                found = reopened(store, link.token) if find(store, link.token) else None
            except InputError:
                continue
            assert found is None or found.key == comparison().key
            assert found is not None or field == "expires"
    path.write_bytes(data)
    assert read(store, find(store, link.token) or pytest.fail("gone")) == link.saved


def test_lines_of_a_list_that_are_damaged_are_left_out(store: Folder) -> None:
    good, bad, odd = kept(store, access="everyone"), kept(store, access="everyone"), kept(store, access="everyone")
    for below in ("everyone", f"owners/{document_owner(store)}"):
        path_of(store, f"{below}/{bad.saved.id}.json").write_bytes(b"{}")
        changed(path_of(store, f"{below}/{odd.saved.id}.json"), title=7)
    assert [line.id for line in listed(store, OWNER)] == [good.saved.id]
    assert [line.id for line in listed_for_everyone(store)] == [good.saved.id]
    assert document(path_of(store, f"everyone/{good.saved.id}.json"))["kind"] == "listed"


def document_owner(store: Folder) -> str:
    [owner] = [path.name for path in (store.root / "owners").iterdir()]
    return owner
