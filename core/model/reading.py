"""Reading: how a file was understood, shown to the person who brought it, and what they may correct."""

from dataclasses import dataclass, field
from typing import Literal

Role = Literal["qrels", "run", "queries", "documents"]
ROLES: tuple[Role, ...] = ("qrels", "run", "queries", "documents")
ROLE_NAMES: dict[Role, str] = {
    "qrels": "Judgments (qrels)",
    "run": "Run",
    "queries": "Query metadata",
    "documents": "Document metadata",
}

# What a column can be read as. "text" is a query's text, or a document's; "title" a document's title.
# "iteration" (TREC's second column) and "assessor" matter in judgments only; "positive_docs" and "retrieved_docs" are
# lists of document ids in one cell. "metadata" is kept under its own name, "ignored" is not read on.
Field = Literal[
    "query_id", "doc_id", "relevance", "score", "distance", "rank", "system", "iteration",
    "assessor", "text", "title", "positive_docs", "retrieved_docs", "metadata", "ignored",
]  # fmt: skip


@dataclass(frozen=True)
class Column:
    """A column of a file: its name there (or `column_2` where there is no header) and what it is read as."""

    name: str
    field: Field


@dataclass(frozen=True)
class Reading:
    """How a file is understood: by its content, never by its name.

    shape      in words for people, such as "TREC run" or "BEIR qrels"
    container  how the bytes are packed: "plain", "gzip", "zstd", "zip"
    format     which reader takes it
    delimiter  tab, comma, semicolon, or a blank for runs of blanks and tabs ("delimited" only)
    possible   every role that the content fits; more than one is asked about, never guessed
    preview    the first rows as they are read, cells as text, at most 5
    labels     the words found in place of grades, with the grade each is read as (None: still to be given)
    """

    role: Role
    shape: str
    format: Literal["delimited", "json", "jsonl", "parquet", "svmlight", "predictions", "topics"]
    container: Literal["plain", "gzip", "zstd", "zip"] = "plain"
    encoding: str = "utf-8"
    delimiter: str = ""
    quoted: bool = False
    header: bool = False
    decimal_comma: bool = False
    columns: tuple[Column, ...] = ()
    possible: tuple[Role, ...] = ()
    preview: tuple[tuple[str, ...], ...] = ()
    labels: tuple[tuple[str, float | None], ...] = ()
    runs: tuple[str, ...] = ()
    lower_is_better: bool = False
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Repair:
    """A change to the ids of one side that a person accepted, so that two files meet.

    kind   what is changed: "prefix" and "suffix" take `value` off; "case" folds; "decimal" takes a trailing `.0` off;
           "zeros" takes leading zeros off; "unicode" normalises to NFC; "blanks" strips; "chunk" cuts a chunk id at its
           last `value` ("#") so that it names the document, which then counts by its best chunk
    ids    whose ids: queries' or documents'
    side   in which files: the runs', or the judgments'
    """

    kind: Literal["prefix", "suffix", "case", "decimal", "zeros", "unicode", "blanks", "chunk"]
    ids: Literal["query", "document"]
    side: Literal["run", "qrels"]
    value: str = ""


@dataclass(frozen=True)
class Choice:
    """What a person decided about one file; None means "as recognised". Part of every cache key of what is read from it."""

    role: Role | None = None
    columns: tuple[str, ...] | None = None
    fields: tuple[Field, ...] | None = None
    encoding: str | None = None
    lower_is_better: bool | None = None
    labels: tuple[tuple[str, float], ...] = ()
    runs: tuple[str, ...] | None = None
    leave_out_broken_lines: bool = False
    strict: bool = False
    repairs: tuple[Repair, ...] = field(default=())
