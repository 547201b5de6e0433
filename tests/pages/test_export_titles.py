"""What a page gives away carries its finding: no export of any chart or table is headed by the card's name."""

import os
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from streamlit.testing.v1 import AppTest

from core.exports.tables import MAKERS
from pages.shared import export_menu
from pages.shared.export_menu import Taken
from pages.shared.trends import SAMPLE
from tests.exports.made import scope
from tests.pages.dashboard import DENSE, FILES, opened, title, unescaped, whole

LONG = os.environ.get("RANKLENS_LONG") == "1"
DOCUMENTS = "doc_id,title,source\nd1,Red,shop\nd2,Tea,shop\nd4,Blue,wiki\nd5,Green,wiki\nd9,Black,wiki\n"
REGRADED = "q1 0 d1 2\nq1 0 d2 1\nq1 0 d3 0\nq2 0 d6 1\nq2 0 d9 1\nq4 0 d8 1\n"
TOGETHER = FILES | {"documents.csv": DOCUMENTS}
VERSIONS = TOGETHER | {"regraded.txt": REGRADED}
ALONE = {name: text for name, text in FILES.items() if name != "dense.run"}
THREE = FILES | {"third.run": DENSE.replace("dense", "third")}
PLACES: dict[str, tuple[str, dict[str, str | bytes] | dict[str, str] | None, dict[str, str]]] = {
    "overview": ("overview", TOGETHER, {}), "data": ("data", TOGETHER, {}), "slices": ("slices", TOGETHER, {}),
    "distributions": ("distributions", TOGETHER, {}), "queries": ("queries", TOGETHER, {}), "query": ("queries", TOGETHER, {"q": "q1"}),
    "parts": ("compare", TOGETHER, {}), "holds": ("compare", TOGETHER, {"part": "Does it hold"}),
    "pairs": ("compare", THREE, {"part": "All pairs"}), "judge": ("compare", TOGETHER, {"part": "Judge next"}),
    "versions": ("compare", VERSIONS, {"part": "Versions", "v2": "regraded.txt"}),
    "trends": ("trends", None, {"series": SAMPLE}), "summed": ("trends", None, {"series": SAMPLE, "tc": "Summed"}),
    "one run": ("overview", ALONE, {}), "slices of one run": ("slices", ALONE, {}), "one run's queries": ("queries", ALONE, {"q": "q2"}),
}  # fmt: skip
ONLY_LONG = {"summed", "slices of one run", "one run's queries", "parts"}
HEADED = {"sources"}  # its card is headed by the finding already
FEWEST = {
    "overview": 8,
    "slices": 6,
    "distributions": 6,
    "query": 8,
    "holds": 1,
    "pairs": 2,
    "versions": 2,
    "trends": 5,
}


@dataclass(frozen=True)
class Offered:
    """What a menu begins with: the title of the picture, the line under it, and the line at its foot."""

    key: str
    title: str
    method: str
    footer: str


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[Offered]:
    """Everything that the page offers to export, as its menu would begin."""
    found: list[Offered] = []
    draw: Callable[[Taken], None] = export_menu.button

    def noted(one: Taken) -> None:
        shown = one.title if isinstance(one.title, str) else one.title()
        found.append(Offered(one.key, shown, one.method, one.footer()))
        draw(one)

    monkeypatch.setattr(export_menu, "button", noted)
    return found


def names(at: AppTest) -> set[str]:
    """What the cards and tables of a page are called."""
    heads = {unescaped(each.value).removeprefix("### ") for each in at.markdown if each.value.startswith("### ")}
    return heads | {each.proto.alt for each in at.dataframe}


@pytest.mark.parametrize("place", [place for place in PLACES if LONG or place not in ONLY_LONG])
def test_every_export_is_headed_by_what_it_shows_and_says_below_what_it_is(taken: list[Offered], place: str) -> None:
    page, files, address = PLACES[place]
    at = opened(page, files, **address)
    called = names(at)
    found = {one.key: one.title for one in taken}
    assert len(found) >= FEWEST.get(place, 0)
    for one in taken:
        assert one.title.strip(), one.key
        assert one.title not in called or one.key in HEADED, one
        assert not one.method.startswith(one.title), one
        assert one.method, one
        assert one.footer, one
    if LONG:
        for key in found:
            at.button(key=f"export_{key}").click().run()
            whole(at)
            assert next(each.value for each in at.text_input if each.label == "Title") == found[key]


def test_the_pictures_of_a_series_carry_its_own_conventions(taken: list[Offered]) -> None:
    opened("trends", FILES, series=SAMPLE)
    assert {one.key for one in taken} >= {"trend", "trend_slice", "nights", "trend_slices"}
    assert all("176 queries" in one.footer for one in taken)


def test_the_picture_of_the_differences_says_what_the_page_says(taken: list[Offered]) -> None:
    at = opened("overview", FILES)
    forest = next(one for one in taken if one.key == "forest")
    assert forest.title == title(at)


@pytest.mark.parametrize("key", MAKERS)
def test_a_table_of_the_share_page_is_headed_by_what_it_shows(key: str) -> None:
    table = MAKERS[key](scope())
    assert table.title not in (table.name, "")
