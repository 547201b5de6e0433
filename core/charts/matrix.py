"""Matrix: every run against every other."""

import altair as alt
import polars as pl

from core.charts.cells import FITS, INK_ON_CELL, TWICE, difference_colour, names_above
from core.charts.style import (
    INK,
    NEUTRAL,
    SIGNED,
    VERDICT_WORDS,
    exactly,
    in_order,
    layered,
    named_rows,
    plural,
    rows_height,
    signed,
    signed_text,
)

# One row per ordered pair of different runs, both directions. difference: row minus column, in the measure's unit.
# verdict: a case of the statistics about the row's run ("better", "worse", anything else is not clear).
# Runs are shown in the order in which they first appear as a row.
MATRIX = pl.Schema({"row": pl.String, "column": pl.String, "difference": pl.Float64, "verdict": pl.String})


def matrix(frame: pl.DataFrame, *, measure: str) -> alt.LayerChart:
    """Draw a cell per pair with the difference of the row's run to the column's.

    frame: MATRIX. A cell has a colour, and its number a bold face, only where the verdict is clear; others are grey.
    """
    rows = _prepared(frame)
    names = in_order(rows, "row")
    tooltip = [
        alt.Tooltip("row:N", title="Run"),
        alt.Tooltip("column:N", title="against"),
        alt.Tooltip("difference:Q", title=f"Difference in {measure}", format=SIGNED),
        alt.Tooltip("words:N", title="Verdict"),
    ]
    x = alt.X("column:N", title=None, axis=names_above(), scale=alt.Scale(domain=names, padding=0.05))
    y = named_rows(names, "row", padding=0.07)
    clear = alt.Chart(rows.filter(pl.col("clear"))).encode(x=x, y=y)
    unclear = alt.Chart(rows.filter(~pl.col("clear"))).encode(x=x, y=y)
    colour = difference_colour(rows.filter(pl.col("clear"))["difference"].to_list())
    bold = clear.mark_text(tooltip=None, opacity=FITS, fontWeight=700)
    return layered(
        clear.mark_rect(cornerRadius=3).encode(color=colour, tooltip=tooltip),
        unclear.mark_rect(cornerRadius=3, fill=NEUTRAL, opacity=0.14).encode(tooltip=tooltip),
        bold.encode(text="text:N", color=INK_ON_CELL),
        unclear.mark_text(tooltip=None, opacity=FITS, color=INK).encode(text="text:N"),
        height=rows_height(len(names), each=36, rest=60),
    ).properties(autosize=TWICE)


def describe_matrix(frame: pl.DataFrame, *, measure: str) -> str:
    """Say how many pairs differ clearly, and the largest difference."""
    rows = _prepared(frame)
    pairs = rows.height // 2
    if not pairs:
        return f"No two runs to compare in {measure}: 0 pairs."
    wins = rows.filter(pl.col("clear") & (pl.col("difference") > 0)).sort("difference", descending=True)
    words = f"{measure} of {plural(rows['row'].n_unique(), 'run')} against each other: {wins.height:,} of "
    words += f"{plural(pairs, 'pair')} differ clearly."
    if wins.height:
        best = wins.row(0, named=True)
        words += f" The largest difference: {best['row']} against {best['column']}, {signed(best['difference'])}."
    return words


def _prepared(frame: pl.DataFrame) -> pl.DataFrame:
    verdict = pl.col("verdict")
    return exactly(frame, MATRIX).with_columns(
        clear=verdict.is_in(["better", "worse"]),
        words=verdict.replace_strict(VERDICT_WORDS, default=verdict),
        text=signed_text(frame["difference"]),
    )
