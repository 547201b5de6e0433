"""Cells of a table of differences: their colours, the ink on them, and the names above the columns."""

from typing import Final

import altair as alt

LEAST_REACH: Final = 0.05
# Above this luminance of a cell black text contrasts more than white; either has at least 4.5:1 on its side.
INK_ON_CELL: Final = alt.condition(
    "luminance(scale('color', datum.difference)) > 0.179", alt.value("black"), alt.value("white")
)
FITS: Final = alt.ExprRef("bandwidth('x') < 34 ? 0 : 1")
# The slant of the names depends on the width and changes the height, so the layout has to be done once more.
TWICE: Final = alt.AutoSizeParams(type="fit", contains="padding", resize=True)


def difference_colour(differences: list[float]) -> alt.Color:
    """The theme's diverging colours, the same distance to both sides: that of the largest difference, at least 0.05."""
    reach = max([LEAST_REACH, *(abs(value) for value in differences)])
    # Through RGB, because the default way round a pale middle takes on a tint of lavender.
    scale = alt.Scale(domain=[-reach, reach], domainMid=0, range="diverging", interpolate="rgb", clamp=True)
    return alt.Color("difference:Q", legend=None, scale=scale)


def names_above() -> alt.Axis:
    """Names above the columns, level where they have room, else slanted."""
    # Two states only, and the slanted one takes width away: it cannot swing back while the layout is done.
    wide = "bandwidth('x') >= 84"
    return alt.Axis(
        orient="top",
        domain=False,
        ticks=False,
        labelOverlap=False,
        labelPadding=6,
        labelAngle=alt.ExprRef(f"{wide} ? 0 : -45"),
        labelAlign=alt.ExprRef(f"{wide} ? 'center' : 'left'"),
        labelBaseline="bottom",
        labelFlush=False,
    )
