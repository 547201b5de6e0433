"""What each chart encodes, read from its specification: fields and types, scales, orders, selections, words."""

from typing import Any

import polars as pl
import pytest

from core import charts
from core.charts import run_colours
from core.charts.style import signed
from tests.charts.examples import CAUSE_ORDER, EXAMPLES, MEASURE, RUNS, TWELVE, differences, pairs, scores
from tests.charts.test_all_charts import walk

Spec = dict[str, Any]


def drawn(name: str) -> Spec:
    spec: Spec = EXAMPLES[name](RUNS)[0].to_dict()
    return spec


def layers(spec: Spec) -> list[Spec]:
    """All single layers, nested ones too, each with the data that it inherits."""
    found: list[Spec] = []
    for layer in spec.get("layer", []):
        inherited = {"data": spec["data"]} | layer if "data" in spec else layer
        found += layers(inherited) if "layer" in layer else [inherited]
    return found


def marks(spec: Spec) -> list[str]:
    return [layer["mark"]["type"] for layer in layers(spec)]


def rows_of(spec: Spec, layer: Spec) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = spec["datasets"][layer["data"]["name"]]
    return rows


def channel(spec: Spec, name: str) -> list[Spec]:
    return [layer["encoding"][name] for layer in layers(spec) if "field" in layer["encoding"].get(name, {})]


def fields(spec: Spec, name: str) -> set[tuple[str, str]]:
    return {(part["field"], part["type"]) for part in channel(spec, name)}


def legends(spec: Spec) -> list[str]:
    """What stands in the legends, in order, each thing once."""
    found: list[str] = []
    for _, value in walk(spec):
        if isinstance(value, dict) and isinstance(value.get("legend"), dict):
            found += [str(entry) for entry in value["legend"].get("values", []) if entry not in found]
    return found


def test_six_runs_or_fewer_all_have_their_colour_whatever_is_in_focus() -> None:
    assert run_colours(RUNS, ["dense-bge"]).coloured == RUNS
    assert run_colours(RUNS).grey == ()


def test_beyond_six_the_focus_is_coloured_and_the_others_are_grey() -> None:
    colours = run_colours(TWELVE, ["run-9", "unknown", "bm25", "bm25"])
    assert colours.coloured == ("run-9", "bm25")
    assert colours.grey == tuple(name for name in TWELVE if name not in ("run-9", "bm25"))
    assert run_colours(TWELVE).coloured == RUNS
    assert len(run_colours(TWELVE, TWELVE).coloured) == 6


@pytest.mark.parametrize("name", ["curve", "ecdf", "histogram", "box_strip", "dumbbell", "small_multiple"])
def test_a_run_has_the_same_place_in_the_colour_domain_on_every_chart(name: str) -> None:
    spec = drawn(name)
    assert {tuple(part["scale"]["domain"]) for part in channel(spec, "color") if part["field"] == "run"} == {RUNS}
    assert all("range" not in part["scale"] for part in channel(spec, "color"))


def test_a_legend_lists_only_the_runs_that_are_drawn() -> None:
    assert legends(drawn("curve")) == list(RUNS[:3])
    assert legends(drawn("histogram_one")) == []


@pytest.mark.parametrize("name", ["curve", "ecdf", "histogram"])
def test_lines_differ_by_dash_as_well(name: str) -> None:
    dashes = channel(drawn(name), "strokeDash")[0]["scale"]
    assert dashes["domain"] == list(RUNS)
    assert len({tuple(dash) for dash in dashes["range"]}) == 6


def test_twelve_runs_are_two_in_colour_before_ten_in_grey() -> None:
    spec = charts.ecdf(
        charts.ecdf_points(scores(TWELVE)), measure=MEASURE, colours=run_colours(TWELVE, TWELVE[:2])
    ).to_dict()
    grey, coloured = layers(spec)[:2]
    assert {row["run"] for row in rows_of(spec, grey)} == set(TWELVE[2:])
    assert {row["run"] for row in rows_of(spec, coloured)} == set(TWELVE[:2])
    assert grey["encoding"]["detail"]["field"] == "run"


def test_the_forest_is_sorted_best_first_and_only_verdicts_have_a_colour() -> None:
    spec = drawn("forest")
    assert channel(spec, "y")[0]["scale"]["domain"] == [
        "hybrid-rerank",
        "hybrid-rrf",
        "dense-bge",
        "bm25-rm3",
        "bm25",
        "splade-v3",
    ]
    assert marks(spec) == ["rule", "rule", "rule", "point", "point", "point", "text"]
    for layer in layers(spec):
        kinds = {row.get("kind") for row in rows_of(spec, layer)}
        assert ("color" in layer["encoding"]) == (kinds == {"Better", "Worse"})
    shape = channel(spec, "shape")[0]["scale"]
    assert dict(zip(shape["domain"], shape["range"], strict=True)) == {"Better": "circle", "Worse": "diamond"}
    assert sorted(legends(spec)) == ["Better", "Neither", "Worse"]


