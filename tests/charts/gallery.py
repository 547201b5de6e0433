"""Draw every chart as a picture to look at, light and dark, wide, narrow and as a slide.

    python -m tests.charts.gallery FOLDER [NAME …]

Needs vl-convert; fonts are Source Sans where the package that carries it is installed.
"""

import importlib.util
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import altair as alt
import vl_convert

from core.charts import configuration, palette, titled
from core.charts.theme import Mode, Palette
from tests.charts.examples import EXAMPLES, MORE, RUNS, Example

THEME = Path(__file__).parents[2] / ".streamlit" / "config.toml"
FOOTER = (
    "nDCG@10 · linear gain (the grade) · ideal from all judged documents · 300 queries · missing = 0 · qrels 3f2a91c"
)
WIDE, NARROW = 640, 350


def on_page(chart: alt.LayerChart, colours: Palette, width: int) -> dict[str, object]:
    """The specification as the page draws it: stretched to a width, in the theme's colours."""
    config = configuration(colours, label=11.25) | {"autosize": {"type": "fit", "contains": "padding"}}
    spec: dict[str, object] = chart.to_dict()
    return spec | {"width": width, "config": config}


def draw(folder: Path, names: list[str]) -> None:
    """Write NAME_MODE_WIDTH.png and NAME_slide.png for every chart asked, or all."""
    found = importlib.util.find_spec("font_source_sans_pro")
    if found is not None and found.origin is not None:
        vl_convert.register_font_directory(str(Path(found.origin).parent / "files"))
    folder.mkdir(parents=True, exist_ok=True)
    modes: tuple[Mode, ...] = ("light", "dark")
    drawn: dict[str, Callable[[], Example]] = {name: partial(make, RUNS) for name, make in EXAMPLES.items()} | MORE
    for name, make in drawn.items():
        if names and name not in names:
            continue
        chart, words = make()
        for mode in modes:
            for width in (WIDE, NARROW):
                spec = json.dumps(on_page(chart, palette(THEME, mode), width))
                png = vl_convert.vegalite_to_png(spec, vl_version="6.4", scale=1.5, allowed_base_urls=[])
                (folder / f"{name}_{mode}_{width}.png").write_bytes(png)
        slide = titled(chart, "hybrid-rerank beats bm25 by 0.199", words[:120], FOOTER, colours=palette(THEME, "light"))
        png = vl_convert.vegalite_to_png(json.dumps(slide.to_dict()), vl_version="6.4", allowed_base_urls=[])
        (folder / f"{name}_slide.png").write_bytes(png)


if __name__ == "__main__":
    draw(Path(sys.argv[1]), sys.argv[2:])
