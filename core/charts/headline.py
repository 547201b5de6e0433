"""Headline: a sentence and what stands under it as a chart, for a screen that is shown on a wall."""

import textwrap
from collections.abc import Sequence
from typing import Final

import altair as alt
import polars as pl

from core.charts.theme import Palette, configuration
from core.charts.titled import Drawn

TITLE: Final = 50
SENTENCE: Final = 26
FOOT: Final = 18
LETTER: Final = 0.5


def headline(title: str, sentence: str, *, colours: Palette, width: int, font: str) -> Drawn:
    """The title in large type, wrapped to at most two lines, the sentence under it in at most two."""
    titles = textwrap.wrap(title, int(width / (TITLE * LETTER)), max_lines=2, placeholder=" …") or [""]
    said = textwrap.wrap(sentence, int(width / (SENTENCE * LETTER)), max_lines=2, placeholder=" …")
    return _lines([(titles, TITLE, True, colours.ink), (said, SENTENCE, False, colours.soft)], colours, width, font)


def footline(text: str, *, colours: Palette, width: int, font: str) -> Drawn:
    """The convention line at the foot of the screen, in at most two lines."""
    lines = textwrap.wrap(text, int(width / (FOOT * LETTER)), max_lines=2, placeholder=" …") or [""]
    return _lines([(lines, FOOT, False, colours.soft)], colours, width, font)


def _lines(blocks: Sequence[tuple[list[str], int, bool, str]], colours: Palette, width: int, font: str) -> Drawn:
    layers = []
    top = 0.0
    for texts, size, bold, colour in blocks:
        for text in texts:
            frame = pl.DataFrame({"text": [text]})
            mark = alt.Chart(frame).mark_text(
                align="left", baseline="top", fontSize=size, fontWeight=700 if bold else 400, color=colour, x=0, y=top, tooltip=None
            )  # fmt: skip
            layers.append(mark.encode(text="text:N"))
            top += size * 1.22
        top += 6
    whole = alt.LayerChart(layer=layers).properties(
        width=width, height=top + 4, padding={"left": 0, "right": 0, "top": 0, "bottom": 0}
    )
    made: Drawn = whole.configure(**configuration(colours, label=SENTENCE, font=font))
    return made
