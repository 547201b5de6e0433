"""Figures of how the scores are spread: every run's, and what changed from the baseline query by query."""

from collections.abc import Iterator

import polars as pl

from core import charts
from core.comparison.pairs import differences
from core.exports import sentences
from core.exports.figure import Figure, shown_runs
from core.exports.scope import Scope


def spread(scope: Scope) -> Iterator[Figure]:
    """Every run: ECDF, histogram, box and strip, and the shares at 0 and at 1."""
    runs, measure = shown_runs(scope), str(scope.measure)
    every, defined = _per_query(scope, runs), _per_query(scope, runs, defined=True)
    colours = charts.run_colours(scope.comparison.names, runs)
    bounded = scope.measure.bounded
    ends = charts.shares_at_ends(defined)
    at_zero = sentences.at_zero(ends, scope.leader, scope.baseline)
    box = charts.score_quantiles(every)
    half = sentences.middle(box, scope.leader, scope.baseline)
    points = charts.ecdf_points(every, bounded=bounded)
    yield Figure(
        "spread-ecdf", "Share of queries at or below a score", at_zero,
        f"The share of queries that score at or below each {measure}: the lower the curve, the better the run.",
        charts.ecdf(points, measure=measure, colours=colours, bounded=bounded), points,
        charts.describe_ecdf(points, measure=measure), scope.line(),
    )  # fmt: skip
    bins = charts.score_bins(every, bounded=bounded)
    yield Figure(
        "spread-histogram", "How the scores are spread", half,
        f"Queries by their {measure}; exactly 0 and exactly 1 have bins of their own.",
        charts.histogram(bins, measure=measure, colours=colours, bounded=bounded), bins,
        charts.describe_histogram(bins, measure=measure, bounded=bounded), scope.line(),
    )  # fmt: skip
    if not box.is_empty():
        strip = charts.sampled_scores(every)
        yield Figure(
            "spread-box", "Box and strip", half,
            "Box: the middle half of the queries; bar: median; hollow dot: mean; line: 5th to 95th percentile.",
            charts.box_strip(box, strip, measure=measure, colours=colours), box,
            charts.describe_box_strip(box, measure=measure), scope.line(),
        )  # fmt: skip
    if bounded:
        yield Figure(
            "spread-ends", "Queries at 0 and at 1", at_zero,
            "The share of queries that score exactly 0 and exactly 1; undefined queries are not counted.",
            charts.ends(ends), ends, charts.describe_ends(ends), scope.line(),
        )  # fmt: skip


def changes(scope: Scope) -> Iterator[Figure]:
    """The leader against the baseline: every query's difference, sorted, and the two scores of every query."""
    pair, measure = scope.pair, str(scope.measure)
    if pair is None or not pair.n:
        return
    a, b = scope.baseline, pair.candidate
    found = differences(scope.comparison, b, a, scope.measure, scope.where)
    ids = [scope.comparison.qrels.queries[at] for at in found.queries.tolist()]
    told = sentences.moved(found.d, b)
    bars = charts.sorted_bars(pl.DataFrame({"query_id": ids, "difference": found.d}, schema=charts.DIFFERENCES))
    yield Figure(
        "changes-sorted", "What changed, query by query", told,
        f"{b} minus {a}, {measure} of each query, from the largest gain to the largest loss.",
        charts.sorted_differences(bars, measure=measure), bars,
        charts.describe_sorted_differences(bars, candidate=b, baseline=a, measure=measure), scope.line(),
    )  # fmt: skip
    scores = {
        side: scope.comparison.scores(run, scope.measure).values[found.queries] for side, run in (("a", a), ("b", b))
    }
    texts = [scope.comparison.query_text(query) for query in ids]
    pairs = pl.DataFrame({"query_id": ids, "text": texts, **scores}, schema=charts.PAIRS)
    many, names = pairs.height > charts.MOST_POINTS, {"a": a, "b": b, "measure": measure}
    frame = charts.squares(pairs, bounded=scope.measure.bounded) if many else pairs
    draw = charts.scatter_squares if many else charts.scatter
    describe = charts.describe_scatter_squares if many else charts.describe_scatter
    yield Figure(
        "changes-scatter", "One run against the other", told,
        f"{measure} of each query with {b} against {a}; above the diagonal {b} is better.",
        draw(frame, **names, bounded=scope.measure.bounded), frame, describe(frame, **names), scope.line(),
    )  # fmt: skip


def _per_query(scope: Scope, runs: tuple[str, ...], *, defined: bool = False) -> pl.DataFrame:
    """PER_QUERY: the queries that count, of those looked at; without the undefined ones where asked."""
    ids = pl.Series(scope.comparison.qrels.queries, dtype=pl.String)
    parts = []
    for run in runs:
        found = scope.comparison.scores(run, scope.measure)
        mask = found.counted if scope.where is None else found.counted & scope.where
        mask = mask & ~found.undefined if defined else mask
        columns = {"query_id": ids.filter(pl.Series(mask)), "score": pl.Series(found.values[mask]).fill_nan(None)}
        parts.append(pl.DataFrame(columns).select(pl.lit(run).alias("run"), "query_id", "score"))
    return pl.concat(parts)
