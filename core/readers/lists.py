"""Lists: several document ids in one cell, taken apart into a row for each."""

import json
import re
from collections.abc import Iterator

import polars as pl

from core.model.reading import Reading
from core.notices import Notice
from core.readers.cells import shown
from core.readers.grades import with_lines
from core.readers.json_entries import ID_NAMES, named
from core.readers.json_text import id_text
from core.readers.rows import Findings, Rows

SEPARATORS = ("|", ";", ",")
QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")


def taken_apart(batches: Iterator[Rows], reading: Reading, findings: Findings) -> Iterator[Rows]:
    """Rows with one document each, in place of rows with a list of relevant or of retrieved documents.

    Relevant documents have the relevance "1", retrieved ones the rank at which they stand in their list. A query whose
    list is empty becomes an unrated query's row in judgments; from a run it is left out.
    Notices: list-values (info), empty-document-list (warning, in runs).
    """
    wanted = "positive_docs" if reading.role == "qrels" else "retrieved_docs"
    name = next((column.name for column in reading.columns if column.field == wanted), None)
    if name is None or any(column.field == "doc_id" for column in reading.columns):
        yield from batches
        return
    told = _Told(name, findings)
    for batch in batches:
        yield Rows(_apart(with_lines(batch), wanted, told, judged=reading.role == "qrels"))
    told.finish(judged=reading.role == "qrels")


class _Told:
    """What the notices will say."""

    def __init__(self, column: str, findings: Findings) -> None:
        self.column, self.findings = column, findings
        self.lists: list[str] = []
        self.list_count = 0
        self.separators: set[str] = set()
        self.empty: list[str] = []
        self.empty_count = 0

    def finish(self, *, judged: bool) -> None:
        """Add the notices."""
        file = self.findings.file
        if self.list_count:
            how = " or ".join(sorted(self.separators))
            message = f"Column {shown(self.column)} holds lists of document ids; they were taken apart ({how})."
            self.findings.notices.append(
                Notice("list-values", "info", file, message, self.list_count, tuple(self.lists))
            )
        if self.empty_count and not judged:
            self.findings.notices.append(empty_lists(file, self.empty_count, self.empty))


def empty_lists(file: str, count: int, examples: list[str]) -> Notice:
    """The notice for queries for which a run returned nothing."""
    what = "1 query has" if count == 1 else f"{count:,} queries have"
    message = f"{what} an empty list of documents and so no answer."
    return Notice("empty-document-list", "warning", file, message, count, tuple(examples))


def _apart(frame: pl.DataFrame, wanted: str, told: _Told, *, judged: bool) -> pl.DataFrame:
    lists = [ids_in(cell, told.separators) for cell in frame[wanted].fill_null("").to_list()]
    queries = frame["query_id"].to_list()
    for query, ids, cell in zip(queries, lists, frame[wanted].to_list(), strict=True):
        if len(ids) > 1 or str(cell or "").strip().startswith("["):
            told.list_count += 1
            told.lists += [str(cell)] if len(told.lists) < 5 else []
        if not ids:
            told.empty_count += 1
            told.empty += [query] if len(told.empty) < 5 else []
    apart = frame.drop(wanted).with_columns(pl.Series("doc_id", lists, dtype=pl.List(pl.String)))
    if judged:
        apart = apart.explode("doc_id", empty_as_null=True)
        return apart.with_columns(pl.when(pl.col("doc_id").is_not_null()).then(pl.lit("1")).alias("relevance"))
    ranks = [[float(at) for at in range(1, len(ids) + 1)] for ids in lists]
    apart = apart.with_columns(pl.Series("rank", ranks, dtype=pl.List(pl.Float64)))
    return apart.filter(pl.col("doc_id").list.len() > 0).explode("doc_id", "rank")


def ids_in(cell: str, separators: set[str]) -> list[str]:
    """The ids in one cell: a JSON or Python list, or ids divided by |, ; or a comma; adds how they were divided.

    Blanks divide only where every part has a digit: a file's name may hold blanks.
    """
    text = cell.strip()
    if text.startswith("[") and text.endswith("]"):
        separators.add("written as a list")
        return _listed(text)
    separator = next((sign for sign in SEPARATORS if sign in text), None)
    if separator is None:
        parts = text.split()
        if len(parts) > 1 and all(any(sign.isdigit() for sign in part) for part in parts):
            separators.add("split at blanks")
            return parts
        return [text] if text else []
    separators.add(f"split at {separator}")
    return [part.strip() for part in text.split(separator) if part.strip()]


def _listed(text: str) -> list[str]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        values = [one or two for one, two in QUOTED.findall(text)] or text[1:-1].split(",")
    ids = (named(value, ID_NAMES) if isinstance(value, dict) else value for value in values)
    texts = (id_text(value) for value in ids)
    return [one.strip() for one in texts if one is not None and one.strip()]
