"""Deleting: every link is dead at once, lists forget it, parts go where nothing else needs them; what expired is tidied."""

from pathlib import Path

import pytest

from core.errors import InputError, Problem
from core.history import keep, read_series
from core.saved import (
    Link,
    Tidied,
    all_listed,
    delete,
    delete_by_id,
    find,
    found_by_id,
    listed,
    listed_for_everyone,
    new_link,
    tidy,
)
from core.store import Folder, collect, seal
from tests.history.made import night
from tests.saved.conftest import Days
from tests.saved.made import OWNER, changed, comparison, kept, numbers, path_of, reopened


def left(store: Folder) -> set[str]:
    """What kinds of keys a store holds."""
    return {entry.key.split("/")[0] for entry in store.entries("")}


def dead(store: Folder, link: Link) -> bool:
    """Whether nothing leads to it any more."""
    lists = (listed(store, OWNER), listed_for_everyone(store), all_listed(store))
    known = any(link.saved.id == line.id for lines in lists for line in lines)
    return find(store, link.token) is None and found_by_id(store, link.saved.id) is None and not known


def test_deleting_takes_every_link_every_list_and_every_record_at_once_and_the_parts_with_the_next_collection(
    store: Folder,
) -> None:
    link = kept(store, access="everyone")
    more = new_link(store, link.saved.id)
    assert left(store) == {"blobs", "saved", "links", "links-of", "deletes", "owners", "everyone"}
    assert delete(store, more.delete_token)
    assert dead(store, link)
    assert dead(store, more)
    assert left(store) == {"blobs"}
    assert collect(store) == 0  # they are young: somebody may be saving them
    assert collect(store, older_than=-1) == len(link.saved.parts)
    assert store.entries("") == []


def test_what_holds_a_link_cannot_delete_unless_it_holds_the_store(store: Folder) -> None:
    link = kept(store)
    assert not delete(store, link.token)
    assert find(store, link.token) is not None
    assert delete(store, link.token, by_link=True)
    assert dead(store, link)


@pytest.mark.parametrize("text", ["", "..", "\0", "\ud800", "x" * 100_000])
def test_where_there_is_nothing_nothing_is_deleted(store: Folder, text: str) -> None:
    link = kept(store)
    assert not delete(store, text, by_link=True)
    assert not delete_by_id(store, text)
    assert not delete_by_id(store, "0" * 32)
    assert delete(store, link.delete_token)
    assert not delete(store, link.delete_token)
    assert not delete_by_id(store, link.saved.id)


def test_parts_that_another_comparison_or_a_series_needs_stay(store: Folder) -> None:
    keep(store, night(0, [1, 2, 3, 11]))
    link, twin, other = kept(store), kept(store, owner="person:bob"), kept(store, comparison(12, 9))
    delete(store, link.delete_token)
    delete(store, other.delete_token)
    collect(store, older_than=-1)
    assert numbers(reopened(store, twin.token)) == numbers(comparison())
    [result] = read_series(store, "nightly").results
    assert result.judged == 4
    gone = {part["sha256"] for part in other.saved.parts.values()} - {p["sha256"] for p in twin.saved.parts.values()}
    assert gone.isdisjoint(entry.key.rpartition("/")[2] for entry in store.entries("blobs/"))


def test_a_part_that_a_series_names_too_stays_when_the_comparison_is_deleted(store: Folder) -> None:
    link = kept(store)
    shared, *_ = [part["sha256"] for part in link.saved.parts.values()]
    store.put_new("series/some/night.json", seal({"schema": 1, "parts": {"scores": {"sha256": shared}}}))
    delete_by_id(store, link.saved.id)
    assert collect(store, older_than=-1) == len(link.saved.parts) - 1
    assert [entry.key for entry in store.entries("blobs/")] == [f"blobs/{shared[:2]}/{shared}"]


