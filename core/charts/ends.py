"""Ends: the share of queries that score exactly 0, and exactly 1, by run."""

import altair as alt
import polars as pl

from core.charts.roles import role_colour
from core.charts.style import (
    COUNT,
    INK,
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

# One row per run, in the order to list them. zeros, ones: queries that score exactly 0 and exactly 1. n: its queries.
# Made by `frames.shares_at_ends`.
ENDS = pl.Schema({"run": pl.String, "zeros": pl.Int64, "ones": pl.Int64, "n": pl.Int64})


def ends(frame: pl.DataFrame) -> alt.LayerChart:
    """Draw the share of failed queries to the left and of perfect ones to the right, a row per run.

    frame: ENDS. The side is the second cue beside the colour.
    """
    rows = _long(frame)
    reach = max(0.1, float(rows["share"].to_numpy().max(initial=0))) * 1.25
    shown = ["at 0", "at 1"]
    axis = alt.Axis(
        title="Share of queries", labelExpr="format(abs(datum.value), '.0%')", tickCount=5, labelFlush=False
    )
    x = alt.X("side:Q", axis=axis, stack=None, scale=alt.Scale(domain=[-reach, reach], nice=False))
    base = alt.Chart(rows).encode(
        y=named_rows(in_order(rows, "run"), padding=0.3),
        x=x,
        tooltip=[
            alt.Tooltip("run:N", title="Run"),
            alt.Tooltip("kind:N", title="Score"),
            alt.Tooltip("count:Q", title="Queries", format=COUNT),
            alt.Tooltip("share:Q", title="Share", format=SHARE_FINE),
        ],
    )
    left = base.mark_text(color=INK, align="right", dx=-5, tooltip=None).encode(text="text:N")
    right = base.mark_text(color=INK, align="left", dx=5, tooltip=None).encode(text="text:N")
    return layered(
        base.mark_bar().encode(color=role_colour(shown, roles=("at 1", "at 0"))),
        left.transform_filter("datum.kind === 'at 0'"),
        right.transform_filter("datum.kind === 'at 1'"),
        alt.Chart(pl.DataFrame({"side": [0.0]})).mark_rule(color=NEUTRAL, tooltip=None).encode(x=x),
        height=rows_height(rows["run"].n_unique(), each=34, rest=110),
    )


def describe_ends(frame: pl.DataFrame) -> str:
    """Say for every run how many queries score 0 and how many score 1."""
    rows = exactly(frame, ENDS)
    parts = [f"{row['run']} {row['zeros']:,} at 0 and {row['ones']:,} at 1" for row in rows.iter_rows(named=True)]
    return f"Of {plural(int(rows['n'].head(1).sum()), 'query', 'queries')}: " + "; ".join(parts) + "."


def _long(frame: pl.DataFrame) -> pl.DataFrame:
    rows = exactly(frame, ENDS)
    sides = [(-1, "at 0", "zeros"), (1, "at 1", "ones")]
    long = pl.concat(
        rows.select(
            "run",
            kind=pl.lit(kind),
            count=pl.col(column),
            share=pl.col(column) / pl.col("n").clip(1),
            side=sign * pl.col(column) / pl.col("n").clip(1),
        )
        for sign, kind, column in sides
    )
    return long.with_columns(text=texts(long["share"], "{:.1%}".format))
