"""Other formats than tables: Parquet, JSON, JSON lines, SVMlight, topics, predictions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from core.errors import InputError, Problem
from core.model.limits import Limits
from core.model.reading import Choice, Column, Field, Reading, Role
from core.readers.files import Given
from core.readers.grades import labels_in
from core.readers.parquet_rows import as_text, damaged, frames, parquet_file
from core.readers.recognition.head import Head
from core.readers.recognition.json_head import json_reading
from core.readers.recognition.named import sense_of_names
from core.readers.recognition.profile import NUMBER
from core.readers.recognition.roles import checked_role
from core.readers.recognition.tables import lines_of
from core.readers.rows import Findings
from core.readers.svmlight_rows import svmlight_row
from core.readers.topics_rows import topics

PREVIEW = 5
HEAD_ROWS = 1000
SVMLIGHT = re.compile(r"^\s*[+-]?[\d.]+\s+qid:\S+\s")
TOPICS = re.compile(
    r"^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(top|topics|topic|parameters|queries|query)\b", re.IGNORECASE | re.DOTALL
)
NO_COLUMNS = "give the columns names such as query_id, doc_id, relevance (judgments) or query_id, doc_id, score (a run)"
PREDICTIONS = "this is one number for each line (a model's predictions); a run needs the query and the document of each"


@dataclass(frozen=True)
class Fixed:
    """A format that can be one thing only."""

    words: str
    possible: tuple[Role, ...]
    refused: str = ""
    advice: str = ""

    def allows(self, role: Role) -> bool:
        """Whether the content can have this role."""
        return role in self.possible


def other_format(given: Given, head: Head, role: Role | None, choice: Choice, limits: Limits) -> Reading | None:
    """The reading of a file that is no table of delimited text; None where it may be one."""
    if head.parquet:
        return _parquet(given, role, choice, limits)
    if (reading := json_reading(given, head, role, choice)) is not None:
        return reading
    if TOPICS.match(head.text):
        return _topics(given, head, role)
    lines = [line for line in lines_of(head.text) if not line.startswith("#")][:HEAD_ROWS]
    if lines and sum(SVMLIGHT.match(line) is not None for line in lines) > len(lines) / 2:
        return _svmlight(given, head, role, lines, choice)
    if lines and all(NUMBER.fullmatch(line.strip()) for line in lines):
        raise InputError(Problem(given.name, None, PREDICTIONS, "bring the run as a table: query_id, doc_id, score"))
    return None


def _parquet(given: Given, role: Role | None, choice: Choice, limits: Limits) -> Reading:
    findings = Findings(given.name)
    with parquet_file(given, limits, findings) as file:
        names = list(file.schema_arrow.names)
        frame = next(frames(file, None, findings, HEAD_ROWS), pl.DataFrame(schema=dict.fromkeys(names, pl.String)))
        if len(set(names)) < len(names):
            raise damaged(findings)
        texts = pl.DataFrame([as_text(frame[name]) for name in names]).fill_null("")
    if not texts.height:
        raise InputError(Problem(given.name, None, "the file holds no rows"))
    rows = [tuple(row) for row in texts.rows()]
    sense = sense_of_names(names, rows, role, kind="Parquet")
    fields: Sequence[Field] | None = choice.fields if choice.fields and len(choice.fields) == len(names) else None
    if sense is None:
        listed = ", ".join(f'"{name}"' for name in names[:12])
        raise InputError(Problem(given.name, None, f"the columns cannot be told by their names: {listed}", NO_COLUMNS))
    final = checked_role(given, sense, role)
    columns = tuple(Column(name, field) for name, field in zip(names, fields or sense.fields, strict=True))
    return _reading(Fixed(sense.words, sense.possible), role, final, "parquet", columns, rows, choice)


def _svmlight(given: Given, head: Head, role: Role | None, lines: Sequence[str], choice: Choice) -> Reading:
    fixed = Fixed("SVMlight judgments (learning to rank)", ("qrels",))
    final = checked_role(given, fixed, role)
    rows = [row for line in lines if (row := svmlight_row(line))]
    columns = (Column("qid", "query_id"), Column("docid", "doc_id"), Column("label", "relevance"))
    return _reading(fixed, role, final, "svmlight", columns, rows, choice, head.encoding)


def _topics(given: Given, head: Head, role: Role | None) -> Reading:
    fixed = Fixed("TREC topics", ("queries",))
    final = checked_role(given, fixed, role)
    found = [record for _, record in topics(head.text)][:HEAD_ROWS]
    if not found:
        raise InputError(Problem(given.name, None, "no topic was found in this file"))
    names = list(dict.fromkeys(name for record in found for name in record))
    fields: dict[str, Field] = {"query_id": "query_id", "text": "text"}
    columns = tuple(Column(name, fields.get(name, "metadata")) for name in names)
    rows = [tuple(record.get(name, "") for name in names) for record in found]
    return _reading(fixed, role, final, "topics", columns, rows, Choice(), head.encoding)


def _reading(
    fixed: Fixed,
    role: Role | None,
    final: Role,
    form: Literal["parquet", "svmlight", "topics"],
    columns: tuple[Column, ...],
    rows: Sequence[tuple[str, ...]],
    choice: Choice,
    encoding: str = "utf-8",
) -> Reading:
    places = {column.field: at for at, column in enumerate(columns)}
    labels = labels_in((row[places["relevance"]] for row in rows), choice.labels) if "relevance" in places else ()
    system = places.get("system")
    return Reading(
        role=final,
        shape=fixed.words,
        format=form,
        encoding=encoding,
        columns=columns,
        possible=fixed.possible if role is None else (final,),
        preview=tuple(rows[:PREVIEW]),
        labels=labels,
        runs=tuple(dict.fromkeys(row[system] for row in rows))[:64] if system is not None else (),
        lower_is_better="distance" in places,
    )
