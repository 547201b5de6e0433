"""Heat map: what each run scores in each slice, coloured by its difference to the baseline."""

import altair as alt
import polars as pl

from core.charts.cells import FITS, INK_ON_CELL, TWICE, difference_colour, names_above
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
    texts,
)

# One row per run and slice value, unique. mean: of the measure over the slice's queries, null where there is none.
# difference: mean minus the baseline's in the same slice, null in the baseline's own row. n: queries in the slice.
# Runs and slices are shown in the order in which they first appear.
HEATMAP = pl.Schema({"run": pl.String, "slice": pl.String, "mean": pl.Float64, "difference": pl.Float64, "n": pl.Int64})


def heatmap(frame: pl.DataFrame, *, measure: str, small: int = 10) -> alt.LayerChart:
    """Draw one cell per run and slice with its mean, in the diverging colours around the baseline's mean.

    frame: HEATMAP. Slices of fewer than `small` queries are grey, and their number carries an asterisk.
    The colour scale is symmetric, at least ±0.05, so that small differences stay pale.
    """
    rows = _prepared(frame, small)
    x = alt.X("slice:N", title=None, axis=names_above(), scale=alt.Scale(domain=in_order(rows, "slice"), padding=0.05))
    y = named_rows(in_order(rows, "run"), padding=0.07)
    base = alt.Chart(rows).encode(x=x, y=y)
    colour = difference_colour(rows.filter(~pl.col("small"))["difference"].to_list())
    tooltip = [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("slice:N", title="Slice"),
        alt.Tooltip("mean:Q", title=measure, format=SCORE),
        alt.Tooltip("difference:Q", title="Difference to the baseline", format=SIGNED),
        alt.Tooltip("n:Q", title="Queries", format=COUNT),
    ]
    large, few = alt.datum.small == False, alt.datum.small == True  # noqa: E712 - an expression for Vega
    text = base.mark_text(tooltip=None, opacity=FITS)
    cells, numbers = [], []
    # A layer without a mark would be a picture without a name to a screen reader, so only those that have one are there.
    if not rows["small"].all():
        cells.append(base.mark_rect(cornerRadius=3).encode(color=colour, tooltip=tooltip).transform_filter(large))
        numbers.append(text.encode(text="label:N", color=INK_ON_CELL).transform_filter(large))
    if rows["small"].any():
        grey = base.mark_rect(cornerRadius=3, fill=NEUTRAL, opacity=0.16)
        cells.append(grey.encode(tooltip=tooltip).transform_filter(few))
        italic = base.mark_text(tooltip=None, opacity=FITS, color=INK, fontStyle="italic")
        numbers.append(italic.encode(text="label:N").transform_filter(few))
    return layered(
        *cells,
        *numbers,
        height=rows_height(rows["run"].n_unique(), each=34, rest=60),
    ).properties(autosize=TWICE)


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


def _prepared(frame: pl.DataFrame, small: int) -> pl.DataFrame:
    return exactly(frame, HEATMAP).with_columns(
        small=pl.col("n") < small,
        compared=pl.col("difference").is_not_null(),
        difference=pl.col("difference").fill_null(0.0),
        label=pl.when(pl.col("mean").is_null())
        .then(pl.lit("–"))
        .otherwise(
            pl.lit(texts(frame["mean"], "{:.3f}".format))
            + pl.when(pl.col("n") < small).then(pl.lit("*")).otherwise(pl.lit(""))
        ),
    )
