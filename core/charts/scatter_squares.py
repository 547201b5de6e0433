"""Scatter of many queries: counted in squares instead of drawn one over the other."""

from typing import Final

import altair as alt
import numpy as np
import polars as pl

from core.charts.scatter import PAIRS, TIE, axes, diagonal
from core.charts.style import COUNT, INK, exactly, layered, plural

# One row per square that holds a query. left … right on the baseline's axis, bottom … top on the candidate's, in the
# measure's unit. count: its queries. better, worse: those of them in which the candidate scores more, or less.
# Made by `squares`.
SQUARES = pl.Schema(
    {
        "left": pl.Float64,
        "right": pl.Float64,
        "bottom": pl.Float64,
        "top": pl.Float64,
        "count": pl.Int64,
        "better": pl.Int64,
        "worse": pl.Int64,
    }
)

ACROSS: Final = 32


def squares(pairs: pl.DataFrame, *, across: int = ACROSS, bounded: bool = True) -> pl.DataFrame:
    """Count the queries in `across` × `across` equal squares: SQUARES, sorted by left, then bottom.

    pairs: PAIRS. From 0 to 1, or to the highest score; the upper edge belongs to the last square.
    """
    rows = exactly(pairs, PAIRS)
    highest = 1.0 if bounded else float(max(rows["a"].to_numpy().max(initial=0), rows["b"].to_numpy().max(initial=0)))
    width = (highest or 1.0) / across
    place = {
        name: pl.Series(np.clip((rows[name].to_numpy() + TIE) // width, 0, across - 1).astype(np.int64))
        for name in ("a", "b")
    }
    difference = pl.col("b") - pl.col("a")
    return (
        rows.with_columns(column=place["a"], row=place["b"])
        .group_by("column", "row")
        .agg(count=pl.len(), better=(difference > TIE).sum(), worse=(difference < -TIE).sum())
        .sort("column", "row")
        .with_columns(
            left=pl.col("column") * width,
            right=(pl.col("column") + 1) * width,
            bottom=pl.col("row") * width,
            top=(pl.col("row") + 1) * width,
        )
        .select(pl.col(name).cast(kind) for name, kind in SQUARES.items())
    )


def scatter_squares(frame: pl.DataFrame, *, a: str, b: str, measure: str, bounded: bool = True) -> alt.LayerChart:
    """Draw the squares, the stronger the more queries they hold, with the diagonal over them.

    frame: SQUARES. Counts are coloured on a logarithmic scale. Dragging selects an area: selection "brush" over a and b.
    """
    rows = exactly(frame, SQUARES).with_columns(a=pl.col("left"), b=pl.col("bottom"))
    most = int(rows["count"].to_numpy().max(initial=1))
    x, y = axes(a, b, measure, bounded)
    legend = alt.Legend(title="Queries", orient="top", format=COUNT, gradientLength=160, direction="horizontal")
    # The scale starts below one query, where the ramp can hardly be told from the page.
    colour = alt.Color(
        "count:Q",
        scale=alt.Scale(type="log", domain=[0.3, max(2, most)], range="ramp", nice=False),
        legend=_with_ticks(legend, most),
    )
    tooltip = [
        alt.Tooltip("count:Q", title="Queries", format=COUNT),
        alt.Tooltip("better:Q", title="Better", format=COUNT),
        alt.Tooltip("worse:Q", title="Worse", format=COUNT),
        alt.Tooltip("left:Q", title="Baseline from", format=".2f"),
        alt.Tooltip("bottom:Q", title="Candidate from", format=".2f"),
    ]
    brush = alt.selection_interval(name="brush", encodings=["x", "y"])
    cells = alt.Chart(rows).mark_rect()
    highest = (
        1.0 if bounded else float(max(rows["right"].to_numpy().max(initial=0), rows["top"].to_numpy().max(initial=0)))
    )
    return layered(
        cells.encode(x=x, x2="right:Q", y=y, y2="top:Q", color=colour, tooltip=tooltip).add_params(brush),
        diagonal(highest, x, y, INK),
        height=420,
    )


def describe_scatter_squares(frame: pl.DataFrame, *, a: str, b: str, measure: str) -> str:
    """Say how many queries are better, worse and the same, and that they are counted in squares."""
    rows = exactly(frame, SQUARES)
    n, better, worse = (int(rows[name].sum()) for name in ("count", "better", "worse"))
    return (
        f"{measure} of {b} against {a} for {plural(n, 'query', 'queries')}, counted in squares: {better:,} better, "
        f"{worse:,} worse, {n - better - worse:,} the same."
    )


def _with_ticks(legend: alt.Legend, most: int) -> alt.Legend:
    ticks = legend.copy()
    ticks["values"] = [power for power in (1, 10, 100, 1_000, 10_000, 100_000) if power <= most]
    return ticks
