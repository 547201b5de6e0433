"""Ranked documents: one query's ranking with what is known of its documents, its ties marked, and the sums in words."""

from collections.abc import Iterable

import numpy as np
import polars as pl

from core.comparison.comparison import Comparison
from core.scoring.explain import Explanation, rows_of

# The columns that `ranked_documents` puts behind those of core.scoring.explain.RANKING; the document's own follow.
# tie: `3–5` where ranks 3 to 5 share one score, null where the document has none with it.
TIE = "tie"


def ranked_documents(comparison: Comparison, name: str, found: Explanation) -> pl.DataFrame:
    """The ranking of an explanation with the tie that each document stands in, and what the document metadata say of it."""
    rows = found.ranking.join(ties(comparison, name, found.query_id), on="rank", how="left", maintain_order="left")
    known = documents(comparison, rows["doc_id"].drop_nulls())
    return rows.join(known, on="doc_id", how="left", maintain_order="left")


def documents(comparison: Comparison, ids: Iterable[str]) -> pl.DataFrame:
    """What is known of some documents: doc_id, then title and text where given, then further columns."""
    if comparison.documents is None:
        return pl.DataFrame(schema={"doc_id": pl.String})
    return comparison.documents.table.filter(pl.col("doc_id").is_in(list(ids)))


def ties(comparison: Comparison, name: str, query_id: str) -> pl.DataFrame:
    """The ranks of one query's first 100 documents that share their score with another one: rank, tie (`3–5`).

    Scores are compared as they were for ranking; where the file's ranks gave the order there are no ties.
    """
    top = rows_of(comparison.run(name).top, comparison.qrels.index[query_id]).select("rank", "score")
    nothing = pl.DataFrame(schema={"rank": pl.UInt32, TIE: pl.String})
    order = comparison.conventions.order
    if order == "rank" or top.is_empty() or top["score"].null_count():
        return nothing
    scores = top["score"].to_numpy()
    if order == "score":
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32)
    group = np.concatenate([[0], np.cumsum(scores[1:] != scores[:-1])])
    grouped = top.select("rank", group=pl.Series(group))
    ends = grouped.with_columns(first=pl.col("rank").min().over("group"), last=pl.col("rank").max().over("group"))
    tied = ends.filter(pl.col("last") > pl.col("first"))
    return tied.select("rank", pl.format("{}–{}", "first", "last").alias(TIE)) if tied.height else nothing


def sum_in_words(found: Explanation, most: int = 10) -> str:
    """A DCG as it is added up by hand: `3/1.000 + 1/1.585 + 2/2.322 = 4.492`; empty for measures that use no gain.

    Documents that gain nothing are left out, and beyond `most` terms the rest is counted.
    """
    if found.dcg is None:
        return ""
    terms = [
        f"{gain:g}/{1 / discount:.3f}"
        for gain, discount in found.ranking.select("gain", "discount").iter_rows()
        if gain is not None and gain > 0
    ]
    shown = " + ".join(terms[:most]) or "0"
    rest = f" + {len(terms) - most:,} more" if len(terms) > most else ""
    return f"{shown}{rest} = {found.dcg:.3f}"


def ideal_in_words(found: Explanation, most: int = 10) -> str:
    """The ideal DCG, added up in the same way."""
    if found.ideal_dcg is None:
        return ""
    k = found.measure.k or found.ideal.height
    gains = found.ideal.head(k).select("gain", "discount").iter_rows()
    terms = [f"{gain:g}/{1 / discount:.3f}" for gain, discount in gains if gain is not None]
    shown = " + ".join(terms[:most]) or "0"
    rest = f" + {len(terms) - most:,} more" if len(terms) > most else ""
    return f"{shown}{rest} = {found.ideal_dcg:.3f}"
