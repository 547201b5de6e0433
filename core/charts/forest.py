"""Forest plot: each run's difference to the baseline with its interval."""

import altair as alt
import polars as pl

from core.charts.roles import POINTS, grey_stroke, role_colour, role_shape
from core.charts.style import (
    BETTER,
    INK,
    NEITHER,
    NEUTRAL,
    SIGNED,
    VERDICT_WORDS,
    WORSE,
    difference_axis,
    exactly,
    in_order,
    layered,
    named_rows,
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
    axis = difference_axis(f"Difference in {measure}, {interval}")
    x, x2 = alt.X("difference:Q", axis=axis), alt.X2("high:Q")
    low = alt.X("low:Q", axis=axis)
    shown = [kind for kind in (BETTER, WORSE) if kind in set(rows["kind"])]
    y, tooltip = named_rows(in_order(rows, "run")), _tooltip()
    clear = alt.Chart(rows.filter(pl.col("kind").is_in([BETTER, WORSE]))).encode(y=y, tooltip=tooltip)
    unclear = alt.Chart(rows.filter(pl.col("kind") == NEITHER)).encode(y=y, tooltip=tooltip)
    baseline = alt.Chart(rows.filter(pl.col("kind") == "Baseline")).encode(y=y, tooltip=tooltip)
    zero = alt.Chart(pl.DataFrame({"difference": [0.0]})).mark_rule(color=NEUTRAL, tooltip=None)
    label = alt.Chart(rows).mark_text(dy=-14, color=INK, fontWeight=600, tooltip=None)
    return layered(
        zero.encode(x=x),
        unclear.mark_rule(color=NEUTRAL, strokeWidth=2.5).encode(x=low, x2=x2),
        clear.mark_rule(strokeWidth=2.5).encode(x=low, x2=x2, color=role_colour(shown)),
        unclear.mark_point(filled=True, size=90, fill=alt.ExprRef("background"), strokeWidth=2, opacity=1).encode(
            x=x, stroke=grey_stroke(NEITHER, shown=NEITHER in set(rows["kind"]))
        ),
        clear.mark_point(filled=True, size=120, opacity=1).encode(
            x=x, color=role_colour(shown), shape=role_shape(shown, shapes=POINTS)
        ),
        baseline.mark_point(filled=True, size=60, color=NEUTRAL, opacity=1).encode(x=x),
        label.encode(y=y, x=x, text=alt.Text("label:N")),
        height=rows_height(rows.height, rest=115),
    )


def describe_forest(frame: pl.DataFrame, *, measure: str) -> str:
    """Say every run's difference, interval and verdict in one or two sentences."""
    rows = _prepared(frame).filter(pl.col("kind") != "Baseline")
    if rows.is_empty():
        return f"No run to compare with the baseline in {measure}."
    parts = [
        f"{row['run']} {signed(row['difference'])} ({_range(row['low'], row['high'])}; {row['words'].lower()})"
        for row in rows.iter_rows(named=True)
    ]
    return f"Difference to the baseline in {measure}, best first: " + "; ".join(parts) + "."


def _prepared(frame: pl.DataFrame) -> pl.DataFrame:
    kinds = {"better": BETTER, "worse": WORSE, "baseline": "Baseline"}
    verdict = pl.col("verdict")
    return (
        exactly(frame, FOREST)
        .sort("difference", descending=True, nulls_last=True, maintain_order=True)
        .with_columns(
            kind=verdict.replace_strict(kinds, default=NEITHER),
            words=verdict.replace_strict(VERDICT_WORDS, default=verdict),
            label=pl.when(verdict == "baseline").then(pl.lit("baseline")).otherwise(signed_text("difference")),
        )
    )


def _tooltip() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("difference:Q", title="Difference", format=SIGNED),
        alt.Tooltip("low:Q", title="Interval from", format=SIGNED),
        alt.Tooltip("high:Q", title="Interval to", format=SIGNED),
        alt.Tooltip("words:N", title="Verdict"),
    ]


def _range(low: float | None, high: float | None) -> str:
    return "no interval" if low is None or high is None else f"{signed(low)} to {signed(high)}"
