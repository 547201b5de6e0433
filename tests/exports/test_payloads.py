"""Text from files is text in every format: nothing runs, nothing is fetched, no cell is a formula."""

import csv
import io
import json
import re
import zipfile
from html.parser import HTMLParser

import polars as pl
import pytest
from pptx import Presentation

from core.exports.deck import deck
from core.exports.figures import figures
from core.exports.markdown import markdown
from core.exports.picture import picture
from core.exports.report import report
from core.exports.scope import Scope
from core.exports.table import to_csv, to_markdown
from core.exports.tables import per_query, tables
from core.exports.text import file_name, in_markdown
from tests.exports.payloads import ELSEWHERE, FORMULAS, PAYLOADS, poisoned


@pytest.fixture(scope="module")
def scope() -> Scope:
    return Scope.of(poisoned())


@pytest.fixture(scope="module")
def page(scope: Scope) -> str:
    return report(scope)


class Tags(HTMLParser):
    """What a browser would find in a page: elements with their attributes, and the text between."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_there_are_enough_payloads_and_each_is_its_own() -> None:
    assert len(set(PAYLOADS)) == len(PAYLOADS) >= 60


def test_the_report_holds_only_elements_of_our_own(page: str) -> None:
    found = Tags()
    found.feed(page)
    allowed = {
        "html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "h3", "p", "ul", "li",
        "section", "figure", "figcaption", "div", "img",
        "details", "summary", "table", "caption", "thead", "tbody", "tr", "th", "td", "script", "b", "span",
    }  # fmt: skip
    assert {tag for tag, _ in found.tags} <= allowed
    assert [tag for tag, _ in found.tags].count("script") == 3
    for tag, attributes in found.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("href", "srcset", "action")]
        assert tag != "img" or (attributes["src"] or "").startswith("data:image/")
        assert tag != "script" or "src" not in attributes


def test_the_report_shows_the_payloads_as_text(page: str) -> None:
    found = Tags()
    found.feed(page)
    assert "<script>window.__pwned=1</script>" in found.text
    assert "=1+1" in found.text


def test_the_report_lets_no_request_out_and_no_other_script_run(page: str) -> None:
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    rules = dict(part.strip().split(" ", 1) for part in policy[1].replace("&#x27;", "'").split(";"))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in rules["script-src"]
    assert rules["img-src"] == "data:"


def test_no_text_ends_the_data_of_the_charts(page: str) -> None:
    data = page.split('<script type="application/json" id="charts">')[1].split("</script>")[0]
    assert len(json.loads(data)["charts"]) > 3
    assert "<" not in data


def test_the_deck_holds_payloads_as_text_and_names_no_other_place(scope: Scope) -> None:
    data = deck(scope)
    shown = " ".join(
        shape.text_frame.text
        for slide in Presentation(io.BytesIO(data)).slides
        for shape in slide.shapes
        if shape.has_text_frame
    )
    assert "<script>window.__pwned=1</script>" in shown
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if name.endswith(".rels"):
                text = archive.read(name).decode()
                assert 'TargetMode="External"' not in text, name
                assert ELSEWHERE not in text


def test_pictures_take_any_text(scope: Scope) -> None:
    found = figures(scope, ["forest", "changes-sorted", "spread-box", "slices-0-means"])
    assert len(found) == 4
    for each in found:
        svg = picture(each.chart, each.finding, each.method, each.footer).svg()
        assert "<script" not in svg
        assert f'="{ELSEWHERE}' not in svg


def test_no_cell_of_any_table_begins_a_formula(scope: Scope) -> None:
    frames = [table.frame for table in tables(scope)] + [each.frame for each in figures(scope)] + [per_query(scope)]
    assert len(frames) > 10
    for frame in frames:
        flat = frame.select(pl.col(name) for name, kind in frame.schema.items() if not isinstance(kind, pl.List))
        rows = list(csv.reader(io.StringIO(to_csv(flat), newline="")))
        numbers = {at for at, kind in enumerate(flat.dtypes) if kind.is_numeric()}
        for row in rows[1:]:
            for at, cell in enumerate(row):
                if at in numbers:
                    assert not cell or float(cell) == float(cell)
                else:
                    assert cell[:1] not in ("=", "+", "-", "@", "\t", "\r", "\x00") or re.fullmatch(
                        r"[+-]?\d+\.?\d*", cell
                    )


def test_a_head_that_came_from_a_file_is_a_cell_too() -> None:
    assert to_csv(pl.DataFrame({"=1+1": [1]})).splitlines() == ["'=1+1", "1"]


@pytest.mark.parametrize("payload", [*PAYLOADS])
def test_markdown_escapes_whatever_is_live(payload: str) -> None:
    safe = in_markdown(payload)
    assert "\n" not in safe
    bare = re.sub(r"\\.", "", safe)
    assert not re.search(r"[`*_\[\]<>|!#~$&]", bare)
    assert "://" not in bare
    assert not re.search(r"(?i)www\.", bare)
    assert not re.match(r"[-+=]|\d+[.)]", bare) or safe.startswith("\\")
    assert not re.search(r"(?<!\w)@\w", bare)


def test_a_measure_keeps_its_name_in_markdown() -> None:
    assert in_markdown("nDCG@10: 176 queries, 0.5") == "nDCG@10: 176 queries, 0.5"


def test_the_summary_and_tables_in_markdown_keep_their_shape(scope: Scope) -> None:
    for text in (markdown(scope), *(to_markdown(table.frame) for table in tables(scope))):
        rows = [line for line in text.splitlines() if line.startswith("|")]
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in rows}
        assert len(counts) == 1
        assert "](" not in re.sub(r"\\.", "", text)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_file_is_never_named_by_a_path(payload: str) -> None:
    name = file_name("ranklens", payload)
    assert re.fullmatch(r"[A-Za-z0-9@][A-Za-z0-9@.-]*", name)
    assert ".." not in name or "/" not in name
    assert len(name) <= 60


def test_formulas_are_among_the_payloads() -> None:
    assert {text[0] for text in FORMULAS} == {"=", "+", "-", "@"}
