"""What the judgments alone decide: ideal DCG, relevant documents, undefined queries. Computed once per qrels."""

from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from core.model.measure import Measure
from core.model.measure_names import LARGEST_CUTOFF
from core.model.qrels import Qrels
from core.scoring.discounts import LOG2
from core.scoring.gains import LARGEST_EXPONENTIAL, Floats, gain_of

Indices = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Best(NamedTuple):
    """Documents with a positive gain, best first in each query, down to the deepest cutoff: one row each."""

    query: Indices
    place: Indices
    gain: Floats


class Judged:
    """Judgments as arrays, and what follows from them.

    n             judged queries
    query, grade  one row per judgment, by query: shape (judgments,) each
    """

    def __init__(self, n: int, query: Indices, grade: Floats) -> None:
        self.n, self.query, self.grade = n, query, grade
        self.relevant = lru_cache(maxsize=16)(self._relevant)
        self.best = lru_cache(maxsize=8)(self._best)
        self.ideal = lru_cache(maxsize=256)(self._ideal)

    def _relevant(self, level: int) -> Floats:
        """How many documents of each query are relevant from this grade on: shape (queries,)."""
        return np.bincount(self.query[self.grade >= level], minlength=self.n).astype(np.float64)

    def _best(self, gain: Measure) -> Best:
        """The ideal ranking under a measure's gain; ask with `gain_key`."""
        gains = gain_of(self.grade, gain)
        # NaN is a gain too large to compute: not above 0, and its query is masked by `beyond`.
        rows = np.flatnonzero(gains > 0)
        rows = rows[np.lexsort((-gains[rows], self.query[rows]))]
        query = self.query[rows]
        place = place_in_group(query)
        within = place <= LARGEST_CUTOFF
        return Best(query[within], place[within], gains[rows][within])

    def _ideal(self, measure: Measure) -> Floats:
        """The DCG of the ideal ranking cut at the measure's k: shape (queries,), 0 where nothing gains."""
        best = self.best(gain_key(measure))
        within = best.place <= (measure.k or LARGEST_CUTOFF)
        return sum_by_query(best.query[within], best.gain[within] / LOG2[best.place[within]], self.n)

    def with_documents(self, query: Indices, grade: float) -> "Judged":
        """The same judgments and further documents of one grade, one for each query named."""
        queries = np.concatenate([self.query, query])
        order = np.argsort(queries, kind="stable")
        grades = np.concatenate([self.grade, np.full(len(query), grade)])
        return Judged(self.n, queries[order], grades[order])

    def undefined(self, measure: Measure, level: int) -> Mask:
        """Queries for which the measure is undefined: shape (queries,).

        nDCG without a positive gain; recall, AP and RR without a document at the relevance level; the others never.
        """
        if measure.name == "nDCG":
            return np.equal(self.ideal(gain_key(measure)), 0) & ~self.beyond(measure)
        if measure.name in ("R", "AP", "RR"):
            return np.equal(self.relevant(measure.rel or level), 0)
        return np.zeros(self.n, bool)

    def beyond(self, measure: Measure) -> Mask:
        """Queries whose value cannot be computed, as they hold a grade above 1,000 under the exponential gain."""
        mask = np.zeros(self.n, bool)
        if measure.gain == "exponential":
            mask[self.query[self.grade > LARGEST_EXPONENTIAL]] = True
        return mask


def gain_key(measure: Measure) -> Measure:
    """The measure that stands for all with this gain, so that what depends on the gain alone is kept once."""
    return Measure("IDCG", LARGEST_CUTOFF, measure.gain, measure.gains)


def place_in_group(group: npt.NDArray[np.integer]) -> Indices:
    """For rows whose groups stand together, the place of each row in its group, from 1."""
    new = np.ones(len(group), bool)
    new[1:] = group[1:] != group[:-1]
    start = np.flatnonzero(new)
    place: Indices = np.arange(1, len(group) + 1) - start[np.cumsum(new) - 1]
    return place


def sum_by_query(query: Indices, terms: Floats, queries: int) -> Floats:
    """The sum of each query's terms, added in their order: shape (queries,), 0 where a query has none."""
    sums: Floats = np.bincount(query, terms, queries).astype(np.float64, copy=False)
    return sums


KEPT: WeakKeyDictionary[Qrels, Judged] = WeakKeyDictionary()


def judged(qrels: Qrels) -> Judged:
    """The facts of these judgments, computed at first and kept while the Qrels live."""
    facts = KEPT.get(qrels)
    if facts is None:
        # Arrays only: holding the Qrels itself would keep it from ever being let go.
        facts = KEPT[qrels] = Judged(len(qrels.queries), qrels.query.astype(np.int64), qrels.grade)
    return facts
