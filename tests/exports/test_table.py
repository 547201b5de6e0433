"""CSV for spreadsheets: no text runs, every number stays one, everything reads back."""

import csv
import io
import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.exports.table import to_csv

RUNS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\tx", "\rx", "\x00=1", "=cmd|' /C calc'!A0", "+", "-", "=", "-1e", "1+1="]


def cells(frame: pl.DataFrame) -> list[list[str]]:
    """The cells below the head, as a CSV reader finds them."""
    return list(csv.reader(io.StringIO(to_csv(frame), newline="")))[1:]


@pytest.mark.parametrize("text", RUNS[:-1])
def test_a_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert cells(pl.DataFrame({"query_id": [text]})) == [["'" + text]]


@pytest.mark.parametrize(
    "text",
    [
        "q1",
        "1+1=",
        "a=b",
        "-5",
        "+5",
        "-0.5",
        ".5",
        "-1e9",
        "+1E-3",
        "007",
        "<b>x</b>",
        "a,b",
        'say "x"',
        "a\nb",
        " =1",
        "’",
        "",
    ],
)
def test_any_other_text_reads_back_as_it_is(text: str) -> None:
    assert cells(pl.DataFrame({"query_id": [text], "n": [1]})) == [[text, "1"]]


def test_numbers_are_full_doubles_and_never_get_an_apostrophe() -> None:
    values = [0.1 + 0.2, -1 / 3, 5e-324, 1e300, -0.0]
    found = cells(pl.DataFrame({"score": values}))
    assert [float(row[0]) for row in found] == values
    assert not any("'" in row[0] for row in found)


def test_nulls_are_empty_cells_and_truth_values_words() -> None:
    frame = pl.DataFrame(
        {"id": [None, "a"], "score": [None, 1.5], "missing": [True, False]}, schema_overrides={"id": pl.String}
    )
    assert cells(frame) == [["", "", "true"], ["a", "1.5", "false"]]


@given(st.lists(st.text(), min_size=1, max_size=5))
def test_no_text_whatever_begins_a_formula_and_taking_the_apostrophe_off_gives_it_back(texts: list[str]) -> None:
    found = cells(pl.DataFrame({"id": texts, "n": list(range(len(texts)))}))
    assert len(found) == len(texts)
    for (cell, _), text in zip(found, texts, strict=True):
        assert cell in (text, "'" + text)
        if cell[:1] in set("=+-@\t\r\x00"):
            assert math.isfinite(float(cell))
