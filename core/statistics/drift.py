"""Drift: control charts over the nightly differences of a series to its pinned baseline."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from core.statistics.differences import TIE
from core.statistics.evidence import Evidence
from core.statistics.interval import Interval
from core.statistics.wording import decimals_for, signed

EWMA_WEIGHT = 0.2
EWMA_WIDTH = 2.86
CUSUM_SLACK = 0.5
CUSUM_LIMIT = 5.0
# The sums stop here, so that an alert ends some nights after a repair and not some months.
CUSUM_TOP = 2 * CUSUM_LIMIT
FEWEST_NIGHTS = 10
# The mean range of two normal values is 1.128 standard deviations.
RANGE_TO_SIGMA = 2 / math.sqrt(math.pi)

Alert = Literal["ewma-low", "ewma-high", "cusum-low", "cusum-high"]


def ewma(values: Sequence[float], start: float, weight: float = EWMA_WEIGHT) -> list[float]:
    """The exponentially weighted moving average after each value, beginning at `start` (Roberts 1959)."""
    averages, now = [], start
    for value in values:
        now = weight * value + (1 - weight) * now
        averages.append(now)
    return averages


def ewma_limits(centre: float, sigma: float, weight: float = EWMA_WEIGHT, width: float = EWMA_WIDTH) -> Interval:
    """The limits of an EWMA that has run for a while: centre ± width × sigma × √(weight / (2 − weight))."""
    half = width * sigma * math.sqrt(weight / (2 - weight))
    return centre - half, centre + half


def cusum(
    values: Sequence[float], centre: float, sigma: float, slack: float = CUSUM_SLACK
) -> list[tuple[float, float]]:
    """The upward and downward cumulative sums after each value, in sigmas, never below 0 (Page 1954)."""
    sums: list[tuple[float, float]] = []
    for value in values:
        sums.append(_summed(sums[-1] if sums else (0.0, 0.0), (value - centre) / sigma, slack))
    return sums


def _summed(sums: tuple[float, float], z: float, slack: float) -> tuple[float, float]:
    return max(0.0, sums[0] + z - slack), max(0.0, sums[1] - z - slack)


def moving_range_sigma(values: Sequence[float]) -> float | None:
    """Night-to-night standard deviation by the mean moving range, which a step hardly moves; None below two values."""
    if len(values) < 2:
        return None
    ranges = [abs(later - earlier) for earlier, later in pairwise(values)]
    return math.fsum(ranges) / len(ranges) / RANGE_TO_SIGMA


def segments(keys: Sequence[Hashable]) -> list[range]:
    """Stretches of equal neighbouring keys: a new one begins where qrels, query set or conventions change."""
    starts = [at for at, key in enumerate(keys) if at == 0 or key != keys[at - 1]]
    return [range(start, end) for start, end in pairwise([*starts, len(keys)])]


@dataclass(frozen=True, kw_only=True)
class ControlPoint:
    """One night: its difference to the baseline and what the charts say; None before there are limits.

    segment            0 for the first stretch of comparable nights, then 1, …
    centre, sigma      level and night-to-night spread of the calm nights before this one
    ewma, low, high    the smoothed difference and its limits
    cusum_up, _down    in sigmas, 0 to 10, an alert above 5; None where the nights before did not vary
    alerts             what is crossed on this night
    first              whether the night before crossed nothing: the result to look at
    """

    night: int
    segment: int
    difference: float
    centre: float | None = None
    sigma: float | None = None
    ewma: float | None = None
    low: float | None = None
    high: float | None = None
    cusum_up: float | None = None
    cusum_down: float | None = None
    alerts: tuple[Alert, ...] = ()
    first: bool = False


def watch(
    differences: Sequence[float],
    keys: Sequence[Hashable] | None = None,
    *,
    standard_errors: Sequence[float] | None = None,
) -> list[ControlPoint]:
    """One control point a night: `differences` are mean differences to the pinned baseline, oldest first.

    Limits begin after 10 nights of a segment (`keys` change where a new one begins). Level and spread come from the
    earlier nights alone and are held from the first alert on: a later result never changes an earlier verdict.
    The level is not taken to be 0: a baseline that was itself recorded on a lucky night would alert for ever.
    `standard_errors` of the differences replace the night-to-night spread only where every night draws fresh queries.
    """
    points: list[ControlPoint] = []
    for number, stretch in enumerate(segments(keys if keys is not None else [0] * len(differences))):
        chart = _Chart()
        for at in stretch:
            error = standard_errors[at] if standard_errors is not None else None
            points.append(chart.add(at, number, differences[at], error))
    return points


class _Chart:
    """The charts of one segment, fed night by night."""

    def __init__(self) -> None:
        self.calm: list[float] = []
        self.alerted = self.crossing = False
        self.average: float | None = None
        self.up = self.down = 0.0

    def add(self, night: int, segment: int, difference: float, error: float | None) -> ControlPoint:
        if len(self.calm) < FEWEST_NIGHTS:
            self.calm.append(difference)
            return ControlPoint(night=night, segment=segment, difference=difference)
        centre = math.fsum(self.calm) / len(self.calm)
        sigma = (moving_range_sigma(self.calm) or 0.0) if error is None else error
        varies = sigma > TIE
        self.average = ewma([difference], centre if self.average is None else self.average)[0]
        low, high = ewma_limits(centre, sigma)
        if varies:
            sums = _summed((self.up, self.down), (difference - centre) / sigma, CUSUM_SLACK)
            self.up, self.down = min(sums[0], CUSUM_TOP), min(sums[1], CUSUM_TOP)
        crossed: dict[Alert, bool] = {
            "ewma-low": self.average < low - TIE,
            "ewma-high": self.average > high + TIE,
            "cusum-low": varies and self.down > CUSUM_LIMIT,
            "cusum-high": varies and self.up > CUSUM_LIMIT,
        }
        alerts = tuple(alert for alert, holds in crossed.items() if holds)
        first, self.crossing = bool(alerts) and not self.crossing, bool(alerts)
        self.alerted = self.alerted or self.crossing
        if not self.alerted:
            self.calm.append(difference)
        return ControlPoint(
            night=night, segment=segment, difference=difference, centre=centre, sigma=sigma, ewma=self.average,
            low=low, high=high, cusum_up=self.up if varies else None, cusum_down=self.down if varies else None,
            alerts=alerts, first=first,
        )  # fmt: skip


def drift_sentence(point: ControlPoint, measure: str) -> str | None:
    """What an alert says, None where there is none: which way, the difference now, and the usual one."""
    if not point.alerts or point.centre is None:
        return None
    way = "down" if any(alert.endswith("-low") for alert in point.alerts) else "up"
    decimals = max(decimals_for(point.difference), decimals_for(point.centre))
    return (
        f"{measure} has drifted {way}: {signed(point.difference, decimals)} against the baseline now, "
        f"where {signed(point.centre, decimals)} was usual."
    )


def worse_beyond_margin(evidence: Evidence) -> bool:
    """Whether the paired comparison with the pinned baseline is worse (95 % interval below 0) and past the margin."""
    interval = evidence.interval
    below = interval is not None and interval[1] < 0
    return below and evidence.difference is not None and evidence.difference < -evidence.margin
