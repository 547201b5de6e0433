"""Servers that several tests ask."""

from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest

from tests.hosted.serving import Served, serving
from tests.hosted.small import small


def host(*, streamlit: bool = False) -> AbstractContextManager[Served]:
    """Our server as a host runs it: open to people, below a base path, by https, with a second name, told by both kinds of variables."""
    return serving(
        base="/ranklens",
        streamlit=streamlit,
        RANKLENS_ADDRESS="https://eval.example/ranklens",
        RANKLENS_HOSTS="second.example",
        RANKLENS_HOSTED="1",
        RANKLENS_ACCESS="open",
        STREAMLIT_SERVER_MAX_UPLOAD_SIZE="123",
    )


@pytest.fixture(scope="package")
def below() -> Iterator[Served]:
    """The one that nobody changes."""
    with host() as served:
        yield served


@pytest.fixture(scope="package")
def small_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A small page behind our middleware, with a small budget, where a session that is left ends after a moment."""
    session = {"files": 200, "held": 2_000_000, "hour": 20_000_000}
    address = {"files": 10_000, "held": 6_000_000, "hour": 1_000_000_000}
    with small(tmp_path_factory.mktemp("small"), session=session, address=address, ttl=3) as served:
        yield served
