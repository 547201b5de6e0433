"""Metadata of queries and of documents: texts to show, columns to slice by."""

from dataclasses import dataclass

import polars as pl

from core.model.qrels import Source
from core.notices import Notice


@dataclass(frozen=True, eq=False)
class QueryMetadata:
    """What is known of the queries.

    table   one row per query id, sorted: query_id (String), then text (String, if the files give one), then one column per
            attribute: String, or Float64 where every value is a number; null where there is no value
    sources the files
    """

    table: pl.DataFrame
    sources: tuple[Source, ...]
    rows: int
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, eq=False)
class DocumentMetadata:
    """What is known of the documents: doc_id, then title and text where given, then further String columns, one row per id."""

    table: pl.DataFrame
    sources: tuple[Source, ...]
    rows: int
    notices: tuple[Notice, ...] = ()