def test_what_has_expired_is_tidied_and_what_has_not_stays(store: Folder, later: Days) -> None:
    later(0)
    short, long, pinned = kept(store, comparison(12, 9), days=1), kept(store, days=10), kept(store, days=None)
    later(1)
    assert tidy(store, older_than=-1) == Tidied(expired=1, half_saved=0, blobs=only(short, long), swept=0)
    assert dead(store, short)
    later(9_999)
    assert tidy(store, older_than=-1) == Tidied(expired=1, half_saved=0, blobs=0, swept=0)
    assert numbers(reopened(store, pinned.token)) == numbers(comparison())
    assert len(store.entries("links/")) == len(store.entries("deletes/")) == len(store.entries("owners/")) == 1


def only(link: Link, other: Link) -> int:
    """How many parts a comparison has that the other has not."""
    return len(
        {part["sha256"] for part in link.saved.parts.values()} - {p["sha256"] for p in other.saved.parts.values()}
    )


def test_a_deletion_that_breaks_off_leaves_no_link_alive_and_is_finished_later(
    store: Folder, monkeypatch: pytest.MonkeyPatch, later: Days
) -> None:
    later(0)
    kinds = 6
    links = [kept(store, access="everyone", title=str(number)) for number in range(kinds)]
    real = Folder.delete
    for number, link in enumerate(links):
        count = [0]

        def breaks_off(self: Folder, key: str, count: list[int] = count, number: int = number) -> bool:
            count[0] += 1
            if count[0] > number:
                raise InputError(Problem("the store", None, "not deleted: gone"))
            return real(self, key)

        with monkeypatch.context() as patch:
            patch.setattr(Folder, "delete", breaks_off)
            with pytest.raises(InputError, match="gone"):
                delete(store, link.delete_token)
        assert dead(store, link) == (number > 0)
    later(1)
    assert tidy(store).half_saved == kinds - 1
    assert len(all_listed(store)) == 1
    assert delete(store, links[0].delete_token)
    assert left(store) == {"blobs"}


@pytest.mark.parametrize("record", ["saved", "links", "links-of", "deletes", "owners", "everyone"])
@pytest.mark.parametrize("harm", ["damaged", "newer"])
def test_a_comparison_with_a_record_that_cannot_be_read_can_still_be_deleted(
    store: Folder, record: str, harm: str
) -> None:
    link = kept(store, access="everyone")
    [entry] = store.entries(f"{record}/")
    path = path_of(store, entry.key)
    if harm == "newer":
        changed(path, schema=2)
    else:
        path.write_bytes(path.read_bytes()[:-9])
    assert delete_by_id(store, link.saved.id, owner=OWNER)
    assert dead(store, link)
    # What remains leads nowhere: the name of a delete link that could not be read.
    assert left(store) <= {"blobs", *(["deletes"] if record == "links-of" else [])}
    assert not delete(store, link.delete_token) if record == "links-of" else True


@pytest.mark.parametrize("record", ["saved", "links"])
def test_what_a_later_version_wrote_is_not_tidied(store: Folder, later: Days, record: str) -> None:
    later(0)
    kept(store, days=None)
    for top in ("saved", "links", "links-of") if record == "links" else ("saved",):
        for entry in store.entries(f"{top}/"):
            changed(path_of(store, entry.key), schema=2)
    before = store.entries("")
    later(1000)
    assert tidy(store, older_than=-1) == Tidied(0, 0, 0, 0)
    assert store.entries("") == before


def test_a_damaged_comparison_goes_when_its_link_has_expired(store: Folder, later: Days) -> None:
    later(0)
    link = kept(store, days=3)
    path_of(store, f"saved/{link.saved.id}.json").write_bytes(b"{}\n")
    later(2)
    assert tidy(store).expired == 0
    later(3)
    assert tidy(store, older_than=-1).expired == 1
    assert left(store) == set()


def test_a_store_that_is_empty_or_not_there_has_nothing_to_tidy(tmp_path: Path) -> None:
    assert tidy(Folder(tmp_path / "none")) == Tidied(0, 0, 0, 0)
