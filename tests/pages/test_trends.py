"""Trends: the finding as the title, segments, alerts, and one result against the one before it."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.history import keep, read_series, watched
from core.store import Folder, seal
from pages.shared.trends import FIRST_CROSSED, SAMPLE, called
from sample_data import make_history
from tests.history.made import night, shaken
from tests.pages.dashboard import button, frames, opened, said, title, whole

SIDES = ["left"] * 20 + ["right"] * 40


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv("RANKLENS_STORE", str(tmp_path / "kept"))
    return Folder(tmp_path / "kept")


def sample(**address: str | list[str]) -> AppTest:
    return opened("trends", series=SAMPLE, **address)


def box(at: AppTest, label: str) -> AppTest:
    return next(each for each in at.selectbox if each.label == label)  # type: ignore[return-value]  # an element of it


def test_the_page_finds_the_planted_fall_by_itself_and_its_title_says_so() -> None:
    at = sample()
    assert title(at) == '"billing" (source) fell by 0.073 since 26 November 2026, and the mean hardly shows it'
    assert "The mean of all 176 queries moved by −0.004, within its usual range." in said(at)
    assert "nDCG@10 · linear gain (the grade) · ideal from all judged documents · 176 queries" in said(at)


def test_the_chart_begins_a_new_segment_where_the_judgments_changed_and_marks_the_nights_below() -> None:
    tables = frames(sample())
    whole_, billing = (tables[f"The data of the chart: {name}"] for name in ("All queries", "source: billing"))
    noted = whole_[whole_["note"].notna()]
    assert [(when.day, note) for when, note in zip(noted["when"], noted["note"], strict=True)] == [
        (9, "changed: query set, qrels")
    ]
    assert whole_["segment"].tolist() == [0] * 8 + [1] * 22
    assert whole_["low"].notna().tolist() == [False] * 18 + [True] * 12
    assert whole_["alert"].isna().all()
    assert [when.day for when in billing[billing["alert"].notna()]["when"]] == [26, 27, 28, 29, 30]


def test_alerts_lead_to_the_first_result_that_crossed_against_the_one_before() -> None:
    at = sample(ts="source: wiki")
    assert '"billing" (source) has been below its usual level since 26 November 2026: −0.049 nDCG@10' in said(at)
    button(at, "Look at it").click()
    at.run()
    whole(at)
    assert box(at, "Slice").value == "source: billing"  # type: ignore[attr-defined]  # the widget's value
    results = read_series(Folder(make_history.STORE), make_history.SERIES).results
    assert box(at, "Result").value == called(results[25])  # type: ignore[attr-defined]  # the widget's value
    assert "night 26 minus night 25" in said(at)


def test_a_result_is_compared_with_its_predecessor_query_by_query() -> None:
    results = read_series(Folder(make_history.STORE), make_history.SERIES).results
    at = sample(tr=called(results[11]), tq="All queries")
    old, new = (results[place].values("nDCG@10") for place in (10, 11))
    d = new - old
    table = frames(at)["Queries that changed"]
    assert len(table) == (np.abs(d) > 1e-9).sum()
    assert table["difference"].tolist() == pytest.approx(sorted(d[np.abs(d) > 1e-9]))
    assert table["difference"].iloc[0] == pytest.approx(d.min())
    assert {"intent", "source", "query length"} <= set(table.columns)
    assert f"{(d > 1e-9).sum():,} better, {(np.abs(d) <= 1e-9).sum():,} the same, {(d < -1e-9).sum():,} worse" in said(
        at
    )


def test_the_queries_compared_are_those_of_the_slice_that_is_drawn() -> None:
    at = sample()
    assert set(frames(at)["Queries that changed"]["source"]) == {"billing"}
    assert "source: billing." in said(at)


def test_the_first_result_and_the_first_of_a_segment_have_nothing_before_them() -> None:
    results = read_series(Folder(make_history.STORE), make_history.SERIES).results
    assert "It is the first result of the series" in said(sample(tr=called(results[0])))
    ninth = sample(tr=called(results[8]))
    assert "It cannot be held against night 8, the one before: query set, qrels changed." in said(ninth)
    assert "Queries that changed" not in frames(ninth)


def test_another_measure_and_the_summed_chart_and_another_baseline_are_in_the_address() -> None:
    results = read_series(Folder(make_history.STORE), make_history.SERIES).results
    at = sample(tm="nDCG(dcg='exp-log2')@10", tc="Summed", tb=called(results[11]), ts="intent: lookup")
    assert "exponential gain (2^grade − 1)" in said(at)
    table = frames(at)["The data of the chart: All queries"]
    assert table["up"].notna().sum() == 12
    expected = watched(results, "nDCG(dcg='exp-log2')@10", baseline=results[11])
    assert table["down"].dropna().tolist() == pytest.approx(
        [each.point.cusum_down for each in expected.whole.nights if each.point.cusum_down is not None]
    )
    assert "The data of the chart: intent: lookup" in frames(at)


def test_every_slice_stands_in_the_table_with_its_usual_level() -> None:
    table = frames(sample())["Slices of the series"].set_index("slice")
    assert len(table) == 14
    row = table.loc["source: billing"]
    assert (row["n"], row["state"]) == (37, ["Fell"])
    assert row["change"] == pytest.approx(row["difference"] - row["usual"])
    assert len(row["course"]) == 22


@pytest.mark.parametrize(
    "address",
    [
        {"tm": "nonsense"}, {"ts": "nonsense"}, {"tr": "nonsense"}, {"tb": "nonsense"}, {"tc": "nonsense"}, {"tq": "x"},
        {"tm": "", "ts": "", "tr": "", "tb": "", "tc": "", "tq": ""}, {"tr": FIRST_CROSSED}, {"ts": "source: unknown"},
    ],
)  # fmt: skip
def test_nonsense_in_the_address_is_the_default(address: dict[str, str]) -> None:
    assert title(sample(**address)).startswith('"billing" (source) fell')


def test_without_a_series_the_page_teaches_how_to_record_one_and_shows_the_sample_in_one_click(store: Folder) -> None:
    at = opened("trends")
    assert store.entries("") == []
    assert title(at) == "Trends"
    assert "ranklens record nightly --qrels qrels.txt" in at.code[0].value
    button(at, "Open the sample history").click()
    at.run()
    whole(at)
    assert title(at).startswith('"billing" (source) fell')


def test_the_dashboard_reads_the_store_that_results_were_recorded_in(store: Folder) -> None:
    for number in range(12):
        keep(store, night(number, shaken(number), SIDES))
    at = opened("trends")
    assert title(at) == "No drift"
    assert box(at, "Series").options == ["nightly", SAMPLE]  # type: ignore[attr-defined]  # the widget's options
    # A result more, and the page that is open shows it.
    ranks = shaken(12)
    ranks[:] = 5
    keep(store, night(12, ranks, SIDES))
    at.run()
    whole(at)
    assert title(at) == "nDCG@10 is worse than the baseline since 13 May 2026"


def test_few_results_are_told_as_too_few(store: Folder) -> None:
    keep(store, night(0, shaken(0), SIDES))
    at = opened("trends")
    assert title(at) == "1 result, too few to tell drift from chance"
    assert "Limits begin after 10 results" in said(at)


def test_damage_and_later_versions_are_told_and_the_rest_is_shown(store: Folder) -> None:
    for number in range(3):
        keep(store, night(number, shaken(number), SIDES))
    one, other, _ = sorted((store.root / "series").rglob("*.json"))
    one.write_bytes(one.read_bytes()[:-3])
    other.write_bytes(seal({"schema": 99}))
    at = opened("trends")
    assert "is damaged: it is not as it was written" in said(at)
    assert "was written by a later version of Ranklens (schema 99)" in said(at)
    assert title(at) == "1 result, too few to tell drift from chance"


def test_names_from_outside_are_text_and_nothing_else(store: Folder) -> None:
    mark = "*evil* <b> $x$ [evil](evil) :red[evil] `evil`"
    sides = [mark] * 20 + ["right"] * 40
    for number in range(12):
        keep(store, night(number, shaken(number), sides, series=mark, label=mark, run=mark))
    at = opened("trends", series=mark, ts=f"side: {mark}")
    live = [each.value for group in (at.title, at.header, at.markdown, at.error, at.warning) for each in group]
    assert any("evil" in text for text in live)
    assert not any("*evil*" in text.replace("\\*", "") or "](evil" in text.replace("\\]", "") for text in live)


def test_a_store_that_cannot_be_opened_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLENS_STORE", "gopher://somewhere")
    assert '"gopher://" is not a kind of store that can be opened' in said(opened("trends"))
