"""Causes: why each run's queries score what they score, counted."""

from collections.abc import Sequence

import altair as alt
import polars as pl

from core.charts.style import (
    COUNT,
    NEUTRAL,
    SHARE_FINE,
    exactly,
    in_order,
    layered,
    named_rows,
    plural,
    rows_height,
    texts,
)

# One row per run and cause that occurs; the counts of a run add up to its queries. Runs in the order to list them.
CAUSES = pl.Schema({"run": pl.String, "cause": pl.String, "count": pl.Int64})

ROOM = "abs(scale('x', datum.end) - scale('x', datum.start)) > 26"
INK_ON_BAR = "luminance(scale('color', datum.cause)) > 0.179"


def causes(frame: pl.DataFrame, *, order: Sequence[str]) -> alt.LayerChart:
    """Draw a bar per run, divided into its causes in a fixed order, with the counts where they fit.

    frame: CAUSES. order: all causes there are, the worst first and the good end last, always the same, at most ten: a
    cause then keeps its colour, from the orange to the blue end of the theme's diverging range, whichever occur.
    A click selects a part: selection "cause" with the fields run and cause.
    """
    rows = _prepared(frame, order)
    present = set(rows["cause"])
    columns = alt.ExprRef("width < 420 ? 1 : width < 760 ? 2 : 3")
    legend = alt.Legend(
        orient="top",
        title=None,
        columns=columns,
        values=[cause for cause in order if cause in present],
        labelLimit=340,
        symbolStrokeColor=NEUTRAL,
        symbolStrokeWidth=0.8,
    )
    colour = alt.Color("cause:N", title=None, legend=legend, scale=alt.Scale(domain=list(order), range="diverging"))
    longest = int(rows["end"].to_numpy().max(initial=1))
    axis = alt.Axis(title="Queries", format=COUNT, tickCount=5, labelFlush=False)
    x = alt.X("start:Q", axis=axis, scale=alt.Scale(domain=[0, longest], nice=False))
    y = named_rows(in_order(rows, "run"), padding=0.3)
    click = alt.selection_point(name="cause", fields=["run", "cause"], on="click", clear="dblclick")
    base = alt.Chart(rows).encode(y=y)
    parts = base.mark_bar(stroke=alt.ExprRef("background"), strokeWidth=1.5, cursor="pointer")
    numbers = base.mark_text(tooltip=None).encode(
        x=alt.X("middle:Q", axis=axis),
        text="text:N",
        color=alt.condition(INK_ON_BAR, alt.value("black"), alt.value("white")),
        opacity=alt.condition(ROOM, alt.value(1), alt.value(0)),
    )
    return layered(
        parts.encode(x=x, x2="end:Q", color=colour, tooltip=_tooltip()).add_params(click),
        numbers,
        height=rows_height(rows["run"].n_unique(), each=38, rest=150 + 8 * len(present)),
    )


def describe_causes(frame: pl.DataFrame, *, order: Sequence[str]) -> str:
    """Say every run's counts by cause, in the fixed order."""
    rows = _prepared(frame, order)
    parts = []
    for run in in_order(rows, "run"):
        mine = rows.filter(pl.col("run") == run)
        counts = ", ".join(f"{row['count']:,} {row['cause']}" for row in mine.iter_rows(named=True))
        parts.append(f"{run}, {plural(int(mine['count'].sum()), 'query', 'queries')}: {counts}")
    return f"Causes by run. {'; '.join(parts)}." if parts else "0 queries have a cause."


def _prepared(frame: pl.DataFrame, order: Sequence[str]) -> pl.DataFrame:
    """The parts of each bar from the left, with where they start and end."""
    place = pl.col("cause").replace_strict(list(order), list(range(len(order))), return_dtype=pl.Int64)
    runs = in_order(frame, "run")
    row = pl.col("run").replace_strict(runs, list(range(len(runs))), return_dtype=pl.Int64)
    end = pl.col("count").cum_sum().over("run")
    rows = exactly(frame, CAUSES).sort(row, place)
    return rows.with_columns(
        end=end,
        start=end - pl.col("count"),
        share=pl.col("count") / pl.col("count").sum().over("run"),
        text=texts(rows["count"], "{:,}".format),
    ).with_columns(middle=(pl.col("start") + pl.col("end")) / 2)


def _tooltip() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("cause:N", title="Cause"),
        alt.Tooltip("count:Q", title="Queries", format=COUNT),
        alt.Tooltip("share:Q", title="Share", format=SHARE_FINE),
    ]
