"""The engine: every measure of every query from the hits, without a loop over queries."""

from collections.abc import Iterable

import numpy as np

from core.model.measure import Measure
from core.scoring import trec
from core.scoring.discounts import LOG2
from core.scoring.gains import Floats, gain_of
from core.scoring.hits import Hits
from core.scoring.judged import Judged, gain_key, place_in_group, sum_by_query

LINEAR = Measure("nDCG", 1)


def values_of(hits: Hits, facts: Judged, measures: Iterable[Measure], level: int) -> dict[Measure, Floats]:
    """Every measure's value for every judged query.

    level  the grade from which a document is relevant, where a measure does not say

    Linear nDCG comes from pytrec_eval in one call for all cutoffs, where it can take the judgments.

    Returns measure → shape (queries,): 0 for queries without hits; NaN where the value cannot be computed.
    Raises InputError where custom gains lack a grade.
    """
    asked = tuple(dict.fromkeys(measures))
    linear = [measure for measure in asked if measure.name == "nDCG" and measure.gain == "linear"]
    values: dict[Measure, Floats] = {}
    best = facts.best(gain_key(LINEAR))
    if linear and trec.takes(best):
        by_cutoff = trec.linear_ndcg(hits, best, facts.n, [measure.k for measure in linear if measure.k])
        values = {measure: by_cutoff[measure.k] for measure in linear if measure.k}
    picked = Selection(hits)
    return {
        measure: values[measure] if measure in values else value(picked, facts, measure, level) for measure in asked
    }


class Selection:
    """The hits of a run down to a cutoff, and the relevant ones among them, each picked once for all measures."""

    def __init__(self, hits: Hits) -> None:
        self.kept: dict[tuple[int | None, int | None], Hits] = {(None, None): hits}

    def top(self, k: int | None) -> Hits:
        """The hits of the first k ranks."""
        if (k, None) not in self.kept:
            self.kept[k, None] = self.kept[None, None].upto(k)
        return self.kept[k, None]

    def found(self, k: int | None, level: int) -> Hits:
        """The relevant hits of the first k ranks."""
        if (k, level) not in self.kept:
            top = self.top(k)
            self.kept[k, level] = top.where(top.grade >= level)
        return self.kept[k, level]


def value(hits: Selection, facts: Judged, measure: Measure, level: int) -> Floats:
    """One measure's value for every judged query, by our own arithmetic: shape (queries,).

    Equal to trec_eval's to the last bit: terms are divided and added up in rank order, as it does.
    """
    top = hits.top(measure.k)
    if measure.uses_gain:
        return gained(top, facts, measure)
    if measure.name == "Judged":
        return np.bincount(top.query, minlength=facts.n) / (measure.k or 1)
    level = measure.rel or level
    found = hits.found(measure.k, level)
    if measure.name == "RR":
        return reciprocal_rank(found, facts.n)
    if measure.name == "AP":
        return share(average_precision(found, facts.n), facts.relevant(level))
    counts = np.bincount(found.query, minlength=facts.n).astype(np.float64)
    if measure.name == "R":
        return share(counts, facts.relevant(level))
    return counts / (measure.k or 1) if measure.name == "P" else (counts > 0).astype(np.float64)


def gained(top: Hits, facts: Judged, measure: Measure) -> Floats:
    """DCG, its ideal, or their quotient.

    The ideal belongs to the judgments, so IDCG is the same for every run, whether it answers or not.
    Source: Järvelin & Kekäläinen 2002; the cut and the ideal as in trec_eval's m_ndcg_cut.c.
    """
    ideal = facts.ideal(measure)
    if measure.name == "IDCG":
        values = ideal.copy()
    else:
        gains = np.nan_to_num(gain_of(top.grade, measure), nan=0.0)
        values = sum_by_query(top.query, gains / LOG2[top.rank], facts.n)
        values = share(values, ideal) if measure.name == "nDCG" else values
    values[facts.beyond(measure)] = np.nan
    return values


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole, 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def reciprocal_rank(found: Hits, queries: int) -> Floats:
    """1 / the rank of each query's first relevant document."""
    values = np.zeros(queries)
    first = found.where(place_in_group(found.query) == 1)
    values[first.query] = 1.0 / first.rank
    return values


def average_precision(found: Hits, queries: int) -> Floats:
    """The precision at each relevant document found, added up."""
    return sum_by_query(found.query, place_in_group(found.query) / found.rank, queries)
