"""JSON rows: a JSON document or JSON lines → rows, each entry checked where it stands."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from core.model.limits import Limits
from core.model.reading import Choice, Field, Reading
from core.readers.cells import shown
from core.readers.files import Given, whole
from core.readers.json_shapes import Shape, shape_of, unwrapped
from core.readers.json_text import Repeated, cell_text, flat, id_text, parse, wrong_id
from core.readers.lines import blocks, decoder
from core.readers.lists import empty_lists
from core.readers.rows import Findings, Rows

BATCH = 100_000
IDS = {"query_id": "query id", "doc_id": "document id"}
NUMBERS = ("score", "distance", "rank")
SURROGATES = ("\\ud", "\\uD")
HINT = "every entry needs the id of its query and of its document"


def rows(given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings) -> Iterator[Rows]:
    """The rows of a JSON document, read whole, or of JSON lines, read line by line.

    Raises InputError with the line of what is not JSON, is nested too deeply, or is of another layout than recognised.
    Notice: empty-document-list (warning) for queries of a run without documents.
    """
    batch = Batch(reading, findings, limits)
    source = _document if reading.format == "json" else _lines
    for _ in source(given, reading, choice, limits, findings, batch):
        if batch.full:
            yield batch.taken()
    yield batch.taken()
    batch.finish()


def _document(
    given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings, batch: "Batch"
) -> Iterator[None]:
    data = whole(given, limits, findings)
    text = decoder(choice.encoding or reading.encoding, findings).decode(data, True).removeprefix("\ufeff")
    del data
    document, _ = unwrapped(parse(text, findings), reading.role)
    shape = _same_shape(document, reading, findings)
    if shape.entries is None or shape.by_record:
        for at, record in enumerate(document, 1):
            _record(record, shape, batch, f"entry {at:,}", None)
            yield
        return
    yield from _entries(document, shape, batch, None, findings)


def _lines(
    given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings, batch: "Batch"
) -> Iterator[None]:
    shape: Shape | None = None
    for block in blocks(given, choice.encoding or reading.encoding, limits, findings):
        for number, line in enumerate(block.data.split(b"\n")[:-1], block.line):
            if not line.strip():
                continue
            try:
                text = line.decode()
            except UnicodeDecodeError as error:
                raise findings.refuse(f"byte {error.start + 1:,} of the line is not UTF-8", line=number) from error
            record = parse(text, findings, number)
            if shape is None:
                shape = _same_shape([record], reading, findings)
            _record(record, shape, batch, "", number)
            yield


def _same_shape(document: Any, reading: Reading, findings: Findings) -> Shape:
    """The shape of the document, its columns as the person corrected them."""
    shape = shape_of(document, reading.role)
    if shape is None:
        raise findings.refuse("the JSON has no layout that is read", HINT)
    return shape


def _record(record: Any, shape: Shape, batch: "Batch", place: str, line: int | None) -> None:
    if not isinstance(record, dict):
        batch.findings.broken(line, f"{place or 'the line'} is no JSON object")
    elif isinstance(record, Repeated):
        twice = next(key for key in record if sum(key == other for other, _ in record.pairs) > 1)
        batch.findings.broken(line, f"{place or 'the line'} gives {shown(twice)} twice")
    elif shape.entries is None:
        batch.add_record(record, place, line)
    else:
        for _ in _entries(record, shape, batch, line, batch.findings):
            pass


def _entries(document: Any, shape: Shape, batch: "Batch", line: int | None, findings: Findings) -> Iterator[None]:
    """Add the entries of a layout; one that is not as its layout says is a broken entry."""
    assert shape.entries is not None  # noqa: S101 (records without entries are columns, see `_record`)
    try:
        for query, doc, value, *system in shape.entries(document):
            batch.add_entry(query, doc, value, line, *system)
            yield
    except (AttributeError, KeyError, TypeError, StopIteration, RuntimeError) as error:
        raise findings.refuse(f"the JSON is not laid out as {shape.words} throughout", line=line) from error


class Batch:
    """Collects checked rows, column by column."""

    def __init__(self, reading: Reading, findings: Findings, limits: Limits) -> None:
        kept = [column for column in reading.columns if column.field != "ignored"]
        self.keys = [column.name for column in kept]
        self.fields: list[Field] = [column.field for column in kept]
        self.names = _names(self.keys, self.fields)
        self.findings, self._limits, self._role = findings, limits, reading.role
        self._known = {column.name for column in reading.columns}
        self._cells: list[list[Any]] = [[] for _ in kept]
        self._lines: list[int | None] = []
        self._empty: list[str] = []
        self._empty_count = 0
        self._damaged = 0

    @property
    def full(self) -> bool:
        """Whether it is time to hand the rows on."""
        return len(self._lines) >= BATCH

    def add_entry(self, query: Any, doc: Any, value: Any, line: int | None, system: Any = None) -> None:
        """Add what a layout gave: a query, a document and its number; a document of None means that there is none."""
        place = f"{cell_text(query)}/{cell_text(doc)}"
        if doc is None and value is None:
            self._lone(query, line)
            return
        found = {"query_id": query, "doc_id": doc, "system": system}
        cells = [found.get(field, value) for field in self.fields]
        self._add(cells, shown(place), line)

    def add_record(self, record: dict[str, Any], place: str, line: int | None) -> None:
        """Add a record whose keys are columns; keys met for the first time are further columns of metadata."""
        record = flat(record)
        if self._role in ("queries", "documents"):
            for name in record.keys() - self._known:
                self._new_column(name)
        self._add([record.get(key) for key in self.keys], place, line)

    def _new_column(self, name: str) -> None:
        self._known.add(name)
        self.keys.append(name)
        self.fields.append("metadata")
        self.names = _names(self.keys, self.fields)
        self._cells.append([None] * len(self._lines))

    def _lone(self, query: Any, line: int | None) -> None:
        """A query without documents: unrated in judgments, unanswered in a run."""
        text = id_text(query)
        problem = wrong_id(text) if text is not None else "is not text or a number"
        if text is None or problem:
            self.findings.broken(line, f"the query id {problem}")
        elif self._role == "qrels":
            self._append([text if field == "query_id" else None for field in self.fields], line)
        else:
            self._empty_count += 1
            self._empty += [text] if len(self._empty) < 5 else []

    def _add(self, values: list[Any], place: str, line: int | None) -> None:
        cells = []
        for field, value in zip(self.fields, values, strict=True):
            cell, problem = self._cell(field, value)
            if problem:
                what = f"{place}: {problem}" if place and line is None else problem
                self.findings.broken(line, what)
                return
            cells.append(cell)
        self._append(cells, line)

    def _append(self, cells: list[Any], line: int | None) -> None:
        for column, cell in zip(self._cells, cells, strict=True):
            column.append(cell)
        self._lines.append(line)
        self.findings.rows += 1
        if self.findings.rows > self._limits.rows:
            message = f"the file holds more than the limit of {self._limits.rows:,} rows"
            raise self.findings.refuse(message, "cut the run to the top 100 of each query, or split the file")

    def _cell(self, field: Field, value: Any) -> tuple[Any, str | None]:
        """A value as its column needs it, or what is wrong with it."""
        if field in IDS:
            text = id_text(value)
            if text is None:
                what = (
                    "is missing" if value is None else f"is {shown(str(cell_text(value)))}, not text or a whole number"
                )
                return None, f"the {IDS[field]} {what}"
            problem = wrong_id(text)
            return text, f"the {IDS[field]} {problem}" if problem else None
        if field in NUMBERS:
            return _number(field, value)
        text = cell_text(value)
        if field == "relevance" and text is not None and text != text.strip():
            text = text.strip()
        problem = wrong_text(text) if text is not None else None
        return text, f"{field} {problem}" if problem else None

    def taken(self) -> Rows:
        """The rows so far, which are forgotten here."""
        types = [pl.Float64 if field in NUMBERS else pl.String for field in self.fields]
        frame = pl.DataFrame(
            [
                pl.Series(name, cells, dtype=kind)
                for name, cells, kind in zip(self.names, self._cells, types, strict=True)
            ]
        )
        frame = frame.with_columns(pl.Series("line", self._lines, dtype=pl.UInt32))
        self._cells = [[] for _ in self.fields]
        self._lines = []
        return Rows(frame)

    def finish(self) -> None:
        """Add the notice about queries without documents."""
        if self._empty_count:
            self.findings.notices.append(empty_lists(self.findings.file, self._empty_count, self._empty))


def wrong_text(text: str) -> str | None:
    """Why a text cannot be kept, or None: half a surrogate pair is no character."""
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError:
        return "holds half of a surrogate pair, which is no character"
    return None


def _number(field: Field, value: Any) -> tuple[float | None, str | None]:
    if value is None:
        return None, f"the {field} is missing"
    try:
        if isinstance(value, bool | list | dict):
            raise ValueError
        number = float(value)
    except (ValueError, OverflowError):
        return None, f"{field} {shown(str(cell_text(value)))} is not a number"
    return (number, None) if number == number else (None, f"{field} {shown(str(value))} is not a number")


def _names(keys: list[str], fields: list[Field]) -> list[str]:
    """The columns' names in the frame: the field's, or a metadata column's own, made different where it is taken."""
    taken = {*fields, "line", "grade", "score", "rank", "relevance", "system", "iteration", "assessor", "text", "title"}
    names: list[str] = []
    for key, field in zip(keys, fields, strict=True):
        name: str = field if field != "metadata" else key
        while field == "metadata" and (name in taken or name in names):
            name += " (2)"
        names.append(name)
    return names
