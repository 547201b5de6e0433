"""JSON batch: the values of many entries or records → typed columns, every one that cannot be meant told with its place."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from core.model.limits import Limits
from core.model.reading import Field, Reading
from core.readers.cells import LONGEST_ID, shown
from core.readers.json_text import Repeated, cell_text, flat, id_text, wrong_id, wrong_text
from core.readers.lists import empty_lists
from core.readers.plan import NUMBERS
from core.readers.rows import Findings, Rows

BATCH = 100_000
IDS = {"query_id": "query id", "doc_id": "document id"}
RESERVED = (
    "line",
    "grade",
    "score",
    "distance",
    "rank",
    "relevance",
    "system",
    "iteration",
    "assessor",
    "text",
    "title",
)


class Batch:
    """Collects rows of values; they are checked a column at a time, and one by one only where a column has a fault."""

    def __init__(self, reading: Reading, findings: Findings, limits: Limits) -> None:
        self.findings, self._limits, self._role = findings, limits, reading.role
        self.keys = [column.name for column in reading.columns]
        self.fields: list[Field] = [column.field for column in reading.columns]
        self._rows: list[Sequence[Any]] = []
        self._lines: list[int | None] = []
        self._entry = 0
        self._empty: list[str] = []
        self._empty_count = 0

    @property
    def full(self) -> bool:
        """Whether it is time to hand the rows on."""
        return len(self._rows) >= BATCH

    def add_entries(self, entries: Sequence[Sequence[Any]], line: int | None) -> None:
        """Add what a layout gave, in the order of the reading's columns; a query alone stands for one without documents."""
        self._rows += entries
        self._lines += [line] * len(entries)

    def add_record(self, record: Any, line: int | None) -> None:
        """Add a record whose keys are columns; in metadata, keys met for the first time are further columns."""
        self._entry += 1
        place = "" if line is not None else f"entry {self._entry:,}: "
        if not isinstance(record, dict):
            self.findings.broken(line, f"{place}is no JSON object")
            return
        if isinstance(record, Repeated):
            twice = next(key for key in record if sum(key == other for other, _ in record.pairs) > 1)
            self.findings.broken(line, f"{place}{shown(twice)} is given twice")
            return
        record = flat(record)
        if self._role in ("queries", "documents"):
            for name in record.keys() - set(self.keys):
                self.keys.append(name)
                self.fields.append("metadata")
        self._rows.append([record.get(key) for key in self.keys])
        self._lines.append(line)

    def taken(self) -> Rows:
        """The rows so far, typed and without the broken ones; they are forgotten here."""
        rows: Sequence[Sequence[Any]] = self._rows
        lines: Sequence[int | None] = self._lines
        self._rows, self._lines = [], []
        if any(len(row) < len(self.keys) for row in rows):
            rows = [[*row, *[None] * (len(self.keys) - len(row))] for row in rows]
        columns = self._at_once(rows)
        if columns is None:
            rows, lines = self._one_by_one(rows, lines)
            columns = [self._series(at, [row[at] for row in rows]) for at in range(len(self.keys))]
        names = _names(self.keys, self.fields)
        kept = [at for at, field in enumerate(self.fields) if field != "ignored"]
        frame = pl.DataFrame([columns[at].alias(names[at]) for at in kept])
        self.findings.rows += frame.height
        if self.findings.rows > self._limits.rows:
            message = f"the file holds more than the limit of {self._limits.rows:,} rows"
            raise self.findings.refuse(message, "cut the run to the top 100 of each query, or split the file")
        return Rows(frame.with_columns(pl.Series("line", lines, dtype=pl.UInt32)))

    def _at_once(self, rows: Sequence[Sequence[Any]]) -> list[pl.Series] | None:
        """Whole columns, or None where one holds what must be looked at row by row."""
        columns = []
        for at, values in enumerate(zip(*rows, strict=True) if rows else [()] * len(self.keys)):
            cells = _clean(self.fields[at], values)
            if cells is None:
                return None
            columns.append(self._series(at, cells))
        ids = [column for column, field in zip(columns, self.fields, strict=True) if field in IDS]
        sound = all(
            column.str.len_bytes().is_between(1, LONGEST_ID).all() and not column.str.contains("\0", literal=True).any()
            for column in ids
        )
        numbers = (column for column, field in zip(columns, self.fields, strict=True) if field in NUMBERS)
        return columns if sound and not any(column.is_nan().any() for column in numbers) else None

    def _series(self, at: int, cells: Sequence[Any]) -> pl.Series:
        return pl.Series("", cells, dtype=pl.Float64 if self.fields[at] in NUMBERS else pl.String)

    def _one_by_one(
        self, rows: Sequence[Sequence[Any]], lines: Sequence[int | None]
    ) -> tuple[list[list[Any]], list[int | None]]:
        good: list[list[Any]] = []
        good_lines: list[int | None] = []
        for row, line in zip(rows, lines, strict=True):
            cells = self._checked(row, line)
            if cells is not None:
                good.append(cells)
                good_lines.append(line)
        return good, good_lines

    def _checked(self, row: Sequence[Any], line: int | None) -> list[Any] | None:
        """The cells of one row, or None where it is broken, or a query of a run without documents."""
        if self._is_lone(row):
            return self._lone(row, line)
        cells = []
        for field, value in zip(self.fields, row, strict=True):
            cell, problem = checked_cell(field, value)
            if problem:
                self.findings.broken(line, problem if line is not None else f"{self._place(row)}: {problem}")
                return None
            cells.append(cell)
        return cells

    def _is_lone(self, row: Sequence[Any]) -> bool:
        others = [value for field, value in zip(self.fields, row, strict=True) if field not in ("query_id", "system")]
        return "doc_id" in self.fields and all(value is None for value in others)

    def _lone(self, row: Sequence[Any], line: int | None) -> list[Any] | None:
        """A query without documents: unrated in judgments, unanswered in a run."""
        query, problem = checked_cell("query_id", row[self.fields.index("query_id")])
        if problem:
            self.findings.broken(line, problem)
            return None
        if self._role == "qrels":
            return [query if field == "query_id" else None for field in self.fields]
        self._empty_count += 1
        self._empty += [query] if len(self._empty) < 5 else []
        return None

    def _place(self, row: Sequence[Any]) -> str:
        """Where an entry stands in a document: query/document."""
        ids = [cell_text(value) for field, value in zip(self.fields, row, strict=True) if field in IDS]
        return shown("/".join(str(one) for one in ids))

    def finish(self) -> None:
        """Add the notice about queries without documents."""
        if self._empty_count:
            self.findings.notices.append(empty_lists(self.findings.file, self._empty_count, self._empty))


