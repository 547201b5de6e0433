"""The same in a bucket: what one machine saves there, another one opens, lists and deletes."""

from collections.abc import Iterator

import pytest

from core.errors import InputError
from core.saved import delete, find, found_by_id, listed, listed_for_everyone, new_link, tidy
from core.store import Store
from core.store.address import Address
from core.store.objects import Objects
from tests.saved.made import OWNER, blobs_that_are_damaged, comparison, kept, numbers, reopened
from tests.store.services import make_bucket, point_at, s3


@pytest.fixture(scope="module")
def machines() -> Iterator[tuple[Store, Store]]:
    """Two machines that have the same bucket."""
    with s3() as endpoint, pytest.MonkeyPatch.context() as patch:
        point_at(patch, endpoint)
        make_bucket(endpoint, "saved")
        yield Objects(Address("s3", "saved", "team")), Objects(Address("s3", "saved", "team"))


def test_what_one_machine_saves_another_one_opens_lists_and_deletes(machines: tuple[Store, Store]) -> None:
    here, there = machines
    link, twin = kept(here, access="everyone", title="Shared"), kept(there, days=None)
    assert numbers(reopened(there, link.token)) == numbers(reopened(here, twin.token)) == numbers(comparison())
    assert {line.title for line in listed(there, OWNER)} == {"Shared", "old, new"}
    assert [line.id for line in listed_for_everyone(there)] == [link.saved.id]
    assert found_by_id(there, link.saved.id) == find(there, link.token)
    more = new_link(there, link.saved.id)
    assert delete(here, more.delete_token)
    assert find(there, link.token) is find(there, more.token) is None
    assert tidy(there, older_than=-60).blobs == 0
    assert numbers(reopened(there, twin.token)) == numbers(comparison())
    assert blobs_that_are_damaged(here) == []


def test_a_part_that_a_bucket_lost_is_told_and_saving_the_same_again_heals_it(machines: tuple[Store, Store]) -> None:
    here, there = machines
    link = kept(here)
    part = next(iter(link.saved.parts.values()))["sha256"]
    here.delete(f"blobs/{part[:2]}/{part}")
    with pytest.raises(InputError, match=f"is damaged: its part {part[:12]}… is missing from the store"):
        reopened(there, link.token)
    kept(there)
    assert numbers(reopened(there, link.token)) == numbers(comparison())


def test_a_deletion_leaves_nothing_in_a_bucket_once_parts_are_collected(machines: tuple[Store, Store]) -> None:
    here, there = machines
    kept(here)
    for line in listed(here, OWNER):
        delete(here, new_link(here, line.id).delete_token)
    tidy(there, older_than=-60)
    assert [entry.key for entry in here.entries("") if not entry.key.startswith("probes/")] == []
