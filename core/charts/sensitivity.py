"""Sensitivity: does the verdict hold under other conventions, cutoffs and assumptions?"""

from typing import Final

import altair as alt
import polars as pl

from core.charts.intervals import interval_rows, interval_tooltip, interval_words
from core.charts.style import NEUTRAL, difference_axis, exactly, layered, plural, rows_height, signed, signed_text

# One row per variant, unique, in the order to show them. label: what is different, in a few words ("k = 5", "unjudged
# all top grade"). difference, low, high: the result under it, low and high null where there is no interval.
# holds: whether the verdict is the main result's.
SENSITIVITY = pl.Schema(
    {"label": pl.String, "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64, "holds": pl.Boolean}
)

HOLDS, CHANGES = "Verdict holds", "Verdict changes"
SHAPES: Final = {HOLDS: "circle", CHANGES: "diamond"}


def sensitivity(frame: pl.DataFrame, *, measure: str, main: float) -> alt.LayerChart:
    """Draw a row per variant, with the main result's difference `main` as a dashed line.

    frame: SENSITIVITY. Blue circles keep the verdict, orange diamonds change it. Serves the unjudged scenarios too.
    """
    rows = _prepared(frame)
    tooltip = interval_tooltip([alt.Tooltip("label:N", title="Variant")], [alt.Tooltip("kind:N", title="Verdict")])
    title = f"Difference in {measure}"
    layers = interval_rows(rows, field="label", title=title, tooltip=tooltip, neither="", shapes=SHAPES)
    dashed = alt.Chart(pl.DataFrame({"difference": [main]})).mark_rule(
        color=NEUTRAL, strokeDash=[5, 4], strokeWidth=1.5, tooltip=None
    )
    reference = dashed.encode(x=alt.X("difference:Q", axis=difference_axis(title)))
    return layered(reference, *layers, height=rows_height(rows.height, each=34, rest=115))


def describe_sensitivity(frame: pl.DataFrame, *, measure: str, main: float) -> str:
    """Say under how many variants the verdict holds, and name those that change it."""
    rows = _prepared(frame)
    kept = int(rows["holds"].sum())
    words = f"The difference in {measure} of {signed(main)} keeps its verdict in {kept:,} of "
    words += plural(rows.height, "variant") + "."
    changed = [
        f"{row['label']} {signed(row['difference'])} ({interval_words(row['low'], row['high'])})"
        for row in rows.filter(~pl.col("holds")).iter_rows(named=True)
    ]
    return words + (f" It changes under: {'; '.join(changed)}." if changed else "")


def _prepared(frame: pl.DataFrame) -> pl.DataFrame:
    return exactly(frame, SENSITIVITY).with_columns(
        kind=pl.when("holds").then(pl.lit(HOLDS)).otherwise(pl.lit(CHANGES)), text=signed_text(frame["difference"])
    )
