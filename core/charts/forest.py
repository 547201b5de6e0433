"""Forest plot: each run's difference to the baseline with its interval."""

import altair as alt
import polars as pl

from core.charts.intervals import interval_rows, interval_tooltip, interval_words
from core.charts.style import (
    BETTER,
    NEITHER,
    VERDICT_WORDS,
    WORSE,
    exactly,
    layered,
    rows_height,
    signed,
    signed_text,
)

# One row per run, unique. difference: candidate minus baseline in the measure's unit. low, high: the interval of the
# mean difference, null where there is none. verdict: a case of the statistics ("better", "no-clear-difference", …)
# or "baseline" for the baseline's own row (difference 0, no interval). Any order: the chart sorts best first.
FOREST = pl.Schema(
    {"run": pl.String, "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64, "verdict": pl.String}
)


def forest(frame: pl.DataFrame, *, measure: str, interval: str = "95 % interval") -> alt.LayerChart:
    """Draw the differences to the baseline, best first, against a line at zero.

    frame: FOREST. A clear verdict is filled, blue and round or orange and a diamond; any other is a hollow grey
    circle, so that nothing but a verdict has a colour. The baseline's own row is a small grey dot.
    """
    rows = _prepared(frame)
    tooltip = interval_tooltip([alt.Tooltip("run:N", title="Run")], [alt.Tooltip("words:N", title="Verdict")])
    title = f"Difference in {measure}, {interval}"
    layers = interval_rows(rows, field="run", title=title, tooltip=tooltip, neither=NEITHER)
    return layered(*layers, height=rows_height(rows.height, rest=115))


def describe_forest(frame: pl.DataFrame, *, measure: str) -> str:
    """Say every run's difference, interval and verdict in one or two sentences."""
    rows = _prepared(frame).filter(pl.col("kind") != "Baseline")
    if rows.is_empty():
        return f"No run to compare with the baseline in {measure}."
    parts = [
        f"{row['run']} {signed(row['difference'])} ({interval_words(row['low'], row['high'])}; {row['words'].lower()})"
        for row in rows.iter_rows(named=True)
    ]
    return f"Difference to the baseline in {measure}, best first: " + "; ".join(parts) + "."


def _prepared(frame: pl.DataFrame) -> pl.DataFrame:
    kinds = {"better": BETTER, "worse": WORSE, "baseline": "Baseline"}
    verdict = pl.col("verdict")
    rows = exactly(frame, FOREST).sort("difference", descending=True, nulls_last=True, maintain_order=True)
    return rows.with_columns(
        kind=verdict.replace_strict(kinds, default=NEITHER),
        words=verdict.replace_strict(VERDICT_WORDS, default=verdict),
        text=pl.when(verdict == "baseline").then(pl.lit("baseline")).otherwise(signed_text(rows["difference"])),
    )
