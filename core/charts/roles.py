"""The channels that say better, worse or neither: the theme's first two colours, and a shape as the second cue."""

from collections.abc import Sequence
from typing import Final

import altair as alt

from core.charts.style import BETTER, LEGEND_COLUMNS, NEUTRAL, WORSE

SHAPES: Final = {BETTER: "triangle-up", WORSE: "triangle-down"}
POINTS: Final = {BETTER: "circle", WORSE: "diamond"}


def role_legend(shown: Sequence[str]) -> alt.Legend | None:
    """A legend above the plot with the roles that occur, or none where only one thing is shown."""
    if not shown:
        return None
    return alt.Legend(orient="top", title=None, values=list(shown), columns=LEGEND_COLUMNS, symbolOpacity=1)


def role_colour(shown: Sequence[str] = (), *, field: str = "kind", roles: Sequence[str] = (BETTER, WORSE)) -> alt.Color:
    """Colour by role: the first of `roles` in the theme's accent, the second in its contrast colour."""
    return alt.Color(f"{field}:N", title=None, scale=alt.Scale(domain=list(roles)), legend=role_legend(shown))


def role_shape(
    shown: Sequence[str] = (),
    *,
    field: str = "kind",
    shapes: dict[str, str] = SHAPES,
) -> alt.Shape:
    """Shape by role; with the same `shown` and field as the colour, the two share one legend."""
    scale = alt.Scale(domain=list(shapes), range=list(shapes.values()))
    return alt.Shape(f"{field}:N", title=None, scale=scale, legend=role_legend(shown))


def grey_stroke(words: str, *, shown: bool) -> alt.Stroke:
    """The outline of what has no role, in NEUTRAL, read from the column "other", which holds `words`.

    A channel of its own, so that the theme keeps the colour scale; a column of its own, so that its legend is not taken
    for the colours' and merged with it.
    """
    legend = role_legend([words] if shown else [])
    if legend is not None:
        legend["symbolFillColor"] = "transparent"
    return alt.Stroke("other:N", title=None, scale=alt.Scale(domain=[words], range=[NEUTRAL]), legend=legend)
