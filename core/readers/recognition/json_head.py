"""JSON head: how a JSON document or JSON lines are understood from their first part."""

import json
from dataclasses import replace
from typing import Any

from core.errors import InputError, Problem
from core.model.reading import Choice, Column, Reading, Role
from core.readers.files import Given
from core.readers.grades import labels_in
from core.readers.json_shapes import Shape, shape_of
from core.readers.json_text import cell_text, flat, parse, parse_head
from core.readers.json_wrapped import unwrapped
from core.readers.recognition.head import Head
from core.readers.recognition.roles import checked_role
from core.readers.recognition.tables import lines_of
from core.readers.rows import Findings

PREVIEW = 5
RECORDS = 500
HINT = "layouts that are read: query → document → number, query → list of documents, records with query_id and doc_id …"


def json_reading(given: Given, head: Head, role: Role | None, choice: Choice) -> Reading | None:
    """The reading of a file whose first character is { or [; None where it is no JSON after all.

    Raises InputError if it is JSON and broken, or of no layout that is read, or cannot have the role.
    """
    if head.text.lstrip()[:1] not in ("{", "["):
        return None
    findings = Findings(given.name)
    records = _records(head)
    if records is not None:
        document: Any = records
        shape = shape_of(document, role)
    else:
        whole = parse(head.text, findings) if head.complete else parse_head(head.text, findings)
        document, named = unwrapped(whole, role)
        shape = shape_of(document, role or next(iter(named), None))
        if shape is not None and named and role is None and (shape.allows(named[0]) or len(named) > 1):
            others = named[1:] if len(named) > 1 else shape.possible
            shape = replace(shape, possible=tuple(dict.fromkeys((named[0], *others))))
    if shape is None:
        raise InputError(Problem(given.name, None, "the JSON has no layout that is read", HINT))
    return _reading(given, head, document, shape, role, choice, lines=records is not None)


def _reading(
    given: Given, head: Head, document: Any, shape: Shape, role: Role | None, choice: Choice, *, lines: bool
) -> Reading:
    final = checked_role(given, shape, role)
    again = shape_of(document, final) or shape
    columns = again.columns
    if choice.fields is not None and len(choice.fields) == len(columns):
        columns = tuple(Column(column.name, field) for column, field in zip(columns, choice.fields, strict=True))
    rows = _preview(document, again)
    place = next((at for at, column in enumerate(columns) if column.field == "relevance"), None)
    labels = labels_in((row[place] for row in rows), choice.labels) if place is not None else ()
    system = next((at for at, column in enumerate(columns) if column.field == "system"), None)
    return Reading(
        role=final,
        shape=again.words,
        format="jsonl" if lines else "json",
        encoding=head.encoding,
        columns=columns,
        possible=shape.possible if role is None else (final,),
        preview=tuple(rows[:PREVIEW]),
        labels=labels,
        runs=tuple(dict.fromkeys(row[system] for row in rows))[:64] if system is not None else (),
        lower_is_better=any(column.field == "distance" for column in columns),
    )


def _preview(document: Any, shape: Shape) -> list[tuple[str, ...]]:
    """The first rows as texts."""
    found: list[tuple[str, ...]] = []
    try:
        if shape.entries is None:
            for record in document[:RECORDS]:
                cells = flat(record)
                found.append(tuple(cell_text(cells.get(column.name)) or "" for column in shape.columns))
        else:
            parts = document[:RECORDS] if shape.by_record else [document]
            for part in parts:
                for entry in shape.entries(part):
                    found.append(tuple(cell_text(value) or "" for value in entry))
                    if len(found) >= RECORDS:
                        return found
    except (AttributeError, KeyError, TypeError, StopIteration, RuntimeError):
        # What does not follow its layout is told with its place when the file is read.
        return found
    return found


def _records(head: Head) -> list[Any] | None:
    """The first lines as records where the file is JSON lines; None where it is one document.

    One line alone is a record where it holds single values beside each other, and a document otherwise.
    """
    lines = lines_of(head.text)
    first = _line(lines[0])
    if first is None:
        others = [_line(line) for line in lines[1:6]]
        if len(lines) < 2 or not lines[0].lstrip().startswith("{") or not any(isinstance(one, dict) for one in others):
            return None
    elif len(lines) == 1 and not _is_record(first):
        return None
    found = [_line(line) for line in lines[:RECORDS]]
    return [record for record in found if isinstance(record, dict)] or None


def _line(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_record(found: Any) -> bool:
    shape = shape_of([found], None) if isinstance(found, dict) else None
    alone = shape_of(unwrapped(found, None)[0], None) if isinstance(found, dict) else None
    return shape is not None and alone is None
