"""Explain: the arithmetic of one query's value, document by document, so that a person can follow it to the last digit."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from core.model.conventions import DEFAULT_CONVENTIONS, Conventions
from core.model.frames import TOP_DEPTH
from core.model.measure import Measure
from core.model.measure_names import LARGEST_CUTOFF
from core.model.qrels import Qrels
from core.model.run import Run
from core.scoring.discounts import LOG2
from core.scoring.gains import Floats, gain_of
from core.scoring.hits import Hits
from core.scoring.judged import Indices, Judged
from core.scoring.scores import score_hits

# One row per rank down to the cutoff: all documents of the first 100, below that the judged ones, whose ids are not kept.
# grade: null where unjudged. gain, discount, contribution = gain × discount, dcg = contributions so far: null for
# measures that use no gain. part: what the rank adds to the value; the parts add up to it.
RANKING = pl.Schema(
    {
        "rank": pl.UInt32,
        "doc_id": pl.String,
        "grade": pl.Float64,
        "gain": pl.Float64,
        "discount": pl.Float64,
        "contribution": pl.Float64,
        "dcg": pl.Float64,
        "part": pl.Float64,
    }
)
# One row per judged document with a positive gain, best first; of equal gains the better ranked stands first.
# rank: where the run has it within the cutoff and its first 100, else null. loss: what the value lacks because the document does
# not stand at its ideal place (below 0 where it stands above it); the losses add up to 1 − nDCG where k is at most 100.
IDEAL = pl.Schema(
    {
        "place": pl.UInt32,
        "doc_id": pl.String,
        "grade": pl.Float64,
        "gain": pl.Float64,
        "discount": pl.Float64,
        "contribution": pl.Float64,
        "dcg": pl.Float64,
        "rank": pl.UInt32,
        "loss": pl.Float64,
    }
)

SUMS: tuple[Literal["DCG", "IDCG"], ...] = ("DCG", "IDCG")


@dataclass(frozen=True, eq=False)
class Explanation:
    """The arithmetic of one query's value.

    value    the score, None where it cannot be computed
    dcg, ideal_dcg  its numerator and denominator; None for measures that use no gain
    ranking  RANKING
    ideal    IDEAL, all judged documents with a positive gain; empty for measures that use no gain
    retrieved  how many documents the run returned
    """

    query_id: str
    measure: Measure
    value: float | None
    dcg: float | None
    ideal_dcg: float | None
    ranking: pl.DataFrame
    ideal: pl.DataFrame
    retrieved: int
    missing: bool
    undefined: bool

    @property
    def not_returned(self) -> pl.DataFrame:
        """The rows of `ideal` whose document is not in the top k, the largest loss first."""
        return self.ideal.filter(pl.col("rank").is_null()).sort("loss", descending=True, maintain_order=True)


def explain(
    qrels: Qrels, run: Run, query_id: str, measure: Measure, conventions: Conventions = DEFAULT_CONVENTIONS
) -> Explanation:
    """Take one query's value of a measure apart.

    Raises KeyError where the query is not judged, InputError where custom gains lack a grade.
    """
    at = qrels.index[query_id]
    sums = [Measure(name, measure.k, measure.gain, measure.gains) for name in SUMS] if measure.uses_gain else []
    judgments, retrieved = judgments_of(qrels, at), int(rows_of(run.answered, at)["retrieved"].sum())
    # The other queries have no part in this one's value, and there may be a hundred thousand of them.
    alone = Judged(1, np.zeros(judgments.height, np.int64), judgments["grade"].to_numpy())
    hits = rows_of(run.hits, at)
    own = Hits(np.zeros(hits.height, np.int64), hits["rank"].to_numpy().astype(np.int64), hits["grade"].to_numpy())
    scores = score_hits(own, np.array([not retrieved]), alone, [measure, *sums], conventions)
    found = {one: None if math.isnan(scores[one].values[0]) else float(scores[one].values[0]) for one in scores}
    dcg, ideal_dcg = (found[one] for one in sums) if sums else (None, None)
    level = measure.rel or conventions.relevance_level
    rows = ranked_rows(run, at, measure)
    if measure.uses_gain:
        ranking = with_gains(rows, measure, ideal_dcg)
    else:
        ranking = with_parts(rows, measure, level, judgments.filter(pl.col("grade") >= level).height)
    return Explanation(
        query_id=query_id,
        measure=measure,
        value=found[measure],
        dcg=dcg,
        ideal_dcg=ideal_dcg,
        ranking=ranking.select(RANKING.names()).cast(RANKING),
        ideal=ideal_rows(judgments, rows, measure, ideal_dcg) if sums else pl.DataFrame(schema=IDEAL),
        retrieved=retrieved,
        missing=not retrieved,
        undefined=bool(scores[measure].undefined[0]),
    )


def judgments_of(qrels: Qrels, at: int) -> pl.DataFrame:
    """The judgments of the query at a place in Qrels.queries."""
    first, end = np.searchsorted(qrels.query, [at, at + 1]).tolist()
    return qrels.judgments.slice(first, end - first)


def rows_of(frame: pl.DataFrame, at: int) -> pl.DataFrame:
    """The rows of one query in a frame of a run, all of which are sorted by query."""
    first, end = (int(frame["query"].search_sorted(place)) for place in (at, at + 1))
    return frame.slice(first, end - first)


def ranked_rows(run: Run, at: int, measure: Measure) -> pl.DataFrame:
    """The query's documents down to the cutoff: rank, doc_id, grade; of those below rank 100 the judged ones, without ids."""
    top = rows_of(run.top, at).select("rank", "doc_id", "grade")
    below = rows_of(run.hits, at).filter(pl.col("rank") > TOP_DEPTH)
    rows = pl.concat([top, below.select("rank", pl.lit(None, pl.String).alias("doc_id"), "grade")])
    return rows if measure.k is None else rows.filter(pl.col("rank") <= measure.k)


