"""One example of every chart, from seeded data that looks like real scores: for the gallery and for tests over all."""

from collections.abc import Callable

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
    )
}
# Charts with other numbers of runs, only to be looked at.
MORE: dict[str, Callable[[], Example]] = {make.__name__: make for make in (ecdf_twelve, box_strip_twelve)}
