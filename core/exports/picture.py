"""Picture: a chart as PNG, SVG or PDF, drawn on this machine; the same chart gives the same bytes."""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

import vl_convert

from core.charts import titled
from core.charts.theme import Mode
from core.charts.titled import SQUARE, WIDE, Drawn, specification, untitled
from core.exports import fonts
from core.exports.brand import Brand
from core.exports.steady_pdf import steady

Shape = Literal["wide", "square"]
SIZES: Final[Mapping[Shape, tuple[int, int]]] = {"wide": WIDE, "square": SQUARE}
SCALES: Final = (1, 2, 3)
VEGA_LITE: Final = "6.4"
WINDOW: Final = "window.vegaEmbed = vegaEmbed;"
_lock = threading.Lock()


@dataclass(frozen=True)
class Picture:
    """A chart with its title and footer, ready to be drawn: a Vega-Lite specification as text."""

    spec: str

    def png(self, scale: float = 1) -> bytes:
        """A PNG of `scale` times the picture's size."""
        with _engine():
            return bytes(vl_convert.vegalite_to_png(self.spec, vl_version=VEGA_LITE, scale=scale, allowed_base_urls=[]))

    def svg(self) -> str:
        """An SVG; its text is text in Source Sans, or in what the viewer has in its place."""
        with _engine():
            return str(vl_convert.vegalite_to_svg(self.spec, vl_version=VEGA_LITE, allowed_base_urls=[]))

    def pdf(self) -> bytes:
        """A PDF page with its fonts inside."""
        with _engine():
            return steady(bytes(vl_convert.vegalite_to_pdf(self.spec, vl_version=VEGA_LITE, allowed_base_urls=[])))


def picture(
    chart: Drawn,
    finding: str,
    method: str,
    footer: str,
    *,
    brand: Brand | None = None,
    mode: Mode = "light",
    shape: Shape = "wide",
) -> Picture:
    """The chart under its finding and method, the conventions at the foot: 1280 × 720, or 1080 × 1080 where it is square.

    No text in it is smaller than 17 pixels.
    """  # fmt: skip
    colours = (brand or Brand()).palette(mode)
    return Picture(as_json(titled(chart, finding, method, footer, colours=colours, size=SIZES[shape])))


def bare_picture(chart: Drawn, *, brand: Brand | None = None, size: tuple[int, int] = (1280, 540)) -> Picture:
    """The chart alone, for a slide or a report that has its words as text."""
    return Picture(as_json(untitled(chart, colours=(brand or Brand()).palette("light"), size=size)))


def as_json(chart: Drawn) -> str:
    """A chart's specification as JSON; equal charts give equal text."""
    return json.dumps(specification(chart), sort_keys=True, ensure_ascii=False)


def plain_specification(chart: Drawn) -> dict[str, Any]:
    """A chart's specification without a configuration, for a page that brings its own."""
    found = specification(chart)
    found.pop("config", None)
    return found


def bundled_script() -> str:
    """Vega, Vega-Lite and vega-embed as one script, from the package's own files: about 900 kB, sets window.vegaEmbed."""
    return str(_script())


@cache
def _script() -> str:
    with _engine():
        return str(vl_convert.javascript_bundle(WINDOW, vl_version=VEGA_LITE))


@cache
def _registered() -> bool:
    vl_convert.register_font_directory(str(fonts.folder()))
    return True


class _engine:  # noqa: N801 (reads as a function where it is used)
    """One conversion at a time: the engine is one JavaScript machine, with our fonts."""

    def __enter__(self) -> None:
        _lock.acquire()
        _registered()

    def __exit__(self, *_: object) -> None:
        _lock.release()
