"""Course: one measure of a series over time, for all queries or for a slice, with its baseline and its control limits."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.history.result import Floats, Mask, Result
from core.statistics.differences import moments
from core.statistics.drift import ControlPoint, watch
from core.statistics.evidence import MARGIN
from core.statistics.interval import Interval, t_interval

Group = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Night:
    """One result in a course.

    baseline    what it is held against: the one asked for where it is comparable, else the first of its segment
    n           queries that count in both
    mean        of the result, over those queries
    difference  mean difference to the baseline; `interval` is its 95 % interval, None below two queries
    changed     what changed since the night before, where a segment begins: "qrels", "query set", …
    worse       whether the interval lies below 0 and the difference beyond the margin
    """

    result: Result
    baseline: Result
    n: int
    mean: float
    difference: float
    interval: Interval | None
    changed: tuple[str, ...]
    worse: bool
    point: ControlPoint


@dataclass(frozen=True, kw_only=True)
class Course:
    """A measure over time.

    group     the slice as (column, value), None for all queries
    nights    oldest first
    left_out  results without this measure, this slice, or a query to compare
    """

    measure: str
    group: Group | None
    nights: tuple[Night, ...]
    left_out: int

    @property
    def latest(self) -> Night | None:
        """The last night, None where there is none."""
        return self.nights[-1] if self.nights else None


def course(
    results: Sequence[Result],
    measure: str,
    group: Group | None = None,
    *,
    baseline: Result | None = None,
    margin: float = MARGIN,
) -> Course:
    """Hold every result against the baseline of its segment, and watch the differences.

    A segment is a stretch of neighbours with the same qrels, query set and conventions, and the same queries in the slice.
    """
    usable = [result for result in results if measure in result.measures and _any(result, measure, group)]
    keys = [_key(result, group) for result in usable]
    firsts: list[Result] = []
    for at, result in enumerate(usable):
        begins = at == 0 or keys[at] != keys[at - 1]
        pinned = begins and baseline is not None and _key(baseline, group) == keys[at] and measure in baseline.measures
        firsts.append((baseline or result) if pinned else result if begins else firsts[-1])
    pairs = [paired(first, result, measure, group) for first, result in zip(firsts, usable, strict=True)]
    means = [moments(new - old).mean or 0.0 for old, new in pairs]
    nights = []
    for at, point in enumerate(watch(means, keys)):
        old, new = pairs[at]
        interval = t_interval(new - old)
        changed = changes(usable[at - 1], usable[at], group) if at and keys[at] != keys[at - 1] else ()
        nights.append(
            Night(
                result=usable[at],
                baseline=firsts[at],
                n=len(new),
                mean=moments(new).mean or 0.0,
                difference=means[at],
                interval=interval,
                changed=changed,
                point=point,
                worse=interval is not None and interval[1] < 0 and means[at] < -margin,
            )
        )
    return Course(measure=measure, group=group, nights=tuple(nights), left_out=len(results) - len(usable))


def paired(old: Result, new: Result, measure: str, group: Group | None = None) -> tuple[Floats, Floats]:
    """The scores of two comparable results on the queries that count in both: shape (queries,) each, sorted by query."""
    rows = compared(old, new, measure, group)
    return old.values(measure)[rows], new.values(measure)[rows]


def compared(old: Result, new: Result, measure: str, group: Group | None = None) -> Mask:
    """The queries that count in both of two comparable results, of those in a slice: shape (judged queries,)."""
    rows: Mask = ~np.isnan(old.values(measure)) & ~np.isnan(new.values(measure))
    return rows if group is None else rows & new.members[group]


def changes(before: Result, after: Result, group: Group | None = None) -> tuple[str, ...]:
    """What makes two results incomparable, in words."""
    found = []
    if before.queries != after.queries:
        found.append("query set")
    if (before.qrels, before.judgments) != (after.qrels, after.judgments):
        found.append("qrels")
    found += [
        f"{name.replace('_', ' ')} {before.conventions.get(name, '–')} → {value}"
        for name, value in after.conventions.items()
        if before.conventions.get(name) != value
    ]
    if group is not None and not found and _key(before, group) != _key(after, group):
        found.append("queries of the slice")
    return tuple(found)


def groups_of(results: Sequence[Result]) -> list[tuple[Group, int]]:
    """The slices of the latest result with their numbers of queries, in the columns' own order."""
    return [((column, value), n) for column, value, n, _ in results[-1].slices] if results else []


def _any(result: Result, measure: str, group: Group | None) -> bool:
    counts = ~np.isnan(result.values(measure))
    if group is None:
        return bool(counts.any())
    members = result.members.get(group)
    return members is not None and bool((counts & members).any())


def _key(result: Result, group: Group | None) -> tuple[object, ...]:
    if group is None:
        return result.comparable
    members = result.members.get(group)
    return (*result.comparable, None if members is None else members.tobytes())
