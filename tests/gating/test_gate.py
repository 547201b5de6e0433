"""The whole gate on seeded made-up evaluations: how often harm passes, and how often slices block what did not change."""

import os
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from core.comparison import Comparison
from core.gating import Gated, gate
from core.model.frames import ANSWERED, HITS, JUDGMENTS, TOP
from core.model.measure import Measure
from core.model.qrels import Qrels, Source
from core.model.run import Run
from core.slices import by_value

LONG = os.environ.get("RANKLENS_LONG") == "1"
NDCG = Measure("nDCG", 10)
Ranks = npt.NDArray[np.int64]
Draw = Callable[[np.random.Generator, int], tuple[Ranks, Ranks]]
# nDCG@10 of a query whose one relevant document stands at each rank, from rank 1 on; 0 beyond the tenth.
VALUES = np.r_[1 / np.log2(np.arange(2, 12)), 0.0]
STEP = VALUES[1] - VALUES[2]  # from rank 2 to rank 3


def slack(rate: float, repetitions: int) -> float:
    """What chance alone adds to a rate over few repetitions (three standard errors); nothing over the full count."""
    return 0.0 if LONG else 3 * float(np.sqrt(rate * (1 - rate) / repetitions))


def evaluation(live: Ranks, new: Ranks) -> Comparison:
    """A query for each pair of ranks (from 1; 11 is beyond the cutoff), with one relevant document and one judged 0."""
    n = len(live)
    ids = [f"q{at:04}" for at in range(n)]
    rows = [(query, document, grade) for query in ids for document, grade in (("bad", 0.0), ("good", 1.0))]
    qrels = Qrels(pl.DataFrame(rows, schema=JUDGMENTS, orient="row"), (Source("qrels.txt", "0" * 64),), 2 * n)
    return Comparison(qrels, tuple(_run(name, ranks) for name, ranks in (("live", live), ("new", new))))


def _run(name: str, ranks: Ranks) -> Run:
    n = len(ranks)
    places = pl.Series(ranks).cast(pl.UInt32)
    hits = pl.DataFrame(
        {"query": range(n), "rank": places, "grade": 1.0, "tie_first": places, "tie_last": places},
        schema=HITS,
        strict=False,
    )
    answered = pl.DataFrame(
        {"query": range(n), "retrieved": 20, "own_rank": 0, "tied": 0}, schema=ANSWERED, strict=False
    )
    return Run(name, Source(name, "1" * 64), n, n, hits, answered, TOP.to_frame())


def noise(rng: np.random.Generator, n: int, share: float) -> tuple[Ranks, Ranks]:
    """Half of a share of the queries goes from rank 2 to rank 3 and half the other way: a mean difference of 0."""
    moves = rng.choice([-1, 0, 1], n, p=[share / 2, 1 - share, share / 2])
    return np.where(moves == -1, 3, 2), np.where(moves == 1, 3, 2)


def rare_losses(rng: np.random.Generator, n: int) -> tuple[Ranks, Ranks]:
    live, new = noise(rng, n, 0.3)
    fell = rng.random(n) < 0.02 / (VALUES[0] - VALUES[1])
    return np.where(fell, 1, live), np.where(fell, 2, new)


def many_small_losses(rng: np.random.Generator, n: int) -> tuple[Ranks, Ranks]:
    live, new = noise(rng, n, 0.3)
    fell = rng.random(n) < 0.02 / STEP
    return np.where(fell, 2, live), np.where(fell, 3, new)


def rare_large_gains(rng: np.random.Generator, n: int) -> tuple[Ranks, Ranks]:
    # A loss of one step is paid back in part by few queries that rise from third place to first.
    won = 0.04
    fell = (0.02 + won * (VALUES[0] - VALUES[2])) / STEP / (1 - won)
    rose, lost = rng.random(n) < won, rng.random(n) < fell
    return np.where(rose, 3, 2), np.where(rose, 1, np.where(lost, 3, 2))


HARMFUL: dict[str, Draw] = {
    "rare losses": rare_losses, "many small losses": many_small_losses, "rare large gains": rare_large_gains,
}  # fmt: skip


def test_the_numbers_of_a_gate_are_those_of_the_evaluation() -> None:
    live, new = np.array([2] * 60), np.array([1] * 20 + [2] * 30 + [3] * 10)
    found: Gated = gate(evaluation(live, new), "new", "live", NDCG)
    assert (found.wins, found.ties, found.losses, found.badly_hurt) == (20, 30, 10, 0)
    assert found.means == pytest.approx((VALUES[new - 1].mean(), VALUES[live - 1].mean()))
    assert found.decision.difference == pytest.approx((VALUES[new - 1] - VALUES[live - 1]).mean())
    assert found.judged == pytest.approx((0.1, 0.1))
    assert (found.outcome, found.exit_code) == ("pass", 0)


@pytest.mark.parametrize("shape", HARMFUL)
def test_the_harm_that_must_not_pass_is_exactly_the_margin(shape: str) -> None:
    live, new = HARMFUL[shape](np.random.default_rng(1), 400_000)
    assert (VALUES[new - 1] - VALUES[live - 1]).mean() == pytest.approx(-0.02, abs=0.001)


@pytest.mark.parametrize(("n", "most"), [(50, 0.10), (200, 0.08)])
@pytest.mark.parametrize("shape", HARMFUL)
def test_a_harmful_candidate_seldom_passes_the_whole_gate(shape: str, n: int, most: float) -> None:
    rng = np.random.default_rng(31)
    repetitions = 2_000 if LONG else 60
    passed = sum(
        gate(evaluation(*HARMFUL[shape](rng, n)), "new", "live", NDCG).outcome == "pass" for _ in range(repetitions)
    )
    assert passed / repetitions <= most + slack(most, repetitions)


def test_a_good_candidate_often_passes_the_whole_gate() -> None:
    # Without this a gate that never passes would hold every false-pass rate.
    rng = np.random.default_rng(32)
    repetitions = 400 if LONG else 20
    outcomes = []
    for _ in range(repetitions):
        live, new = noise(rng, 200, 0.3)
        won = rng.random(200) < 0.1
        outcomes.append(gate(evaluation(np.where(won, 2, live), np.where(won, 1, new)), "new", "live", NDCG).outcome)
    assert outcomes.count("pass") / repetitions >= 0.95


def test_eight_unchanged_slices_of_sixty_seldom_block_through_the_whole_gate() -> None:
    rng = np.random.default_rng(33)
    repetitions, blocked = (2_000 if LONG else 25), 0
    column = by_value("forum", pl.Series([f"s{at % 8}" for at in range(480)]))
    for _ in range(repetitions):
        found = gate(evaluation(*noise(rng, 480, 0.6)), "new", "live", NDCG, slices=[column])
        assert len(found.decision.slices) == 8
        blocked += any("fell by" in reason for reason in found.reasons)
    assert blocked / repetitions <= 0.06 + slack(0.06, repetitions)
