"""Slice family: where a candidate gained and where it fell, with the many looks allowed for."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

import numpy.typing as npt

from core.statistics.differences import TIE, as_differences, moments
from core.statistics.evidence import MARGIN
from core.statistics.families import benjamini_hochberg, holm
from core.statistics.interval import Interval, t_interval
from core.statistics.sign_flip import Alternative, sign_flip_p
from core.statistics.verdict import Verdict
from core.statistics.wording import decimals_for, plain, queries

# Below this a slice is shown grey, is outside the family and is never a finding.
FEWEST_QUERIES = 10
FALSE_FINDINGS = 0.05


@dataclass(frozen=True, eq=False)
class Slice:
    """The queries with one value of one column, scored by a candidate and the baseline: arrays in the same order."""

    column: str
    value: str
    candidate: str
    baseline: str
    measure: str
    candidate_scores: npt.ArrayLike
    baseline_scores: npt.ArrayLike


@dataclass(frozen=True, kw_only=True)
class SliceStatistics:
    """One slice of one candidate; means and interval None where n is too small for them.

    p_value  two-sided sign-flip p (one-sided for the gate)
    p_bh     Benjamini–Hochberg over the family, for exploring; None outside the family (n < 10)
    p_holm   Holm over the family, for blocking; None outside it
    finding  p_bh below 0.05 and a difference of the margin or more, either way
    """

    column: str
    value: str
    candidate: str
    baseline: str
    measure: str
    n: int
    mean_candidate: float | None
    mean_baseline: float | None
    difference: float | None
    interval: Interval | None
    p_value: float | None
    p_bh: float | None
    p_holm: float | None
    finding: bool

    @property
    def fell(self) -> bool:
        """Whether it is a finding to the candidate's disadvantage."""
        return self.finding and (self.difference or 0.0) < 0

    def as_json(self) -> dict[str, object]:
        """One entry of `slices` in CLI.md."""
        row = {field.name: getattr(self, field.name) for field in fields(self)}
        row["interval"] = None if self.interval is None else list(self.interval)
        return row


def slice_family(
    slices: Sequence[Slice], *, margin: float = MARGIN, alternative: Alternative = "two-sided"
) -> list[SliceStatistics]:
    """All slices in the order given, adjusted within each family: one column and measure, n ≥ 10, all candidates."""
    found = [_alone(one, alternative) for one in slices]
    families: dict[tuple[str, str], list[int]] = {}
    for at, one in enumerate(found):
        if one.n >= FEWEST_QUERIES:
            families.setdefault((one.column, one.measure), []).append(at)
    for members in families.values():
        ps = [found[at].p_value for at in members]
        for at, bh, strict in zip(members, benjamini_hochberg(ps), holm(ps), strict=True):
            large = abs(found[at].difference or 0.0) >= margin - TIE
            found[at] = replace(
                found[at], p_bh=bh, p_holm=strict, finding=large and bh is not None and bh < FALSE_FINDINGS
            )
    return found


def _alone(one: Slice, alternative: Alternative) -> SliceStatistics:
    candidate, baseline = as_differences(one.candidate_scores), as_differences(one.baseline_scores)
    d = candidate - baseline
    return SliceStatistics(
        column=one.column,
        value=one.value,
        candidate=one.candidate,
        baseline=one.baseline,
        measure=one.measure,
        n=len(d),
        mean_candidate=moments(candidate).mean,
        mean_baseline=moments(baseline).mean,
        difference=moments(d).mean,
        interval=t_interval(d),
        p_value=sign_flip_p(d, alternative),
        p_bh=None,
        p_holm=None,
        finding=False,
    )


def fallen(verdict: Verdict, slices: Iterable[SliceStatistics]) -> list[SliceStatistics]:
    """The slices that fell although the mean is not worse, the deepest fall first: what an alert is raised for."""
    if verdict.case == "worse":
        return []
    return sorted((one for one in slices if one.fell), key=lambda one: (one.difference or 0.0, one.column, one.value))


def fall_sentence(one: SliceStatistics) -> str:
    """`"gis" (forum) fell by 0.045 nDCG@10 over 120 queries with hybrid, although the mean …`"""
    size = abs(one.difference or 0.0)
    return (
        f'"{one.value}" ({one.column}) fell by {plain(size, decimals_for(size))} {one.measure} over {queries(one.n)} '
        f"with {one.candidate}, although the mean of all queries is not worse."
    )


def macro_mean(means: Iterable[float | None]) -> float | None:
    """The mean over slices, each counting once whatever its size; None where no slice has a mean."""
    known = [mean for mean in means if mean is not None]
    return math.fsum(known) / len(known) if known else None


def reverses(overall: float, differences: Sequence[float]) -> bool:
    """Whether every slice differs the other way than the whole (Simpson 1951).

    On the same queries cut into slices it cannot; it can where two runs were scored on different queries.
    """
    return bool(differences) and (
        all(d < -TIE for d in differences) if overall > TIE else overall < -TIE and all(d > TIE for d in differences)
    )
