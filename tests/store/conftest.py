"""The two kinds of store, so that what is promised of one is tried on both."""

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.store import Folder, Store
from core.store.address import Address
from core.store.objects import Objects
from tests.store.services import Stub, make_bucket, point_at, s3
from tests.store.services import stub as stub_server


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """A server of S3 for the whole run; every test makes buckets of its own."""
    with s3() as endpoint:
        yield endpoint


@pytest.fixture(autouse=True)
def none_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test meets a bucket that another one opened."""
    monkeypatch.setattr("core.store._opened", {})


@pytest.fixture
def bucket(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A new bucket, to which the environment gives access."""
    point_at(monkeypatch, s3_server)
    name = f"kept-{secrets.token_hex(8)}"
    make_bucket(s3_server, name)
    return name


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """A small service that speaks S3 and does as it is told, to which the environment gives access."""
    with stub_server() as made:
        point_at(monkeypatch, made.endpoint)
        yield made


@pytest.fixture(params=["folder", "objects"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Opens the same store each time, as another process would."""
    if request.param == "folder":
        return lambda: Folder(tmp_path / "store")
    bucket = request.getfixturevalue("bucket")
    return lambda: Objects(Address("s3", bucket, "some/Folder"))


@pytest.fixture
def store(opened: Callable[[], Store]) -> Store:
    """An empty store of either kind."""
    return opened()
