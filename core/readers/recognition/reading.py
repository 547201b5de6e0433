"""Reading: from the head of a file to how it is understood, or to the reason why it cannot be."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.errors import InputError, Problem
from core.model.limits import LOCAL, Limits
from core.model.reading import ROLE_NAMES, Choice, Column, Field, Reading, Role
from core.readers.cells import shown
from core.readers.comments import Comments
from core.readers.files import Given
from core.readers.grades import labels_in
from core.readers.lines import Block
from core.readers.recognition.head import Head, head_of
from core.readers.recognition.named import sense_of_names
from core.readers.recognition.names import fields_of, is_known
from core.readers.recognition.other import other_format
from core.readers.recognition.roles import checked_role
from core.readers.recognition.senses import Sense, sense_without_header
from core.readers.recognition.tables import Table, lines_of, physical_lines, tables
from core.readers.rows import Findings

PREVIEW = 5
KINDS = {"\t": "TSV", ",": "CSV", ";": "CSV with semicolons", " ": "blanks"}


def recognise(
    what: Given | str | Path | bytes, *, role: Role | None = None, choice: Choice | None = None, limits: Limits = LOCAL
) -> Reading:
    """How a file is understood, by its content.

    Magic bytes come first, then JSON, comment lines, the delimiter, a header's names, and what the columns look like.
    `role` is fixed by a person (or `choice.role` is); else the likeliest is taken and `possible` lists what to ask.

    Raises InputError if the file cannot be opened or decoded, is of no kind that is read, or cannot have the role.
    """
    given, choice = Given.of(what, limits=limits), choice or Choice()
    role = choice.role or role
    head = head_of(given, choice, limits)
    other = other_format(given, head, role, choice, limits)
    if other is not None and choice.columns is not None:
        message = f"columns can be named in tables of text only; this is {other.shape}, whose columns have names"
        raise InputError(Problem(given.name, None, message))
    reading = other or _delimited(given, head, role, choice)
    if choice.lower_is_better is not None:
        reading = replace(reading, lower_is_better=choice.lower_is_better)
    return replace(reading, container=head.container, metadata=_run_metadata(head, reading))


def _delimited(given: Given, head: Head, role: Role | None, choice: Choice) -> Reading:
    table, sense = _best(given, head, role, choice)
    final = checked_role(given, sense, role)
    names = _distinct(table.names) if table.names else tuple(f"column_{at + 1}" for at in range(table.width))
    names, fields = _chosen(names, sense.fields, final, choice, given)
    columns = tuple(Column(name, field) for name, field in zip(names, fields, strict=True))
    return Reading(
        role=final,
        shape=sense.words,
        format="delimited",
        encoding=head.encoding,
        delimiter=table.delimiter,
        quoted=table.quoted,
        header=bool(table.names),
        decimal_comma=table.decimal_comma,
        columns=columns,
        possible=sense.possible if role is None else (final,),
        preview=table.rows[:PREVIEW],
        labels=_labels(table, columns, choice),
        runs=_runs(table, columns),
        lower_is_better=any(column.field == "distance" for column in columns),
    )


def _run_metadata(head: Head, reading: Reading) -> tuple[tuple[str, str], ...]:
    """What an ir_metadata comment block at the head of a run says."""
    if reading.format != "delimited" or reading.role != "run" or not head.text.startswith("#"):
        return ()
    findings = Findings("")
    Comments(reading, findings).emptied(Block("\n".join(physical_lines(head.text)).encode(), 1))
    return tuple(findings.metadata)


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Header cells as names of columns: an empty one is column_N, a repeated one gets a number."""
    found: list[str] = []
    for at, cell in enumerate(names, 1):
        name = again = cell.strip().removeprefix("#").strip() or f"column_{at}"
        times = 1
        while again in found:
            times += 1
            again = f"{name} ({times})"
        found.append(again)
    return tuple(found)


