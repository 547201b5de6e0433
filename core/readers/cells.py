"""Cells: a frame of cell texts → typed columns, every row that cannot be meant named with its line."""

import math
import re

import polars as pl

from core.readers.plan import Plan
from core.readers.rows import Findings

LONGEST_ID = 512
WORDS = {"query_id": "query id", "doc_id": "document id"}
SHOWN_CHARACTERS = 60
_CONTROL = re.compile(r"[\x00-\x1f]")


def typed(cells: pl.DataFrame, plan: Plan, findings: Findings) -> pl.DataFrame:
    """Turn the cells of a plan from text into what their fields are; every broken row is noted and left out.

    cells  String columns by `plan.names`, and "line" (UInt32)

    Blanks around numbers do not count; ids stay as they are. Returns the good rows with their "line".
    """
    checked = cells.with_columns(_number(name, plan).alias(f"{name}\0") for name in plan.numbers)
    checked = checked.with_columns(_broken(plan).alias("broken\0"))
    if checked["broken\0"].any():
        for row in checked.filter("broken\0").iter_rows(named=True):
            findings.broken(row["line"], _what(row, plan))
        checked = checked.filter(~pl.col("broken\0"))
    numbers = plan.numbers
    return checked.select(*(pl.col(f"{n}\0").alias(n) if n in numbers else pl.col(n) for n in plan.names), "line")


def _number(name: str, plan: Plan) -> pl.Expr:
    text = pl.col(name).str.strip_chars()
    if plan.decimal_comma:
        text = text.str.replace(",", ".", literal=True)
    number = text.cast(pl.Float64, strict=False)
    return number.fill_nan(None) if name in plan.optional else number


def _broken(plan: Plan) -> pl.Expr:
    """Whether an id cannot be one, or a number that must be there is none."""
    no = pl.lit(value=False)
    tests = [no]
    lone_query = _lone_query(plan) if plan.unrated else no
    for name in plan.ids:
        empty = pl.col(name).is_null() | (pl.col(name) == "")
        long = pl.col(name).str.len_bytes().fill_null(0) > LONGEST_ID
        zero = pl.col(name).str.contains("\0", literal=True).fill_null(value=False)
        tests.append((empty & ~lone_query if name == "doc_id" else empty) | long | zero)
    tests += [
        (pl.col(f"{name}\0").is_null() & ~lone_query) | pl.col(f"{name}\0").is_nan().fill_null(value=False)
        for name in plan.numbers
        if name not in plan.optional
    ]
    return pl.any_horizontal(*tests)


def _lone_query(plan: Plan) -> pl.Expr:
    others = [name for name in plan.names if name != "query_id"]
    return pl.all_horizontal(
        pl.lit(value=True), *(pl.col(other).fill_null("").str.strip_chars() == "" for other in others)
    )


def _what(row: dict[str, object], plan: Plan) -> str:
    """The sentence for the first thing wrong with a row."""
    for name in plan.ids:
        text = str(row[name] or "")
        if not text and not (
            name == "doc_id" and plan.unrated and not any(row[n] for n in plan.names if n != "query_id")
        ):
            return f"the {WORDS[name]} is empty"
        if "\0" in text:
            return f"the {WORDS[name]} holds a NUL character"
        if len(text.encode()) > LONGEST_ID:
            return f"the {WORDS[name]} is longer than {LONGEST_ID} bytes: {shown(text)}"
    for name in plan.numbers:
        number, text = row[f"{name}\0"], str(row[name] or "").strip()
        if number is None and name not in plan.optional:
            return f"{name} {shown(text)} is not a number" if text else f"the {name} is empty"
        if isinstance(number, float) and math.isnan(number):
            return f"{name} {shown(text)} is not a number"
    raise AssertionError(row)


def shown(text: str) -> str:
    """A text from a file in double quotes, cut to 60 characters, control characters as their pictures."""
    text = _CONTROL.sub(lambda found: chr(0x2400 + ord(found[0])), text[: SHOWN_CHARACTERS + 1])
    return f'"{text[:SHOWN_CHARACTERS]}…"' if len(text) > SHOWN_CHARACTERS else f'"{text}"'
