"""Share: everything can be taken away from one page; what is offered works; bundles open by being dropped; a page on a wall has no control."""

import secrets
from typing import Any

import pytest
from streamlit.runtime.memory_media_file_storage import _calculate_file_id
from streamlit.testing.v1 import AppTest

from core.cli import main
from core.exports.bundle import open_bundle, write_bundle
from core.model.measure import DEFAULT_MEASURES
from pages.shared import saved_view
from pages.shared.present import _SCREENS
from tests.conftest import REPOSITORY
from tests.pages.dashboard import (
    BM25,
    DENSE,
    FILES,
    button,
    dropped,
    frames,
    opened,
    said,
    sent,
    title,
    unescaped,
    whole,
)

CARDS = ("Slide deck", "Report", "Pictures", "Markdown summary", "Bundle", "Tables and scores", "TREC files", "Address")
LARGE = 3 << 20


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bundle of the page's own files, made by the command line."""
    folder = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    names = [part for name in ("bm25.run", "dense.run") for part in ("--run", str(folder / name))]
    out = folder / "meeting.ranklens"
    arguments = [
        "report",
        "--qrels",
        str(folder / "qrels.txt"),
        *names,
        "--queries",
        str(folder / "queries.csv"),
        "--format",
        "bundle",
        "--out",
        str(out),
    ]
    assert main(arguments) == 0
    return out.read_bytes()


def downloads(at: AppTest) -> dict[str, Any]:
    """The download buttons of a page by what they are called."""
    return {each.proto.label: each for each in at.get("download_button")}


def test_everything_is_on_the_page_with_a_sentence() -> None:
    at = opened("share", FILES)
    assert title(at).startswith("Take it with you: ")
    text = said(at)
    assert all(f"### {card}" in text for card in CARDS)
    assert {
        "Slide deck",
        "Report",
        "Summary",
        "Bundle",
        "All, light",
        "All, dark",
        "CSV",
        "Parquet",
        "JSON",
        "qrels",
        "Run",
        "Values",
        "All runs",
    } <= set(downloads(at))


def test_a_single_run_can_be_taken_away_too() -> None:
    at = opened("share", {name: text for name, text in FILES.items() if name != "dense.run"})
    assert "Take it with you: bm25 scores" in title(at)


def test_slides_taken_out_leave_the_deck_and_none_at_all_is_said() -> None:
    at = opened("share", FILES)
    at.pills(key="slides").set_value([]).run()
    whole(at)
    assert "Slide deck" not in downloads(at)
    assert "Pick a slide." in said(at)


def test_the_menu_of_a_chart_opens_with_its_finding_and_every_format() -> None:
    at = opened("share", FILES)
    button(at, "Open its menu").click().run()
    whole(at)
    assert {"PNG 1×", "PNG 2×", "PNG 3×", "SVG", "PDF", "CSV", "Parquet", "Markdown"} <= set(downloads(at))
    fields = {each.label: each.value for each in at.text_input}
    assert "dense" in str(fields["Title"])
    assert "paired by query" in str(fields["Line under it"])


@pytest.mark.parametrize("page", ["overview", "distributions", "slices", "queries"])
def test_every_chart_and_every_table_of_a_page_has_an_export_menu(page: str) -> None:
    at = opened(page, FILES)
    menus = [each for each in at.button if str(each.key).startswith("export_")]
    in_cards = len(at.get("vega_lite_chart"))
    behind_cards = sum(str(each.proto.alt).startswith("The data of the chart") for each in at.dataframe)
    assert len(menus) == in_cards + len(at.dataframe) - behind_cards
    assert in_cards > 0


