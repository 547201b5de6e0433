"""All pairs: every run against every other one, with p-values that allow for all of them at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from core.comparison.comparison import Comparison, Floats, Mask
from core.comparison.pairs import answered, compared
from core.model.measure import Measure
from core.statistics.evidence import Names
from core.statistics.paired import PairStatistics, compare_differences
from core.statistics.tukey import tukey_p

# One row per ordered pair of different runs, in the order of the runs.
# difference: mean of `run` minus mean of `against` on the queries of the pair; null where there are none.
# n: queries compared; wins, ties, losses: of `run`. p_value: randomised Tukey HSD over all runs, null where not computed.
# case: "better" or "worse" where p is below 0.05, else why not; shows_p: whether people may be shown the p-value.
PAIRS = pl.Schema(
    {
        "run": pl.String,
        "against": pl.String,
        "difference": pl.Float64,
        "n": pl.Int64,
        "wins": pl.Int64,
        "ties": pl.Int64,
        "losses": pl.Int64,
        "p_value": pl.Float64,
        "case": pl.String,
        "shows_p": pl.Boolean,
    }
)
LIKELY = 0.05


@dataclass(frozen=True)
class Tukey:
    """p-values of all pairs by (run, other run), and the queries that every run was scored on."""

    p_values: dict[tuple[str, str], float | None]
    n: int


def tukey(comparison: Comparison, measure: Measure, runs: Sequence[str], where: Mask | None = None) -> Tukey:
    """Randomised Tukey HSD over the queries that count for every one of the runs: the slow part of `all_pairs`."""
    block = np.ones(len(comparison.qrels.queries), bool) if where is None else where.copy()
    for run in runs:
        found = comparison.scores(run, measure)
        block &= found.counted
        if np.isnan(found.values[block]).any():
            block[:] = False
    scores = np.array([comparison.scores(run, measure).values[block] for run in runs]).T
    ps = tukey_p(scores.reshape(int(block.sum()), len(runs)))
    pairs = {(one, other): ps[i][j] for i, one in enumerate(runs) for j, other in enumerate(runs) if i != j}
    return Tukey(pairs, int(block.sum()))


def all_pairs(
    comparison: Comparison,
    measure: Measure,
    runs: Sequence[str],
    found: Tukey,
    where: Mask | None = None,
) -> pl.DataFrame:
    """Every run against every other one: PAIRS.

    A difference is over the queries that its own two runs are compared on, as everywhere. Of two runs one is called better
    only where the p-value that allows for all pairs is below 0.05: that asks more than an interval against one baseline. As for
    every verdict, too few queries or a few that drive the difference come first.
    """
    rows: list[tuple[object, ...]] = []
    for at, one in enumerate(runs):
        for other in runs[at + 1 :]:
            queries = compared(comparison, one, other, measure, where)
            d: Floats = (comparison.scores(one, measure).values - comparison.scores(other, measure).values)[queries]
            pair = compare_differences(
                d, Names(one, other, str(measure)), answered=answered(comparison, one, other, where), resample=False,
            )  # fmt: skip
            p, shown, mean = found.p_values.get((one, other)), pair.verdict.shows_p_value, pair.difference
            case, back = _cases(pair, p)
            rows.append((one, other, mean, pair.n, pair.wins, pair.ties, pair.losses, p, case, shown))
            turned = None if mean is None else 0.0 - mean
            rows.append((other, one, turned, pair.n, pair.losses, pair.ties, pair.wins, p, back, shown))
    place = {run: at for at, run in enumerate(runs)}
    rows.sort(key=lambda row: (place[str(row[0])], place[str(row[1])]))
    return pl.DataFrame(rows, schema=PAIRS, orient="row")


def _cases(pair: PairStatistics, p: float | None) -> tuple[str, str]:
    """What is said of the first run, and of the second."""
    if not pair.verdict.shows_p_value or pair.verdict.case == "few-queries":
        return pair.verdict.case, pair.verdict.case
    if p is None or p >= LIKELY or not pair.difference:
        return "no-clear-difference", "no-clear-difference"
    return ("better", "worse") if pair.difference > 0 else ("worse", "better")


def told_apart(pairs: pl.DataFrame) -> tuple[int, int]:
    """How many pairs differ beyond chance, all pairs allowed for, and how many pairs there are."""
    return pairs.filter(pl.col("case") == "better").height, pairs.height // 2
