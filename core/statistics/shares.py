"""Shares: what a count of k among n queries says about the share behind it."""

import math

from core.statistics.interval import Interval


def wilson(count: int, n: int, confidence: float = 0.95) -> Interval | None:
    """Wilson's score interval of a share, within 0 to 1 (Wilson 1927; method 3 of Newcombe 1998); None at n = 0."""
    from scipy.special import ndtri

    if n == 0:
        return None
    z = -float(ndtri((1 - confidence) / 2))
    share, weight = count / n, z * z / n
    centre = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / n + weight / n / 4) / (1 + weight)
    return (0.0 if count == 0 else centre - half), (1.0 if count == n else centre + half)


def exact_lower(count: int, n: int, confidence: float = 0.95) -> float | None:
    """One-sided exact lower bound of a share (Clopper & Pearson 1934); None at n = 0."""
    from scipy.special import betaincinv

    if n == 0:
        return None
    return 0.0 if count == 0 else float(betaincinv(count, n - count + 1, 1 - confidence))


def exact_upper(count: int, n: int, confidence: float = 0.95) -> float | None:
    """One-sided exact upper bound of a share (Clopper & Pearson 1934): 0 of 50 still allows 5.8 %. None at n = 0."""
    lower = exact_lower(n - count, n, confidence)
    return None if lower is None else 1 - lower


def exact_interval(count: int, n: int, confidence: float = 0.95) -> Interval | None:
    """Two-sided exact interval of a share; None at n = 0."""
    one_sided = (1 + confidence) / 2
    low, high = exact_lower(count, n, one_sided), exact_upper(count, n, one_sided)
    return None if low is None or high is None else (low, high)
