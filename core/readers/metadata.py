"""Metadata: the rows of files about queries or about documents → one row for each id."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from core.model.limits import Limits
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Source
from core.model.reading import Choice, Reading
from core.notices import Notice, in_reading_order
from core.readers.cells import shown
from core.readers.files import Given
from core.readers.formats import rows
from core.readers.ids import variants
from core.readers.rows import Findings

NUMBER = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$"
LEADING_ZERO = r"^\s*0\d"
LIST = r"^\s*\[.*\]\s*$|\S\|\S"


@dataclass(frozen=True)
class Described:
    """One file of metadata, read: the id and further columns, all String, a row for each of its data rows."""

    frame: pl.DataFrame
    findings: Findings


def described(given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings) -> Described:
    """Read one file of metadata. Raises InputError with all that is wrong in the file."""
    batches = [batch.frame for batch in rows(given, reading, choice, limits, findings)]
    findings.finish()
    frame = pl.concat(batches, how="diagonal")
    if "line" in frame.columns:
        frame = frame.drop("line")
    key = "query_id" if reading.role == "queries" else "doc_id"
    others = pl.col(pl.String).exclude(key)
    if frame.width > 1:
        frame = frame.with_columns(pl.when(others.str.strip_chars() != "").then(others).name.keep())
    return Described(frame, findings)


def query_metadata(files: Sequence[Described]) -> QueryMetadata:
    """Join what one or several files say of the queries.

    Of several rows for a query in one file the first counts; of several files the first that gives a value.
    A column is Float64 where every value is a number (and none has leading zeros), else String.
    Notices: what the files showed, and metadata-repeated, list-values, id-variants.
    """
    table, notices = _joined(files, "query_id", ("text",))
    attributes = [name for name in table.columns if name not in ("query_id", "text")]
    table = table.with_columns(
        pl.col(name).str.strip_chars().cast(pl.Float64) for name in attributes if _is_number(table[name])
    )
    notices += _lists(table, attributes, files[0].findings.file)
    return QueryMetadata(table, _sources(files), sum(file.findings.rows for file in files), in_reading_order(notices))


def document_metadata(files: Sequence[Described]) -> DocumentMetadata:
    """Join what one or several files say of the documents, as `query_metadata` does; all columns stay String."""
    table, notices = _joined(files, "doc_id", ("title", "text"))
    return DocumentMetadata(
        table, _sources(files), sum(file.findings.rows for file in files), in_reading_order(notices)
    )


def _sources(files: Sequence[Described]) -> tuple[Source, ...]:
    return tuple(Source(file.findings.file, file.findings.sha256) for file in files)


def _joined(files: Sequence[Described], key: str, first: tuple[str, ...]) -> tuple[pl.DataFrame, list[Notice]]:
    notices = [notice for file in files for notice in file.findings.notices]
    parts = []
    for file in files:
        notices += _repeated(file, key)
        notices += variants(file.frame.select(key), file.findings.file)
        parts.append(file.frame.unique(key, keep="first", maintain_order=True))
    table = parts[0]
    if len(parts) > 1:
        every = pl.concat(parts, how="diagonal")
        values = [pl.col(name).drop_nulls().first() for name in every.columns if name != key]
        table = every.group_by(key, maintain_order=True).agg(values)
    leading = [name for name in first if name in table.columns]
    return table.sort(key).select(key, *leading, pl.exclude(key, *leading)), notices


def _repeated(file: Described, key: str) -> list[Notice]:
    again = file.frame.group_by(key).len().filter(pl.col("len") > 1)
    if not again.height:
        return []
    what = "query" if key == "query_id" else "document"
    plural = "queries" if key == "query_id" else "documents"
    several = f"1 {what} has" if again.height == 1 else f"{again.height:,} {plural} have"
    examples = tuple(again.sort(key).head(5)[key].to_list())
    message = f"{several} more than one row of metadata; the first is used."
    return [Notice("metadata-repeated", "info", file.findings.file, message, again.height, examples)]


def _is_number(values: pl.Series) -> bool:
    filled = values.drop_nulls()
    if not filled.len() or filled.dtype != pl.String:
        return False
    return bool(filled.str.contains(NUMBER).all() and not filled.str.contains(LEADING_ZERO).any())


def _lists(table: pl.DataFrame, attributes: Sequence[str], file: str) -> list[Notice]:
    found = []
    for name in attributes:
        if table[name].dtype != pl.String:
            continue
        lists = table[name].drop_nulls().filter(table[name].drop_nulls().str.contains(LIST))
        if lists.len():
            cells = "1 value" if lists.len() == 1 else f"{lists.len():,} values"
            examples = tuple(lists.unique(maintain_order=True).head(5).to_list())
            message = (
                f"{cells} of column {shown(name)} look like lists, such as {shown(examples[0])}; each counts as one."
            )
            found.append(Notice("list-values", "info", file, message, lists.len(), examples))
    return found
