"""Alerts of a series: what has drifted, since which result, and the finding that a page has as its title."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from core.history.course import Course, Group, Night, course, groups_of
from core.history.result import Result
from core.statistics.evidence import MARGIN
from core.statistics.slice_family import FEWEST_QUERIES
from core.statistics.wording import counted, decimals_for, plain, queries, signed

Kind = Literal["down", "up", "worse"]


@dataclass(frozen=True, kw_only=True)
class Alert:
    """A stretch of nights on which something stands out.

    kind     "down" and "up": the control charts crossed; "worse": worse than the baseline beyond the margin
    crossed  which charts: "ewma-low", "cusum-low", …; none for "worse"
    first    the night to look at: the first that crossed
    last     the last night of the stretch; `open` where it is the latest there is
    usual    the level before, None for "worse"
    """

    kind: Kind
    group: Group | None
    measure: str
    crossed: tuple[str, ...]
    first: Night
    last: Night
    open: bool
    usual: float | None

    @property
    def change(self) -> float:
        """How far the latest of its nights is from the usual level, or from the baseline."""
        return self.last.difference - (self.usual or 0.0)

    @property
    def sentence(self) -> str:
        """What happened, since when, and the numbers."""
        what = self.measure if self.group is None else f'"{self.group[1]}" ({self.group[0]})'
        began = day(self.first.result.at)
        when = f"has been {{}} since {began}" if self.open else f"was {{}} from {began} to {day(self.last.result.at)}"
        where = {
            "down": "below its usual level",
            "up": "above its usual level",
            "worse": "worse than the baseline beyond the margin",
        }[self.kind]
        digits = max(decimals_for(self.last.difference), decimals_for(self.usual or 0.0))
        now = f"{signed(self.last.difference, digits)} {self.measure} against the baseline over {queries(self.last.n)}"
        usual = "" if self.usual is None else f", where {signed(self.usual, digits)} was usual"
        return f"{what} {when.format(where)}: {now}{usual}."

    def as_json(self) -> dict[str, Any]:
        """For `history --format json`, and what a command gets on an alert."""
        slice_ = None if self.group is None else {"column": self.group[0], "value": self.group[1]}
        return {
            "kind": self.kind, "slice": slice_, "measure": self.measure, "crossed": list(self.crossed),
            "first": {"id": self.first.result.id, "at": self.first.result.at.isoformat(), "name": self.first.result.name},
            "latest": {"id": self.last.result.id, "at": self.last.result.at.isoformat(), "name": self.last.result.name},
            "open": self.open, "difference": self.last.difference, "usual": self.usual, "n": self.last.n,
            "sentence": self.sentence,
        }  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Watched:
    """A measure of a series, watched: all queries, every slice, the alerts, the deepest fall first."""

    whole: Course
    slices: tuple[Course, ...]
    alerts: tuple[Alert, ...]

    @property
    def standing(self) -> tuple[Alert, ...]:
        """The alerts that hold on the latest night."""
        return tuple(alert for alert in self.alerts if alert.open)

    def begun_with(self, result: Result) -> tuple[Alert, ...]:
        """The alerts whose first result this is."""
        return tuple(alert for alert in self.alerts if alert.first.result.id == result.id)


def watched(
    results: Sequence[Result], measure: str, *, baseline: Result | None = None, margin: float = MARGIN
) -> Watched:
    """Watch a measure of a series, and of each of its slices that has 10 queries or more.

    All queries alert where a control chart crosses, or where the comparison with the baseline is worse beyond the margin.
    There are many slices, so one alerts only where a chart crosses downwards and it lies the margin or more below its usual level.
    """
    whole = course(results, measure, baseline=baseline, margin=margin)
    slices = tuple(
        course(results, measure, group, baseline=baseline, margin=margin)
        for group, n in groups_of(results)
        if n >= FEWEST_QUERIES
    )
    found = [*_drifted(whole), *_worse(whole)]
    for each in slices:
        found += _fallen(each, margin)
    found.sort(key=lambda alert: (not alert.open, alert.group is not None, alert.kind == "up", alert.change))
    return Watched(whole=whole, slices=slices, alerts=tuple(found))


def _drifted(of: Course) -> list[Alert]:
    """Stretches in which a chart of all queries crosses one way."""
    ways: tuple[tuple[Kind, str], ...] = (("down", "-low"), ("up", "-high"))
    return [
        _alert(of, kind, stretch)
        for kind, end in ways
        for stretch in _stretches(of, [any(each.endswith(end) for each in night.point.alerts) for night in of.nights])
    ]


def _worse(of: Course) -> list[Alert]:
    return [_alert(of, "worse", stretch) for stretch in _stretches(of, [night.worse for night in of.nights])]


def _fallen(of: Course, margin: float) -> list[Alert]:
    low = [
        any(each.endswith("-low") for each in night.point.alerts)
        and night.difference - (night.point.centre or 0.0) <= -margin
        for night in of.nights
    ]
    return [_alert(of, "down", stretch) for stretch in _stretches(of, low)]


def _stretches(of: Course, holds: Sequence[bool]) -> list[tuple[Night, ...]]:
    """Neighbouring nights of one segment on which something holds."""
    found: list[list[Night]] = []
    for at, night in enumerate(of.nights):
        if holds[at]:
            goes_on = at > 0 and holds[at - 1] and of.nights[at - 1].point.segment == night.point.segment
            if goes_on:
                found[-1].append(night)
            else:
                found.append([night])
    return [tuple(stretch) for stretch in found]


def _alert(of: Course, kind: Kind, stretch: Sequence[Night]) -> Alert:
    first, last = stretch[0], stretch[-1]
    end = {"down": "-low", "up": "-high", "worse": "-"}[kind]
    crossed = dict.fromkeys(each for night in stretch for each in night.point.alerts if each.endswith(end))
    return Alert(
        kind=kind, group=of.group, measure=of.measure, crossed=tuple(crossed), first=first, last=last,
        open=of.latest is last, usual=None if kind == "worse" else first.point.centre,
    )  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """What a series shows: the title, the sentence under it, and the alert it is about, None where there is none."""

    title: str
    sentence: str
    alert: Alert | None = None


def finding(watched_: Watched) -> Finding:
    """What a measure of a series shows by now: the worst that stands, else that all is calm."""
    whole = watched_.whole
    if whole.latest is None:
        return Finding("No result to show", f"No result of this series has {whole.measure}.")
    standing = watched_.standing
    alert = next((one for one in standing if one.kind != "up"), standing[0] if standing else None)
    if alert is None:
        return _calm(watched_)
    if alert.group is None:
        return Finding(_title_of(alert), alert.sentence, alert)
    moved = whole.latest.difference - (whole.latest.point.centre or 0.0)
    calm = not whole.latest.point.alerts
    fell = _title_of(alert)
    mean = f"The mean of all {queries(whole.latest.n)} moved by {signed(moved, decimals_for(moved))}"
    return Finding(
        f"{fell}, and the mean hardly shows it" if calm else fell,
        f"{alert.sentence} {mean}{', within its usual range' if calm else ''}.",
        alert,
    )


def course_finding(of: Course, alerts: Sequence[Alert]) -> str:
    """What one course shows by now: the first alert of its own that stands, else where it is. alerts: of the whole series."""
    standing = next((alert for alert in alerts if alert.open and alert.group == of.group), None)
    if standing is not None:
        return _title_of(standing)
    what = "All queries" if of.group is None else f'"{of.group[1]}" ({of.group[0]})'
    if of.latest is None:
        return f"{what}: no result has {of.measure}"
    rest = "as usual" if of.latest.point.centre is not None else "too few results to say what is usual"
    return f"{what}: {_now(of.measure, of.latest)}, {rest}"


def _title_of(alert: Alert) -> str:
    since = day(alert.first.result.at)
    if alert.group is not None:
        size = plain(abs(alert.change), decimals_for(alert.change))
        return f'"{alert.group[1]}" ({alert.group[0]}) fell by {size} since {since}'
    if alert.kind == "worse":
        return f"{alert.measure} is worse than the baseline since {since}"
    return f"{alert.measure} has drifted {alert.kind} since {since}"


def _now(measure: str, night: Night) -> str:
    return f"{signed(night.difference, decimals_for(night.difference))} {measure} against the baseline"


def _calm(watched_: Watched) -> Finding:
    latest, nights = watched_.whole.latest, watched_.whole.nights
    if latest is None:
        raise ValueError("a series without a night")
    now = _now(watched_.whole.measure, latest)
    if latest.point.centre is None:
        since = sum(night.point.segment == latest.point.segment for night in nights)
        sentence = (
            f"{now}. Control limits need 10 results of the same qrels, queries and conventions; there are {since:,}."
        )
        return Finding(f"{counted(len(nights), 'result')}, too few to tell drift from chance", sentence)
    passed = len({alert.first.result.id for alert in watched_.alerts})
    over = (
        f" {counted(passed, 'earlier alert')} is over."
        if passed == 1
        else f" {passed:,} earlier alerts are over."
        if passed
        else ""
    )
    return Finding("No drift", f"{now}, as usual, and no slice has fallen.{over}")


def day(moment: datetime) -> str:
    """`21 November 2026`."""
    return f"{moment.day} {moment:%B %Y}"
