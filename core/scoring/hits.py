"""Hits as arrays: the judged documents of a run at their ranks, and the other ways in which they could be ranked."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.model.run import Run
from core.scoring.gains import Floats
from core.scoring.judged import Indices, Mask


class Hits(NamedTuple):
    """One row per judged document retrieved, sorted by query, then rank: shape (hits,) each."""

    query: Indices
    rank: Indices
    grade: Floats

    def upto(self, k: int | None) -> "Hits":
        """The hits of the first k ranks; all where k is None."""
        return self if k is None else self.where(self.rank <= k)

    def where(self, rows: Mask | Indices) -> "Hits":
        """The hits of some rows."""
        return Hits(self.query[rows], self.rank[rows], self.grade[rows])


def hits_of(run: Run) -> Hits:
    """The hits of a run as it was read."""
    return Hits(whole(run, "query"), whole(run, "rank"), run.hits["grade"].to_numpy())


def whole(run: Run, column: str) -> Indices:
    """A column of whole numbers of the run's hits."""
    return run.hits[column].to_numpy().astype(np.int64)


def sorted_hits(query: Indices, rank: Indices, grade: Floats) -> Hits:
    """Hits in their order, whatever order they come in."""
    order = np.lexsort((rank, query))
    return Hits(query[order], rank[order], grade[order])


def answered_queries(run: Run, queries: int) -> Mask:
    """Which judged queries a run answered with one document or more: shape (queries,)."""
    answered: Mask = np.zeros(queries, bool)
    answered[run.answered["query"].to_numpy()] = True
    return answered


def per_query(run: Run, column: str, queries: int) -> npt.NDArray[np.int64]:
    """A column of ANSWERED by query, 0 for a query without an answer: shape (queries,)."""
    values = np.zeros(queries, np.int64)
    values[run.answered["query"].to_numpy()] = run.answered[column].to_numpy()
    return values
