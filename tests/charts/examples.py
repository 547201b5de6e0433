"""One example of every chart, from seeded data that looks like real scores: for the gallery and for tests over all."""

from collections.abc import Callable
from datetime import datetime, timedelta

import altair as alt
import numpy as np
import polars as pl

from core import charts

Names = tuple[str, ...]
RUNS: Names = ("bm25", "bm25-rm3", "splade-v3", "dense-bge", "hybrid-rrf", "hybrid-rerank")
TWELVE: Names = (*RUNS, *(f"run-{at}" for at in range(7, 13)))
MEASURE = "nDCG@10"
Example = tuple[alt.LayerChart, str]


def scores(names: Names = RUNS, queries: int = 300, seed: int = 7) -> pl.DataFrame:
    """PER_QUERY: correlated scores with some at exactly 0 and exactly 1."""
    random = np.random.default_rng(seed)
    ease = random.normal(size=queries)
    parts = []
    for at, name in enumerate(names):
        raw = 0.45 + 0.05 * at + 0.22 * ease + 0.15 * random.normal(size=queries)
        ids = [f"q{number:05}" for number in range(queries)]
        parts.append(pl.DataFrame({"run": name, "query_id": ids, "score": np.clip(raw, 0, 1)}))
    return pl.concat(parts)


def differences(queries: int) -> pl.DataFrame:
    """DIFFERENCES of the last of two runs to the first."""
    return pairs(queries).select("query_id", difference=pl.col("b") - pl.col("a"))


def pairs(queries: int) -> pl.DataFrame:
    """PAIRS of two runs."""
    wide = scores(("a", "b"), queries).pivot("run", index="query_id", values="score")
    return wide.select("query_id", "a", "b", text=pl.lit("how do I reset it"))


def forest(names: Names = RUNS) -> Example:
    frame = pl.DataFrame(
        {
            "run": names[:6],
            "difference": [0.0, 0.023, -0.081, 0.069, 0.149, 0.199],
            "low": [None, -0.001, -0.103, 0.045, 0.127, 0.178],
            "high": [None, 0.044, -0.059, 0.095, 0.17, 0.22],
            "verdict": ["baseline", "no-clear-difference", "worse", "better", "better", "better"],
        }
    )
    return charts.forest(frame, measure=MEASURE), charts.describe_forest(frame, measure=MEASURE)


def heatmap(names: Names = RUNS, slices: int = 5) -> Example:
    random = np.random.default_rng(3)
    values = ["informational", "navigational", "transactional", "troubleshooting", "(none)"]
    values += [f"slice {at}" for at in range(6, slices + 1)]
    base = random.uniform(0.4, 0.52, size=slices)
    rows = []
    for at, run in enumerate(names):
        for place, value in enumerate(values[:slices]):
            change = 0.04 * at + float(random.normal(0, 0.06)) if at else 0.0
            rows.append((run, value, base[place] + change, change if at else None, 6 if value == "(none)" else 70))
    frame = pl.DataFrame(rows, schema=charts.HEATMAP, orient="row")
    return charts.heatmap(frame, measure=MEASURE), charts.describe_heatmap(frame, measure=MEASURE)


def heatmap_wide(names: Names = RUNS) -> Example:
    return heatmap(names, 14)


def curve(names: Names = RUNS, runs: int = 3) -> Example:
    rows = []
    for at, run in enumerate(names[:runs]):
        for k in (1, 3, 5, 10, 20, 50, 100):
            mean = 0.38 + 0.06 * at + 0.05 * np.log(k) + 0.02 * at * np.sin(k)
            rows.append((run, k, mean, mean - 0.03, mean + 0.03))
    frame = pl.DataFrame(rows, schema=charts.CURVE, orient="row")
    colours = charts.run_colours(names)
    return charts.curve(frame, measure="nDCG@k", colours=colours), charts.describe_curve(frame, measure="nDCG@k")


def curve_six(names: Names = RUNS) -> Example:
    return curve(names, 6)


def grade_histogram(_: Names = RUNS) -> Example:
    frame = charts.grade_bars(np.repeat([-1.0, 0.0, 1.0, 2.0, 3.0], [12, 4210, 930, 410, 122]))
    return charts.grade_histogram(frame), charts.describe_grade_histogram(frame)


def ecdf(names: Names = RUNS) -> Example:
    frame = charts.ecdf_points(scores(names))
    colours = charts.run_colours(names, names[-2:])
    return charts.ecdf(frame, measure=MEASURE, colours=colours), charts.describe_ecdf(frame, measure=MEASURE)


def ecdf_twelve() -> Example:
    return ecdf(TWELVE)


def histogram(names: Names = RUNS, runs: int = 2) -> Example:
    frame = charts.score_bins(scores(names[:runs]))
    colours = charts.run_colours(names)
    return charts.histogram(frame, measure=MEASURE, colours=colours), charts.describe_histogram(frame, measure=MEASURE)


def histogram_one(names: Names = RUNS) -> Example:
    return histogram(names, 1)