def test_charts_and_tables_are_drawn_where_their_menu_is() -> None:
    for path in sorted((REPOSITORY / "pages").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if path.name not in ("figure.py", "present.py"):
            assert "st.altair_chart(" not in text or "menu(" in text, path.name
        if path.name not in ("figure.py", "readings.py"):
            assert "st.dataframe(" not in text, path.name


def test_the_menu_of_a_page_says_what_the_chart_shows() -> None:
    at = opened("overview", FILES)
    at.button(key="export_forest").click().run()
    whole(at)
    assert next(each.value for each in at.text_input if each.label == "Title") == title(at)


def test_large_files_that_differ_where_streamlit_does_not_look_have_ids_of_their_own() -> None:
    first = bytes(LARGE)
    second = bytes(300_000) + b"x" + bytes(LARGE - 300_001)
    assert len(first) == len(second)
    assert _calculate_file_id(first, "text/csv", "same.csv") == _calculate_file_id(second, "text/csv", "same.csv")
    names: set[str] = set()
    for _ in range(100):
        names |= {f"same-{secrets.token_hex(4)}.csv", f"same-{secrets.token_hex(4)}.csv"}
    ids = {_calculate_file_id(data, "text/csv", name) for name in names for data in (first, second)}
    assert len(ids) == len(names) == 200


def test_no_two_visits_offer_a_file_under_the_same_name() -> None:
    names = [each.proto.url for _ in range(2) for each in opened("share", FILES).get("download_button")]
    assert len(set(names)) == len(names) or not any(names)


def test_a_bundle_that_is_dropped_shows_the_same_numbers(bundle: bytes) -> None:
    at = dropped(opened(), {"meeting.ranklens": bundle})
    assert title(at) == "2 runs and 4 judged queries, ready to compare"
    assert "bundle: a saved comparison · 2 runs: bm25, dense" in unescaped(
        at.expander[-1].label
    ) or "bundle" in " ".join(unescaped(each.label) for each in at.expander)
    at.switch_page("pages/overview.py").run()
    whole(at)
    direct = opened("overview", FILES)
    assert title(at) == title(direct)
    for alt, frame in frames(direct).items():
        assert frames(at)[alt].equals(frame), alt


def test_a_bundle_opens_with_the_view_it_was_saved_from(bundle: bytes) -> None:
    with_view = write_bundle(
        open_bundle(bundle),
        {"k": 5, "gain": "exponential", "base": "dense", "slice": "intent", "in": ["buy"], "missing": "exclude"},
    )
    at = dropped(opened(), {"meeting.ranklens": with_view})
    state = at.session_state
    assert (state["k"], state["gain"], state["base"], state["slice"], state["in"]) == (
        5,
        "exponential",
        "dense",
        "intent",
        ["buy"],
    )
    assert state["missing"] == "exclude"


def test_a_view_of_a_stranger_sets_only_what_the_comparison_has(bundle: bytes) -> None:
    comparison = open_bundle(bundle)
    told = {
        "k": 10**9,
        "gain": "<b>",
        "base": "x",
        "runs": ["bm25", "x"],
        "slice": "x",
        "in": ["y"],
        "level": -1,
        "order": "x",
        "_files": "evil",
        "d": "evil",
    }
    assert saved_view.fitting(told, comparison) == {}
    shapes: tuple[object, ...] = ([], {}, True, 10.0, None, ["linear"])
    for shape in shapes:
        assert saved_view.fitting(dict.fromkeys((*saved_view.KEYS, *saved_view.WORDS), shape), comparison) == {}
    for text in ("²", "٣", "9" * 5000, "-1", "1.5", ""):
        assert not saved_view.from_address({"k": [text], "level": [text]})
    twice = {"runs": ["dense", "dense"], "slice": "intent", "in": ["buy", "buy"]}
    assert saved_view.fitting(twice, comparison) == {"runs": ["dense"], "slice": "intent", "in": ["buy"]}
    assert saved_view.fitting({"runs": ["dense"], "slice": "intent", "in": ["buy", 3]}, comparison) == {
        "runs": ["dense"],
        "slice": "intent",
        "in": ["buy"],
    }


def test_how_the_files_of_a_bundle_were_read_is_no_longer_asked(bundle: bytes) -> None:
    at = opened("data", {"meeting.ranklens": bundle})
    labels = {each.label for each in at.sidebar.selectbox}
    assert "Missing queries" in labels
    assert not {"Order", "Conflicting judgments"} & labels


def test_what_missing_queries_score_can_still_be_changed(bundle: bytes) -> None:
    at = opened("overview", {"meeting.ranklens": bundle}, missing="Leave out")
    assert title(at) == title(opened("overview", FILES, missing="Leave out"))


def test_a_bundle_beside_other_files_says_so_and_can_be_removed(bundle: bytes) -> None:
    at = opened("data", {"meeting.ranklens": bundle, "bm25.run": BM25, "dense.run": DENSE})
    assert "a bundle is a whole comparison" in said(at)
    at = opened("data", {"meeting.ranklens": bundle})
    button(at, "Remove").click().run()
    whole(at)
    assert "Decide which ranking ships" in title(at)


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_damaged_bundle_is_refused_in_words(bundle: bytes, share: float) -> None:
    at = dropped(opened(), {"meeting.ranklens": bundle[: int(len(bundle) * share)]})
    assert "meeting.ranklens cannot be read as it is" in title(at)
    assert "is damaged" in said(at)


@pytest.mark.parametrize("page", [*_SCREENS])
def test_a_page_on_a_wall_has_charts_and_words_and_no_control(page: str) -> None:
    at = opened(page, FILES, present="1", k="5")
    assert not at.sidebar.selectbox
    assert not at.button
    assert not at.selectbox
    assert not at.get("download_button")
    specs = " ".join(text for kind, place, text in sent(at) if kind == "VegaLiteChart")
    assert "nDCG@5" in specs
    assert "missing = 0" in specs


def test_the_wall_shows_the_view_that_the_address_asks_for() -> None:
    specs = " ".join(
        text
        for kind, _, text in sent(opened("overview", FILES, present="1", k="3", gain="Exponential", base="dense"))
        if kind == "VegaLiteChart"
    )
    assert "exponential gain" in specs
    assert "nDCG@3" in specs
    assert "bm25" in specs


def test_a_wall_without_files_says_so() -> None:
    assert title(opened("overview", present="1")) == "Nothing to present"


def test_the_measures_of_the_page_are_those_of_the_command_line() -> None:
    assert DEFAULT_MEASURES[0].name == "nDCG"
