"""The one place where pytrec_eval is called: linear nDCG, from inputs that cannot harm it.

It is C and trusts its callers: cutoffs that repeat or are 0 abort the process, a query with grades of −2 alone crashes
it, large grades overflow, ids end at a NUL, NaN scores have no order. So it gets ids of our own, Python ints from 1 to
10,000, scores made from the ranks, and cutoffs checked here.
"""

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np

from core.model.measure_names import LARGEST_CUTOFF
from core.scoring.gains import Floats
from core.scoring.hits import Hits
from core.scoring.judged import Best, Indices, place_in_group

# For every query it walks through all grades up to the largest: 10,000 take 0.02 ms, 1,000,000 take 2 ms.
LARGEST_GRADE = 10_000.0
# Documents of a query are named by their rank, or by their place among those not returned.
RANKED = np.array([f"r{rank}" for rank in range(LARGEST_CUTOFF + 1)], dtype=object)
# Its C code keeps buffers between calls.
ONE_AT_A_TIME = Lock()


class Documents(NamedTuple):
    """Documents with a positive grade: the query and the grade of each, and what it is called."""

    query: Indices
    grade: Indices
    name: np.ndarray[tuple[int], np.dtype[np.object_]]


def takes(best: Best) -> bool:
    """Whether pytrec_eval can take these judgments: whole positive grades up to 10,000."""
    return bool(np.all((best.gain == np.floor(best.gain)) & (best.gain <= LARGEST_GRADE)))


def linear_ndcg(hits: Hits, best: Best, queries: int, cutoffs: Sequence[int]) -> dict[int, Floats]:
    """Linear nDCG of every query at every cutoff, computed by pytrec_eval in one call.

    hits  a run's judged documents
    best  the judged documents with a positive grade under the linear gain, for which `takes` holds

    The run is cut at the deepest cutoff, and unjudged documents are named only down to a query's last hit. Documents
    graded 0 or below gain nothing and are handed over as unjudged. A query without a positive hit is 0 without a call.

    Returns cutoff → shape (queries,), 0 … 1. Raises ValueError where a caller breaks these rules.
    """
    asked = sorted(set(cutoffs))
    if not asked or any(type(k) is not int or not 1 <= k <= LARGEST_CUTOFF for k in asked) or not takes(best):
        raise ValueError(f"cutoffs {asked} or grades that pytrec_eval cannot take")
    values = {k: np.zeros(queries) for k in asked}
    found = hits.where((hits.rank <= asked[-1]) & (hits.grade > 0))
    if not len(found.query):
        return values
    # Whatever hits hold, no grade above the limit goes in.
    found = found._replace(grade=np.minimum(found.grade, LARGEST_GRADE))
    query, first = np.unique(found.query, return_index=True)
    last = np.maximum.reduceat(found.rank, first)
    # Judgments below the deepest cutoff of the ideal ranking cannot count.
    needed = best.place <= asked[-1]
    documents = judgments(found, best.query[needed], best.gain[needed].astype(np.int64))
    results = evaluate(documents, query, last, asked)
    for k in asked:
        name = f"ndcg_cut_{k}"
        values[k][query] = [results[at][name] for at in map(str, query.tolist())]
    return values


def judgments(found: Hits, query: Indices, grade: Indices) -> Documents:
    """The judgments of all queries with a hit, by query: the hits, and the documents that were not returned."""
    with_hits = np.isin(query, found.query)
    query, grade = query[with_hits], grade[with_hits]
    rest = not_returned(found, query, grade)
    query, grade = query[rest], grade[rest]
    place = place_in_group(query)
    left = np.array([f"x{at}" for at in range(int(place.max(initial=0)) + 1)], object)
    everything = np.concatenate([found.query, query])
    order = np.argsort(everything, kind="stable")
    grades = np.concatenate([found.grade.astype(np.int64), grade])
    names = np.concatenate([RANKED[found.rank], left[place]])
    return Documents(everything[order], grades[order], names[order])


def not_returned(found: Hits, query: Indices, grade: Indices) -> Indices:
    """Which judged documents a run did not return: rows of `query` and `grade`, which stand best first in each query.

    Hits carry no ids, and documents of one grade are alike: as many of a grade are taken away as were returned.
    """
    step = int(LARGEST_GRADE) + 1
    judged, returned = query * step - grade, np.sort(found.query * step - found.grade.astype(np.int64))
    count = np.searchsorted(returned, judged, "right") - np.searchsorted(returned, judged, "left")
    return np.flatnonzero(place_in_group(judged) > count)


def evaluate(documents: Documents, query: Indices, last: Indices, cutoffs: list[int]) -> dict[str, dict[str, float]]:
    """Call pytrec_eval: the index of a query as text → its values by pytrec_eval's own names."""
    import pytrec_eval

    names, grades = documents.name.tolist(), documents.grade.tolist()
    edges = [*np.searchsorted(documents.query, query).tolist(), len(names)]
    qrels = {
        str(at): dict(zip(names[start:end], grades[start:end], strict=True))
        for at, start, end in zip(query.tolist(), edges[:-1], edges[1:], strict=True)
    }
    # A run's documents are named by rank, so queries of one depth share one ranking.
    depths = last.tolist()
    rankings = {depth: {RANKED[rank]: float(-rank) for rank in range(1, depth + 1)} for depth in set(depths)}
    run = {str(at): rankings[depth] for at, depth in zip(query.tolist(), depths, strict=True)}
    with ONE_AT_A_TIME:
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut." + ",".join(map(str, cutoffs))})
        results: dict[str, dict[str, float]] = evaluator.evaluate(run)
    return results
