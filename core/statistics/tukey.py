"""Tukey: every pair of several runs compared at once, by the randomised honestly-significant-difference test."""

import math

import numpy as np

from core.statistics.differences import Array
from core.statistics.sign_flip import SEED, TOLERANCE, sign_flip_p

PERMUTATIONS = 9_999
FEWEST_PERMUTATIONS = 999
# Bounds the time at about two seconds: large comparisons draw fewer permutations.
MOST_CELLS = 150_000_000
CELLS_AT_ONCE = 2_000_000


def tukey_p(scores: Array, *, permutations: int = PERMUTATIONS, seed: int = SEED) -> list[list[float | None]]:
    """p-values of all pairs of runs, adjusted for being all pairs; shape (runs, runs), symmetric, None on the diagonal.

    `scores` has one row per query and one column per run. The scores of a query are shuffled among the runs; a pair's p
    is (b + 1) / (B + 1), b counting shuffles whose largest difference of means reaches the pair's. Two runs are the
    sign-flip test. Rows and the values in them are sorted first, so the order of queries or runs changes nothing.
    Source: Carterette 2012; Sakai 2018. `scipy.stats.tukey_hsd` is for independent groups and would be wrong here.
    """
    n, runs = scores.shape
    ps: list[list[float | None]] = [[None] * runs for _ in range(runs)]
    if n == 0 or runs < 2:
        return ps
    if runs == 2:
        ps[0][1] = ps[1][0] = sign_flip_p(scores[:, 1] - scores[:, 0], seed=seed)
        return ps
    affordable = max(FEWEST_PERMUTATIONS, MOST_CELLS // scores.size)
    ranges = np.sort(_shuffled_ranges(scores, min(permutations, affordable), seed))
    means = [math.fsum(column) / n for column in scores.T]
    slack = TOLERANCE * float(np.abs(scores).max())
    for one in range(runs):
        for other in range(one):
            reached = len(ranges) - int(np.searchsorted(ranges, abs(means[one] - means[other]) - slack))
            ps[one][other] = ps[other][one] = (reached + 1) / (len(ranges) + 1)
    return ps


def _shuffled_ranges(scores: Array, permutations: int, seed: int) -> Array:
    """The largest difference of means after each shuffle; blocks of queries bound the memory."""
    n, runs = scores.shape
    rows = np.sort(scores, axis=1)
    rows = rows[np.lexsort(rows.T[::-1])]
    generator = np.random.Generator(np.random.PCG64(seed))
    sums = np.zeros((permutations, runs))
    at_once = max(1, CELLS_AT_ONCE // (permutations * runs))
    for start in range(0, n, at_once):
        block = rows[start : start + at_once]
        repeated = np.repeat(block[None, :, :], permutations, axis=0)
        generator.permuted(repeated, axis=2, out=repeated)
        sums += repeated.sum(axis=1)
    ranges: Array = np.ptp(sums, axis=1) / n
    return ranges
