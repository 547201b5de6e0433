"""Quoted: CSV whose cells stand in double quotes and may hold the separator and line feeds."""

import csv
from collections.abc import Iterator
from itertools import chain

import polars as pl

from core.readers.cells import typed
from core.readers.comments import Comments
from core.readers.lines import CP1252_HINT, Block
from core.readers.plan import Plan
from core.readers.rows import Findings, Rows

BATCH = 50_000
LONGEST_CELL = 16 << 20


def quoted_rows(
    first: Block, rest: Iterator[Block], plan: Plan, comments: Comments, findings: Findings, *, header: bool
) -> Iterator[Rows]:
    """The rows from a block that holds quotes to the end of the file; line feeds in quotes count as physical lines.

    A quote inside an unquoted cell is an ordinary character.
    """
    csv.field_size_limit(LONGEST_CELL)
    lines = (line for block in chain([first], rest) for line in _lines(block))
    reader = csv.reader(lines, delimiter=plan.delimiter)
    at: list[int] = []
    cells: list[list[str]] = []
    header_due = header
    ended = 0
    while True:
        begins = first.line + ended
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise findings.refuse(
                f"cannot be read as CSV: {error}", "is a quotation mark not closed?", begins
            ) from error
        if row is None:
            break
        spans, ended = reader.line_num - ended, reader.line_num
        if not row or (len(row) == 1 and not row[0].strip()):
            continue
        if row[0].startswith("#") and comments.take(plan.delimiter.join(row), row):
            continue
        if header_due:
            header_due = False
            continue
        if fitted := _fitted(row, begins, spans, plan, findings):
            at.append(begins)
            cells.append(fitted)
        if len(cells) == BATCH:
            yield _batch(cells, at, plan, findings)
            at, cells = [], []
    yield _batch(cells, at, plan, findings)


def _lines(block: Block) -> Iterator[str]:
    text = block.data.decode(errors="surrogateescape")
    return (f"{line}\n" for line in text[:-1].split("\n"))


def _fitted(row: list[str], line: int, spans: int, plan: Plan, findings: Findings) -> list[str] | None:
    if any("\udc80" <= character <= "\udcff" for cell in row if not cell.isascii() for character in cell):
        findings.broken(line, "holds bytes that are not UTF-8", CP1252_HINT)
        return None
    if plan.unrated and len(row) < plan.width and sum(bool(cell.strip()) for cell in row) == 1:
        row = row + [""] * (plan.width - len(row))
    if len(row) != plan.width:
        count = "1 column" if len(row) == 1 else f"{len(row):,} columns"
        hint = f"the row goes on for {spans:,} lines: is a quotation mark not closed?" if spans > 1 else None
        findings.broken(line, f"has {count}, expected {plan.width}", hint)
        return None
    return [row[place] for place in plan.at]


def _batch(cells: list[list[str]], at: list[int], plan: Plan, findings: Findings) -> Rows:
    columns = zip(*cells, strict=True) if cells else [()] * len(plan.names)
    frame = pl.DataFrame([pl.Series(name, values, pl.String) for name, values in zip(plan.names, columns, strict=True)])
    return Rows(typed(frame.with_columns(pl.Series("line", at, pl.UInt32)), plan, findings))
