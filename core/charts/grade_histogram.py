"""Grade histogram: how many judgments there are of each grade."""

from itertools import pairwise
from typing import Final

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from core.charts.style import COUNT, INK, NEUTRAL, SHARE_FINE, exactly, layered, plural, texts

# One row per bar, from the lowest grade. label: the grade, or a range of grades. count: judgments. relevant: above 0.
GRADES = pl.Schema({"label": pl.String, "count": pl.Int64, "relevant": pl.Boolean})

MOST_BARS: Final = 12


def grade_bars(grades: npt.NDArray[np.float64]) -> pl.DataFrame:
    """Count the judgments of each grade: GRADES. grades: shape (judgments,), finite.

    With more than 12 different grades those above 0 are counted in 10 equally wide ranges, the others in one bar.
    """
    values, counts = np.unique(grades, return_counts=True)
    if values.size <= MOST_BARS:
        labels = [f"{value:g}".replace("-", "−") for value in values]
        rows = {"label": labels, "count": counts, "relevant": values > 0}
        return pl.DataFrame(rows, schema_overrides=GRADES).cast(GRADES)
    above = grades[grades > 0]
    inside, edges = np.histogram(above, bins=10)
    labels = [f"{left:.3g} to {right:.3g}" for left, right in pairwise(edges)]
    below = int(grades.size - above.size)
    first = [("0 or below", below, False)] if below else []
    ranges = [(label, int(count), True) for label, count in zip(labels, inside, strict=True)]
    return pl.DataFrame(first + ranges, schema=GRADES, orient="row")


def grade_histogram(frame: pl.DataFrame) -> alt.LayerChart:
    """Draw a bar per grade with its count; grades of 0 or below are grey. frame: GRADES."""
    total = max(1, int(frame["count"].sum()))
    rows = exactly(frame, GRADES).with_columns(share=pl.col("count") / total, text=texts(frame["count"], "{:,}".format))
    axis = alt.Axis(
        title="Grade", labelAngle=0 if rows.height <= MOST_BARS and _short(rows) else -35, labelOverlap=False
    )
    base = alt.Chart(rows).encode(
        x=alt.X("label:N", axis=axis, scale=alt.Scale(domain=rows["label"].to_list())),
        y=alt.Y("count:Q", axis=alt.Axis(title="Judgments", format=COUNT, tickCount=4)),
        tooltip=[
            alt.Tooltip("label:N", title="Grade"),
            alt.Tooltip("count:Q", title="Judgments", format=COUNT),
            alt.Tooltip("share:Q", title="Share", format=SHARE_FINE),
        ],
    )
    relevant = alt.datum.relevant == True  # noqa: E712 - an expression for Vega
    return layered(
        base.mark_bar(cornerRadiusEnd=3).transform_filter(relevant),
        base.mark_bar(cornerRadiusEnd=3, color=NEUTRAL).transform_filter(~relevant),
        base.mark_text(dy=-8, color=INK, tooltip=None).encode(text="text:N"),
        height=260,
    )


def describe_grade_histogram(frame: pl.DataFrame) -> str:
    """Say the count of every grade."""
    rows = exactly(frame, GRADES)
    parts = [f"{row['count']:,} of grade {row['label']}" for row in rows.iter_rows(named=True)]
    return f"{plural(int(rows['count'].sum()), 'judgment')}: " + ", ".join(parts) + "."


def _short(rows: pl.DataFrame) -> bool:
    return all(len(label) <= 5 for label in rows["label"])
