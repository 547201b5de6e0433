"""Pairs: candidates held against a baseline, on all queries or some, with their verdicts and slices."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.comparison.comparison import Comparison, Mask
from core.model.measure import Measure
from core.slices import SliceColumn
from core.statistics.evidence import MARGIN, Answered
from core.statistics.paired import Pair, PairStatistics, compare_family
from core.statistics.sign_flip import Alternative
from core.statistics.slice_family import Slice, SliceStatistics, slice_family


@dataclass(frozen=True, eq=False)
class Differences:
    """Candidate minus baseline, query by query.

    d        shape (queries compared,)
    queries  where those queries stand in Qrels.queries: shape (queries compared,), ascending
    """

    d: npt.NDArray[np.float64]
    queries: npt.NDArray[np.int64]


def compared(
    comparison: Comparison, candidate: str, baseline: str, measure: Measure, where: Mask | None = None
) -> Mask:
    """The queries that a pair is compared on: counted for both runs, and in `where`; shape (judged queries,).

    Under missing=exclude these are the queries that both answered. None at all where a value cannot be computed: a mean without
    that query would be another measure's.
    """
    one, other = comparison.scores(candidate, measure), comparison.scores(baseline, measure)
    mask: Mask = one.counted & other.counted
    if where is not None:
        mask &= where
    if np.isnan(one.values[mask]).any() or np.isnan(other.values[mask]).any():
        return np.zeros_like(mask)
    return mask


def differences(
    comparison: Comparison, candidate: str, baseline: str, measure: Measure, where: Mask | None = None
) -> Differences:
    """Per-query differences of a pair on the queries it is compared on."""
    queries = np.flatnonzero(compared(comparison, candidate, baseline, measure, where))
    one, other = comparison.scores(candidate, measure), comparison.scores(baseline, measure)
    return Differences(one.values[queries] - other.values[queries], queries)


def against_baseline(
    comparison: Comparison,
    baseline: str,
    measure: Measure,
    candidates: Sequence[str] | None = None,
    *,
    where: Mask | None = None,
    margin: float = MARGIN,
    resample: bool = True,
) -> list[PairStatistics]:
    """Every candidate against the baseline, read together as one family: all other runs where none are named.

    where     the queries looked at (a slice filter), shape (judged queries,)
    resample  whether p-values are wanted; no verdict depends on them
    """
    names = [name for name in (comparison.names if candidates is None else candidates) if name != baseline]
    pairs = []
    for name in names:
        found = differences(comparison, name, baseline, measure, where)
        ids = [comparison.qrels.queries[at] for at in found.queries.tolist()]
        pairs.append(Pair(name, found.d, answered(comparison, name, baseline, where), ids))
    return compare_family(pairs, baseline, str(measure), margin=margin, resample=resample)


def answered(comparison: Comparison, candidate: str, baseline: str, where: Mask | None = None) -> Answered:
    """How many of the judged queries looked at each run of a pair answers."""
    missing = [comparison.scores(name, Measure("Judged", 1)).missing for name in (candidate, baseline)]
    new, old = (int((~out if where is None else ~out & where).sum()) for out in missing)
    return Answered(len(missing[0]) if where is None else int(where.sum()), new, old)


def by_slice(
    comparison: Comparison,
    baseline: str,
    measure: Measure,
    column: SliceColumn,
    candidates: Sequence[str] | None = None,
    *,
    where: Mask | None = None,
    margin: float = MARGIN,
    alternative: Alternative = "two-sided",
) -> list[SliceStatistics]:
    """Every group of a column for every candidate against the baseline, adjusted within the column.

    alternative  of the p-values: "less" where a fall alone matters
    """
    names = [name for name in (comparison.names if candidates is None else candidates) if name != baseline]
    slices = []
    for name in names:
        base = compared(comparison, name, baseline, measure, where)
        one, other = comparison.scores(name, measure).values, comparison.scores(baseline, measure).values
        for value, members in zip(column.values, column.members, strict=True):
            rows = base & members
            slices.append(Slice(column.name, value, name, baseline, str(measure), one[rows], other[rows]))
    return slice_family(slices, margin=margin, alternative=alternative)
