"""Interval: Student's paired t for the mean difference, two-sided, one-sided and for several comparisons at once."""

import math
from dataclasses import dataclass

from core.statistics.differences import Array, Moments, moments

Interval = tuple[float, float]


def t_interval(d: Array, confidence: float = 0.95, comparisons: int = 1) -> Interval | None:
    """Student's paired t interval of the mean difference; with several comparisons Bonferroni's simultaneous one.

    None below two queries. Where all differences agree it is that one value twice. Source: Student 1908; as
    `scipy.stats.ttest_1samp(d, 0).confidence_interval()`.
    """
    return interval_of(moments(d), confidence, comparisons)


def interval_of(found: Moments, confidence: float = 0.95, comparisons: int = 1) -> Interval | None:
    """The same from the moments of the differences, for who has them already."""
    half = _half_width(found, (1 - confidence) / comparisons / 2)
    if half is None:
        return None
    mean = found.mean or 0.0
    return mean - half, mean + half


def t_lower(d: Array, confidence: float = 0.95) -> float | None:
    """One-sided lower t bound of the mean difference; None below two queries."""
    found = moments(d)
    half = _half_width(found, 1 - confidence)
    return None if half is None else (found.mean or 0.0) - half


def _half_width(found: Moments, tail: float) -> float | None:
    if found.sd is None:
        return None
    return t_quantile(found.n - 1, tail) * (found.sd / math.sqrt(found.n))


def t_quantile(df: float, tail: float) -> float:
    """The value that Student's t exceeds with probability `tail`."""
    from scipy.special import stdtrit

    return -float(stdtrit(df, tail))


@dataclass(frozen=True)
class PairedT:
    """The paired t statistic, its degrees of freedom and its two-sided p-value."""

    t: float
    df: int
    p_value: float


def paired_t(d: Array, against: float = 0.0) -> PairedT | None:
    """Paired t test that the mean difference is `against`; None where nothing varies. No verdict uses it."""
    from scipy.special import stdtr

    found = moments(d)
    if found.mean is None or not found.sd:
        return None
    t = (found.mean - against) / (found.sd / math.sqrt(found.n))
    return PairedT(t, found.n - 1, 2 * float(stdtr(found.n - 1, -abs(t))))


def non_inferiority_p(d: Array, margin: float) -> float | None:
    """One-sided p that the true mean difference is −margin or lower; None where nothing varies."""
    test = paired_t(d, -margin)
    if test is None:
        return None
    return test.p_value / 2 if test.t >= 0 else 1 - test.p_value / 2