@pytest.mark.parametrize("verdict", ["too-few", "few-queries", "unanswered", "identical", "no-difference-that-matters"])
def test_a_run_without_a_clear_verdict_is_grey_and_says_why_when_pointed_at(verdict: str) -> None:
    row = ("a", 0.3, 0.2, 0.4, verdict)
    frame = pl.DataFrame([row], schema=charts.FOREST, orient="row")
    spec = charts.forest(frame, measure=MEASURE).to_dict()
    assert not channel(spec, "color")
    words = {row["words"] for layer in layers(spec) for row in rows_of(spec, layer) if "words" in row}
    assert len(words) == 1
    assert words.pop().lower() in charts.describe_forest(frame, measure=MEASURE)


def test_the_forest_in_words_has_every_number_and_verdict() -> None:
    words = EXAMPLES["forest"](RUNS)[1]
    assert "hybrid-rerank +0.199 (+0.178 to +0.220; better)" in words
    assert "bm25-rm3 +0.023 (−0.001 to +0.044; no clear difference)" in words
    assert words.index("hybrid-rerank") < words.index("dense-bge") < words.index("splade-v3 −0.081")


def test_the_heat_map_keeps_the_order_given_and_is_symmetric_around_the_baseline() -> None:
    spec = drawn("heatmap")
    assert channel(spec, "x")[0]["scale"]["domain"][0] == "informational"
    assert channel(spec, "x")[0]["scale"]["domain"][-1] == "(none)"
    assert channel(spec, "y")[0]["scale"]["domain"] == list(RUNS)
    scale = channel(spec, "color")[0]["scale"]
    assert scale["range"] == "diverging"
    assert scale["domain"][0] == -scale["domain"][1]
    assert scale["domainMid"] == 0


def test_small_groups_are_marked_and_do_not_stretch_the_colours() -> None:
    rows = [("a", "x", 0.5, 0.01, 100), ("a", "y", 0.9, 0.5, 3)]
    frame = pl.DataFrame(rows, schema=charts.HEATMAP, orient="row")
    spec = charts.heatmap(frame, measure=MEASURE).to_dict()
    assert channel(spec, "color")[0]["scale"]["domain"] == [-0.05, 0.05]
    assert {row["label"] for row in rows_of(spec, layers(spec)[0])} == {"0.500", "0.900*"}
    assert "y" not in charts.describe_heatmap(frame, measure=MEASURE).split("Differences")[1].split()


def test_the_curve_has_a_logarithmic_axis_with_the_cutoffs_as_ticks() -> None:
    spec = drawn("curve")
    x = channel(spec, "x")[0]
    assert (x["field"], x["type"], x["scale"]["type"]) == ("k", "quantitative", "log")
    assert x["axis"]["values"] == [1, 3, 5, 10, 20, 50, 100]
    assert "area" in marks(spec)
    assert "area" not in marks(drawn("curve_six"))


def test_the_axis_of_a_score_is_the_whole_range() -> None:
    assert channel(drawn("ecdf"), "x")[0]["scale"]["domain"] == [0, 1]
    assert channel(drawn("ecdf"), "y")[0]["scale"]["domain"] == [0, 1]
    assert fields(drawn("ecdf"), "x") == {("score", "quantitative")}
    assert layers(drawn("ecdf"))[0]["mark"]["interpolate"] == "step-after"


def test_the_histogram_has_room_for_the_ends_and_names_them() -> None:
    x = channel(drawn("histogram"), "x")[0]
    assert x["scale"]["domain"] == pytest.approx([-0.05, 1.05])
    assert x["axis"]["values"] == pytest.approx([-0.025, 0.2, 0.4, 0.6, 0.8, 1.025])
    assert "at 0" in x["axis"]["labelExpr"]
    assert "at 1" in x["axis"]["labelExpr"]
    assert "at 1" not in channel(drawn("histogram_unbounded"), "x")[0]["axis"]["labelExpr"]


def test_the_outline_of_a_histogram_begins_and_ends_on_the_axis() -> None:
    spec = drawn("histogram_one")
    outline = rows_of(spec, layers(spec)[0])
    assert outline[0] == {"run": "bm25", "at": -0.05, "share": 0.0}
    assert outline[-1]["share"] == 0
    assert sum(row["share"] for row in outline) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "selection", "kind", "over"),
    [
        ("box_strip", "query", "point", ["query_id"]),
        ("sorted_differences", "query", "point", ["query_id"]),
        ("scatter", "query", "point", ["query_id"]),
        ("scatter", "brush", "interval", ["x", "y"]),
        ("scatter_squares", "brush", "interval", ["x", "y"]),
        ("causes", "cause", "point", ["run", "cause"]),
    ],
)
def test_selections_have_fixed_names_and_fields(name: str, selection: str, kind: str, over: list[str]) -> None:
    (found,) = [param for param in drawn(name)["params"] if param["name"] == selection]
    assert found["select"]["type"] == kind
    assert found["select"].get("fields", found["select"].get("encodings")) == over


