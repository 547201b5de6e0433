"""Saving: what comes back, what a record holds, what is refused, and that a save that fails leaves nothing behind."""

import errno
import json
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.errors import InputError, Problem
from core.model.conventions import Conventions
from core.model.limits import HOSTED, LOCAL, MB
from core.model.measure import Measure
from core.saved import (
    Access,
    all_listed,
    delete,
    delete_by_id,
    find,
    listed,
    listed_for_everyone,
    new_link,
    read,
    save,
    tidy,
)
from core.store import Folder, collect
from tests.comparison.made import collection
from tests.exports.payloads import poisoned
from tests.saved.conftest import START, Days
from tests.saved.made import OWNER, comparison, document, kept, numbers, path_of, reopened
from tests.store.faults import LONG, failing, left_in_tmp

ODD = Conventions(
    missing="exclude", undefined="exclude", order="score64", conflicts="mean", own_ids="drop", relevance_level=2
)


def test_a_saved_comparison_opens_to_the_same_numbers_to_the_last_digit(store: Folder) -> None:
    made = [comparison(), collection(12, conventions=ODD).comparison, poisoned()]
    tokens = [kept(store, each).token for each in made]
    for each, token in zip(made, tokens, strict=True):
        found = reopened(store, token)
        assert found.key == each.key
        assert found.conventions == each.conventions
        assert numbers(found) == numbers(each)


def test_a_link_leads_to_what_was_said_when_it_was_saved(store: Folder, later: Days) -> None:
    later(0)
    view, notes = {"k": 5, "runs": ["new"]}, {"q01": {"text": "look at this"}}
    link = kept(store, title="  Before\nthe\trelease\0 ", view=view, notes=notes, page="queries", days=30)
    found = find(store, link.token)
    assert found is not None
    assert (found.owner, found.access, found.created, found.expires) == (OWNER, "link", START, START + timedelta(30))
    saved = read(store, found)
    assert saved == link.saved
    assert (saved.title, saved.page, saved.view, saved.notes) == ("Before the release", "queries", view, notes)
    assert (saved.measure, saved.line) == ("nDCG@10", comparison().line(Measure("nDCG", 10)))
    assert [source["role"] for source in saved.inputs] == ["qrels", "run", "run", "queries"]
    assert saved.bytes == sum(part["bytes"] for part in saved.parts.values())
    assert saved.parts["run-0/answered.parquet"]["rows"] == 12
    assert saved.parts["run-0/manifest.json"]["rows"] is None
    assert saved.order == ("qrels", "run-0", "run-1", "queries")


def test_a_store_holds_no_token_and_a_link_shows_none_by_accident(store: Folder) -> None:
    link = kept(store, access="everyone")
    more = new_link(store, link.saved.id)
    secrets = {each for one in (link, more) for each in (one.token, one.delete_token)}
    assert len(secrets) == 4
    everything = b"\0".join(entry.key.encode() + (store.get(entry.key) or b"") for entry in store.entries(""))
    for secret in secrets:
        assert secret.encode() not in everything
        assert secret not in repr(link) + repr(more)


def test_equal_parts_are_kept_once(store: Folder) -> None:
    first = kept(store)
    before = len(store.entries("blobs/"))
    second = kept(store, title="again")
    assert len(store.entries("blobs/")) == before
    assert first.saved.id != second.saved.id
    assert first.token != second.token


def test_without_a_title_it_is_called_by_its_runs(store: Folder) -> None:
    assert kept(store, title=" \n").saved.title == "old, new"


def test_the_usual_link_lives_for_90_days_and_one_may_live_for_ever(store: Folder, later: Days) -> None:
    later(0)
    usual, pinned = kept(store), kept(store, days=None)
    later(89.9)
    assert find(store, usual.token) is not None
    later(90)
    assert find(store, usual.token) is None
    later(40_000)
    assert pinned.saved.expires is None
    assert find(store, pinned.token) is not None


