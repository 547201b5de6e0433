"""Sign flip: the randomisation test of the mean difference, exact for few changed queries, seeded otherwise."""

import math
from typing import Literal

import numpy as np

from core.statistics.differences import TIE, Array

EXACT_UP_TO = 16
FLIPS = 99_999
SEED = 20_240_607
# A flipped sum this close to the observed one, relative to Σ|d|, is the same sum in another order of addition.
TOLERANCE = 1e-12
# Blocks that stay in the processor's cache: so many flips, so many groups of eight queries.
FLIPS_AT_ONCE = 16_384
GROUPS_AT_ONCE = 64

Alternative = Literal["two-sided", "less", "greater"]


def sign_flip_p(
    d: Array, alternative: Alternative = "two-sided", *, flips: int = FLIPS, seed: int = SEED
) -> float | None:
    """p-value of the mean difference when each query's sign is a coin toss; None without a query, 1 without a change.

    Exact by full enumeration up to 16 changed queries, else (b + 1) / (B + 1) over B seeded flips. Only |d| is sorted
    and flipped: row order changes nothing, and swapping the runs gives the same p ("less" for "greater"). Memory is
    bounded whatever the number of queries. Source: Fisher 1935; Smucker et al. 2007; Phipson & Smyth 2010.
    """
    if len(d) == 0:
        return None
    changed = d[np.abs(d) > TIE]
    if len(changed) == 0:
        return 1.0
    peak = float(np.abs(changed).max())
    weights = np.sort(np.abs(changed)) / peak
    observed = math.fsum(changed / peak)
    exact = len(weights) <= EXACT_UP_TO
    sums = _every_sum(weights) if exact else _random_sums(weights, flips, seed)
    slack = TOLERANCE * math.fsum(weights)
    if alternative == "two-sided":
        extreme = np.abs(sums) >= abs(observed) - slack
    else:
        # "greater" is "less" with the runs swapped, on the same flips.
        extreme = sums <= (observed if alternative == "less" else -observed) + slack
    count = int(extreme.sum())
    return count / len(sums) if exact else (count + 1) / (flips + 1)


def _tables(weights: Array) -> Array:
    """For each group of eight weights, their signed sum under each of 256 sign patterns: shape (groups, 256)."""
    groups = -(-len(weights) // 8)
    padded = np.zeros(groups * 8)
    padded[: len(weights)] = weights
    table = np.zeros((groups, 1))
    for weight in padded.reshape(groups, 8).T:
        table = np.concatenate([table - weight[:, None], table + weight[:, None]], axis=1)
    return table


def _every_sum(weights: Array) -> Array:
    """The signed sums of up to 16 weights under every sign pattern; padding repeats all equally often."""
    table = _tables(weights)
    sums: Array = np.add.outer(table[0], table[1] if len(table) == 2 else np.zeros(1)).ravel()
    return sums


def _random_sums(weights: Array, flips: int, seed: int) -> Array:
    """The signed sums under `flips` random sign patterns: one random byte picks the signs of eight queries at once."""
    tables = _tables(weights)
    # Raw bits of PCG64 are the same in every version of NumPy; a Generator's methods need not be.
    bits = np.random.PCG64(seed)
    sums = np.zeros(flips)
    part = np.empty(FLIPS_AT_ONCE)
    for start in range(0, flips, FLIPS_AT_ONCE):
        total = sums[start : start + FLIPS_AT_ONCE]
        taken = part[: len(total)]
        for first in range(0, len(tables), GROUPS_AT_ONCE):
            block = tables[first : first + GROUPS_AT_ONCE]
            size = len(block) * len(total)
            picks = np.asarray(bits.random_raw(-(-size // 8))).astype("<u8").view(np.uint8)[:size]
            for table, pick in zip(block, picks.reshape(len(block), len(total)), strict=True):
                table.take(pick, out=taken, mode="clip")
                total += taken
    return sums
