"""Other readings of a run: without the queries' own ids, lowest scores first, judged documents only."""

import numpy as np

from core.model.run import Run
from core.scoring.hits import Hits, answered_queries, hits_of, per_query, sorted_hits, whole
from core.scoring.judged import Mask, place_in_group


def without_own_ids(run: Run, queries: int) -> tuple[Hits, Mask]:
    """The hits when documents whose id is the query's own are dropped and later ranks close up.

    Returns the hits, and which judged queries are missing then: a query that returned only itself has no answer left.
    """
    hits = hits_of(run)
    own, retrieved = per_query(run, "own_rank", queries), per_query(run, "retrieved", queries)
    at = own[hits.query]
    shifted = Hits(hits.query, hits.rank - ((at > 0) & (hits.rank > at)), hits.grade)
    return shifted.where(hits.rank != at), retrieved - (own > 0) <= 0


def turned_around(run: Run, queries: int) -> tuple[Hits, Mask]:
    """The hits when scores are read the other way, lowest first; equal scores keep their order among themselves.

    Returns the hits, and which judged queries are missing, which is the same as before.
    """
    hits = hits_of(run)
    retrieved = per_query(run, "retrieved", queries)[hits.query]
    rank = retrieved + 1 - whole(run, "tie_last") + hits.rank - whole(run, "tie_first")
    return sorted_hits(hits.query, rank, hits.grade), ~answered_queries(run, queries)


def condensed(hits: Hits) -> Hits:
    """The hits when unjudged documents are taken out and the ranks close up; nDCG on them is the condensed nDCG'.

    Source: Sakai 2007, Alternatives to bpref.
    """
    return Hits(hits.query, np.asarray(place_in_group(hits.query)), hits.grade)
