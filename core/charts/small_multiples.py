"""Small multiples: one small histogram a slice, all on the same axes."""

import altair as alt
import polars as pl

from core.charts.frames import PER_QUERY, score_bins
from core.charts.histogram import HISTOGRAM, describe_histogram, histogram
from core.charts.style import RunColours, exactly, in_order

# HISTOGRAM of every slice: one row per slice, run and bin, slices and runs in the order to show them, the same bins in
# every slice. n: the run's queries in the slice. Made by `slice_bins`.
SLICE_BINS = pl.Schema([("slice", pl.String()), *HISTOGRAM.items()])

HEIGHT = 240


def slice_bins(per_query: pl.DataFrame, *, bounded: bool = True) -> pl.DataFrame:
    """Bin the scores of every slice like those of all queries: SLICE_BINS.

    per_query: PER_QUERY with a further column slice, slices in the order to show them.
    """
    top = per_query["score"].max()
    parts = []
    for value in in_order(per_query, "slice"):
        mine = per_query.filter(pl.col("slice") == value).select(list(PER_QUERY))
        # A query of no run in the frame carries the highest score of all, so that every slice gets the same bins.
        ruler = pl.DataFrame({"run": [None], "query_id": [None], "score": [top]}, schema=PER_QUERY)
        bins = score_bins(pl.concat([mine, ruler]) if not bounded else mine, bounded=bounded)
        parts.append(bins.filter(pl.col("run").is_not_null()).select(pl.lit(value).alias("slice"), *HISTOGRAM))
    return pl.concat(parts) if parts else SLICE_BINS.to_frame()


def small_multiples(
    frame: pl.DataFrame, *, measure: str, colours: RunColours, bounded: bool = True
) -> list[tuple[str, alt.LayerChart]]:
    """A small histogram for every slice, with its name, to be placed side by side by the page.

    frame: SLICE_BINS. All have the same two axes, so that heights can be compared from one to the next.
    """
    rows = exactly(frame, SLICE_BINS)
    highest = max([0.05, *(rows["count"] / rows["n"].clip(1)).to_list()])
    drawn = []
    for value in in_order(rows, "slice"):
        mine = rows.filter(pl.col("slice") == value)
        chart = histogram(mine, measure=measure, colours=colours, bounded=bounded, highest=highest)
        drawn.append((value, chart.properties(height=HEIGHT)))
    return drawn


def describe_small_multiples(frame: pl.DataFrame, *, measure: str, bounded: bool = True) -> list[tuple[str, str]]:
    """For every slice its name and what its histogram shows."""
    rows = exactly(frame, SLICE_BINS)
    slices = in_order(rows, "slice")
    return [
        (value, describe_histogram(rows.filter(pl.col("slice") == value), measure=measure, bounded=bounded))
        for value in slices
    ]
