"""The shared grey can be seen on both pages, and text on both kinds of cells."""

import pytest

from core.charts import palette
from core.charts.style import NEUTRAL
from core.charts.theme import Mode
from tests.conftest import REPOSITORY


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_grey_has_three_to_one_on_the_page(mode: Mode) -> None:
    colours = palette(REPOSITORY / ".streamlit" / "config.toml", mode)
    assert contrast(NEUTRAL, colours.background) >= 3


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_ink_chosen_for_a_cell_has_four_and_a_half_to_one_on_every_diverging_colour(mode: Mode) -> None:
    colours = palette(REPOSITORY / ".streamlit" / "config.toml", mode)
    for cell in colours.diverging:
        ink = "#000000" if luminance(cell) > 0.179 else "#FFFFFF"
        assert contrast(ink, cell) >= 4.5
