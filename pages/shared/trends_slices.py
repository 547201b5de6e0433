"""Every slice of a series: where it stands, what was usual, and its course as a small line."""

import polars as pl
import streamlit as st

from core.history import Course
from pages.shared.figure import exported
from pages.shared.text import count, quiet
from pages.shared.trends import Seen

FELL, CALM = "Fell", "As usual"
STATES = {FELL: "orange", CALM: "gray", "No limits yet": "gray"}


def draw(seen: Seen) -> None:
    """The table; a row that is picked is drawn beside all queries."""
    courses = [course for course in seen.watched.slices if course.nights]
    if not courses:
        return
    st.header("Every slice", anchor=False)
    fallen = {alert.group for alert in seen.watched.standing if alert.group}
    rows = [_row(course, fell=course.group in fallen) for course in courses]
    column = st.column_config
    exported(
        pl.DataFrame(rows, infer_schema_length=None), hide_index=True, key="trend_slices", placeholder="–", row_height=36,
        height="content" if len(rows) <= 16 else 560, selection_mode="single-row", alt="Slices of the series",
        finding=title(len(fallen), len(rows)), footer=seen.line,
        on_select=lambda: _look(courses),
        column_config={
            "slice": column.TextColumn("Slice", pinned=True),
            "n": column.NumberColumn("Queries", format="%d"),
            "difference": column.NumberColumn("Now", format="%+.3f", help="Mean difference of the latest result to the baseline."),
            "usual": column.NumberColumn("Usual", format="%+.3f", help="The mean difference of the calm results before."),
            "change": column.NumberColumn("Change", format="%+.3f"),
            "state": column.MultiselectColumn("State", options=list(STATES), color=list(STATES.values())),
            "course": column.LineChartColumn("Course", help="The differences of the latest segment, oldest first."),
        },
    )  # fmt: skip
    quiet(
        "A slice alerts where a control chart crosses downwards and it lies 0.02 or more below its usual level. Pick a row to draw it."
    )


def title(fallen: int, slices: int) -> str:
    """How many slices of the series fell."""
    return f"{fallen:,} of {count(slices, 'slice')} fell" if fallen else f"None of {count(slices, 'slice')} has fallen"


def _row(course: Course, *, fell: bool) -> dict[str, object]:
    latest = course.nights[-1]
    column, value = course.group or ("", "")
    usual = latest.point.centre
    segment = [night.difference for night in course.nights if night.point.segment == latest.point.segment]
    return {
        "slice": f"{column}: {value}", "n": latest.n, "difference": latest.difference, "usual": usual,
        "change": None if usual is None else latest.difference - usual,
        "state": [FELL if fell else CALM if usual is not None else "No limits yet"], "course": segment,
    }  # fmt: skip


def _look(courses: list[Course]) -> None:
    picked = st.session_state["trend_slices"]["selection"]["rows"]
    if picked and picked[0] < len(courses):
        column, value = courses[picked[0]].group or ("", "")
        st.session_state["ts"] = f"{column}: {value}"
