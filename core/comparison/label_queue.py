"""Label queue: unjudged documents whose judgment could move a verdict, those that move it most first."""

from typing import Literal

import numpy as np
import polars as pl

from core.comparison.comparison import Comparison, Floats, Mask
from core.comparison.pairs import answered, compared
from core.comparison.unjudged import Regrading, pool, regrading
from core.model.measure import Measure
from core.statistics.evidence import MARGIN, Names
from core.statistics.paired import PairStatistics, compare_differences
from core.statistics.verdict import Case

# One row per document, unique, sorted by how much it moves the mean difference. query_text, title: null where not known.
# rank_baseline, rank_candidate: null where that run has it not among its first 100.
# change: of the mean difference (candidate minus baseline), if the document had the top grade.
# relevance: empty, to be filled in.
QUEUE = pl.Schema(
    {
        "query_id": pl.String,
        "query_text": pl.String,
        "doc_id": pl.String,
        "title": pl.String,
        "rank_baseline": pl.UInt32,
        "rank_candidate": pl.UInt32,
        "change": pl.Float64,
        "relevance": pl.String,
    }
)
Direction = Literal["down", "up", "either"]
LONGEST = 10_000
MOVES = 1e-12  # of a single query's score; less is rounding


def direction(case: Case) -> Direction:
    """Which way a judgment must move the mean difference to move a verdict: against it, or either way where it has no side."""
    return "down" if case == "better" else "up" if case == "worse" else "either"


def label_queue(
    comparison: Comparison,
    candidate: str,
    baseline: str,
    measure: Measure,
    towards: Direction = "either",
    *,
    where: Mask | None = None,
    most: int = LONGEST,
) -> pl.DataFrame:
    """The unjudged documents in either top k that would move the mean difference, one at a time: QUEUE.

    towards  only those that move it down, or up, or any that move it
    where    the queries looked at (a slice filter), shape (judged queries,)
    most     rows at most: nobody judges more, and the first ones move most

    The ideal is recomputed with each document; an undefined query becomes a defined one.
    Raises ValueError for a measure that is not nDCG down to rank 100 (`unjudged.regradable`).
    """
    documents = pool(comparison, baseline, candidate, measure.k or 0)
    parts = regrading(comparison, baseline, candidate, measure, documents)
    change = changes(comparison, candidate, baseline, measure, parts, where)
    moves = np.abs(change) * max(1, len(comparison.qrels.queries)) > MOVES
    moves &= {"down": change < 0, "up": change > 0, "either": moves}[towards]
    queries = pl.Series(comparison.qrels.queries, dtype=pl.String)
    found = (
        documents.with_columns(change=pl.Series(change, dtype=pl.Float64))
        .filter(pl.Series(moves, dtype=pl.Boolean))
        .with_columns(query_id=queries.gather(documents["query"].filter(pl.Series(moves, dtype=pl.Boolean))))
        .sort(pl.col("change").abs().round(12), "query_id", "doc_id", descending=[True, False, False])
        .head(most)
    )
    return _described(comparison, found)


def changes(
    comparison: Comparison,
    candidate: str,
    baseline: str,
    measure: Measure,
    parts: Regrading,
    where: Mask | None = None,
) -> Floats:
    """By how much the mean difference changes if one document of the pool has the top grade: shape (documents,).

    0 for documents of queries that are not looked at or not counted.
    """
    old, new = comparison.scores(baseline, measure), comparison.scores(candidate, measure)
    counted = old.counted & new.counted
    # A query left out as undefined counts once it has a relevant document.
    waiting = old.undefined & ~counted
    if comparison.conventions.missing == "exclude":
        waiting &= ~(old.missing | new.missing)
    inside = np.ones(len(counted), bool) if where is None else where
    d = np.where(counted & inside, new.values - old.values, 0.0)
    n, total = int((counted & inside).sum()), float(np.sum(d))
    query = parts.query
    ideal = parts.ideal(np.ones(len(d), np.int64))[query]
    baseline_value = (parts.dcg[0][query] + parts.added(0)) / ideal
    candidate_value = (parts.dcg[1][query] + parts.added(1)) / ideal
    new_d = candidate_value - baseline_value
    mean = total / n if n else 0.0
    # What counts already is moved; a query that only now counts joins the mean.
    moved = (new_d - d[query]) / max(n, 1)
    joined = (total + new_d) / (n + 1) - mean
    change: Floats = np.where(counted[query], moved, np.where(waiting[query], joined, 0.0))
    change[~inside[query]] = 0.0
    return change


def together(
    comparison: Comparison,
    candidate: str,
    baseline: str,
    measure: Measure,
    queue: pl.DataFrame,
    *,
    where: Mask | None = None,
    comparisons: int = 1,
    margin: float = MARGIN,
) -> PairStatistics:
    """The pair if every document of the queue had the top grade: whether the queue can move the verdict at all.

    An undefined query that is left out stays out: only its documents' judgments could tell.
    """
    documents = pool(comparison, baseline, candidate, measure.k or 0)
    parts = regrading(comparison, baseline, candidate, measure, documents)
    places = queue.select(
        query=pl.col("query_id").replace_strict(comparison.qrels.index, return_dtype=pl.UInt32), doc_id="doc_id"
    )
    graded = documents.join(places.with_columns(asked=True), on=["query", "doc_id"], how="left", maintain_order="left")
    old, new = parts.values(graded["asked"].fill_null(False).to_numpy())
    kept = compared(comparison, candidate, baseline, measure, where)
    return compare_differences(
        (new - old)[kept], Names(candidate, baseline, str(measure)), comparisons=comparisons, margin=margin,
        answered=answered(comparison, candidate, baseline, where), resample=False,
    )  # fmt: skip


def _described(comparison: Comparison, found: pl.DataFrame) -> pl.DataFrame:
    """The rows with the queries' texts and the documents' titles."""
    texts = [comparison.query_text(query) for query in found["query_id"].to_list()]
    found = found.with_columns(query_text=pl.Series(texts, dtype=pl.String), relevance=pl.lit(None, dtype=pl.String))
    known = comparison.documents.table if comparison.documents is not None else None
    if known is not None and "title" in known.columns:
        found = found.join(known.select("doc_id", "title"), on="doc_id", how="left", maintain_order="left")
    else:
        found = found.with_columns(title=pl.lit(None, dtype=pl.String))
    return found.select(pl.col(name).cast(kind) for name, kind in QUEUE.items())
