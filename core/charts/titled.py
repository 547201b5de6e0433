"""A chart made ready for a slide or a picture: finding above, method below it, conventions at the foot."""

import textwrap
import threading
import unicodedata
from typing import Any, Final, TypeAlias

import altair as alt
import polars as pl

from core.charts.theme import Palette, configuration

Drawn: TypeAlias = alt.LayerChart
WIDE: Final = (1280, 720)
SQUARE: Final = (1080, 1080)
LABEL: Final = 18
FINDING: Final = 34
METHOD: Final = 20
FOOTER: Final = 17
MARGIN: Final = 44
# Mean width of a letter as a share of its size, on the wide side, so that a line never runs out of the picture.
LETTER: Final = 0.47
ENLARGED: Final = {"size": 2.2, "strokeWidth": 1.6, "dx": 1.6, "dy": 1.7, "thickness": 1.6, "limit": 2}
# altair keeps its limit on rows for the whole process: two threads must not lift it at once.
_ROWS = threading.Lock()


def titled(
    chart: alt.LayerChart,
    finding: str,
    method: str,
    footer: str,
    *,
    colours: Palette,
    size: tuple[int, int] = WIDE,
) -> alt.LayerChart:
    """The chart as a 1280 × 720 picture (or `size`) in the theme's colours, with no label below 17 pixels.

    finding  the answer in one sentence; wrapped, at most three lines
    method   how it was measured, under the finding
    footer   the convention line, at the foot
    The chart given is left as it is.
    """
    whole = chart.copy(deep=True)
    _enlarged(whole.layer)
    whole.layer = [*whole.layer, _footer(footer, colours, size[0])]
    title = alt.TitleParams(
        _lines(finding, FINDING, 3, size[0]),
        subtitle=_lines(method, METHOD, 2, size[0]),
        anchor="start",
        frame="bounds",
        color=colours.ink,
        fontSize=FINDING,
        fontWeight=700,
        subtitleColor=colours.soft,
        subtitleFontSize=METHOD,
        subtitlePadding=10,
        offset=24,
    )
    result: alt.LayerChart = (
        whole.resolve_scale(opacity="independent")
        .properties(
            width=size[0],
            height=size[1],
            padding=MARGIN,
            title=title,
            autosize=alt.AutoSizeParams(type="fit", contains="padding", resize=True),
        )
        .configure(**configuration(colours, label=LABEL))
    )
    return result


def untitled(
    chart: Drawn, *, colours: Palette, size: tuple[int, int], label: int = LABEL, font: str = "Source Sans Pro"
) -> Drawn:
    """The chart alone in the theme's colours, `size` pixels, with labels of `label`: its words stand beside it."""
    whole = chart.copy(deep=True)
    _enlarged(whole.layer)
    result: Drawn = whole.properties(
        width=size[0],
        height=size[1],
        # An object: Streamlit writes to its sides.
        padding={"left": 8, "right": 8, "top": 8, "bottom": 8},
        autosize=alt.AutoSizeParams(type="fit", contains="padding", resize=True),
    ).configure(**configuration(colours, label=label, font=font))
    return result


def _footer(text: str, colours: Palette, width: int) -> alt.Chart:
    """The footer as the title of a legend without entries: the one text that Vega places below the axis."""
    legend = alt.Legend(
        orient="bottom",
        title=_lines(text, FOOTER, 2, width),
        titleFontSize=FOOTER,
        titleColor=colours.soft,
        titleLimit=width - 2 * MARGIN,
        values=[],
        offset=20,
    )
    nothing = alt.Opacity("footer:O", scale=alt.Scale(domain=[0, 1], range=[0, 0]), legend=legend)
    mark = alt.Chart(pl.DataFrame({"footer": [0]})).mark_point(opacity=0, tooltip=None)
    drawn: alt.Chart = mark.encode(opacity=nothing)
    return drawn


def _enlarged(layers: list[Any]) -> None:
    """Give marks, drawn for a page, the weight that they need beside labels of a slide."""
    for layer in layers:
        _enlarged(getattr(layer, "layer", None) or [])
        mark = getattr(layer, "mark", alt.Undefined)
        for name, factor in ENLARGED.items():
            size = getattr(mark, name, alt.Undefined)
            if isinstance(size, int | float):
                setattr(mark, name, size * factor)


def _lines(text: str, size: int, most: int, width: int) -> list[str]:
    """The text in lines that fit the picture's width; what is beyond the last line ends with an ellipsis."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text) / max(1, len(text))
    across = int((width - 2 * MARGIN) / (size * (LETTER + wide * (1 - LETTER))))
    return textwrap.wrap(text, across, max_lines=most, placeholder=" …") or [""]


def specification(chart: Drawn) -> dict[str, Any]:
    """The Vega-Lite specification with all its rows: ours are few enough, and altair's limit is for pages of notebooks."""
    with _ROWS, alt.data_transformers.disable_max_rows():
        found: dict[str, Any] = chart.to_dict()
    return found