def _clean(field: Field, values: Sequence[Any]) -> Sequence[Any] | None:
    """The values of a column as its type wants them, or None where one of them is no plain text or number."""
    kinds = set(map(type, values))
    if field in NUMBERS:
        return values if kinds <= {int, float} and _fit(values) else None
    if field in IDS:
        if not kinds <= {str, int}:
            return None
        texts: list[Any] = [value if type(value) is str else str(value) for value in values]
    else:
        texts = [cell_text(value) for value in values]
    return texts if all(text is None or text.isascii() or wrong_text(text) is None for text in texts) else None


def _fit(values: Sequence[Any]) -> bool:
    """Whether no whole number is too large for a 64-bit float."""
    return all(type(value) is float or -(2**1023) < value < 2**1023 for value in values)


def checked_cell(field: Field, value: Any) -> tuple[Any, str | None]:
    """One value as its column needs it, or what is wrong with it."""
    if field in IDS:
        text = id_text(value)
        if text is None:
            what = "is missing" if value is None else f"is {shown(str(cell_text(value)))}, not text or a whole number"
            return None, f"the {IDS[field]} {what}"
        problem = wrong_id(text)
        return text, f"the {IDS[field]} {problem}" if problem else None
    if field in NUMBERS:
        return _number(field, value)
    text = cell_text(value)
    problem = wrong_text(text) if text is not None else None
    return text, f"{field} {problem}" if problem else None


def _number(field: Field, value: Any) -> tuple[float | None, str | None]:
    if value is None:
        return None, f"the {field} is missing"
    try:
        number = float("" if isinstance(value, bool | list | dict) else value)
    except (ValueError, OverflowError):
        return None, f"{field} {shown(str(cell_text(value)))} is not a number"
    return (number, None) if number == number else (None, f"{field} {shown(str(value))} is not a number")


def _names(keys: Sequence[str], fields: Sequence[Field]) -> list[str]:
    """The columns' names in the frame: the field's, or a metadata column's own, made different where it is taken."""
    names: list[str] = []
    for key, field in zip(keys, fields, strict=True):
        name: str = field if field != "metadata" else key
        while field == "metadata" and (name in (*fields, *RESERVED) or name in names):
            name += " (2)"
        names.append(name)
    return names
