import json
from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pytest

from core.comparison.pairs import against_baseline
from core.model.measure import Measure
from pages.shared import distributions
from pages.shared.distributions_finding import focus, shape
from pages.shared.view import View
from tests.comparison.made import collection, comparison_of
from tests.pages.dashboard import brought, opened, said
from tests.scoring.collections import Grades, Scored

NDCG = Measure("nDCG", 10)


def titled(ranks: Sequence[int | None], baseline: Sequence[int | None] | None = None) -> str:
    """The title of a run that has the one relevant document of each query at a rank, or not at all: 1 / log2(rank + 1)."""
    grades: Grades = {
        f"q{at:03}": {"a": 1.0, **{f"n{number}": 0.0 for number in range(12)}} for at in range(len(ranks))
    }

    def run(places: Sequence[int | None]) -> Scored:
        return {
            query: {f"n{number}": -float(number) for number in range(12)} | ({} if rank is None else {"a": 1.5 - rank})
            for query, rank in zip(grades, places, strict=True)
        }

    made = comparison_of(grades, {"old": run(baseline or ranks), "new": run(ranks)})
    look = View(NDCG, "old", ("old", "new"))
    [pair] = against_baseline(made, "old", NDCG, ["new"], resample=False)
    return shape(made, look, "new", pair).title


def test_the_title_says_that_gains_hide_badly_hurt_queries() -> None:
    assert titled([1] * 30 + [4] * 3, [3] * 30 + [1] * 3) == "new is ahead of old, and 3 queries lose 0.30 or more"


def test_the_title_says_that_a_run_finds_it_or_fails() -> None:
    assert (
        titled([1] * 6 + [None] * 4)
        == "new finds it or fails: 60% of the queries score 0.9 or more, 40% score 0.1 or less"
    )


def test_the_title_says_how_many_queries_the_mean_hides_at_0() -> None:
    assert titled([1] * 19 + [None]) == "The mean of new hides 1 query at 0"
    assert titled([1] * 36 + [None] * 4) == "The mean of new hides 4 queries at 0"


def test_the_title_says_that_mean_and_median_differ() -> None:
    # 12 of 20 at 1, the others at 1 / log2(11): mean 0.716, median 1.
    mean = (12 + 8 / np.log2(11)) / 20
    assert titled([1] * 12 + [10] * 8) == f"The mean of new is {mean:.3f}, yet half of the queries score 1.000 or more"


def test_the_title_says_that_nothing_hides() -> None:
    assert titled([1] * 40 + [None]) == "Nothing hides behind the mean of new"


def test_undefined_queries_are_not_called_failures() -> None:
    grades: Grades = {f"q{at}": {"a": 1.0 if at else 0.0} for at in range(10)}
    made = comparison_of(grades, {"old": {query: {"a": 1.0} for query in grades}})
    found = shape(made, View(NDCG, "old", ("old",)), "old", None)
    assert found.title == "Nothing hides behind the mean of old"
    assert "over 10 queries: mean 0.900" in found.sentence  # the leaderboard's mean
    assert "0 at 0 and 9 at 1" in found.sentence
    assert "0 at 0 and 9 at 1" in found.sentence


@pytest.mark.parametrize(("where", "title"), [(np.zeros(40, bool), "There is no query to show"), (None, None)])
def test_no_query_left_is_said(where: np.ndarray | None, title: str | None) -> None:
    found = shape(collection().comparison, View(NDCG, "old", ("old", "new"), where), "new", None)
    assert (found.title == title) is (title is not None)


def test_a_measure_that_cannot_be_computed_is_said_not_to_be() -> None:
    made = comparison_of({"q": {"a": 2000.0}}, {"old": {"q": {"a": 1.0}}})
    assert "cannot be computed" in shape(made, View(NDCG.with_gain("exponential"), "old", ("old",)), "old", None).title


def test_the_pair_has_colours_beyond_six_runs_and_the_others_keep_theirs() -> None:
    runs = [f"run{at}" for at in range(12)]
    assert focus(runs, runs, ["run2", "run9"]) == ["run0", "run1", "run2", "run3", "run4", "run9"]
    assert focus(runs, runs, ["run8", "run9"]) == ["run0", "run1", "run2", "run3", "run8", "run9"]


def test_of_more_than_twelve_runs_the_pair_and_the_first_are_shown() -> None:
    runs = tuple(f"run{at}" for at in range(20))
    shown = distributions.shown(View(NDCG, "run15", runs), "run19")
    assert shown == [*runs[:10], "run15", "run19"]
    assert distributions.shown(View(NDCG, "run0", runs[:12]), "run3") == list(runs[:12])