@pytest.mark.parametrize(
    ("owner", "access", "owners", "everyones"),
    [(OWNER, "private", 1, 0), (OWNER, "everyone", 1, 1), (None, "link", 0, 0), (None, "everyone", 0, 1)],
)
def test_it_stands_in_its_owners_list_and_in_everyones_where_everyone_may_open_it(
    store: Folder, owner: str | None, access: Access, owners: int, everyones: int
) -> None:
    link = kept(store, owner=owner, access=access, title="T")
    assert [line.id for line in listed(store, OWNER)] == [link.saved.id] * owners
    assert [line.id for line in listed_for_everyone(store)] == [link.saved.id] * everyones
    [line] = all_listed(store)
    assert (line.title, line.bytes, line.page, line.owner, line.access) == (
        "T", link.saved.bytes, "overview", owner, access,
    )  # fmt: skip
    for found in [*listed(store, OWNER), *listed_for_everyone(store)]:
        assert found == line


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a long title": ({"title": "x" * 201}, "not saved: the title has 201 letters, the limit is 200"),
    "a large view": ({"view": {"x": "y" * 200_000}}, "not saved: the view would take"),
    "large notes": ({"notes": {"x": "y" * 300_000}}, "not saved: the notes would take"),
    "no day": ({"days": 0}, "cannot be kept for 0 days"),
    "too many days": ({"days": 10**9}, "cannot be kept for 1,000,000,000 days"),
    "too large": ({"limits": replace(LOCAL, saved=1000)}, r"not saved: it would take [\d.]+ kB, the limit is 1 kB"),
    "too much": ({"limits": replace(LOCAL, owned=1000)}, "not saved: with what you have saved already"),
}


@pytest.mark.parametrize("name", [*REFUSED])
def test_what_is_larger_than_the_limits_is_refused_with_a_sentence_and_nothing_is_kept(
    store: Folder, name: str
) -> None:
    more, said = REFUSED[name]
    with pytest.raises(InputError, match=said):
        kept(store, **more)
    assert store.entries("") == []


def test_what_others_saved_and_what_was_deleted_does_not_count_as_an_owners(store: Folder) -> None:
    size = kept(store).saved.bytes
    limits = replace(LOCAL, owned=2 * size + 10)
    assert kept(store, limits=limits)
    with pytest.raises(InputError, match="with what you have saved already"):
        kept(store, limits=limits)
    assert kept(store, limits=limits, owner="person:bob")
    assert save(store, comparison(), limits=limits)


def test_hosts_keep_100_mb_of_a_comparison_and_2_gb_of_an_owner() -> None:
    assert (HOSTED.saved, HOSTED.owned) == (100 * MB, 2_000 * MB)
    assert LOCAL.saved > HOSTED.saved
    assert LOCAL.owned is None


def test_a_disk_that_fails_at_any_call_leaves_what_was_saved_and_nothing_of_the_new_one(store: Folder) -> None:
    old = kept(store, seeded(1))
    known = sorted(entry.key for entry in store.entries("") if not entry.key.startswith("blobs/"))
    with failing(0, errno.ENOSPC) as calls:
        delete(store, kept(store, seeded(2)).delete_token)
    collect(store, older_than=-1)
    refused = 0
    tried = range(1, calls() + 1, 1 if LONG else 17)
    for at in tried:
        link = None
        with failing(at, errno.ENOSPC), suppress(InputError):
            link = kept(store, seeded(2))
        if link is None:
            refused += 1
        else:  # a folder was to be made that was there, or there were fewer calls
            assert numbers(reopened(store, link.token)) == numbers(seeded(2))
            delete(store, link.delete_token)
        assert sorted(entry.key for entry in store.entries("") if not entry.key.startswith("blobs/")) == known
        assert left_in_tmp(store) == []
        collect(store, older_than=-1)  # what this try has put already would spare the next one calls
    assert refused > len(tried) / 2
    with failing(100, errno.ENOSPC), pytest.raises(InputError, match="not saved: there is no room left on the disk"):
        kept(store, seeded(2))
    assert numbers(reopened(store, old.token)) == numbers(seeded(1))
    assert len(listed(store, OWNER)) == 1


