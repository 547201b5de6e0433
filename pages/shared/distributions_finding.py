"""What the shape of a run's scores shows, as the title of the page: the first of these rules that holds.

The mean is the leaderboard's. In all else undefined queries are left aside: they score 0 whatever a run does.

1. No query, or no score that can be computed.
2. The run is ahead of the baseline, and 5 % of the queries or more lose 0.30 or more: the mean hides those who are badly hurt.
3. A quarter of the queries or more score 0.9 and up, and a quarter or more 0.1 and below: it finds things or fails.
4. 5 % of the queries or more score 0: the mean hides failures.
5. Mean and median are 0.1 apart or more: the mean is not what a query gets.
6. None of these: nothing hides behind the mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.comparison import Comparison
from core.comparison.comparison import Floats
from core.statistics.paired import PairStatistics
from pages.shared.text import count, score
from pages.shared.view import View

SHARE = 0.05
CAMP, HIGH, LOW = 0.25, 0.9, 0.1
APART = 0.1
EQUAL = 1e-9


@dataclass(frozen=True)
class Shape:
    """The title and the sentence under it, both without Markdown."""

    title: str
    sentence: str


def shape(comparison: Comparison, look: View, run: str, pair: PairStatistics | None) -> Shape:
    """What the scores of a run hide; `pair` holds it against the baseline, where it is not the baseline itself."""
    found = comparison.scores(run, look.measure)
    defined = found.counted & ~found.undefined
    values = found.values[defined if look.where is None else defined & look.where]
    if not len(values):
        return Shape("There is no query to show", f"No query counts for {look.measure} with what is chosen.")
    if np.isnan(values).any():
        return Shape(f"{look.measure} of {run} cannot be computed", "A grade is too large for the exponential gain.")
    mean = comparison.mean(run, look.measure, look.where) or 0.0
    counted = len(comparison.counted(run, look.measure, look.where))
    return Shape(_title(values, mean, look, run, pair), _sentence(values, mean, counted, look, run))


def _title(values: Floats, mean: float, look: View, run: str, pair: PairStatistics | None) -> str:
    n = len(values)
    zeros = int((np.abs(values) <= EQUAL).sum())
    if pair is not None and (pair.difference or 0.0) > 0 and pair.badly_hurt >= SHARE * n:
        return f"{run} is ahead of {look.baseline}, and {_queries(pair.badly_hurt, 'loses', 'lose')} 0.30 or more"
    high, low = float((values >= HIGH - EQUAL).mean()), float((values <= LOW + EQUAL).mean())
    if min(high, low) >= CAMP:
        return f"{run} finds it or fails: {high:.0%} of the queries score 0.9 or more, {low:.0%} score 0.1 or less"
    if zeros >= SHARE * n:
        return f"The mean of {run} hides {_queries(zeros)} at 0"
    median = float(np.median(values))
    if abs(mean - median) >= APART:
        side = "less" if median < mean else "more"
        return f"The mean of {run} is {score(mean)}, yet half of the queries score {score(median)} or {side}"
    return f"Nothing hides behind the mean of {run}"


def _sentence(values: Floats, mean: float, counted: int, look: View, run: str) -> str:
    q1, median, q3 = (float(at) for at in np.quantile(values, [0.25, 0.5, 0.75]))
    zeros, ones = (int((np.abs(values - end) <= EQUAL).sum()) for end in (0.0, 1.0))
    return (
        f"{look.measure} of {run} over {count(counted, 'query', 'queries')}: mean {score(mean)}, median "
        f"{score(median)}, the middle half from {score(q1)} to {score(q3)}; {zeros:,} at 0 and {ones:,} at 1."
    )


def _queries(number: int, one: str = "", many: str = "") -> str:
    return f"{count(number, 'query', 'queries')} {one if number == 1 else many}".strip()


def focus(names: Sequence[str], runs: Sequence[str], pair: Sequence[str]) -> list[str]:
    """Beyond six runs, those with a colour: the first six shown, as on every page, with the pair put in place of the last."""
    chosen = list(runs[:6])
    for name in reversed([name for name in pair if name in names]):
        if name not in chosen:
            place = next(at for at in reversed(range(len(chosen))) if chosen[at] not in pair)
            chosen[place] = name
    return chosen
