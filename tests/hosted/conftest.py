"""Servers that several tests ask."""

from collections.abc import Iterator

import pytest

from tests.hosted.serving import Served, serving


@pytest.fixture(scope="package")
def below() -> Iterator[Served]:
    """Our server as a host runs it: open to people, below a base path, by https, with a second name."""
    with serving(
        base="/ranklens",
        RANKLENS_ADDRESS="https://eval.example/ranklens",
        RANKLENS_HOSTS="second.example",
        RANKLENS_HOSTED="1",
        RANKLENS_ACCESS="open",
    ) as served:
        yield served
