"""Power: what a query set can show, and how many queries a question needs, by the noncentral t distribution."""

import math
from functools import lru_cache

from core.statistics.interval import t_quantile

ALPHA = 0.05
POWER = 0.80


def power(dz: float, n: int, *, alpha: float = ALPHA, sides: int = 2) -> float:
    """Chance that the paired t test finds a true standardised difference `dz`, of either sign, with n queries, 0 to 1."""
    return _power(abs(dz) * math.sqrt(n), n - 1, t_quantile(n - 1, alpha / sides), sides)


def _power(noncentrality: float, df: int, critical: float, sides: int) -> float:
    from scipy.special import nctdtr

    found = 1 - float(nctdtr(df, noncentrality, critical))
    # The other tail is below Phi(−noncentrality), here under 1e-15, where the library may return nan.
    return found if sides == 1 or noncentrality > 8 else found + float(nctdtr(df, noncentrality, -critical))


@lru_cache(maxsize=4096)
def detectable_effect(n: int, *, alpha: float = ALPHA, wanted: float = POWER, sides: int = 2) -> float | None:
    """Smallest dz that n queries find with 80 % power; None below two queries.

    Source: noncentral t as in G*Power; solved by bisection to the last bits.
    """
    if n < 2:
        return None
    critical = t_quantile(n - 1, alpha / sides)
    low, high = 0.0, critical + 3.0
    while _power(high, n - 1, critical, sides) < wanted:
        low, high = high, high * 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if _power(middle, n - 1, critical, sides) >= wanted else (middle, high)
    return high / math.sqrt(n)


def detectable_difference(sd: float | None, n: int) -> float | None:
    """Smallest mean difference that n queries of this spread show with 80 % power (two-sided 5 %), or None."""
    effect = detectable_effect(n)
    return None if effect is None or not sd else effect * sd


def needed_n(dz: float, *, alpha: float = ALPHA, wanted: float = POWER, sides: int = 2) -> int | None:
    """Fewest queries with which the paired t test finds dz with 80 % power; None where dz is 0."""
    size = abs(dz)
    if size == 0 or not math.isfinite(size):
        return None
    from scipy.special import ndtri

    # The normal approximation is never above the answer, so the search starts there.
    n = max(2, math.floor(((float(ndtri(1 - alpha / sides)) + float(ndtri(wanted))) / size) ** 2))
    # From here on the two differ by less than two queries, and a search would be slow.
    if n > 100_000:
        return n + 2
    while power(size, n, alpha=alpha, sides=sides) < wanted:
        n += 1
    return n