def histogram_unbounded(names: Names = RUNS) -> Example:
    frame = charts.score_bins(scores(names[:3]).with_columns(pl.col("score") * 13.7), bounded=False)
    chart = charts.histogram(frame, measure="DCG@10", colours=charts.run_colours(names), bounded=False)
    return chart, charts.describe_histogram(frame, measure="DCG@10", bounded=False)


def box_strip(names: Names = RUNS) -> Example:
    data = scores(names, 1000)
    box, strip = charts.score_quantiles(data), charts.sampled_scores(data)
    chart = charts.box_strip(box, strip, measure=MEASURE, colours=charts.run_colours(names))
    return chart, charts.describe_box_strip(box, measure=MEASURE)


def box_strip_twelve() -> Example:
    return box_strip(TWELVE)


def ends(names: Names = RUNS) -> Example:
    frame = charts.shares_at_ends(scores(names))
    return charts.ends(frame), charts.describe_ends(frame)


def sorted_differences(names: Names = RUNS, queries: int = 300) -> Example:
    frame = charts.sorted_bars(differences(queries), keep="q00100")
    words = charts.describe_sorted_differences(frame, candidate=names[1], baseline=names[0], measure=MEASURE)
    return charts.sorted_differences(frame, measure=MEASURE, query="q00100"), words


def sorted_differences_many(names: Names = RUNS) -> Example:
    return sorted_differences(names, 20_000)


def scatter(names: Names = RUNS) -> Example:
    frame = pairs(300)
    words = charts.describe_scatter(frame, a=names[0], b=names[1], measure=MEASURE)
    return charts.scatter(frame, a=names[0], b=names[1], measure=MEASURE, query="q00100"), words


def scatter_squares(names: Names = RUNS) -> Example:
    frame = charts.squares(pairs(20_000))
    words = charts.describe_scatter_squares(frame, a=names[0], b=names[1], measure=MEASURE)
    return charts.scatter_squares(frame, a=names[0], b=names[1], measure=MEASURE), words


def matrix(names: Names = RUNS) -> Example:
    rows = []
    for at, row in enumerate(names):
        for beside, column in enumerate(names):
            difference = 0.031 * (at - beside)
            verdict = "no-clear-difference" if abs(at - beside) < 2 else "better" if at > beside else "worse"
            if row != column:
                rows.append((row, column, difference, verdict))
    frame = pl.DataFrame(rows, schema=charts.MATRIX, orient="row")
    return charts.matrix(frame, measure=MEASURE), charts.describe_matrix(frame, measure=MEASURE)


def sensitivity(_: Names = RUNS) -> Example:
    rows = [
        ("k = 5", 0.031, 0.011, 0.052, True),
        ("k = 100", 0.028, 0.012, 0.044, True),
        ("exponential gain", 0.044, 0.019, 0.069, True),
        ("unjudged all top grade", -0.021, -0.049, 0.007, False),
        ("ties lowest", 0.04, None, None, True),
    ]
    frame = pl.DataFrame(rows, schema=charts.SENSITIVITY, orient="row")
    words = charts.describe_sensitivity(frame, measure=MEASURE, main=0.041)
    return charts.sensitivity(frame, measure=MEASURE, main=0.041), words


CAUSE_ORDER = (
    "missing",
    "nothing relevant returned",
    "relevant only below k",
    "some relevant never returned",
    "right documents, wrong order",
    "unjudged on top",
    "few judgments",
    "undefined",
    "near ideal",
)


def causes(names: Names = RUNS) -> Example:
    random = np.random.default_rng(5)
    rows = []
    for run in names:
        counts = random.multinomial(300, [0.02, 0.1, 0.12, 0.2, 0.22, 0.08, 0.05, 0.01, 0.2])
        rows += [(run, cause, int(count)) for cause, count in zip(CAUSE_ORDER, counts, strict=True) if count]
    frame = pl.DataFrame(rows, schema=charts.CAUSES, orient="row")
    return charts.causes(frame, order=CAUSE_ORDER), charts.describe_causes(frame, order=CAUSE_ORDER)


def bump(names: Names = RUNS) -> Example:
    rows = [
        ("doc-6143", "How to reset the webhook secret of an app", 1, 4, 3.0),
        ("doc-6501", None, 2, 1, 1.0),
        ("doc-3043", None, 3, 3, None),
        ("doc-9128", "Invoices", 4, 25, 0.0),
        ("doc-2350", None, 5, 2, 2.0),
        ("doc-7740", None, 6, 6, None),
        ("doc-1111", None, 7, 8, None),
        ("doc-1112", None, 8, 7, 1.0),
        ("doc-4547", None, None, 5, 3.0),
        ("doc-0007", None, 9, None, None),
        ("doc-0008", None, 10, 10, None),
        ("doc-0009", None, 14, 9, 2.0),
    ]
    frame = pl.DataFrame(rows, schema=charts.BUMP, orient="row")
    words = charts.describe_bump(frame, baseline=names[0], candidate=names[1], k=10)
    return charts.bump(frame, baseline=names[0], candidate=names[1], k=10), words


