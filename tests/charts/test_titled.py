"""Pictures: a chart with its finding, method and conventions, large enough for a slide."""

import json
import struct
from typing import Any

import pytest

from core.charts import palette, titled
from tests.charts.examples import EXAMPLES, RUNS
from tests.charts.test_all_charts import walk
from tests.conftest import REPOSITORY

THEME = REPOSITORY / ".streamlit" / "config.toml"
FINDING = "hybrid-rerank beats bm25 by 0.199, and it does so in every one of the slices that were looked at, by far"


def picture(name: str) -> dict[str, Any]:
    chart = titled(EXAMPLES[name](RUNS)[0], FINDING, "300 queries", "nDCG@10 · linear", colours=palette(THEME, "dark"))
    spec: dict[str, Any] = chart.to_dict()
    return spec


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_picture_has_a_size_a_title_and_a_foot_and_keeps_its_data(name: str) -> None:
    spec = picture(name)
    assert (spec["width"], spec["height"]) == (1280, 720)
    assert " ".join(spec["title"]["text"]) == FINDING
    assert len(spec["title"]["text"]) == 2
    assert spec["title"]["subtitle"] == ["300 queries"]
    footer = spec["layer"][-1]["encoding"]["opacity"]["legend"]
    assert footer["title"] == ["nDCG@10 · linear"]
    before = EXAMPLES[name](RUNS)[0].to_dict()["datasets"]
    assert before.items() <= spec["datasets"].items()


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_text_of_a_picture_is_smaller_than_17_pixels(name: str) -> None:
    sizes = [value for key, value in walk(picture(name)) if key in ("fontSize", "labelFontSize", "titleFontSize")]
    assert sizes
    assert min(float(str(size)) for size in sizes) >= 17


def test_a_picture_takes_its_colours_from_the_theme_and_leaves_the_chart_as_it_was() -> None:
    chart, _ = EXAMPLES["forest"](RUNS)
    before = chart.to_dict()
    colours = palette(THEME, "dark")
    config = titled(chart, "a", "b", "c", colours=colours).to_dict()["config"]
    assert config["background"] == colours.background
    assert config["range"]["category"] == list(colours.categorical)
    assert chart.to_dict() == before


def test_a_long_line_is_cut_and_a_wide_script_wraps_earlier() -> None:
    chart, _ = EXAMPLES["forest"](RUNS)
    title = titled(chart, "word " * 200, "日本語 " * 60, "c", colours=palette(THEME, "light")).to_dict()["title"]
    assert len(title["text"]) == 3
    assert title["text"][-1].endswith(" …")
    assert len(title["subtitle"]) == 2
    assert all(len(line) < 70 for line in title["subtitle"])


@pytest.mark.parametrize("name", ["forest", "heatmap_wide", "box_strip"])
def test_a_picture_is_drawn_in_its_size(name: str) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    png = vl_convert.vegalite_to_png(json.dumps(picture(name)), vl_version="6.4", allowed_base_urls=[])
    assert struct.unpack(">II", png[16:24]) == (1280, 720)
