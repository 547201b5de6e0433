"""What holds for every chart: names stay data, colours stay the theme's, sizes stay numbers, words go with it."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from core.charts import palette
from tests.charts.examples import EXAMPLES, MORE, RUNS
from tests.conftest import REPOSITORY

NASTY = ("a.b", "x['y'].z", 'say "no"', "<b>h</b>&amp;", "naïve – 日本", "two\u2028lines \\ datum.run")
# The only colours that charts may name: the two greys and what text marks turn to on a light or dark ground.
ALLOWED = {"#758196", "#111927", "#EEF1F7"}


def spec(name: str, names: tuple[str, ...] = RUNS) -> dict[str, Any]:
    chart, _ = EXAMPLES[name](names)
    found: dict[str, Any] = chart.to_dict()
    return found


def walk(value: object, key: str = "") -> Iterator[tuple[str, object]]:
    """Every key and value of a specification, data left out."""
    yield key, value
    if isinstance(value, dict):
        for name, part in value.items():
            if name not in ("datasets", "$schema"):
                yield from walk(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from walk(part, key)


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_name_of_a_run_is_a_field_or_in_an_expression(name: str) -> None:
    columns = {column for rows in spec(name, NASTY)["datasets"].values() for row in rows for column in row}
    assert not columns & set(NASTY)
    for key, value in walk(spec(name, NASTY)):
        if key == "field":
            assert value in columns
        if key in ("expr", "filter", "test", "calculate", "labelExpr", "href", "url", "sort"):
            assert not any(run in str(value) for run in NASTY)


@pytest.mark.parametrize("name", EXAMPLES)
def test_only_the_greys_are_colours_of_the_chart_itself(name: str) -> None:
    found = set(re.findall(r"#[0-9A-Fa-f]{3,8}\b", json.dumps({**spec(name), "datasets": None})))
    assert found <= ALLOWED
    themes = [palette(REPOSITORY / ".streamlit" / "config.toml", mode) for mode in ("light", "dark")]
    assert not found & {colour for theme in themes for colour in theme.categorical}


@pytest.mark.parametrize("name", EXAMPLES)
def test_heights_are_numbers_widths_are_the_pages_and_nothing_is_beside_another(name: str) -> None:
    found = spec(name)
    assert isinstance(found["height"], int)
    assert "width" not in found
    assert "title" not in found
    assert not {"hconcat", "vconcat", "concat", "facet", "repeat"} & {key for key, _ in walk(found)}


@pytest.mark.parametrize("name", [*EXAMPLES, *MORE])
def test_a_chart_sends_no_more_rows_than_a_browser_draws_well(name: str) -> None:
    chart, _ = EXAMPLES[name](RUNS) if name in EXAMPLES else MORE[name]()
    assert max(len(rows) for rows in chart.to_dict()["datasets"].values()) <= 5_000


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_chart_is_told_in_words_with_numbers(name: str) -> None:
    _, words = EXAMPLES[name](NASTY)
    assert re.search(r"\d", words)
    assert words.endswith(".")
    assert "nan" not in words.lower().replace("nana", "")
    assert "None" not in words


@pytest.mark.parametrize("name", EXAMPLES)
def test_text_is_readable_on_light_and_dark_pages(name: str) -> None:
    for _, layer in walk(spec(name)):
        if isinstance(layer, dict) and isinstance(layer.get("mark"), dict) and layer["mark"].get("type") == "text":
            colour = layer["mark"].get("color") or layer["encoding"].get("color")
            assert "expr" in colour or "condition" in colour


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_compiled_chart_has_names_only_as_values(name: str) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    vega = vl_convert.vegalite_to_vega(json.dumps(spec(name, NASTY)), vl_version="6.4")
    for key, value in walk(vega):
        if key in ("expr", "signal", "update", "test"):
            # A legend's values become a constant list; that is a value, quoted by the compiler.
            assert not any(run in str(value) for run in NASTY)
