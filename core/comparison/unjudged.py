"""Unjudged: the documents in two runs' tops that nobody judged, and what nDCG would be if some had the top grade."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from core.comparison.comparison import Comparison, Floats, Mask
from core.model.frames import TOP_DEPTH
from core.model.measure import Measure
from core.scoring.discounts import LOG2
from core.scoring.gains import gain_of
from core.scoring.judged import Judged, gain_key, judged, sum_by_query

Indices = npt.NDArray[np.int64]

# One row per document, unjudged and in the top k of one run or both; sorted by query, then doc_id.
# query: index into Qrels.queries. rank_baseline, rank_candidate: its rank in that run, null where it is not among the
# first 100 there.
POOL = pl.Schema({"query": pl.UInt32, "doc_id": pl.String, "rank_baseline": pl.UInt32, "rank_candidate": pl.UInt32})


def regradable(measure: Measure) -> bool:
    """Whether more judgments can be tried out: nDCG down to the documents that are kept for display."""
    return measure.name == "nDCG" and measure.gain != "custom" and (measure.k or TOP_DEPTH + 1) <= TOP_DEPTH


def pool(comparison: Comparison, baseline: str, candidate: str, k: int, *, depth: int = TOP_DEPTH) -> pl.DataFrame:
    """The unjudged documents in the top k of either run: POOL.

    depth  how far down their ranks are looked for in the other run: k is enough for its scores, all 100 is for people
    """
    seen = pl.col("grade").is_null() & (pl.col("rank") <= max(k, depth))
    sides = [
        comparison.run(name).top.lazy().filter(seen).select("query", "doc_id", pl.col("rank").alias(f"rank_{side}"))
        for side, name in (("baseline", baseline), ("candidate", candidate))
    ]
    ranks = ["rank_baseline", "rank_candidate"]
    both = pl.concat(sides, how="diagonal").group_by("query", "doc_id").agg(pl.col(ranks).max())
    near = both.filter(pl.min_horizontal(ranks) <= k).sort("query", "doc_id")
    return near.select(POOL.names()).collect()


@dataclass(frozen=True, eq=False)
class Regrading:
    """What one more judgment of the top grade does to two runs' nDCG, in parts: everything a what-if needs.

    gain            of the top grade: the highest grade of the judgments
    dcg             of the baseline and of the candidate as judged: shape (queries,) each
    query           the query of each document of the pool, and its ranks in the two runs, k + 1 and more where it does
                    not count: shape (documents,) each
    """

    measure: Measure
    facts: Judged
    gain: float
    dcg: tuple[Floats, Floats]
    query: Indices
    ranks: tuple[Indices, Indices]

    @property
    def k(self) -> int:
        """The cutoff."""
        return self.measure.k or TOP_DEPTH

    def added(self, side: int) -> Floats:
        """What each document of the pool would add to the DCG of a run, 0 beyond its top k: shape (documents,)."""
        ranks = self.ranks[side]
        inside = ranks <= self.k
        return np.where(inside, self.gain / LOG2[np.where(inside, ranks, 1)], 0.0)

    def ideal(self, more: Indices) -> Floats:
        """The ideal DCG of each query with so many further documents of the top grade: shape (queries,).

        They come before all others, so the ideal ranking moves down by as many places.
        """
        best = self.facts.best(gain_key(self.measure))
        place = best.place + more[best.query]
        within = place <= self.k
        moved = sum_by_query(best.query[within], best.gain[within] / LOG2[place[within]], self.facts.n)
        first = np.concatenate([[0.0], np.cumsum(1.0 / LOG2[1 : self.k + 1])])
        return moved + self.gain * first[np.minimum(more, self.k)]

    def values(self, graded: Mask) -> tuple[Floats, Floats]:
        """nDCG of the baseline and of the candidate if the documents of the pool in `graded` had the top grade."""
        query = self.query[graded]
        ideal = self.ideal(np.bincount(query, minlength=self.facts.n))
        both = [
            self.dcg[side] + sum_by_query(query, self.added(side)[graded], self.facts.n)
            for side in range(len(self.dcg))
        ]
        baseline, candidate = (np.divide(dcg, ideal, out=np.zeros(len(dcg)), where=ideal > 0) for dcg in both)
        return baseline, candidate


def regrading(
    comparison: Comparison, baseline: str, candidate: str, measure: Measure, documents: pl.DataFrame
) -> Regrading:
    """The parts for the documents of a POOL. Raises ValueError for a measure that is not `regradable`."""
    if not regradable(measure):
        raise ValueError(f"more judgments can be tried out for nDCG down to rank {TOP_DEPTH}, not for {measure}")
    dcg = Measure("DCG", measure.k, measure.gain)
    gain = float(gain_of(np.array([comparison.qrels.grade.max()]), measure)[0])
    ranks = [
        documents[name].fill_null(TOP_DEPTH + 1).to_numpy().astype(np.int64)
        for name in ("rank_baseline", "rank_candidate")
    ]
    return Regrading(
        measure,
        judged(comparison.qrels),
        gain,
        (comparison.scores(baseline, dcg).values, comparison.scores(candidate, dcg).values),
        documents["query"].to_numpy().astype(np.int64),
        (ranks[0], ranks[1]),
    )
