"""Ties: the worst and the best that the order of equal scores could do to a run."""

from typing import NamedTuple

import numpy as np

from core.model.measure import Measure
from core.model.run import Run
from core.scoring.gains import Floats, gain_of
from core.scoring.hits import Hits, hits_of, sorted_hits, whole
from core.scoring.judged import place_in_group


class TieOrders(NamedTuple):
    """A run's hits in the worst and in the best order of its equal scores."""

    worst: Hits
    best: Hits


def tie_orders(run: Run, measure: Measure, level: int) -> TieOrders:
    """The hits of a run under the worst and the best order of equal scores, for one measure, down to its cutoff.

    Unjudged documents of a group are worth nothing, so the judged ones go before all of them or after all of them.
    Every measure gains when a worthier document moves up, so ordering each group by worth gives both ends exactly.
    """
    hits, first, last = hits_of(run), whole(run, "tie_first"), whole(run, "tie_last")
    if measure.k is not None:
        # What no order brings into the top k cannot count.
        near = first <= measure.k
        hits, first, last = hits.where(near), first[near], last[near]
    # Worthiest first in each group of equal scores.
    order = np.lexsort((-worth(hits, measure, level), first, hits.query))
    query, grade = hits.query[order], hits.grade[order]
    place = place_in_group((query << 32) + first[order]) - 1
    best = Hits(query, first[order] + place, grade)
    worst = sorted_hits(query, last[order] - place, grade)
    return TieOrders(worst, best)


def worth(hits: Hits, measure: Measure, level: int) -> Floats:
    """What each hit is worth to a measure: its gain, or whether it is relevant, or that it is judged."""
    if measure.uses_gain:
        return np.nan_to_num(gain_of(hits.grade, measure), nan=np.inf)
    if measure.uses_relevance_level:
        return (hits.grade >= (measure.rel or level)).astype(np.float64)
    return np.ones(len(hits.grade))