def with_gains(rows: pl.DataFrame, measure: Measure, ideal_dcg: float | None) -> pl.DataFrame:
    """The rows with gain, discount, contribution, DCG so far, and what each adds to the value."""
    gain = gain_of(rows["grade"].fill_null(0.0).to_numpy(), measure)
    gain[rows["grade"].is_null().to_numpy()] = 0.0
    discounted = discounted_columns(rows, gain, rows["rank"].to_numpy())
    if measure.name == "IDCG" or ideal_dcg is None:
        return discounted.with_columns(part=pl.lit(None, pl.Float64))
    whole = (ideal_dcg or 1.0) if measure.name == "nDCG" else 1.0
    return discounted.with_columns(part=pl.col("contribution") / whole)


def discounted_columns(rows: pl.DataFrame, gain: Floats, rank: Indices) -> pl.DataFrame:
    """The rows with gain, discount, contribution and DCG so far; null where a gain cannot be computed."""
    terms = gain / LOG2[rank]
    columns = {"gain": gain, "discount": 1.0 / LOG2[rank], "contribution": terms, "dcg": np.cumsum(terms)}
    return rows.with_columns(pl.Series(name, values).fill_nan(None) for name, values in columns.items())


def with_parts(rows: pl.DataFrame, measure: Measure, level: int, relevant: int) -> pl.DataFrame:
    """The rows with what each rank adds to a measure that uses no gain."""
    rank = rows["rank"].to_numpy().astype(np.float64)
    counts = (
        rows["grade"].is_not_null() if measure.name == "Judged" else rows["grade"].fill_null(-np.inf) >= level
    ).to_numpy()
    so_far = np.cumsum(counts)
    parts: dict[str, Callable[[], npt.NDArray[Any]]] = {
        "P": lambda: counts / (measure.k or 1),
        "Judged": lambda: counts / (measure.k or 1),
        "R": lambda: counts / max(relevant, 1),
        "AP": lambda: counts * so_far / rank / max(relevant, 1),
        "RR": lambda: (counts & (so_far == 1)) / rank,
        "Success": lambda: (counts & (so_far == 1)).astype(np.float64),
    }
    empty = {name: pl.lit(None, pl.Float64) for name in ("gain", "discount", "contribution", "dcg")}
    return rows.with_columns(pl.Series("part", parts[measure.name](), pl.Float64)).with_columns(**empty)


def ideal_rows(judgments: pl.DataFrame, rows: pl.DataFrame, measure: Measure, ideal_dcg: float | None) -> pl.DataFrame:
    """The judged documents with a positive gain in their ideal order, and the loss that each causes."""
    gain = gain_of(judgments["grade"].to_numpy(), measure)
    ranked = (
        judgments.select("doc_id", "grade")
        .with_columns(pl.Series("gain", gain).fill_nan(None))
        .filter(pl.col("gain") > 0)
    )
    known = rows.filter(pl.col("doc_id").is_not_null()).select("doc_id", "rank")
    ranked = ranked.join(known, on="doc_id", how="left", maintain_order="left")
    ranked = ranked.sort("gain", "rank", descending=[True, False], nulls_last=True, maintain_order=True).head(
        LARGEST_CUTOFF
    )
    place = np.arange(1, ranked.height + 1)
    ideal = discounted_columns(ranked, ranked["gain"].to_numpy(), place).with_columns(place=pl.Series(place))
    at_place = pl.when(pl.col("place") <= (measure.k or LARGEST_CUTOFF)).then("contribution").otherwise(0.0)
    rank = ranked["rank"].fill_null(0).to_numpy()
    at_rank = pl.Series(ranked["gain"].to_numpy() / LOG2[rank])
    loss = (at_place - at_rank) / pl.lit(ideal_dcg, pl.Float64)
    return ideal.with_columns(loss=loss).select(IDEAL.names()).cast(IDEAL)
