"""Alerts: what the mean of a comparison does not say by itself, in plain sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.comparison.comparison import Comparison, Mask
from core.comparison.pairs import by_slice
from core.model.measure import Measure
from core.statistics.evidence import MARGIN
from core.statistics.paired import PairStatistics
from core.statistics.slice_family import fall_sentence, fallen
from core.statistics.verdict import LARGEST_SHARE
from core.statistics.wording import percent, plain

Code = Literal["slice-fell", "gains-disagree", "judged-apart", "largest-query"]
JUDGED_APART = 0.10
EQUAL = 1e-9


@dataclass(frozen=True)
class Alert:
    """One thing to know before the mean is believed.

    candidate  the run it is about, None where it is about several
    slice      column and value, for slice-fell
    query      the query, for largest-query
    """

    code: Code
    sentence: str
    candidate: str | None = None
    slice: tuple[str, str] | None = None
    query: str | None = None


def alerts(
    comparison: Comparison,
    baseline: str,
    measure: Measure,
    pairs: Sequence[PairStatistics],
    where: Mask | None = None,
    *,
    margin: float = MARGIN,
) -> tuple[Alert, ...]:
    """All alerts of a comparison; `pairs` are the candidates against the baseline, as `against_baseline` gives them.

    They come in the order: slices that fell, gains that disagree, runs judged unlike, a query that drives a difference.
    """
    return (
        *slice_alerts(comparison, baseline, measure, pairs, where, margin=margin),
        *quick_alerts(comparison, baseline, measure, pairs, where),
    )


def quick_alerts(
    comparison: Comparison,
    baseline: str,
    measure: Measure,
    pairs: Sequence[PairStatistics],
    where: Mask | None = None,
) -> tuple[Alert, ...]:
    """The alerts that need no resampling: all but the slices."""
    runs = [baseline, *(pair.candidate for pair in pairs)]
    return (
        *_gains(comparison, runs, measure, where),
        *_judged(comparison, runs, measure, where),
        *_largest(pairs),
    )


def slice_alerts(
    comparison: Comparison,
    baseline: str,
    measure: Measure,
    pairs: Sequence[PairStatistics],
    where: Mask | None = None,
    *,
    margin: float = MARGIN,
) -> tuple[Alert, ...]:
    """Where the mean is not worse and a slice fell; every attribute is looked at, by the rule of `fallen`."""
    names = [pair.candidate for pair in pairs]
    found: list[Alert] = []
    for column in comparison.slices if names else ():
        parts = by_slice(comparison, baseline, measure, column, names, where=where, margin=margin)
        found += [
            Alert("slice-fell", fall_sentence(part), pair.candidate, slice=(part.column, part.value))
            for pair in pairs
            for part in fallen(pair.verdict, [part for part in parts if part.candidate == pair.candidate])
        ]
    return tuple(found)


def _gains(comparison: Comparison, runs: Sequence[str], measure: Measure, where: Mask | None) -> Iterator[Alert]:
    """Linear and exponential gain order two runs differently."""
    if not measure.uses_gain or measure.gain == "custom":
        return
    linear, exponential = measure.with_gain("linear"), measure.with_gain("exponential")
    means = {run: (comparison.mean(run, linear, where), comparison.mean(run, exponential, where)) for run in runs}
    known = [(run, low, high) for run, (low, high) in means.items() if low is not None and high is not None]
    known.sort(key=lambda row: -max(row[1], row[2]))
    swapped = [
        (one, other)
        for at, one in enumerate(known)
        for other in known[at + 1 :]
        if min(abs(one[1] - other[1]), abs(one[2] - other[2])) > EQUAL and (one[1] > other[1]) != (one[2] > other[2])
    ]
    if swapped:
        one, other = swapped[0]
        ahead, behind = (one, other) if one[1] > other[1] else (other, one)
        more = len(swapped) - 1
        rest = "" if not more else f" So do {more:,} other pairs." if more > 1 else " So does one other pair."
        yield Alert(
            "gains-disagree",
            f"The gain decides the order: with linear gain {ahead[0]} is ahead of {behind[0]} "
            f"({plain(ahead[1])} against {plain(behind[1])} {linear.name}{linear.at}), with exponential gain behind it "
            f"({plain(ahead[2])} against {plain(behind[2])}).{rest}",
        )


def _judged(comparison: Comparison, runs: Sequence[str], measure: Measure, where: Mask | None) -> Iterator[Alert]:
    """The top k of one run is judged 10 points more than that of another."""
    if measure.k is None or measure.name == "Judged":
        return
    k = measure.k
    shares = [(comparison.mean(run, Measure("Judged", k), where), run) for run in runs]
    known = sorted((share, run) for share, run in shares if share is not None)
    if len(known) < 2 or known[-1][0] - known[0][0] < JUDGED_APART - EQUAL:
        return
    (least, less), (most, more) = known[0], known[-1]
    yield Alert(
        "judged-apart",
        f"The runs are not judged alike: {_of(most, k)} of {more} are judged, {_of(least, k)} of {less}. "
        f"Unjudged documents count as not relevant, so {less} may be better than it looks.",
        less,
    )


def _of(share: float, k: int) -> str:
    return f"{share * k:.1f} of the top {k:,} documents ({percent(share)})"


def _largest(pairs: Sequence[PairStatistics]) -> Iterator[Alert]:
    """One query holds more than a quarter of all change. Where there are too few queries the verdict says so already."""
    for pair in pairs:
        if (pair.largest_share or 0.0) > LARGEST_SHARE and pair.verdict.case not in ("identical", "too-few"):
            named = "One query" if pair.largest_query is None else f'One query ("{pair.largest_query}")'
            yield Alert(
                "largest-query",
                f"{named} drives the difference between {pair.candidate} and {pair.baseline}: it holds "
                f"{percent(pair.largest_share or 0.0)} of all change.",
                pair.candidate,
                query=pair.largest_query,
            )
