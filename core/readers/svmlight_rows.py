"""SVMlight rows: learning-to-rank files (LETOR, RankLib, MSLR) → judgments, the document named in a comment."""

import re
from collections.abc import Iterator

import polars as pl

from core.model.limits import Limits
from core.model.reading import Choice, Reading
from core.readers.cells import shown
from core.readers.files import Given
from core.readers.json_text import wrong_id
from core.readers.lines import blocks
from core.readers.rows import Findings, Rows

LINE = re.compile(r"\s*(\S+)\s+qid:(\S+)((?:\s+[^\s#:]+:\S*)*)\s*(?:#(.*))?$")
DOC_ID = re.compile(r"\b(?:docid|doc_id|docno|doc|id)\s*[=:]\s*(\S+)", re.IGNORECASE)
HINT = "a line begins with GRADE qid:QUERY and ends with # docid=DOCUMENT"
NO_DOCUMENT = "the line names no document (# docid=…): bring the judgments and the run as TREC, CSV or JSON files"


def rows(given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings) -> Iterator[Rows]:
    """The judgments of an SVMlight file; the features are passed over. Lines without a document are broken."""
    for block in blocks(given, choice.encoding or reading.encoding, limits, findings):
        found: list[tuple[str, str, str]] = []
        lines: list[int] = []
        for number, line in enumerate(block.data.decode(errors="replace").split("\n")[:-1], block.line):
            if not line.strip():
                continue
            if line.startswith("#"):
                findings.comments += 1
            elif (row := svmlight_row(line)) is None:
                findings.broken(number, f"is no SVMlight line: {shown(line)}", HINT)
            elif not row[1]:
                findings.broken(number, NO_DOCUMENT)
            elif problem := wrong_id(row[1]) or wrong_id(row[0]):
                findings.broken(number, f"an id {problem}")
            else:
                found.append(row)
                lines.append(number)
        findings.rows += len(found)
        names = ("query_id", "doc_id", "relevance")
        frame = pl.DataFrame(found, schema=dict.fromkeys(names, pl.String), orient="row")
        yield Rows(frame.with_columns(pl.Series("line", lines, dtype=pl.UInt32)))


def svmlight_row(line: str) -> tuple[str, str, str] | None:
    """Query, document ("" where the comment names none) and grade of a line; None where it is of another kind."""
    found = LINE.match(line)
    if found is None:
        return None
    grade, query, _, comment = found.groups()
    named = DOC_ID.search(comment or "")
    words = (comment or "").split()
    document = named.group(1) if named else (words[0] if len(words) == 1 else "")
    return query, document, grade
