"""The charts of the Trends page: all queries, and beside them the slice that stands out; the alerts under them."""

import polars as pl
import streamlit as st

from core import charts
from core.history import Alert, Course, Night, course_finding
from core.statistics.drift import CUSUM_LIMIT, FEWEST_NIGHTS
from pages.shared.figure import card
from pages.shared.text import plain
from pages.shared.trends import Seen, called

SMOOTHED, SUMMED = "Smoothed", "Summed"
SHOWN = 6


def draw(seen: Seen) -> None:
    """All queries in one card, a slice in the other where there is one."""
    kind = st.segmented_control(
        "Control chart", [SMOOTHED, SUMMED], default=SMOOTHED, required=True, key="tc", bind="query-params",
        help="Smoothed (EWMA) shows a lasting change soon. Summed (CUSUM) shows a small change that lasts.",
    )  # fmt: skip
    courses = [seen.watched.whole] if seen.group is None else [seen.watched.whole, seen.group]
    for place, course in zip(st.columns(len(courses), gap="small"), courses, strict=True):
        with place:
            _card(seen, course, kind or SMOOTHED)


def alerts(seen: Seen) -> None:
    """Every alert with the first result that crossed, those that hold first."""
    st.header("Alerts", anchor=False)
    found = seen.watched.alerts
    if not found:
        known = seen.watched.whole.latest is not None and seen.watched.whole.latest.point.centre is not None
        st.markdown(
            ":gray[Nothing has crossed its limits.]"
            if known
            else f":gray[Limits begin after {FEWEST_NIGHTS} results of the same qrels, query set and conventions.]"
        )
        return
    for at, alert in enumerate(found[:SHOWN]):
        _alert(alert, at)
    if len(found) > SHOWN:
        with st.expander(f"{len(found) - SHOWN:,} more"):
            for at, alert in enumerate(found[SHOWN:], SHOWN):
                _alert(alert, at)


def _alert(alert: Alert, at: int) -> None:
    mark = (
        ":gray[:material/check:]"
        if not alert.open
        else ":blue[:material/trending_up:]"
        if alert.kind == "up"
        else ":orange[:material/warning:]"
    )
    with st.container(border=True):
        sentence, way = st.columns([5, 1], vertical_alignment="center")
        sentence.markdown(f"{mark} {plain(alert.sentence, 400)}")
        way.button(
            "Look at it", key=f"trend_alert_{at}", type="tertiary", icon=":material/search:", on_click=_look, args=(alert,),
            help="Shows the first result that crossed, against the one before.",
        )  # fmt: skip


def _look(alert: Alert) -> None:
    st.session_state["tr"] = called(alert.first.result)
    if alert.group is not None:
        st.session_state["ts"] = f"{alert.group[0]}: {alert.group[1]}"


def _card(seen: Seen, course: Course, kind: str) -> None:
    title = "All queries" if course.group is None else f"{course.group[0]}: {course.group[1]}"
    key = "trend" if course.group is None else "trend_slice"
    picked = seen.picked.result.id if seen.picked else None
    n, shows = course.nights[-1].n, course_finding(course, seen.watched.alerts)
    if kind == SUMMED:
        frame = pl.DataFrame([_sums(night) for night in course.nights], schema=charts.CUSUM, orient="row")
        card(
            title, charts.cusum(frame, limit=CUSUM_LIMIT, picked=picked), frame, key=key, selection="night", finding=shows, footer=seen.line,
            description=charts.describe_cusum(frame, limit=CUSUM_LIMIT),
            note=f"{n:,} queries. In standard deviations from one result to the next; beyond {CUSUM_LIMIT:g} it alerts. Click to see what changed.",
        )  # fmt: skip
        return
    rows = [_row(seen, course, night) for night in course.nights]
    frame = pl.DataFrame(rows, schema=charts.TREND, orient="row")
    left = f" {course.left_out:,} results without it are left out." if course.left_out else ""
    card(
        title, charts.trend(frame, measure=seen.short, picked=picked), frame, key=key, selection="night", finding=shows, footer=seen.line,
        description=charts.describe_trend(frame, measure=seen.short),
        note=f"{n:,} queries. The band holds the smoothed course of a calm series.{left} Click a result to see what changed.",
    )  # fmt: skip


def _row(seen: Seen, course: Course, night: Night) -> tuple[object, ...]:
    point = night.point
    note = f"changed: {', '.join(night.changed)}" if night.changed else None
    return (
        night.result.at.replace(tzinfo=None), night.difference, point.ewma, point.low, point.high, point.segment, note,
        _stands_out(seen, course, night), night.result.id,
    )  # fmt: skip


def _stands_out(seen: Seen, course: Course, night: Night) -> str | None:
    """Which alert of this course a night belongs to, in words."""
    at = night.result.at
    kinds = [
        {"down": "below its limits", "up": "above its limits", "worse": "worse than the baseline"}[alert.kind]
        for alert in seen.watched.alerts
        if alert.group == course.group and alert.first.result.at <= at <= alert.last.result.at
    ]
    return ", ".join(dict.fromkeys(kinds)) or None


def _sums(night: Night) -> tuple[object, ...]:
    point = night.point
    return (night.result.at.replace(tzinfo=None), point.cusum_up, point.cusum_down, point.segment, night.result.id)