def specs(address: dict[str, str | list[str]], **state: object) -> list[dict[str, object]]:
    app = opened("distributions", state=state, address=address)
    return [json.loads(chart.proto.spec) for chart in app.get("vega_lite_chart")]


def test_the_sample_shows_six_pictures_with_a_title_and_conventions() -> None:
    app = opened("distributions", d="sample", vs="hybrid-rerank")
    assert len(app.get("vega_lite_chart")) == 6
    assert [each.value for each in app.header] == ["Every run", "What changed"]
    assert "nDCG@10 · linear gain" in said(app)
    assert app.title[0].value == "Nothing hides behind the mean of hybrid\\-rerank"


def test_a_deep_link_restores_the_view() -> None:
    app = opened(
        "distributions",
        address={"d": "sample", "base": "embeddings", "vs": "bm25", "k": "3", "slice": "intent", "in": ["lookup"]},
    )
    assert app.selectbox(key="vs").value == "bm25"
    assert "nDCG@3 of bm25 over" in said(app)
    assert "intent = lookup" in said(app)


def test_one_run_shows_its_scores_and_says_what_a_second_would_show() -> None:
    made = collection(queries=8)
    app = opened("distributions", d=brought(made.grades, {"old": made.scored["old"]}))
    assert len(app.get("vega_lite_chart")) == 4
    assert "A second run shows what changed" in app.info[0].value


def test_without_files_the_page_says_what_it_answers() -> None:
    app = opened("distributions")
    assert app.title[0].value == "Distributions"
    assert "Is the mean hiding anything?" in said(app)


def test_brushed_points_are_listed_with_ids_and_texts() -> None:
    brush = {"selection": {"brush": {"a": [0.0, 0.3], "b": [1.0, 0.5]}, "query": []}}
    app = opened("distributions", d="sample", vs="hybrid-rerank", state={"chart_scatter": brush})
    table = app.dataframe[-1].value
    assert ((table["a"] <= 0.3) & (table["b"] >= 0.5)).all()
    assert f"### {len(table)} queries in the area" in said(app)
    assert table["text"].notna().all()
    sizes = table["difference"].abs().tolist()
    assert sizes == sorted(sizes, reverse=True)


def test_an_area_without_points_is_said_to_be_empty() -> None:
    brush = {"selection": {"brush": {"a": [0.9, 0.91], "b": [0.01, 0.02]}, "query": []}}
    app = opened("distributions", d="sample", vs="hybrid-rerank", state={"chart_scatter": brush})
    assert "### 0 queries in the area" in said(app)


@pytest.mark.parametrize("chart", ["chart_sorted", "chart_box", "chart_scatter"])
def test_a_picked_mark_leads_to_its_query(chart: str) -> None:
    app = opened(
        "distributions",
        d="sample",
        vs="hybrid-rerank",
        state={chart: {"selection": {"query": [{"query_id": "q067"}]}}},
    )
    assert "q067" in "\n".join(each.value for each in (*app.title, *app.markdown))
    assert not [each for each in app.header if each.value == "Every run"]


def test_a_bar_of_several_queries_leads_nowhere() -> None:
    picked = {"selection": {"query": [{"query_id": None}]}}
    app = opened("distributions", d="sample", state={"chart_sorted": picked})
    assert app.header[0].value == "Every run"


@pytest.mark.parametrize(
    "event", [None, {}, {"selection": {}}, {"selection": {"brush": {}}}, {"selection": {"brush": {"a": [0, 1]}}}]
)
def test_what_is_no_area_is_none(event: object) -> None:
    assert distributions.area(event) is None


def test_many_queries_are_counted_in_squares_and_bars_and_none_is_dropped() -> None:
    rng = np.random.default_rng(1)
    queries = 6_000
    grades: Grades = {f"q{at:05}": {"a": 1.0} for at in range(queries)}
    old: Scored = {query: {"a": 1.0, "x": float(rng.integers(0, 3))} for query in grades}
    new: Scored = {
        query: {"a": 1.0, "x": float(rng.integers(0, 2)), "y": float(rng.integers(0, 3))} for query in grades
    }
    app = opened("distributions", d=brought(grades, {"old": old, "new": new}))
    drawn = [json.loads(chart.proto.spec) for chart in app.get("vega_lite_chart")]
    assert len(drawn) == 6
    assert "are too many for a bar each" in said(app)
    tables = [each.value for each in app.dataframe]
    counted = [int(table["count"].sum()) for table in tables if "count" in table]
    assert counted[-2:] == [queries, queries]


def test_events_of_other_shapes_pick_nothing() -> None:
    assert distributions.area(SimpleNamespace()) is None
