"""Trend: recorded differences over time, with their control limits, changes and alerts."""

from typing import Final

import altair as alt
import polars as pl

from core.charts.roles import role_colour, role_shape
from core.charts.style import INK, NEUTRAL, SIGNED, difference_axis, exactly, layered, plural, signed

# One row per recorded result, sorted by time. difference: to the pinned baseline. smoothed: its EWMA; low, high: the
# control limits; the three null where there are not enough nights yet. segment: from 0, one more wherever the qrels,
# the query set or the conventions changed. note: what changed, in the first row of a segment, else null. alert: why
# this night stands out, null where it does not. result: names the result, unique; what a click selects.
TREND = pl.Schema(
    [
        ("when", pl.Datetime("us")),
        ("difference", pl.Float64()),
        ("smoothed", pl.Float64()),
        ("low", pl.Float64()),
        ("high", pl.Float64()),
        ("segment", pl.Int64()),
        ("note", pl.String()),
        ("alert", pl.String()),
        ("result", pl.String()),
    ]
)

ALERT, NIGHT, SMOOTH = "Alert", "Recorded", "Smoothed"
SHAPES: Final = {NIGHT: "circle", ALERT: "diamond"}


def trend(frame: pl.DataFrame, *, measure: str, picked: str | None = None) -> alt.LayerChart:
    """Draw the recorded differences as points, their smoothed course as a line within a band of limits.

    frame: TREND. A dashed line with its note stands where a segment begins; nothing is joined across it. Alerts are
    orange diamonds. The result `picked` is ringed. A click selects a result: selection "night" with the field result.
    """
    rows = exactly(frame, TREND)
    axis = difference_axis(f"Difference in {measure} from the baseline")
    x = alt.X("when:T", axis=alt.Axis(title=None, grid=False, tickCount=6, labelFlush=False))
    scale = alt.Scale(zero=True, nice=True)
    y = alt.Y("difference:Q", axis=axis, scale=scale)
    kind = pl.when(pl.col("alert").is_null()).then(pl.lit(NIGHT)).otherwise(pl.lit(ALERT))
    nights = rows.with_columns(kind=kind)
    shown = [name for name in SHAPES if name in set(nights["kind"])]
    limits = rows.filter(pl.col("low").is_not_null() & pl.col("high").is_not_null())
    smoothed = rows.filter(pl.col("smoothed").is_not_null()).with_columns(course=pl.lit(SMOOTH))
    starts = rows.filter(pl.col("note").is_not_null())
    band = alt.Chart(limits).mark_area(color=NEUTRAL, opacity=0.18, interpolate="step-after", tooltip=None)
    zero = alt.Chart(pl.DataFrame({"difference": [0.0]})).mark_rule(color=NEUTRAL, tooltip=None)
    course = alt.Chart(smoothed).mark_line(color=INK, strokeWidth=1.8, tooltip=None)
    change = alt.Chart(starts).mark_rule(color=NEUTRAL, strokeDash=[4, 3], strokeWidth=1.5)
    text = alt.Chart(starts).mark_text(color=INK, align="left", dx=5, y=8, limit=140, tooltip=None)
    legend = alt.Legend(orient="top", title=None, symbolType="stroke", symbolStrokeColor=INK, symbolSize=320)
    solid = alt.StrokeDash("course:N", title=None, legend=legend, scale=alt.Scale(domain=[SMOOTH], range=[[1, 0]]))
    click = alt.selection_point(name="night", fields=["result"], on="click", clear="dblclick", nearest=True)
    points = alt.Chart(nights).mark_point(filled=True, opacity=1, cursor="pointer")
    points = points.encode(x=x, y=y, tooltip=_tooltip(measure)).add_params(click)
    ring = alt.Chart(rows.filter(pl.col("result") == picked) if picked is not None else rows.clear())
    return layered(
        band.encode(x=x, y=alt.Y("low:Q", axis=axis, scale=scale), y2="high:Q", detail="segment:N"),
        zero.encode(y=y),
        change.encode(x=x, tooltip=[alt.Tooltip("note:N", title="Changed")]),
        text.encode(x=x, text="note:N"),
        course.encode(x=x, y=alt.Y("smoothed:Q", axis=axis, scale=scale), detail="segment:N", strokeDash=solid),
        ring.mark_point(size=260, stroke=INK, strokeWidth=2, opacity=1, tooltip=None).encode(x=x, y=y),
        points.encode(
            color=role_colour(shown, roles=(NIGHT, ALERT)),
            shape=role_shape(shown, shapes=SHAPES),
            size=alt.condition("datum.alert !== null", alt.value(130), alt.value(42)),
        ),
        height=340,
    )


def describe_trend(frame: pl.DataFrame, *, measure: str) -> str:
    """Say how many results there are, the latest one, the changes and the alerts."""
    rows = exactly(frame, TREND)
    if rows.is_empty():
        return f"0 results of {measure} recorded."
    last = rows.row(-1, named=True)
    words = (
        f"{plural(rows.height, 'result')} of {measure} from {rows['when'][0]:%Y-%m-%d} to {last['when']:%Y-%m-%d}, the "
        f"latest {signed(last['difference'])} against the baseline, in "
        f"{plural(rows['segment'].n_unique(), 'segment')}."
    )
    alerts = rows.filter(pl.col("alert").is_not_null())
    if alerts.is_empty():
        return words + " No alert."
    latest = alerts.row(-1, named=True)
    return f"{words} {plural(alerts.height, 'alert')}, the latest on {latest['when']:%Y-%m-%d}: {latest['alert']}."


def _tooltip(measure: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("when:T", title="When", format="%Y-%m-%d %H:%M"),
        alt.Tooltip("difference:Q", title=f"Difference in {measure}", format=SIGNED),
        alt.Tooltip("smoothed:Q", title=SMOOTH, format=SIGNED),
        alt.Tooltip("low:Q", title="Limit below", format=SIGNED),
        alt.Tooltip("high:Q", title="Limit above", format=SIGNED),
        alt.Tooltip("alert:N", title=ALERT),
    ]
