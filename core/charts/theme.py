"""The theme file's colours as a Vega-Lite configuration, for pictures that are drawn without a browser."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Mode = Literal["light", "dark"]


@dataclass(frozen=True)
class Palette:
    """The colours of one mode, each as `#RRGGBB`.

    background, ink, soft (labels), line (grid) and the three ranges, in the theme's order: the first two categorical
    colours mean better and worse; diverging runs from worse to better; sequential from little to much.
    """

    background: str
    ink: str
    soft: str
    line: str
    categorical: tuple[str, ...]
    sequential: tuple[str, ...]
    diverging: tuple[str, ...]


def palette(theme: Path, mode: Mode) -> Palette:
    """Read a mode's colours from a Streamlit configuration file, the one place where they are written.

    Raises KeyError where the file lacks one.
    """
    colours = tomllib.loads(theme.read_text("utf-8"))["theme"][mode]
    return Palette(
        colours["backgroundColor"],
        colours["textColor"],
        colours["grayTextColor"],
        colours["borderColor"],
        tuple(colours["chartCategoricalColors"]),
        tuple(colours["chartSequentialColors"]),
        tuple(colours["chartDivergingColors"]),
    )


def configuration(colours: Palette, *, label: float, font: str = "Source Sans Pro") -> dict[str, Any]:
    """What the page's theme sets for a chart, as a Vega-Lite config with labels of `label` pixels.

    Follows Streamlit's own chart theme (no ticks, no domain lines, ranges from the theme) with room scaled to the label.
    """
    text: dict[str, Any] = {"labelFont": font, "titleFont": font}
    text |= {"labelColor": colours.soft, "titleColor": colours.soft}
    text |= {"labelFontSize": label, "titleFontSize": label * 1.1, "titleFontWeight": "normal"}
    return {
        "background": colours.background,
        "font": font,
        "axis": text | _axis(colours, label),
        **{kind: {"grid": False} for kind in ("axisDiscrete", "axisXBand", "axisXPoint")},
        "legend": text | _legend(label),
        "range": {
            "category": list(colours.categorical),
            "diverging": list(colours.diverging),
            "ramp": list(colours.sequential),
            "heatmap": list(colours.sequential),
        },
        "view": {"stroke": "transparent", "strokeWidth": 0},
        "bar": {"binSpacing": 4, "discreteBandSize": {"band": 0.85}},
        "text": {"fontSize": label, "font": font},
        "mark": {"color": colours.categorical[0]},
    }


def _axis(colours: Palette, label: float) -> dict[str, Any]:
    return {
        "ticks": False,
        "domain": False,
        "gridColor": colours.line,
        "domainColor": colours.line,
        "labelFlush": True,
        "labelBound": False,
        "labelOverlap": True,
        "labelLimit": label * 15,
        "labelPadding": label * 0.8,
        "titlePadding": label,
    }


def _legend(label: float) -> dict[str, Any]:
    return {
        "labelFontSize": label * 1.1,
        "labelLimit": label * 16,
        "labelPadding": label * 0.5,
        "columnPadding": label * 1.3,
        "rowPadding": label * 0.25,
        "symbolStrokeWidth": 3,
        "padding": label * 0.3,
    }