def test_points_of_the_strip_lie_within_the_row_of_their_run() -> None:
    spec = drawn("box_strip")
    dots = [layer for layer in layers(spec) if layer["mark"]["type"] == "circle"]
    (rows,) = [rows_of(spec, layer) for layer in dots]
    for row in rows:
        assert RUNS.index(row["run"]) < row["y"] < RUNS.index(row["run"]) + 1
    scale = dots[0]["encoding"]["y"]["scale"]
    assert (scale["domain"], scale["reverse"]) == ([0, 6], True)


def test_bars_grow_from_zero_and_the_query_asked_for_is_marked() -> None:
    spec = drawn("sorted_differences")
    bars = layers(spec)[0]
    assert bars["encoding"]["y2"]["field"] == "zero"
    assert {row["zero"] for row in rows_of(spec, bars)} == {0.0}
    text = next(layer for layer in layers(spec) if layer["mark"]["type"] == "text")
    assert [row["query_id"] for row in rows_of(spec, text)] == ["q00100"]
    unmarked = charts.sorted_differences(charts.sorted_bars(differences(300)), measure=MEASURE, query="gone").to_dict()
    assert "text" not in marks(unmarked)


def test_the_scatter_tells_better_from_worse_by_shape_and_colour() -> None:
    spec = drawn("scatter")
    shape = channel(spec, "shape")[0]
    assert dict(zip(shape["scale"]["domain"], shape["scale"]["range"], strict=True)) == {
        "Better": "triangle-up",
        "Worse": "triangle-down",
    }
    assert legends(spec) == ["Better", "Worse", "Same"]
    assert marks(spec)[0] == "line"


def test_squares_are_coloured_by_their_count_on_a_logarithmic_scale() -> None:
    colour = channel(drawn("scatter_squares"), "color")[0]
    assert (colour["field"], colour["scale"]["type"], colour["scale"]["range"]) == ("count", "log", "ramp")


def test_the_matrix_colours_only_what_is_clear() -> None:
    spec = drawn("matrix")
    clear, unclear = layers(spec)[:2]
    assert {row["verdict"] for row in rows_of(spec, clear)} == {"better", "worse"}
    assert {row["verdict"] for row in rows_of(spec, unclear)} == {"no-clear-difference"}
    assert "color" not in unclear["encoding"]
    assert EXAMPLES["matrix"](RUNS)[1].startswith(
        "nDCG@10 of 6 runs against each other: 10 of 15 pairs differ clearly."
    )


def test_sensitivity_keeps_the_order_given_and_draws_the_main_result() -> None:
    spec = drawn("sensitivity")
    assert channel(spec, "y")[0]["scale"]["domain"][:3] == ["k = 5", "k = 100", "exponential gain"]
    assert rows_of(spec, layers(spec)[0]) == [{"difference": 0.041}]
    assert legends(spec) == ["Verdict holds", "Verdict changes"]
    words = EXAMPLES["sensitivity"](RUNS)[1]
    assert "keeps its verdict in 4 of 5 variants" in words
    assert "unjudged all top grade −0.021 (−0.049 to +0.007)" in words


def test_the_parts_of_a_causes_bar_follow_one_another_in_the_fixed_order() -> None:
    spec = drawn("causes")
    rows = [row for row in rows_of(spec, layers(spec)[0]) if row["run"] == "bm25"]
    assert [row["start"] for row in rows] == [0, *(row["end"] for row in rows[:-1])]
    assert rows[-1]["end"] == 300
    assert [row["cause"] for row in rows] == [cause for cause in CAUSE_ORDER if cause in {row["cause"] for row in rows}]
    assert channel(spec, "color")[0]["scale"] == {"domain": list(CAUSE_ORDER), "range": "diverging"}


def test_a_document_that_drops_out_ends_below_the_ranks() -> None:
    spec = drawn("bump")
    rows = {(row["doc_id"], row["run"]): row for layer in layers(spec) for row in rows_of(spec, layer)}
    assert rows["doc-0007", "bm25-rm3"]["place"] == 11
    assert rows["doc-9128", "bm25-rm3"]["place"] == 11
    assert rows["doc-3043", "bm25"]["moved"] is False
    assert (
        "12 documents in the top 10 from bm25 to bm25-rm3: 3 rose, 2 fell, 2 came in, 2 dropped out."
        in (EXAMPLES["bump"](RUNS)[1])
    )


