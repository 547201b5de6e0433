"""Servers that several tests ask."""

from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest

from tests.hosted.serving import Served, serving


def host(*, streamlit: bool = False) -> AbstractContextManager[Served]:
    """Our server as a host runs it: open to people, below a base path, by https, with a second name."""
    return serving(
        base="/ranklens",
        streamlit=streamlit,
        RANKLENS_ADDRESS="https://eval.example/ranklens",
        RANKLENS_HOSTS="second.example",
        RANKLENS_HOSTED="1",
        RANKLENS_ACCESS="open",
    )


@pytest.fixture(scope="package")
def below() -> Iterator[Served]:
    """The one that nobody changes."""
    with host() as served:
        yield served
