"""Dumbbell: two runs' means in every slice, and what lies between them."""

import altair as alt
import polars as pl

from core.charts.style import (
    COUNT,
    INK,
    LEGEND_COLUMNS,
    NEUTRAL,
    SCORE,
    SIGNED,
    RunColours,
    exactly,
    in_order,
    layered,
    named_rows,
    plural,
    rows_height,
    signed,
    signed_text,
    texts,
)

# One row per slice value, unique, in the order to show them. n: its queries. a, b: the baseline's and the candidate's
# mean over them, in the measure's unit.
DUMBBELL = pl.Schema({"slice": pl.String, "n": pl.Int64, "a": pl.Float64, "b": pl.Float64})

PALE = alt.condition("datum.small", alt.value(0.35), alt.value(1))


def dumbbell(
    frame: pl.DataFrame, *, a: str, b: str, measure: str, colours: RunColours, small: int = 10
) -> alt.LayerChart:
    """Draw both runs' means a row, joined, with the signed difference above; shapes by run beside the colours.

    frame: DUMBBELL. Slices of fewer than `small` queries are pale, without a number.
    """
    rows = _prepared(frame, small)
    y = named_rows(in_order(rows, "label"), "label", padding=0.3)
    axis = alt.Axis(title=f"Mean {measure}", tickCount=5, format=".2f", labelFlush=False)
    scale = alt.Scale(zero=False, nice=True, padding=12)
    legend = alt.Legend(orient="top", title=None, columns=LEGEND_COLUMNS, symbolOpacity=1)
    tooltip = [
        alt.Tooltip("slice:N", title="Slice"),
        alt.Tooltip("n:Q", title="Queries", format=COUNT),
        alt.Tooltip("a:Q", title="Baseline", format=SCORE),
        alt.Tooltip("b:Q", title="Candidate", format=SCORE),
        alt.Tooltip("difference:Q", title="Difference", format=SIGNED),
    ]
    points = pl.concat(rows.with_columns(run=pl.lit(name), score=pl.col(side)) for side, name in (("a", a), ("b", b)))
    inside, outside = colours.split(points)
    x = alt.X("score:Q", axis=axis, scale=scale)
    between = alt.Chart(rows).encode(y=y, tooltip=tooltip)
    dot = alt.Chart(inside).mark_point(filled=True, size=120).encode(y=y, x=x, tooltip=tooltip)
    grey = alt.Chart(outside).mark_point(filled=True, size=90, color=NEUTRAL).encode(y=y, x=x, tooltip=tooltip)
    number = between.mark_text(dy=-13, color=INK, fontWeight=600)
    return layered(
        between.mark_rule(color=NEUTRAL, strokeWidth=3, opacity=0.5).encode(
            x=alt.X("a:Q", axis=axis, scale=scale), x2="b:Q"
        ),
        grey.encode(opacity=PALE),
        dot.encode(
            color=colours.colour([a, b], legend=legend), shape=colours.shape([a, b], legend=legend), opacity=PALE
        ),
        number.encode(x=alt.X("middle:Q", axis=axis, scale=scale), text="text:N"),
        height=rows_height(rows.height, each=40, rest=115),
    )


def describe_dumbbell(frame: pl.DataFrame, *, a: str, b: str, measure: str, small: int = 10) -> str:
    """Say both means and the difference in every slice that is not small."""
    rows = _prepared(frame, small).filter(~pl.col("small"))
    parts = [
        f"{row['slice']} {row['b']:.3f} against {row['a']:.3f} ({signed(row['difference'])})"
        for row in rows.iter_rows(named=True)
    ]
    shown = f"Mean {measure} of {b} against {a} in {plural(rows.height, 'slice')}"
    return f"{shown}: {'; '.join(parts)}." if parts else f"{shown} of {small} queries or more."


def _prepared(frame: pl.DataFrame, small: int) -> pl.DataFrame:
    rows = exactly(frame, DUMBBELL).with_columns(
        small=pl.col("n") < small,
        difference=pl.col("b") - pl.col("a"),
        middle=(pl.col("a") + pl.col("b")) / 2,
        label=pl.col("slice") + " · " + texts(frame["n"], "{:,}".format),
    )
    return rows.with_columns(text=pl.when("small").then(pl.lit("")).otherwise(signed_text(rows["difference"])))
