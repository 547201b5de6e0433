"""Heat map: what each run scores in each slice, coloured by its difference to the baseline."""

from typing import Final

import altair as alt
import polars as pl

from core.charts.style import (
    COUNT,
    INK,
    NEUTRAL,
    SCORE,
    SIGNED,
    exactly,
    in_order,
    layered,
    named_rows,
    plural,
    rows_height,
    signed,
)

# One row per run and slice value, unique. mean: of the measure over the slice's queries, null where there is none.
# difference: mean minus the baseline's in the same slice, null in the baseline's own row. n: queries in the slice.
# Runs and slices are shown in the order in which they first appear.
HEATMAP = pl.Schema({"run": pl.String, "slice": pl.String, "mean": pl.Float64, "difference": pl.Float64, "n": pl.Int64})

# Below this luminance of a cell white text contrasts more than black; both have at least 4.5:1 there.
CELL_INK: Final = "luminance(scale('color', datum.difference)) > 0.179"
LEAST_SCALE: Final = 0.05


def heatmap(frame: pl.DataFrame, *, measure: str, small: int = 10) -> alt.LayerChart:
    """Draw one cell per run and slice with its mean, in the diverging colours around the baseline's mean.

    frame: HEATMAP. Slices of fewer than `small` queries are grey, and their number carries an asterisk.
    The colour scale is symmetric, at least ±0.05, so that small differences stay pale.
    """
    rows = _prepared(frame, small)
    reach = max(LEAST_SCALE, *rows.filter(~pl.col("small"))["difference"].abs().to_list(), 0.0)
    x = alt.X("slice:N", title=None, axis=slice_axis(), scale=alt.Scale(domain=in_order(rows, "slice"), padding=0.05))
    y = named_rows(in_order(rows, "run"), padding=0.07)
    base = alt.Chart(rows).encode(x=x, y=y)
    colour = alt.Color(
        "difference:Q",
        legend=None,
        scale=alt.Scale(domain=[-reach, reach], domainMid=0, range="diverging", interpolate="rgb", clamp=True),
    )
    tooltip = [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("slice:N", title="Slice"),
        alt.Tooltip("mean:Q", title=measure, format=SCORE),
        alt.Tooltip("difference:Q", title="Difference to the baseline", format=SIGNED),
        alt.Tooltip("n:Q", title="Queries", format=COUNT),
    ]
    large, few = alt.datum.small == False, alt.datum.small == True  # noqa: E712 - an expression for Vega
    fits = alt.ExprRef("bandwidth('x') < 34 ? 0 : 1")
    text = base.mark_text(tooltip=None, opacity=fits)
    # The slant of the names depends on the width and changes the height, so the layout is done once more.
    fit = alt.AutoSizeParams(type="fit", contains="padding", resize=True)
    return layered(
        base.mark_rect(cornerRadius=3).encode(color=colour, tooltip=tooltip).transform_filter(large),
        base.mark_rect(cornerRadius=3, fill=NEUTRAL, opacity=0.16).encode(tooltip=tooltip).transform_filter(few),
        text.encode(
            text="label:N", color=alt.condition(CELL_INK, alt.value("black"), alt.value("white"))
        ).transform_filter(large),
        base.mark_text(tooltip=None, opacity=fits, color=INK, fontStyle="italic")
        .encode(text="label:N")
        .transform_filter(few),
        height=rows_height(rows["run"].n_unique(), each=34, rest=60),
    ).properties(autosize=fit)


def describe_heatmap(frame: pl.DataFrame, *, measure: str, small: int = 10) -> str:
    """Say the largest gain and the largest loss of any run in any slice that is not small."""
    rows = _prepared(frame, small)
    where = f"{measure} of {plural(rows['run'].n_unique(), 'run')} in {plural(rows['slice'].n_unique(), 'slice')}"
    known = rows.filter(~pl.col("small") & pl.col("compared")).sort("difference", maintain_order=True)
    if known.is_empty():
        return f"{where}; no slice of {small} queries or more to compare with the baseline."
    worst, best = known.row(0, named=True), known.row(-1, named=True)
    return (
        f"{where}. Largest gain: {best['run']} in {best['slice']}, {signed(best['difference'])}; "
        f"largest loss: {worst['run']} in {worst['slice']}, {signed(worst['difference'])}."
        if worst["difference"] < 0 < best["difference"]
        else f"{where}. Differences to the baseline from {signed(worst['difference'])} ({worst['run']} in "
        f"{worst['slice']}) to {signed(best['difference'])} ({best['run']} in {best['slice']})."
    )


def slice_axis() -> alt.Axis:
    """Names above the columns, level where they have room, else slanted, and steep where there are many."""
    wide, steep = "bandwidth('x') >= 84", "bandwidth('x') < 40"
    return alt.Axis(
        orient="top",
        domain=False,
        ticks=False,
        labelOverlap=False,
        labelPadding=6,
        labelAngle=alt.ExprRef(f"{wide} ? 0 : {steep} ? -60 : -35"),
        labelAlign=alt.ExprRef(f"{wide} ? 'center' : 'left'"),
        labelBaseline="bottom",
        labelFlush=False,
    )


def _prepared(frame: pl.DataFrame, small: int) -> pl.DataFrame:
    return exactly(frame, HEATMAP).with_columns(
        small=pl.col("n") < small,
        compared=pl.col("difference").is_not_null(),
        difference=pl.col("difference").fill_null(0.0),
        label=pl.when(pl.col("mean").is_null())
        .then(pl.lit("–"))
        .otherwise(
            pl.col("mean").map_elements("{:.3f}".format, return_dtype=pl.String)
            + pl.when(pl.col("n") < small).then(pl.lit("*")).otherwise(pl.lit(""))
        ),
    )
