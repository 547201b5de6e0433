"""Rows of an estimate with its interval, against a line at zero: what forest plots and sensitivity have in common."""

from collections.abc import Sequence

import altair as alt
import polars as pl

from core.charts.roles import POINTS, grey_stroke, role_colour, role_shape
from core.charts.style import INK, NEUTRAL, SIGNED, Layer, difference_axis, in_order, named_rows, signed


def interval_rows(
    rows: pl.DataFrame,
    *,
    field: str,
    title: str,
    tooltip: Sequence[alt.Tooltip],
    neither: str,
    shapes: dict[str, str] = POINTS,
) -> list[Layer]:
    """The layers: zero, intervals, points and their numbers, a row for each value of `field` in the frame's order.

    rows: `field`, difference, low, high (null where there is no interval), kind and text. Rows whose kind is one of the
    two in `shapes` are filled, in the first or second colour of the theme; rows of the kind `neither` are hollow grey
    circles; of any other kind small grey dots.
    """
    axis = difference_axis(title)
    # Room at both ends, so that no interval touches the edge and looks cut off.
    roomy = alt.Scale(padding=12)
    x, low = alt.X("difference:Q", axis=axis, scale=roomy), alt.X("low:Q", axis=axis, scale=roomy)
    high = alt.X2("high:Q")
    y, tips = named_rows(in_order(rows, field), field), list(tooltip)
    kinds = set(rows["kind"])
    roles = list(shapes)
    shown = [role for role in roles if role in kinds]
    colour = role_colour(shown, roles=roles)
    clear = alt.Chart(rows.filter(pl.col("kind").is_in(roles))).encode(y=y, tooltip=tips)
    unclear = alt.Chart(rows.filter(pl.col("kind") == neither).with_columns(other=pl.lit(neither))).encode(
        y=y, tooltip=tips
    )
    others = alt.Chart(rows.filter(~pl.col("kind").is_in([*roles, neither]))).encode(y=y, tooltip=tips)
    hollow = unclear.mark_point(filled=True, size=90, fill=alt.ExprRef("background"), strokeWidth=2, opacity=1)
    point = clear.mark_point(filled=True, size=120, opacity=1)
    number = alt.Chart(rows).mark_text(dy=-14, color=INK, fontWeight=600, tooltip=None)
    return [
        zero_line(x),
        unclear.mark_rule(color=NEUTRAL, strokeWidth=2.5).encode(x=low, x2=high),
        clear.mark_rule(strokeWidth=2.5).encode(x=low, x2=high, color=colour),
        hollow.encode(x=x, stroke=grey_stroke(neither, shown=neither in kinds)),
        point.encode(x=x, color=colour, shape=role_shape(shown, shapes=shapes)),
        others.mark_point(filled=True, size=60, color=NEUTRAL, opacity=1).encode(x=x),
        number.encode(y=y, x=x, text=alt.Text("text:N")),
    ]


def zero_line(x: alt.X) -> alt.Chart:
    """A vertical line where nothing differs."""
    line: alt.Chart = alt.Chart(pl.DataFrame({"difference": [0.0]})).mark_rule(color=NEUTRAL, tooltip=None).encode(x=x)
    return line


def interval_tooltip(first: Sequence[alt.Tooltip], last: Sequence[alt.Tooltip] = ()) -> list[alt.Tooltip]:
    """The difference and its interval, between what names the row and what is said of it."""
    return [
        *first,
        alt.Tooltip("difference:Q", title="Difference", format=SIGNED),
        alt.Tooltip("low:Q", title="Interval from", format=SIGNED),
        alt.Tooltip("high:Q", title="Interval to", format=SIGNED),
        *last,
    ]


def interval_words(low: float | None, high: float | None) -> str:
    """`−0.010 to +0.044`, or that there is none."""
    return "no interval" if low is None or high is None else f"{signed(low)} to {signed(high)}"
