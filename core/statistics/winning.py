"""Winning: "does it win more often?", which is not "is the mean better?" and is labelled so wherever it is shown."""

import numpy as np

from core.statistics.differences import TIE, Array, outcomes


def sign_test_p(d: Array) -> float | None:
    """Two-sided exact binomial p of wins against losses, ties left out; None where nothing changed."""
    from scipy.special import bdtr

    counts = outcomes(d)
    if counts.changed == 0:
        return None
    return min(1.0, 2 * float(bdtr(min(counts.wins, counts.losses), counts.changed, 0.5)))


def wilcoxon_p(d: Array) -> float | None:
    """Two-sided Wilcoxon signed-rank p, zeros kept in the ranking (Pratt 1959); None where nothing changed.

    Exact up to 50 queries without zeros or equal sizes, else by the normal approximation without correction.
    Differences are rounded to 12 digits first, so that 0.3 − 0.2 and 0.2 − 0.1 share a rank.
    """
    from scipy.stats import wilcoxon

    if outcomes(d).changed == 0:
        return None
    rounded = np.round(np.where(np.abs(d) <= TIE, 0.0, d), 12)
    distinct = len(np.unique(np.abs(rounded))) == len(rounded) and rounded.all()
    method = "exact" if distinct and len(rounded) <= 50 else "asymptotic"
    return float(wilcoxon(rounded, zero_method="pratt", method=method).pvalue)
