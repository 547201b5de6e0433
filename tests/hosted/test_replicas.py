"""Replicas share what is saved, over a folder and over an object store; the whole story in a browser is in full."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.saved import delete, save
from core.store import open_store
from tests.browser.conftest import LONG
from tests.hosted.deployed import Replica, running, site, start
from tests.hosted.journey import chromium
from tests.hosted.proxy import NAME, needs_nginx
from tests.hosted.replicas import GONE, object_store, shared
from tests.hosted.visiting import look
from tests.saved.made import comparison

# What the Overview of the saved comparison is titled, as Markdown has it.
FINDING = r"new is 0\\.151 ahead of old"


# In short the one kind of store that replicas on several machines can have.
@pytest.fixture(params=["bucket", "folder"] if LONG else ["bucket"])
def variables(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    """What replicas are told about their store: a folder, or a bucket of a server that speaks S3."""
    if request.param == "folder":
        yield {"RANKLENS_STORE": str(tmp_path / "store")}
    else:
        with object_store() as told:
            yield told


def test_what_is_saved_opens_on_every_replica_until_it_is_deleted(
    variables: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    store = open_store()
    link = save(store, comparison(), title="anything")
    replicas = [start(tmp_path, name, variables) for name in ("one", "two")]
    with running(*replicas):
        for each in replicas:
            assert FINDING in look(each.served, "", f"d={link.token}")
        assert delete(store, link.delete_token)
        for each in replicas:
            assert dead(each, link.token)
            assert link.token not in each.served.log()


def dead(on: Replica, token: str) -> bool:
    """Whether a link comes to be dead on a replica, which may go on for a second by what it has just read."""
    for _ in range(20):
        if GONE in look(on.served, "", f"d={token}"):
            return True
        time.sleep(0.2)
    return False


@pytest.mark.long
@pytest.mark.skipif(not LONG, reason="minutes: RANKLENS_LONG=1 runs it")
@needs_nginx
def test_save_on_one_open_and_delete_on_the_other_and_lose_one(variables: dict[str, str], tmp_path: Path) -> None:
    with site(tmp_path, 2, variables) as where, chromium(**{NAME: "127.0.0.1"}) as browser:
        assert len(list(shared(browser, where))) == 8
