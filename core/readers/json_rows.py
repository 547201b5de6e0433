"""JSON rows: a JSON document or JSON lines → rows, each entry checked where it stands."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from core.errors import InputError
from core.model.limits import Limits
from core.model.reading import Choice, Reading
from core.readers.files import Given, whole
from core.readers.json_batch import BATCH, Batch
from core.readers.json_shapes import Shape, shape_of
from core.readers.json_text import parse
from core.readers.json_wrapped import unwrapped
from core.readers.lines import blocks, decoder
from core.readers.rows import Findings, Rows

AT_ONCE = 2000
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
    given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings, batch: Batch
) -> Iterator[None]:
    data = whole(given, limits, findings)
    try:
        text = decoder(choice.encoding or reading.encoding, findings).decode(data, True)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise findings.refuse(f"byte {error.start + 1:,} is not {reading.encoding}", line=line) from error
    del data
    document, _ = unwrapped(parse(text.removeprefix("\ufeff"), findings), reading.role)
    shape = _shape(document, reading, findings)
    if shape.entries is not None and not shape.by_record:
        yield from _entries(document, shape, batch, None)
        return
    for record in document:
        yield from _record(record, shape, batch, None)


def _lines(
    given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings, batch: Batch
) -> Iterator[None]:
    shape: Shape | None = None
    for block in blocks(given, choice.encoding or reading.encoding, limits, findings):
        every = enumerate(block.data.split(b"\n"), block.line)
        filled = ((number, line) for number, line in every if line.strip())
        while some := list(islice(filled, AT_ONCE)):
            for number, record in _records(some, findings):
                shape = shape or _shape([record], reading, findings)
                yield from _record(record, shape, batch, number)


def _records(lines: list[tuple[int, bytes]], findings: Findings) -> Iterator[tuple[int, Any]]:
    """Parse some lines as one array, which is quicker; where that fails, or a line is no one value, one by one."""
    try:
        records = parse("[" + ",".join([line.decode() for _, line in lines]) + "]", findings)
    except (InputError, UnicodeDecodeError):
        records = []
    if len(records) == len(lines):
        yield from zip((number for number, _ in lines), records, strict=True)
        return
    for number, line in lines:
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise findings.refuse(f"byte {error.start + 1:,} of the line is not UTF-8", line=number) from error
        yield number, parse(text, findings, number)


def _shape(document: Any, reading: Reading, findings: Findings) -> Shape:
    shape = shape_of(document, reading.role)
    if shape is None:
        raise findings.refuse("the JSON has no layout that is read", HINT)
    return shape


def _record(record: Any, shape: Shape, batch: Batch, line: int | None) -> Iterator[None]:
    if shape.entries is not None and isinstance(record, dict):
        yield from _entries(record, shape, batch, line)
    else:
        batch.add_record(record, line)
        yield


def _entries(document: Any, shape: Shape, batch: Batch, line: int | None) -> Iterator[None]:
    """Add the entries of a layout, many at once; one that is not as its layout says ends the reading."""
    assert shape.entries is not None  # noqa: S101 (asked by both callers)
    entries = shape.entries(document)
    try:
        while found := list(islice(entries, BATCH)):
            batch.add_entries(found, line)
            yield
    except (AttributeError, KeyError, TypeError, StopIteration, RuntimeError) as error:
        raise batch.findings.refuse(f"the JSON is not laid out as {shape.words} throughout", line=line) from error
