"""Risk: a mean in which losses against a baseline weigh more than gains; an advanced view, never behind a verdict."""

import math
from collections.abc import Sequence

import numpy as np

from core.statistics.differences import Array, moments


def u_risk(d: Array, alpha: float = 1.0) -> float | None:
    """Mean difference with every loss weighted 1 + alpha (Wang et al. 2012); None without a query."""
    return moments(_weighted(d, alpha)).mean


def t_risk(d: Array, alpha: float = 1.0) -> float | None:
    """URisk over its standard error: below −2 is more than chance (Dincer et al. 2014); None where nothing varies."""
    found = moments(_weighted(d, alpha))
    return None if found.mean is None or not found.sd else found.mean / (found.sd / math.sqrt(found.n))


def geo_risk(scores: Array, alpha: float = 1.0) -> Sequence[float]:
    """One GeoRisk a run, 0 to 1: the mean score and the risk against what all runs score.

    `scores` has one row per query and one column per run, none negative. With a single run, or where all agree, the
    risk half is Phi(0) = 0.5. Source: Dincer, Macdonald & Ounis 2016.
    """
    from scipy.special import ndtr

    n, runs = scores.shape
    total = float(scores.sum())
    if total == 0:
        return [0.0] * runs
    expected = np.outer(scores.sum(axis=1), scores.sum(axis=0)) / total
    gap = scores - expected
    gap[np.abs(gap) < 1e-12 * np.abs(scores).max()] = 0.0
    z = np.divide(gap, np.sqrt(expected), out=np.zeros_like(gap), where=expected > 0)
    risk = np.where(z < 0, (1 + alpha) * z, z).sum(axis=0)
    return [math.sqrt(float(mean) * float(ndtr(one / n))) for mean, one in zip(scores.mean(axis=0), risk, strict=True)]


def _weighted(d: Array, alpha: float) -> Array:
    return np.where(d < 0, (1 + alpha) * d, d)