def test_a_disk_that_stays_broken_leaves_nothing_that_opens_and_an_hour_later_nothing_at_all(
    store: Folder, monkeypatch: pytest.MonkeyPatch, later: Days
) -> None:
    later(0)
    old = kept(store)
    real, left = Folder.put_new, [0]

    def fails(self: Folder, key: str, data: bytes) -> bool:
        left[0] -= 1
        return store_is_gone() if left[0] < 0 else real(self, key, data)

    monkeypatch.setattr(Folder, "put_new", fails)
    monkeypatch.setattr(Folder, "delete", lambda *_: store_is_gone())
    for puts in range(5):
        left[0] = puts
        with pytest.raises(InputError, match="gone"):
            kept(store, seeded(4), access="everyone")
        assert [line.id for line in all_listed(store)] == [old.saved.id]
        assert [line.id for line in listed(store, OWNER)] == [old.saved.id]
        assert listed_for_everyone(store) == []
    monkeypatch.undo()
    later(0.02)
    assert tidy(store).half_saved == 0
    later(0.05)
    monkeypatch.setattr("core.store.garbage.time.time", lambda: 4e9)
    done = tidy(store)
    assert (done.half_saved, done.expired) == (4, 0)
    assert done.blobs > 0
    assert {entry.key.split("/")[0] for entry in store.entries("")} == {
        "blobs",
        "deletes",
        "links",
        "links-of",
        "owners",
        "saved",
    }
    assert len(store.entries("saved/")) == len(store.entries("owners/")) == len(store.entries("links-of/")) == 1
    assert numbers(reopened(store, old.token)) == numbers(comparison())


def test_a_part_that_a_collection_takes_while_it_is_saved_is_there_in_the_end(
    store: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Folder.put_new

    def after_a_collection(self: Folder, key: str, data: bytes) -> bool:
        if key.startswith("saved/"):
            for entry in store.entries("blobs/"):
                store.delete(entry.key)
        return real(self, key, data)

    monkeypatch.setattr(Folder, "put_new", after_a_collection)
    assert numbers(reopened(store, kept(store).token)) == numbers(comparison())


def test_another_link_leads_to_the_same_and_expires_with_it(store: Folder, later: Days) -> None:
    later(0)
    link = kept(store, days=10)
    later(5)
    more = new_link(store, link.saved.id)
    assert more.saved == link.saved
    assert find(store, more.token) == find(store, link.token)
    later(10)
    assert find(store, more.token) is None
    for identity in (link.saved.id, "0" * 32, "", "../x"):
        with pytest.raises(InputError, match="is not there"):
            new_link(store, identity)


def test_a_link_that_is_made_while_the_comparison_is_deleted_does_not_outlive_it(
    store: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = kept(store)
    real = read

    def deleted_meanwhile(*arguments: Any) -> Any:
        found = real(*arguments)
        delete_by_id(store, link.saved.id)
        return found

    monkeypatch.setattr("core.saved.saving.read", deleted_meanwhile)
    with pytest.raises(InputError, match="was deleted just now"):
        new_link(store, link.saved.id)
    assert [entry.key for entry in store.entries("") if not entry.key.startswith("blobs/")] == []


def test_a_manifest_says_by_which_version_of_what_it_was_written(store: Folder) -> None:
    link = kept(store)
    found = document(path_of(store, f"saved/{link.saved.id}.json"))
    assert (found["schema"], found["kind"]) == (1, "saved")
    assert found["ranklens"] == json.loads(numbers(comparison()))["ranklens"]


def seeded(seed: int) -> Any:
    return comparison(12, seed)


def store_is_gone() -> bool:
    raise InputError(Problem("the store", None, "gone"))
