"""Seeded simulations: what the statistics promise about errors. Few repetitions here, the full count with RANKLENS_LONG=1."""

import os
from collections.abc import Callable

import numpy as np
import pytest

from core.statistics.bootstrap import bca_lower
from core.statistics.differences import Array
from core.statistics.evidence import Names
from core.statistics.gating import Release, decide
from core.statistics.interval import t_interval, t_lower
from core.statistics.sign_flip import sign_flip_p
from core.statistics.slice_family import Slice, slice_family

LONG = os.environ.get("RANKLENS_LONG") == "1"
MARGIN = 0.02
Draw = Callable[[np.random.Generator, int], Array]

# Four shapes of a candidate whose true mean difference is exactly −0.02, the loss that must not pass.
HARMFUL: dict[str, Draw] = {
    "symmetric": lambda rng, n: rng.normal(-0.02, 0.15, n),
    "half unchanged": lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, rng.normal(-0.04, 0.2, n)),
    "rare losses": lambda rng, n: np.where(rng.random(n) < 0.1, -0.2, 0.0) + rng.normal(0, 0.05, n),
    "rare gains": lambda rng, n: np.where(rng.random(n) < 0.05, 0.36, -0.04) + rng.normal(0, 0.05, n),
}


@pytest.mark.parametrize("n", [50, 200])
@pytest.mark.parametrize("unchanged", [0.0, 0.5])
def test_the_t_interval_covers_a_symmetric_null_as_promised(n: int, unchanged: float) -> None:
    rng = np.random.default_rng(17)
    repetitions = 20_000 if LONG else 4_000
    covered = 0
    for _ in range(repetitions):
        d = np.where(rng.random(n) < unchanged, 0.0, rng.normal(0, 0.2, n))
        low, high = t_interval(d) or (1.0, 1.0)
        covered += low <= 0 <= high
    assert 0.94 <= covered / repetitions <= 0.965


def test_the_sign_flip_test_finds_nothing_in_a_symmetric_null_as_often_as_promised() -> None:
    rng = np.random.default_rng(18)
    repetitions = 4_000 if LONG else 600
    found = 0
    for _ in range(repetitions):
        d = np.where(rng.random(40) < 0.4, 0.0, rng.normal(0, 0.2, 40))
        found += (sign_flip_p(d, flips=999) or 0) <= 0.05
    assert found / repetitions == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / repetitions))


@pytest.mark.parametrize(("n", "most"), [(50, 0.10), (200, 0.08)])
@pytest.mark.parametrize("shape", HARMFUL)
def test_a_harmful_candidate_seldom_passes(shape: str, n: int, most: float) -> None:
    rng = np.random.default_rng(19)
    repetitions, passed = (2_000 if LONG else 250), 0
    for _ in range(repetitions):
        d = HARMFUL[shape](rng, n)
        if LONG:
            release = Release(d=d, ids=[""] * n, names=Names(), judged=n)
            passed += decide(release).outcome == "pass"
        else:
            # The gate's rule to pass, with fewer resamples.
            passed += min(t_lower(d) or 0.0, bca_lower(d, resamples=499) or 0.0) > -MARGIN
    assert 0 < passed / repetitions <= most


def test_an_unchanged_candidate_seldom_fails() -> None:
    # A false alarm needs the two-sided interval below 0: about 2.5 %.
    rng = np.random.default_rng(20)
    repetitions, failed = (2_000 if LONG else 150), 0
    for _ in range(repetitions):
        d = np.where(rng.random(60) < 0.5, 0.0, rng.normal(0, 0.12, 60))
        failed += decide(Release(d=d, ids=[""] * 60, names=Names(), judged=60)).outcome == "fail"
    assert failed / repetitions <= 0.06


@pytest.mark.parametrize("size", [25, 60])
def test_eight_unchanged_slices_seldom_block(size: int) -> None:
    # Blocking needs Holm below 5 % and a fall beyond twice the margin; here slices of any size may block.
    rng = np.random.default_rng(21)
    repetitions, blocked = (2_000 if LONG else 120), 0
    for _ in range(repetitions):
        parts = [np.where(rng.random(size) < 0.4, 0.0, rng.normal(0, 0.2, size)) for _ in range(8)]
        slices = [Slice("forum", str(at), "a", "b", "nDCG@10", d, np.zeros(size)) for at, d in enumerate(parts)]
        found = slice_family(slices, alternative="less")
        blocked += any((one.p_holm or 1) < 0.05 and (one.difference or 0) < -2 * MARGIN for one in found)
    assert blocked / repetitions <= 0.06
