"""Evidence: everything about one pair of runs that a verdict is read from."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.statistics.differences import Array, badly_hurt, largest, leave_one_out, moments, outcomes
from core.statistics.interval import Interval, interval_of
from core.statistics.power import detectable_difference
from core.statistics.shares import exact_upper

MARGIN = 0.02


@dataclass(frozen=True)
class Answered:
    """How many of the judged queries each of the two runs answered."""

    judged: int
    candidate: int
    baseline: int


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """One candidate against the baseline on one measure; differences are candidate minus baseline, above 0 is better.

    n                      queries compared
    difference             mean difference, None at n = 0
    interval               two-sided 95 % t interval, None below two queries, as are the next two
    interval_simultaneous  the same, adjusted (Bonferroni) for `comparisons`
    interval_90            two-sided 90 %, for "no difference that matters"
    wins, ties, losses     queries; a tie is |d| ≤ 1e-9
    effect_size            dz = mean / sd, None where nothing varies
    detectable             smallest difference that n queries show with 80 % power in a single comparison, None as above
    largest_share          share of Σ|d| held by the largest query, None where nothing changed; `largest_index` is its
                           place in the array and `largest_query` its id, where ids were given
    skew_ratio             |skew| / √n, None where nothing varies
    leave_one_out          lowest and highest mean without any one query
    badly_hurt             queries that lost 0.30 or more
    badly_hurt_upper       exact one-sided 95 % upper bound of their share, 0 to 1
    """

    candidate: str
    baseline: str
    measure: str
    comparisons: int
    margin: float
    answered: Answered | None
    n: int
    difference: float | None
    interval: Interval | None
    interval_simultaneous: Interval | None
    interval_90: Interval | None
    wins: int
    ties: int
    losses: int
    effect_size: float | None
    detectable: float | None
    largest_share: float | None
    largest_index: int | None
    largest_query: str | None
    skew_ratio: float | None
    leave_one_out: Interval | None
    badly_hurt: int
    badly_hurt_upper: float | None

    @property
    def changed(self) -> int:
        """Queries that the two runs score differently."""
        return self.wins + self.losses


@dataclass(frozen=True)
class Names:
    """What a comparison is called in a sentence."""

    candidate: str = "the candidate"
    baseline: str = "the baseline"
    measure: str = "score"


def gather(
    d: Array, names: Names, *, comparisons: int, margin: float, answered: Answered | None, ids: Sequence[str] | None
) -> Evidence:
    """Everything that the differences show, without a test; `ids` are the queries' ids in the order of `d`."""
    found, counts, biggest = moments(d), outcomes(d), largest(d)
    varies = found.mean is not None and bool(found.sd) and counts.changed > 0
    return Evidence(
        candidate=names.candidate,
        baseline=names.baseline,
        measure=names.measure,
        comparisons=comparisons,
        margin=margin,
        answered=answered,
        n=found.n,
        difference=found.mean,
        interval=interval_of(found),
        interval_simultaneous=interval_of(found, comparisons=comparisons),
        interval_90=interval_of(found, 0.90),
        wins=counts.wins,
        ties=counts.ties,
        losses=counts.losses,
        effect_size=(found.mean or 0.0) / (found.sd or 1.0) if varies else None,
        detectable=detectable_difference(found.sd, found.n) if varies else None,
        largest_share=biggest.share if biggest else None,
        largest_index=biggest.index if biggest else None,
        largest_query=_largest_id(d, ids) if biggest and ids is not None else None,
        skew_ratio=abs(found.skew) / math.sqrt(found.n) if varies and found.skew is not None else None,
        leave_one_out=leave_one_out(d),
        badly_hurt=badly_hurt(d),
        badly_hurt_upper=exact_upper(badly_hurt(d), found.n),
    )


def _largest_id(d: Array, ids: Sequence[str]) -> str:
    """The id with the largest |d|; of several the first by name, so that the order of rows does not choose."""
    sizes = np.abs(d)
    return min(ids[int(at)] for at in np.flatnonzero(sizes == sizes.max()))