def _best(given: Given, head: Head, role: Role | None, choice: Choice) -> tuple[Table, Sense]:
    """The table that is understood best among those that the delimiters make of the text."""
    found: list[tuple[tuple[bool, int, float], Table, Sense]] = []
    for table in tables(head.text):
        if table.share < 0.5 and not table.names:
            continue
        sense = _sense(table, role, choice)
        if sense is not None:
            allowed = role is None or sense.allows(role) or bool(sense.refused)
            found.append(((allowed, sense.clear, round(table.share, 1)), table, sense))
    if not found:
        raise _not_understood(given, head, role)
    _, table, sense = max(found, key=lambda one: one[0])
    if not table.rows:
        raise InputError(
            Problem(given.name, None, "the file holds no rows", "only a header or comment lines were found")
        )
    return table, sense


def _sense(table: Table, role: Role | None, choice: Choice) -> Sense | None:
    if choice.fields is not None and len(choice.fields) == table.width:
        return Sense(
            choice.fields,
            "as told",
            (role or _role_of(choice.fields),),
            ("qrels", "run", "queries", "documents"),
            clear=3,
        )
    named = table.names
    if choice.columns is not None and len(choice.columns) == table.width and any(map(is_known, choice.columns)):
        named = choice.columns
    if named:
        sense = sense_of_names(named, table.full, role, kind=KINDS[table.delimiter])
        if sense is not None:
            return sense
    return sense_without_header(table, role)


def _role_of(fields: Sequence[Field]) -> Role:
    if "doc_id" not in fields:
        return "queries"
    return "qrels" if "relevance" in fields else "run" if "query_id" in fields else "documents"


def _chosen(
    names: tuple[str, ...], fields: tuple[Field, ...], role: Role, choice: Choice, given: Given
) -> tuple[tuple[str, ...], tuple[Field, ...]]:
    """Apply the names and fields that a person gave."""
    if choice.columns is not None:
        if len(choice.columns) != len(names):
            message = f"{len(choice.columns):,} column names were given, but the file has {len(names):,} columns"
            raise InputError(Problem(given.name, None, message, f"its columns are {', '.join(map(shown, names[:12]))}"))
        names = choice.columns
        if role in ("queries", "documents") and choice.fields is None:
            named = fields_of(names, role)
            key: Field = "query_id" if role == "queries" else "doc_id"
            fields = named if key in named else (key, *(field if field != key else "metadata" for field in named[1:]))
    if choice.fields is not None:
        if len(choice.fields) != len(names):
            message = f"{len(choice.fields):,} fields were given, but the file has {len(names):,} columns"
            raise InputError(Problem(given.name, None, message))
        fields = choice.fields
    return names, fields


def _labels(table: Table, columns: Sequence[Column], choice: Choice) -> tuple[tuple[str, float | None], ...]:
    place = next((at for at, column in enumerate(columns) if column.field == "relevance"), None)
    if place is None:
        return ()
    return labels_in(
        (row[place] for row in table.rows if len(row) > place), choice.labels, decimal_comma=table.decimal_comma
    )


def _runs(table: Table, columns: Sequence[Column]) -> tuple[str, ...]:
    place = next((at for at, column in enumerate(columns) if column.field == "system"), None)
    return tuple(dict.fromkeys(table.column(place)))[:64] if place is not None else ()


def _not_understood(given: Given, head: Head, role: Role | None) -> InputError:
    """The error for a text of which no column layout is known."""
    lines = lines_of(head.text)
    first = next((line for line in lines if not line.startswith("#")), (lines or [""])[0])
    width = len(first.split())
    expected = {"qrels": 4, "run": 6}.get(role or "")
    if expected and not {",", "\t", ";"} & set(first) and width != expected:
        at = physical_lines(head.text).index(first) + 1
        message = f"the line has {width} columns, expected {expected}: {shown(first)}"
        return InputError(
            Problem(given.name, at, message, "ids with blanks need a file with tabs or commas between the columns")
        )
    what = f"as {ROLE_NAMES[role].lower()}" if role else "as judgments, a run or metadata"
    hint = (
        "give the columns a header, such as query_id, doc_id, relevance (judgments) or query_id, doc_id, score (a run)"
    )
    return InputError(
        Problem(given.name, None, f"the columns cannot be read {what}; the first line is {shown(first)}", hint)
    )
