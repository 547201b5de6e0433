"""Scatter: every query's score in one run against its score in the other."""

from typing import Final

import altair as alt
import polars as pl

from core.charts.roles import SHAPES, grey_stroke, role_colour, role_shape
from core.charts.style import BETTER, INK, NEUTRAL, SAME, SCORE, SIGNED, WORSE, exactly, layered, plural, score_scale

# One row per query that both runs are scored on, unique, in any order. a, b: its score in the baseline and in the
# candidate, in the measure's unit, not null. text: the query's text, null where there is none.
PAIRS = pl.Schema({"query_id": pl.String, "text": pl.String, "a": pl.Float64, "b": pl.Float64})

MOST_POINTS: Final = 5_000
TIE: Final = 1e-9


def scatter(
    frame: pl.DataFrame, *, a: str, b: str, measure: str, query: str | None = None, bounded: bool = True
) -> alt.LayerChart:
    """Draw a point per query: above the diagonal the candidate is better, below it worse; shape and colour say it too.

    frame: PAIRS, at most 5,000 rows; more belong into `scatter_squares`. `query` is ringed. Dragging selects an area:
    selection "brush" over a and b; a click selects a query: selection "query" with the field query_id.
    """
    rows = _prepared(frame)
    kinds = set(rows["kind"])
    shown = [kind for kind in (BETTER, WORSE) if kind in kinds]
    x, y = axes(a, b, measure, bounded)
    brush = alt.selection_interval(name="brush", encodings=["x", "y"])
    click = alt.selection_point(name="query", fields=["query_id"], on="click", clear="dblclick")
    tooltip = [
        alt.Tooltip("query_id:N", title="Query"),
        alt.Tooltip("text:N", title="Text"),
        alt.Tooltip("a:Q", title="Baseline", format=SCORE),
        alt.Tooltip("b:Q", title="Candidate", format=SCORE),
        alt.Tooltip("difference:Q", title="Difference", format=SIGNED),
    ]
    changed = alt.Chart(rows.filter(pl.col("kind") != SAME)).mark_point(filled=True, size=50, opacity=0.65)
    same = alt.Chart(rows.filter(pl.col("kind") == SAME).with_columns(other=pl.lit(SAME))).mark_point(
        size=36, opacity=0.9, strokeWidth=1.5
    )
    picked = rows.filter(pl.col("query_id") == query) if query is not None else rows.clear()
    return layered(
        diagonal(1.0 if bounded else _highest(rows), x, y),
        changed.encode(
            x=x, y=y, color=role_colour(shown), shape=role_shape(shown, shapes=SHAPES), tooltip=tooltip
        ).add_params(brush, click),
        same.encode(x=x, y=y, stroke=grey_stroke(SAME, shown=SAME in kinds), tooltip=tooltip),
        alt.Chart(picked).mark_point(size=220, stroke=INK, strokeWidth=2, opacity=1).encode(x=x, y=y, tooltip=tooltip),
        height=400,
    )


def describe_scatter(frame: pl.DataFrame, *, a: str, b: str, measure: str) -> str:
    """Say how many queries are better, worse and the same."""
    rows = _prepared(frame)
    counts = {kind: int((rows["kind"] == kind).sum()) for kind in (BETTER, WORSE, SAME)}
    return (
        f"{measure} of {b} against {a} for {plural(rows.height, 'query', 'queries')}: {counts[BETTER]:,} better, "
        f"{counts[WORSE]:,} worse, {counts[SAME]:,} the same."
    )


def axes(a: str, b: str, measure: str, bounded: bool) -> tuple[alt.X, alt.Y]:
    """The two score axes, with the runs' names as titles."""
    form = ".1f" if bounded else "~g"
    low = alt.Axis(title=f"{measure}, {a}", format=form, tickCount=5, labelFlush=False)
    side = alt.Axis(title=f"{measure}, {b}", format=form, tickCount=5)
    scale = alt.Scale(domain=[-0.02, 1.02], nice=False) if bounded else score_scale(bounded=False)
    return alt.X("a:Q", axis=low, scale=scale), alt.Y("b:Q", axis=side, scale=scale)


def diagonal(highest: float, x: alt.X, y: alt.Y, colour: str | alt.ExprRef = NEUTRAL) -> alt.Chart:
    """The line on which both runs score the same, from 0 to `highest`."""
    ends = pl.DataFrame({"a": [0.0, highest], "b": [0.0, highest]})
    line = alt.Chart(ends).mark_line(color=colour, strokeDash=[4, 4], strokeWidth=1.5, tooltip=None)
    drawn: alt.Chart = line.encode(x=x, y=y)
    return drawn


def _prepared(frame: pl.DataFrame) -> pl.DataFrame:
    difference = pl.col("b") - pl.col("a")
    kind = pl.when(difference > TIE).then(pl.lit(BETTER)).when(difference < -TIE).then(pl.lit(WORSE))
    return exactly(frame, PAIRS).with_columns(difference=difference, kind=kind.otherwise(pl.lit(SAME)))


def _highest(rows: pl.DataFrame) -> float:
    return float(max(rows["a"].to_numpy().max(initial=0.0), rows["b"].to_numpy().max(initial=0.0)))
