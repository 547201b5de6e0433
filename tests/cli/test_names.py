"""What a person calls things on the command line is only a name: no path, no address, no command."""

import pytest

from tests.cli.conftest import Ranklens
from tests.watching import TARGETS, Watch


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


@pytest.mark.parametrize("target", [text for text in TARGETS if text not in ("", "-") and "\0" not in text])
def test_the_name_of_a_run_is_only_a_name(watch: Watch, ranklens: Ranklens, target: str) -> None:
    with watch.on():
        done = ranklens("score", "--qrels", "qrels.txt", "--run", f"{target}=bm25.run", "--format", "json")
    assert watch.strange() == []
    assert done.code == 0
    assert list(done.json["means"]) == [target]


@pytest.mark.parametrize("target", [text for text in TARGETS if "://" in text])
def test_an_address_in_place_of_a_file_is_refused_and_not_fetched(
    watch: Watch, ranklens: Ranklens, target: str
) -> None:
    with watch.on():
        done = ranklens("score", "--qrels", target, "--run", "bm25.run")
    assert [one for one in watch.asked if "connect" in one or "addrinfo" in one] == []
    assert done.code == 2
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", ["open", "delete"])
@pytest.mark.parametrize("target", [text for text in TARGETS if text not in ("", "-")])
def test_what_is_given_in_place_of_a_link_opens_no_other_file(
    watch: Watch, ranklens: Ranklens, command: str, target: str
) -> None:
    with watch.on():
        done = ranklens(command, target, "--store", "kept")
    assert [one for one in watch.asked if "connect" in one or "addrinfo" in one] == []
    assert done.code == 2
    assert "root:" not in done.out
    assert "Traceback" not in done.err
