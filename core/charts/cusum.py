"""Cusum: how far the differences of a series have added up, upwards and downwards, against the limit."""

from typing import Final

import altair as alt
import polars as pl

from core.charts.roles import role_colour
from core.charts.style import INK, NEUTRAL, exactly, layered, plural

# One row per recorded result, sorted by time. up, down: the sums in standard deviations, from 0 on, null where there are
# not enough nights yet. segment: from 0, one more wherever results cannot be joined. result: names it; what a click selects.
CUSUM = pl.Schema(
    [
        ("when", pl.Datetime("us")),
        ("up", pl.Float64()),
        ("down", pl.Float64()),
        ("segment", pl.Int64()),
        ("result", pl.String()),
    ]
)

UP, DOWN = "Adds up to better", "Adds up to worse"
KINDS: Final = {"up": UP, "down": DOWN}


def cusum(frame: pl.DataFrame, *, limit: float, picked: str | None = None) -> alt.LayerChart:
    """Draw both sums as lines from 0, better upwards and worse downwards, and the limits as dashed lines.

    frame: CUSUM. A click selects a result: selection "night" with the field result; `picked` is marked.
    """
    rows = _long(frame)
    x = alt.X("when:T", axis=alt.Axis(title=None, grid=False, tickCount=6, labelFlush=False))
    title = "Sum of what is beyond half a standard deviation"
    axis = alt.Axis(title=title, labelExpr="abs(datum.value)", tickCount=5, domain=False)
    y = alt.Y("sum:Q", axis=axis, scale=alt.Scale(zero=True, nice=True))
    shown = [kind for kind in (UP, DOWN) if kind in set(rows["kind"])]
    click = alt.selection_point(name="night", fields=["result"], on="click", clear="dblclick", nearest=True)
    tooltip = [
        alt.Tooltip("when:T", title="When", format="%Y-%m-%d %H:%M"),
        alt.Tooltip("kind:N", title="Sum"),
        alt.Tooltip("size:Q", title="Standard deviations", format=".2f"),
    ]
    limits = alt.Chart(pl.DataFrame({"sum": [-limit, limit]})).mark_rule(
        color=NEUTRAL, strokeDash=[4, 3], strokeWidth=1.5
    )
    zero = alt.Chart(pl.DataFrame({"sum": [0.0]})).mark_rule(color=NEUTRAL, tooltip=None)
    ring = alt.Chart(rows.filter(pl.col("result") == picked) if picked is not None else rows.clear())
    colour = role_colour(shown, roles=(UP, DOWN))
    lines = alt.Chart(rows)
    return layered(
        limits.encode(y=y),
        zero.encode(y=y),
        lines.mark_line(strokeWidth=1.8, tooltip=None).encode(x=x, y=y, color=colour, detail="segment:N"),
        ring.mark_point(size=220, stroke=INK, strokeWidth=2, opacity=1, tooltip=None).encode(x=x, y=y),
        lines.mark_point(filled=True, size=42, opacity=1, cursor="pointer")
        .encode(x=x, y=y, color=colour, tooltip=tooltip)
        .add_params(click),
        height=340,
    )


def describe_cusum(frame: pl.DataFrame, *, limit: float) -> str:
    """Say where both sums stand and how often they were beyond the limit."""
    known = exactly(frame, CUSUM).filter(pl.col("up").is_not_null())
    if known.is_empty():
        return "0 results with sums: too few recorded yet."
    last = known.row(-1, named=True)
    beyond = known.filter((pl.col("up") > limit) | (pl.col("down") > limit)).height
    return (
        f"Cumulative sums of {plural(known.height, 'result')}, in standard deviations, with the limit at {limit:g}: towards "
        f"better {last['up']:.2f} and towards worse {last['down']:.2f} on {last['when']:%Y-%m-%d}; beyond the limit on "
        f"{plural(beyond, 'night')}."
    )


def _long(frame: pl.DataFrame) -> pl.DataFrame:
    rows = exactly(frame, CUSUM)
    parts = [
        rows.filter(pl.col(name).is_not_null()).select(
            "when",
            "segment",
            "result",
            size=pl.col(name),
            sum=pl.col(name) * (1 if name == "up" else -1),
            kind=pl.lit(kind),
        )
        for name, kind in KINDS.items()
    ]
    return pl.concat(parts)
