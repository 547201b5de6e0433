"""The frames of the Distributions charts against plain Python over every query."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import charts
from tests.charts.examples import differences, pairs, scores

some_scores = st.lists(
    st.one_of(st.sampled_from([0.0, 1.0, 0.05, 0.3, 1 - 1e-16, 0.1 + 0.2]), st.floats(0, 1)), min_size=1, max_size=60
)


def per_query(values: list[float], run: str = "a") -> pl.DataFrame:
    ids = [f"q{at}" for at in range(len(values))]
    return pl.DataFrame({"run": run, "query_id": ids, "score": values}, schema=charts.PER_QUERY)


@given(some_scores)
def test_the_curve_counts_the_queries_at_or_below_each_score(values: list[float]) -> None:
    frame = charts.ecdf_points(per_query(values))
    assert frame.height == 101
    for row in frame.iter_rows(named=True):
        assert row["share"] == pytest.approx(sum(v <= row["score"] + 1e-9 for v in values) / len(values))
    assert frame["share"][-1] == 1


@given(some_scores)
def test_every_query_is_in_exactly_one_bin_and_the_ends_have_their_own(values: list[float]) -> None:
    frame = charts.score_bins(per_query(values))
    assert frame["count"].sum() == len(values)
    assert frame["count"][0] == sum(abs(v) <= 1e-9 for v in values)
    assert frame["count"][-1] == sum(abs(v - 1) <= 1e-9 for v in values)
    inner = [v for v in values if 1e-9 < v < 1 - 1e-9]
    for row in frame[1:-1].iter_rows(named=True):
        inside = [v for v in inner if row["left"] + 1e-9 < v <= row["right"] + 1e-9 or (row["left"] == 0 and v <= 2e-9)]
        assert row["count"] == len(inside)
    assert frame["bin"].to_list()[:2] + frame["bin"].to_list()[-1:] == ["exactly 0", "0 to 0.05", "exactly 1"]


@pytest.mark.parametrize("highest", [0.3, 1.0, 13.7, 40.0, 2e9])
def test_bins_of_an_unbounded_measure_are_round_and_reach_above_every_score(highest: float) -> None:
    frame = charts.score_bins(per_query([0.0, highest / 3, highest]), bounded=False)
    width = frame["right"][1] - frame["left"][1]
    assert f"{width:.6e}".startswith(("1.000000", "2.000000", "5.000000"))
    assert frame["count"].sum() == 3
    assert frame["count"][0] == 1
    assert highest <= frame["right"][-1] <= highest + 2 * width
    assert "exactly 1" not in frame["bin"].to_list()


def test_bins_are_the_same_for_all_runs_and_runs_keep_their_order() -> None:
    data = pl.concat([per_query([0.1, 0.2], "z"), per_query([0.9], "a")])
    frame = charts.score_bins(data)
    assert frame["run"].unique(maintain_order=True).to_list() == ["z", "a"]
    assert frame.filter(pl.col("run") == "z")["left"].equals(frame.filter(pl.col("run") == "a")["left"])
    assert frame.group_by("run", maintain_order=True).agg(pl.col("n").first())["n"].to_list() == [2, 1]


def test_quantiles_are_numpys_and_the_mean_is_the_mean() -> None:
    values = [0.0, 0.1, 0.4, 0.7, 1.0]
    row = charts.score_quantiles(per_query(values)).row(0, named=True)
    assert row == {
        "run": "a",
        "p5": pytest.approx(0.02),
        "q1": 0.1,
        "median": 0.4,
        "q3": 0.7,
        "p95": pytest.approx(0.94),
        "mean": pytest.approx(0.44),
        "n": 5,
    }


def test_a_score_that_cannot_be_computed_is_not_counted() -> None:
    data = per_query([0.5, 1.0]).vstack(
        pl.DataFrame({"run": ["a"], "query_id": ["q9"], "score": [None]}, schema=charts.PER_QUERY)
    )
    assert charts.ecdf_points(data)["n"][0] == 2
    assert charts.score_bins(data)["count"].sum() == 2
    assert charts.score_quantiles(data)["n"][0] == 2
    assert charts.sampled_scores(data).height == 2
    assert charts.shares_at_ends(data).row(0) == ("a", 0, 1, 2)


def test_a_hundred_thousand_queries_are_all_counted_in_small_frames() -> None:
    data = scores(("a", "b"), 100_000)
    assert charts.ecdf_points(data).height == 2 * 101
    assert charts.score_bins(data)["count"].sum() == 200_000
    assert charts.score_quantiles(data)["n"].to_list() == [100_000, 100_000]
    assert charts.sampled_scores(data).height == 600
    bars = charts.sorted_bars(differences(100_000))
    assert bars.height <= 2_000
    assert bars["count"].sum() == 100_000
    assert charts.squares(pairs(100_000))["count"].sum() == 100_000


def test_the_same_queries_are_drawn_for_every_run_whatever_the_order_of_rows() -> None:
    data = scores(("a", "b"), 1_000)
    strip = charts.sampled_scores(data)
    shuffled = charts.sampled_scores(data.sample(fraction=1, shuffle=True, seed=5).sort("run", maintain_order=True))
    assert strip.equals(shuffled)
    a, b = (strip.filter(pl.col("run") == run) for run in ("a", "b"))
    assert a["query_id"].equals(b["query_id"])
    assert a.height == 300
    assert strip["offset"].is_between(-1, 1).all()
    assert a["offset"].n_unique() == 300


def test_no_query_is_an_empty_frame_of_the_same_columns() -> None:
    empty = charts.PER_QUERY.to_frame()
    assert charts.ecdf_points(empty).schema == charts.ECDF
    assert charts.score_bins(empty).schema == charts.HISTOGRAM
    assert charts.score_quantiles(empty).schema == charts.BOX
    assert charts.sampled_scores(empty).schema == charts.STRIP
    assert charts.shares_at_ends(empty).schema == charts.ENDS
    assert charts.sorted_bars(charts.DIFFERENCES.to_frame()).schema == charts.SORTED
    assert charts.squares(charts.PAIRS.to_frame()).schema == charts.SQUARES


def test_few_differences_have_a_bar_each_in_order() -> None:
    frame = pl.DataFrame({"query_id": ["b", "a", "c"], "difference": [0.1, 0.1, -0.2]})
    bars = charts.sorted_bars(frame)
    assert bars["query_id"].to_list() == ["a", "b", "c"]
    assert bars.select("left", "right").rows() == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("queries", [2_000, 2_001, 2_500, 7_000, 33_333])
def test_many_differences_share_bars_but_extremes_and_the_kept_query_do_not(queries: int) -> None:
    data = differences(queries).sort("difference", descending=True)
    middle = data["query_id"][queries // 2]
    bars = charts.sorted_bars(data, keep=middle)
    assert bars.height <= 2_000
    assert bars["left"].to_list() == [0, *bars["right"].to_list()[:-1]]
    assert bars["right"][-1] == queries
    assert (bars["right"] - bars["left"]).equals(bars["count"].rename("right"))
    assert middle in bars["query_id"].to_list()
    assert (
        bars["query_id"].to_list()[:250]
        == data.sort(["difference", "query_id"], descending=[True, False])["query_id"].to_list()[:250]
    )
    assert bars["query_id"][-1] is not None
    assert float((bars["difference"] * bars["count"]).sum()) == pytest.approx(float(data["difference"].sum()))
    assert (bars["low"] <= bars["difference"] + 1e-12).all()
    assert (bars["high"] >= bars["difference"] - 1e-12).all()
    assert bars["query_id"].is_null().any() == (queries > 2_000)


def test_squares_count_what_plain_python_counts() -> None:
    data = pairs(400)
    frame = charts.squares(data, across=8)
    for row in frame.iter_rows(named=True):
        inside = [
            (a, b)
            for a, b in data.select("a", "b").iter_rows()
            if min(int((a + 1e-9) * 8), 7) == round(row["left"] * 8)
            and min(int((b + 1e-9) * 8), 7) == round(row["bottom"] * 8)
        ]
        assert row["count"] == len(inside)
        assert row["better"] == sum(b - a > 1e-9 for a, b in inside)
        assert row["worse"] == sum(a - b > 1e-9 for a, b in inside)


def test_grades_have_a_bar_each_until_there_are_too_many() -> None:
    few = charts.grade_bars(np.array([0.0, 3.0, 0.0, -1.0, 0.5]))
    assert few.rows() == [("−1", 1, False), ("0", 2, False), ("0.5", 1, True), ("3", 1, True)]
    many = charts.grade_bars(np.r_[np.linspace(0.01, 1, 100), np.zeros(5), -1.0])
    assert many.row(0) == ("0 or below", 6, False)
    assert many.height == 11
    assert many["count"].sum() == 106