def contributions(_: Names = RUNS) -> Example:
    discount = 1 / np.log2(np.arange(2, 12))
    grades = [3.0, 1.0, 0.0, 2.0, None, None, 0.0, 1.0, None, 3.0]
    ideal = np.array([3, 3, 3, 2, 1, 1, 0, 0, 0, 0]) * discount
    frame = pl.DataFrame(
        {
            "rank": range(1, 11),
            "gained": np.array([grade or 0 for grade in grades]) * discount,
            "ideal": ideal,
            "doc_id": [f"doc-{at}" for at in range(10)],
            "grade": grades,
        }
    )
    return charts.contributions(frame), charts.describe_contributions(frame)


def slice_forest(_: Names = RUNS) -> Example:
    rows = [
        ("gaming", 120, 0.09, 0.051, 0.128, "better"),
        ("android", 98, 0.021, -0.008, 0.05, "none"),
        ("(none)", 6, 0.2, None, None, "small"),
        ("english", 64, -0.004, -0.04, 0.031, "none"),
        ("gis", 71, -0.081, -0.124, -0.038, "worse"),
    ]
    frame = pl.DataFrame(rows, schema=charts.SLICE_FOREST, orient="row")
    return charts.slice_forest(frame, measure=MEASURE), charts.describe_slice_forest(frame, measure=MEASURE)


def dumbbell(names: Names = RUNS) -> Example:
    rows = [("gaming", 120, 0.48, 0.727), ("gis", 71, 0.51, 0.43), ("english", 64, 0.5, 0.5), ("(none)", 6, 0.4, 0.6)]
    frame = pl.DataFrame(rows, schema=charts.DUMBBELL, orient="row")
    chart = charts.dumbbell(frame, a=names[0], b=names[1], measure=MEASURE, colours=charts.run_colours(names))
    return chart, charts.describe_dumbbell(frame, a=names[0], b=names[1], measure=MEASURE)


def small_multiple(names: Names = RUNS) -> Example:
    data = scores(names[:2]).with_columns(
        slice=pl.when(pl.col("query_id") < "q00080").then(pl.lit("gis")).otherwise(pl.lit("gaming"))
    )
    frame = charts.slice_bins(data)
    drawn = charts.small_multiples(frame, measure=MEASURE, colours=charts.run_colours(names))
    return drawn[0][1], charts.describe_small_multiples(frame, measure=MEASURE)[0][1]


def trend(_: Names = RUNS) -> Example:
    random = np.random.default_rng(11)
    nights = 60
    values = np.where(np.arange(nights) < 48, 0.03, -0.01) + random.normal(0, 0.008, nights)
    smooth = np.convolve(values, np.ones(5) / 5, mode="same")
    segment = (np.arange(nights) >= 25).astype(int)
    ready = (np.arange(nights) - 25 * segment) >= 10
    frame = pl.DataFrame(
        {
            "when": [datetime(2026, 5, 1) + timedelta(days=at) for at in range(nights)],
            "difference": values,
            "smoothed": [value if fine else None for value, fine in zip(smooth, ready, strict=True)],
            "low": [0.02 if fine else None for fine in ready],
            "high": [0.042 if fine else None for fine in ready],
            "segment": segment,
            "note": ["120 judgments added" if at == 25 else None for at in range(nights)],
            "alert": ["below the limit" if at in (50, 53, 57) else None for at in range(nights)],
            "result": [f"{at:032x}" for at in range(nights)],
        },
        schema=charts.TREND,
        strict=False,
    )
    drawn = charts.trend(frame, measure=MEASURE, picked=f"{50:032x}")
    return drawn, charts.describe_trend(frame, measure=MEASURE)


def cusum(_: Names = RUNS) -> Example:
    nights = 40
    up = [max(0.0, 3 - abs(at - 8)) if at >= 4 else None for at in range(nights)]
    down = [max(0.0, (at - 30) * 0.9) if at >= 4 else None for at in range(nights)]
    frame = pl.DataFrame(
        {
            "when": [datetime(2026, 5, 1) + timedelta(days=at) for at in range(nights)],
            "up": up,
            "down": down,
            "segment": [0] * nights,
            "result": [f"{at:032x}" for at in range(nights)],
        },
        schema=charts.CUSUM,
        strict=False,
    )
    return charts.cusum(frame, limit=5.0), charts.describe_cusum(frame, limit=5.0)


# Every chart with six runs of any names.
EXAMPLES: dict[str, Callable[[Names], Example]] = {
    make.__name__: make
    for make in (
        forest,
        heatmap,
        heatmap_wide,
        curve,
        curve_six,
        grade_histogram,
        ecdf,
        histogram,
        histogram_one,
        histogram_unbounded,
        box_strip,
        ends,
        sorted_differences,
        sorted_differences_many,
        scatter,
        scatter_squares,
        matrix,
        sensitivity,
        causes,
        bump,
        contributions,
        slice_forest,
        dumbbell,
        small_multiple,
        trend,
        cusum,
    )
}
# Charts with other numbers of runs, only to be looked at.
MORE: dict[str, Callable[[], Example]] = {make.__name__: make for make in (ecdf_twelve, box_strip_twelve)}
