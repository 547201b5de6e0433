"""No text of a person becomes a path or an address: whatever stands in a field, an address, a file's name or an id, nothing else is opened."""

import os
from itertools import cycle, islice
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.conftest import REPOSITORY
from tests.pages.dashboard import BM25, DENSE, PAGES, QRELS, opened, whole
from tests.watching import ELSEWHERE, TARGETS, Watch

LONG = os.environ.get("RANKLENS_LONG") == "1"
PARAMETERS = (
    "d", "series", "base", "runs", "slice", "in", "q", "of", "column", "cross", "vs", "part", "docs", "by", "ts", "tb", "tr", "tm", "v1",
    "v2", "find", "sort", "present",
)  # fmt: skip
WITH_FIELDS = ("data", "overview", "queries", "share")


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


def turned(by: int, number: int) -> list[str]:
    """As many targets as asked, beginning with another one each time, so that each comes to every place in the end."""
    return list(islice(cycle(TARGETS), by, by + number))


def test_the_watch_sees_what_it_is_there_to_see(watch: Watch) -> None:
    with watch.on():
        Path("/etc/hostname").exists()
        with pytest.raises(OSError, match="No such file"), Path("/etc/nothing-of-this-name").open():
            pass
    assert watch.strange() == ["/etc/nothing-of-this-name"]


@pytest.mark.parametrize("page", PAGES)
def test_no_parameter_of_an_address_is_opened(watch: Watch, page: str) -> None:
    for by in range(len(TARGETS)) if LONG else [7 * PAGES.index(page)]:
        shown = AppTest.from_file(str(REPOSITORY / "app.py"), default_timeout=240)
        for name, target in zip(PARAMETERS, turned(by, len(PARAMETERS)), strict=True):
            shown.query_params[name] = target
        shown.switch_page(f"pages/{page}.py")
        with watch.on():
            shown.run()
        whole(shown)
        assert watch.strange() == [], by


@pytest.mark.parametrize("page", PAGES if LONG else WITH_FIELDS)
def test_no_field_of_a_page_is_opened(watch: Watch, page: str) -> None:
    files = {"qrels.txt": QRELS, "bm25.run": BM25, "dense.run": DENSE}
    shown = opened(page, files, q="q1" if page == "queries" else "")
    for by in range(len(TARGETS)) if LONG else [3 * PAGES.index(page)]:
        fields = [*shown.text_input, *shown.text_area]
        for field, target in zip(fields, turned(by, len(fields)), strict=True):
            field.set_value(target.replace("\0", ""))
        with watch.on():
            shown.run()
        whole(shown)
        assert watch.strange() == [], by


def named_by(targets: tuple[str, ...]) -> dict[str, str]:
    """Judgments and two runs whose queries, documents, tags and own names are targets."""
    usable = [text for text in targets if text.strip() and "\0" not in text]
    judged = "query_id\tdoc_id\trelevance\n" + "".join(f"{text}\t{text}\t1\n{text}\tno\t0\n" for text in usable)
    ranked = [(text, other) for text, other in zip(usable, reversed(usable), strict=True) if text != other]
    run = "query_id\tdoc_id\tscore\n" + "".join(f"{text}\t{text}\t2\n{text}\t{other}\t1\n" for text, other in ranked)
    texts = "".join(f"{text}\t{text}\t{usable[at % 3]}\n" for at, text in enumerate(usable))
    queries = f"query_id\ttext\tfolder\n{texts}"
    return {
        "../../etc/qrels.tsv": judged,
        "/etc/passwd": run,
        f"http://{ELSEWHERE}/second.tsv": run,
        "queries.tsv": queries,
    }


@pytest.mark.parametrize("page", PAGES if LONG else ["data", "queries"])
def test_no_id_and_no_name_of_a_file_is_opened(watch: Watch, page: str) -> None:
    with watch.on():
        shown = opened(page, named_by(TARGETS))
    assert watch.strange() == []
    whole(shown)
