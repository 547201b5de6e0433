"""ECDF: the share of queries that score at or below each value."""

import altair as alt
import polars as pl

from core.charts.style import (
    COUNT,
    NEUTRAL,
    SCORE,
    SHARE,
    SHARE_FINE,
    RunColours,
    exactly,
    in_order,
    layered,
    line_legend,
    plural,
    score_scale,
)

# Points of each run's curve, sorted by run (in the order to list them), then score. score: in the measure's unit.
# share: of the run's n queries that score at or below it, 0 … 1, never falling. Made by `frames.ecdf_points`.
ECDF = pl.Schema({"run": pl.String, "score": pl.Float64, "share": pl.Float64, "n": pl.Int64})


def ecdf(frame: pl.DataFrame, *, measure: str, colours: RunColours, bounded: bool = True) -> alt.LayerChart:
    """Draw the share of queries at or below each score: the lower the curve, the better the run.

    frame: ECDF. Colours and dashes by run; runs without a colour are thin grey steps behind.
    """
    rows = exactly(frame, ECDF)
    shown = in_order(rows, "run")
    inside, outside = colours.split(rows)
    axis = alt.Axis(title=f"{measure} of a query", tickCount=6, format=".1f" if bounded else "~g", labelFlush=False)
    x = alt.X("score:Q", axis=axis, scale=score_scale(bounded))
    share = alt.Axis(title="Queries at or below", format=SHARE, tickCount=5)
    y = alt.Y("share:Q", axis=share, scale=alt.Scale(domain=[0, 1], nice=False))
    legend = line_legend()
    colour, dash = colours.colour(shown, legend=legend), colours.dash(shown, legend=legend)
    tooltip = [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("score:Q", title=measure, format=SCORE),
        alt.Tooltip("share:Q", title="Queries at or below", format=SHARE_FINE),
        alt.Tooltip("n:Q", title="Queries", format=COUNT),
    ]
    base = alt.Chart(inside).encode(x=x, y=y, color=colour)
    behind = alt.Chart(outside).mark_line(
        interpolate="step-after", color=NEUTRAL, opacity=0.45, strokeWidth=1.2, tooltip=None
    )
    return layered(
        behind.encode(x=x, y=y, detail="run:N"),
        base.mark_line(interpolate="step-after", strokeWidth=2, tooltip=None).encode(strokeDash=dash),
        # Lines answer to the pointer only at their first point, so invisible points carry the tooltips.
        base.mark_point(size=60, opacity=0).encode(tooltip=tooltip),
        height=370,
    )


def describe_ecdf(frame: pl.DataFrame, *, measure: str) -> str:
    """Say for every run where a quarter, half and three quarters of its queries lie."""
    rows = exactly(frame, ECDF)
    parts = []
    for run in in_order(rows, "run"):
        mine = rows.filter(pl.col("run") == run)
        at = [float(mine.filter(pl.col("share") >= part)["score"].head(1).sum()) for part in (0.25, 0.5, 0.75)]
        parts.append(f"{run} {at[0]:.2f}, {at[1]:.2f} and {at[2]:.2f}")
    count = int(rows["n"].head(1).sum())
    return (
        f"Share of {plural(count, 'query', 'queries')} at or below each {measure}. A quarter, half and three quarters "
        "of the queries score at most: " + "; ".join(parts) + "."
    )
