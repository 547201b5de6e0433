"""Curve: a run's mean at every cutoff k, with its interval."""

import altair as alt
import polars as pl

from core.charts.style import NEUTRAL, SCORE, RunColours, exactly, in_order, layered, line_legend, plural

# One row per run and cutoff, unique; k from 1. mean: of the measure at k. low, high: its interval, null where there is
# none. Runs are listed in the order in which they first appear.
CURVE = pl.Schema({"run": pl.String, "k": pl.Int64, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64})

TICKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)
BANDS = 3


def curve(frame: pl.DataFrame, *, measure: str, colours: RunColours) -> alt.LayerChart:
    """Draw each run's mean over k on a logarithmic axis, dashes and colours by run.

    frame: CURVE. Intervals are bands with up to three runs in colour and thin whiskers beyond, where bands would
    cover each other. Runs without a colour are grey lines behind.
    """
    rows = exactly(frame, CURVE).sort("k", maintain_order=True)
    shown = in_order(frame, "run")
    inside, outside = colours.split(rows)
    ks = sorted(rows["k"].unique().to_list())
    ticks = [k for k in TICKS if ks and ks[0] <= k <= ks[-1] and (len(ks) > 8 or k in ks)] or ks
    axis = alt.Axis(title="Cutoff k", values=ticks, format="d", grid=False, labelFlush=False)
    x = alt.X("k:Q", axis=axis, scale=alt.Scale(type="log", nice=False))
    spread = alt.Scale(zero=False, nice=True)
    mean_axis = alt.Axis(title=measure, format=".2f", tickCount=5)
    y = alt.Y("mean:Q", axis=mean_axis, scale=spread)
    low, high = alt.Y("low:Q", axis=mean_axis, scale=spread), alt.Y2("high:Q")
    legend = line_legend()
    colour, dash = colours.colour(shown, legend=legend), colours.dash(shown, legend=legend)
    tooltip = [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("k:Q", title="k", format="d"),
        alt.Tooltip("mean:Q", title=measure, format=SCORE),
        alt.Tooltip("low:Q", title="Interval from", format=SCORE),
        alt.Tooltip("high:Q", title="Interval to", format=SCORE),
    ]
    base = alt.Chart(inside).encode(x=x)
    behind = alt.Chart(outside).mark_line(color=NEUTRAL, opacity=0.45, strokeWidth=1.5, tooltip=None)
    if inside["run"].n_unique() <= BANDS:
        interval = base.mark_area(opacity=0.14, tooltip=None).encode(y=low, y2=high, color=colour)
    else:
        interval = base.mark_rule(opacity=0.35, tooltip=None).encode(y=low, y2=high, color=colour)
    return layered(
        behind.encode(x=x, y=y, detail="run:N"),
        interval,
        base.mark_line(strokeWidth=2.2, tooltip=None).encode(y=y, color=colour, strokeDash=dash),
        base.mark_point(filled=True, size=45, opacity=1).encode(y=y, color=colour, tooltip=tooltip),
        height=340,
    )


def describe_curve(frame: pl.DataFrame, *, measure: str) -> str:
    """Say every run's mean at the first and at the last cutoff."""
    rows = exactly(frame, CURVE).sort("k", maintain_order=True)
    parts = []
    for run in in_order(frame, "run"):
        mine = rows.filter(pl.col("run") == run)
        ends = [
            f"{_said(row['mean'])} at k = {row['k']:,}" for row in (mine.row(0, named=True), mine.row(-1, named=True))
        ]
        parts.append(f"{run} {' and '.join(ends)}")
    return f"Mean {measure} over the cutoff for {plural(len(parts), 'run')}: " + "; ".join(parts) + "."


def _said(mean: float | None) -> str:
    return "no value" if mean is None else f"{mean:.3f}"
