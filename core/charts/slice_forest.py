"""Slice forest: a run's difference to the baseline in every slice."""

from typing import Final

import altair as alt
import polars as pl

from core.charts.intervals import interval_rows, interval_tooltip, interval_words
from core.charts.style import (
    BETTER,
    COUNT,
    NEITHER,
    WORSE,
    exactly,
    layered,
    plural,
    rows_height,
    signed,
    signed_text,
    texts,
)

# One row per slice value, unique, in the order to show them. n: its queries. difference, low, high: candidate minus
# baseline with its interval, null where there is none. finding: "better", "worse", "none" (nothing to find) or "small"
# (too few queries to look at).
SLICE_FOREST = pl.Schema(
    {
        "slice": pl.String,
        "n": pl.Int64,
        "difference": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
        "finding": pl.String,
    }
)

WORDS: Final = {"better": "Better", "worse": "Worse", "none": "No finding", "small": "Too few queries"}


def slice_forest(frame: pl.DataFrame, *, measure: str, interval: str = "95 % interval") -> alt.LayerChart:
    """Draw a row per slice with its number of queries; only findings have a colour.

    frame: SLICE_FOREST. Slices without a finding are hollow grey circles, small ones small grey dots.
    """
    rows = _prepared(frame)
    tooltip = interval_tooltip(
        [alt.Tooltip("slice:N", title="Slice"), alt.Tooltip("n:Q", title="Queries", format=COUNT)],
        [alt.Tooltip("words:N", title="Finding")],
    )
    title = f"Difference in {measure}, {interval}"
    layers = interval_rows(rows, field="label", title=title, tooltip=tooltip, neither=NEITHER)
    return layered(*layers, height=rows_height(rows.height, each=36, rest=115))


def describe_slice_forest(frame: pl.DataFrame, *, measure: str) -> str:
    """Name every finding with its difference and interval."""
    rows = _prepared(frame)
    found = [
        f"{row['slice']} {signed(row['difference'])} ({interval_words(row['low'], row['high'])}, "
        f"{plural(row['n'], 'query', 'queries')})"
        for row in rows.filter(pl.col("kind").is_in([BETTER, WORSE])).iter_rows(named=True)
    ]
    start = f"Difference in {measure} in {plural(rows.height, 'slice')}; "
    small = int((rows["finding"] == "small").sum())
    rest = f" {plural(small, 'slice')} with too few queries to look at." if small else ""
    return start + (f"findings: {'; '.join(found)}." if found else "no finding.") + rest


def _prepared(frame: pl.DataFrame) -> pl.DataFrame:
    finding = pl.col("finding")
    kinds = {"better": BETTER, "worse": WORSE, "none": NEITHER, "small": "Small"}
    return exactly(frame, SLICE_FOREST).with_columns(
        kind=finding.replace_strict(kinds),
        words=finding.replace_strict(WORDS),
        label=pl.col("slice") + " · " + texts(frame["n"], "{:,}".format),
        text=pl.when(finding == "small").then(pl.lit("")).otherwise(signed_text(frame["difference"])),
    )
