"""Bootstrap: the one-sided BCa bound of the mean difference, the second opinion that the gate asks for."""

import math

import numpy as np

from core.statistics.differences import Array, moments
from core.statistics.sign_flip import SEED

RESAMPLES = 9_999
FEWEST_RESAMPLES = 1_999
# Bounds the time at about two seconds: beyond 20,000 queries fewer resamples are drawn.
MOST_DRAWS = 200_000_000
DRAWS_AT_ONCE = 1_000_000


def bca_lower(d: Array, confidence: float = 0.95, *, resamples: int = RESAMPLES, seed: int = SEED) -> float | None:
    """One-sided lower bound of the mean by the bias-corrected and accelerated bootstrap; None below two queries.

    Seeded and drawn from the sorted differences, so the same queries give the same bound in any order. Beyond 20,000
    queries the resamples are reduced, to 1,999 at the least. Source: Efron 1987, as `scipy.stats.bootstrap` has it.
    """
    from scipy.special import ndtr, ndtri

    found = moments(d)
    if found.mean is None or found.sd is None:
        return None
    if found.sd == 0 or found.skew is None:
        return found.mean
    affordable = max(FEWEST_RESAMPLES, MOST_DRAWS // found.n)
    means = _resampled_means(np.sort(d), min(resamples, affordable), seed)
    slack = 1e-12 * found.sd
    below = float((means < found.mean - slack).mean())
    bias = float(ndtri((below + float((means <= found.mean + slack).mean())) / 2))
    acceleration = found.skew / (6 * math.sqrt(found.n))
    reach = bias + float(ndtri(1 - confidence))
    level = float(ndtr(bias + reach / (1 - acceleration * reach)))
    return float(np.quantile(means, level))


def bca_upper(d: Array, confidence: float = 0.95, *, resamples: int = RESAMPLES, seed: int = SEED) -> float | None:
    """One-sided upper bound: the lower bound with the runs swapped."""
    lower = bca_lower(-d, confidence, resamples=resamples, seed=seed)
    return None if lower is None else -lower


def _resampled_means(ordered: Array, resamples: int, seed: int) -> Array:
    generator = np.random.Generator(np.random.PCG64(seed))
    n = len(ordered)
    at_once = max(1, DRAWS_AT_ONCE // n)
    means = np.empty(resamples)
    for start in range(0, resamples, at_once):
        part = means[start : start + at_once]
        part[:] = ordered[generator.integers(0, n, (len(part), n), dtype=np.uint32)].mean(axis=1)
    return means