def test_contributions_in_words_add_up() -> None:
    frame = pl.DataFrame(
        {
            "rank": [1, 2, 3, 4],
            "gained": [3.0, 1 / 1.5849625007211562, 0.0, 2 / 2.321928094887362],
            "ideal": [3.0, 3 / 1.5849625007211562, 1.0, 1 / 2.321928094887362],
            "doc_id": ["a", "b", "c", "d"],
            "grade": [3.0, 1.0, 0.0, 2.0],
        }
    )
    assert charts.describe_contributions(frame) == (
        "DCG 4.492 of an ideal 6.323 over 4 ranks. Most is lost at rank 2: 0.631 instead of 1.893."
    )


def test_only_findings_have_a_colour_in_slices_and_small_ones_no_number() -> None:
    spec = drawn("slice_forest")
    assert channel(spec, "y")[0]["scale"]["domain"][2] == "(none) · 6"
    text = layers(spec)[-1]
    assert [row["text"] for row in rows_of(spec, text)] == ["+0.090", "+0.021", "", "−0.004", "−0.081"]
    assert EXAMPLES["slice_forest"](RUNS)[1] == (
        "Difference in nDCG@10 in 5 slices; findings: gaming +0.090 (+0.051 to +0.128, 120 queries); gis −0.081 "
        "(−0.124 to −0.038, 71 queries). 1 slice with too few queries to look at."
    )


def test_small_multiples_share_their_axes() -> None:
    data = scores(RUNS[:2]).with_columns(
        slice=pl.when(pl.col("query_id") < "q00080").then(pl.lit("b")).otherwise(pl.lit("a"))
    )
    for bounded in (True, False):
        drawn_ = charts.small_multiples(
            charts.slice_bins(data, bounded=bounded), measure=MEASURE, colours=run_colours(RUNS), bounded=bounded
        )
        assert [name for name, _ in drawn_] == ["b", "a"]
        scales = [
            (channel(chart.to_dict(), "x")[0]["scale"]["domain"], channel(chart.to_dict(), "y")[0]["scale"]["domain"])
            for _, chart in drawn_
        ]
        assert scales[0] == scales[1]


def test_the_trend_joins_nothing_across_a_change_and_marks_alerts() -> None:
    spec = drawn("trend")
    for layer in layers(spec):
        if layer["mark"]["type"] in ("area", "line"):
            assert layer["encoding"]["detail"]["field"] == "segment"
    assert channel(spec, "x")[0]["type"] == "temporal"
    assert set(legends(spec)) >= {"Recorded", "Alert"}
    assert "3 alerts, the latest on 2026-06-27: below the limit." in EXAMPLES["trend"](RUNS)[1]


def test_one_query_and_one_run_can_be_drawn() -> None:
    one = pl.DataFrame({"run": ["a"], "query_id": ["q"], "score": [0.5]})
    colours = run_colours(["a"])
    for chart in (
        charts.ecdf(charts.ecdf_points(one), measure=MEASURE, colours=colours),
        charts.histogram(charts.score_bins(one), measure=MEASURE, colours=colours),
        charts.box_strip(charts.score_quantiles(one), charts.sampled_scores(one), measure=MEASURE, colours=colours),
        charts.ends(charts.shares_at_ends(one)),
        charts.sorted_differences(charts.sorted_bars(differences(1)), measure=MEASURE),
        charts.scatter(pairs(1), a="a", b="b", measure=MEASURE),
    ):
        assert chart.to_dict()["layer"]


def test_all_ties_are_the_same_and_their_selections_stay() -> None:
    ties = pairs(30).with_columns(b=pl.col("a"))
    spec = charts.scatter(ties, a="a", b="b", measure=MEASURE).to_dict()
    assert legends(spec) == ["Same"]
    assert {param["name"] for param in spec["params"]} == {"brush", "query"}
    words = charts.describe_scatter(ties, a="a", b="b", measure=MEASURE)
    assert words == "nDCG@10 of b against a for 30 queries: 0 better, 0 worse, 30 the same."
    bars = charts.sorted_bars(ties.select("query_id", difference=pl.lit(0.0)))
    assert "0 of 30 queries better, 0 worse" in charts.describe_sorted_differences(
        bars, candidate="b", baseline="a", measure=MEASURE
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0412, "+0.041"), (-0.0124, "−0.012"), (0.0, "0.000"), (-0.0002, "0.000"), (None, "–"), (1.0, "+1.000")],
)
def test_differences_have_a_sign_and_three_digits(value: float | None, text: str) -> None:
    assert signed(value) == text
