"""Histogram: how the queries' scores are spread, with the scores of exactly 0 and exactly 1 apart."""

import altair as alt
import polars as pl

from core.charts.style import (
    COUNT,
    NEUTRAL,
    SHARE,
    SHARE_FINE,
    RunColours,
    exactly,
    in_order,
    layered,
    line_legend,
    plural,
)

# Bins of each run, sorted by run (in the order to list them), then left; bins without a query are there too.
# The first bin holds the scores of exactly 0 (left = −width, right = 0) and, for bounded measures, the last those of
# exactly 1 (left = 1, right = 1 + width); the others hold left < score ≤ right, without the ends. bin: it in words.
# count: queries; n: the run's queries. Made by `frames.score_bins`.
HISTOGRAM = pl.Schema(
    {"run": pl.String, "left": pl.Float64, "right": pl.Float64, "bin": pl.String, "count": pl.Int64, "n": pl.Int64}
)


def histogram(
    frame: pl.DataFrame, *, measure: str, colours: RunColours, bounded: bool = True, highest: float | None = None
) -> alt.LayerChart:
    """Draw each run's share of queries per bin as a step outline.

    frame: HISTOGRAM. One run alone is filled; runs without a colour are thin grey outlines behind. `highest` fixes the
    upper end of the axis of shares, so that several histograms can be compared.
    """
    rows = exactly(frame, HISTOGRAM)
    shown = in_order(rows, "run")
    inside, outside = colours.split(_outline(rows))
    axis, scale = _axis(rows, measure, bounded), _scale(rows)
    share = alt.Axis(title="Queries", format=SHARE, tickCount=4)
    x, y = alt.X("at:Q", axis=axis, scale=scale), alt.Y("share:Q", axis=share, stack=None, scale=_shares(highest))
    legend = line_legend() if len(shown) > 1 else None
    colour, dash = colours.colour(shown, legend=legend), colours.dash(shown, legend=legend)
    behind = alt.Chart(outside).mark_line(
        interpolate="step-after", color=NEUTRAL, opacity=0.45, strokeWidth=1.2, tooltip=None
    )
    steps = alt.Chart(inside).encode(x=x, y=y, color=colour)
    # What the pointer meets: one invisible bar per run and bin, the low ones in front of the high ones.
    met = rows.with_columns(share=pl.col("count") / pl.col("n"), zero=0.0)
    met = met.sort("share", descending=True, maintain_order=True)
    bars = alt.Chart(colours.split(met)[0]).mark_rect(opacity=0)
    return layered(
        behind.encode(x=x, y=y, detail="run:N"),
        steps.mark_area(interpolate="step-after", opacity=0.22 if len(shown) == 1 else 0, tooltip=None),
        steps.mark_line(interpolate="step-after", strokeWidth=2, tooltip=None).encode(strokeDash=dash),
        bars.encode(x=alt.X("left:Q", axis=axis, scale=scale), x2="right:Q", y=y, y2="zero:Q", tooltip=_tooltip()),
        height=300,
    )


def describe_histogram(frame: pl.DataFrame, *, measure: str, bounded: bool = True) -> str:
    """Say for every run how many queries score exactly 0, exactly 1, and where most of the others lie."""
    rows = exactly(frame, HISTOGRAM)
    parts = []
    for run in in_order(rows, "run"):
        mine = rows.filter(pl.col("run") == run)
        inner = mine.slice(1, mine.height - 2) if bounded else mine.slice(1)
        most = inner.sort("count", descending=True, maintain_order=True).row(0, named=True)
        ends = f"{mine['count'][0]:,} at 0" + (f", {mine['count'][-1]:,} at 1" if bounded else "")
        where = f"most others from {most['bin']}" if most["count"] else "no others"
        parts.append(f"{run} {ends}, {where}")
    count = int(rows["n"].head(1).sum())
    return f"{measure} of {plural(count, 'query', 'queries')}: " + "; ".join(parts) + "."


def _outline(rows: pl.DataFrame) -> pl.DataFrame:
    """The corners of each run's steps: one point at each bin's left edge, and both feet on the axis."""
    points = rows.select("run", at="left", share=pl.col("count") / pl.col("n"))
    left = rows.group_by("run", maintain_order=True).agg(at=pl.col("left").min(), share=pl.lit(0.0))
    right = rows.group_by("run", maintain_order=True).agg(at=pl.col("right").max(), share=pl.lit(0.0))
    return pl.concat([left, points, right])


def _axis(rows: pl.DataFrame, measure: str, bounded: bool) -> alt.Axis:
    """Ticks at some of the bins' edges, and the two ends named under the middle of their own bins."""
    lefts, rights = sorted(set(rows["left"])), sorted(set(rows["right"]))
    inner = [edge for edge in lefts[1:] if edge > 0 and not (bounded and edge >= 1)]
    every = max(1, -(-(len(inner) + 1) // 5))
    ends = [(lefts[0] + rights[0]) / 2] + ([(lefts[-1] + rights[-1]) / 2] if bounded else [])
    words = "datum.value < 0 ? 'at 0' : "
    words += "datum.value > 1 ? 'at 1' : datum.label" if bounded else "datum.label"
    ticks = ends[:1] + inner[every - 1 :: every] + ends[1:]
    return alt.Axis(title=f"{measure} of a query", values=ticks, format="~g", labelExpr=words, grid=False)


def _scale(rows: pl.DataFrame) -> alt.Scale:
    return alt.Scale(domain=[float(rows["left"].to_numpy().min()), float(rows["right"].to_numpy().max())], nice=False)


def _shares(highest: float | None) -> alt.Scale:
    return alt.Scale(zero=True) if highest is None else alt.Scale(domain=[0, highest], nice=False)


def _tooltip() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("bin:N", title="Score"),
        alt.Tooltip("count:Q", title="Queries", format=COUNT),
        alt.Tooltip("share:Q", title="Share", format=SHARE_FINE),
    ]
