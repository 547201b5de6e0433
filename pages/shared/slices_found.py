"""What the slices show: every column's groups against the baseline, and the column that a page is about."""

from dataclasses import dataclass

import streamlit as st

from core.comparison import Comparison
from core.comparison.finding import Finding
from core.comparison.notices import notices
from core.comparison.pairs import against_baseline, by_slice
from core.comparison.slice_finding import slice_finding, weakest_slice
from core.notices import Notice
from core.slices import SliceColumn, cross
from core.statistics.slice_family import SliceStatistics
from pages.shared.kept import computed
from pages.shared.queries_facts import run_of
from pages.shared.text import plain
from pages.shared.view import View

TELLING = "Most telling"
ALONE = "Nothing"
Parts = tuple[SliceStatistics, ...]


@dataclass(frozen=True, eq=False)
class Found:
    """The column looked at, its groups for every candidate, and what all columns show together."""

    column: SliceColumn
    parts: Parts
    finding: Finding


def draw_controls(comparison: Comparison) -> None:
    """Which column to look at, and with which other one it is crossed."""
    names = [column.name for column in comparison.slices]
    left, right = st.columns(2, gap="small")
    left.selectbox(
        "Slice by", [TELLING, *names], key="column", bind="query-params",
        help="An attribute of the queries. The most telling one holds the deepest fall, else the highest rise.",
    )  # fmt: skip
    right.selectbox(
        "Crossed with",
        [ALONE, *names],
        key="cross",
        bind="query-params",
        help="Every pair of values is a slice of its own.",
    )


def draw_run(look: View) -> None:
    """Which run the charts hold against the baseline."""
    st.selectbox(
        "Run", [TELLING, *look.candidates], key="vs", bind="query-params",
        help="The run that the charts hold against the baseline. The most telling one is the title's.",
    )  # fmt: skip


def run_looked_at(comparison: Comparison, look: View, found: Found) -> str:
    """The run of the charts: the one picked, else the title's, else the candidate with the highest mean."""
    picked = st.session_state.get("vs")
    if picked in look.candidates:
        return str(picked)
    return found.finding.candidate or run_of(comparison, look, None)


def find(comparison: Comparison, look: View) -> Found:
    """Look through all columns, and take the one that is asked for."""
    columns = {column.name: column for column in comparison.slices}
    parts = parts_of(comparison, look, tuple(columns.values()))
    every = [part for found in parts.values() for part in found]
    if look.candidates:
        pairs = against_baseline(
            comparison, look.baseline, look.measure, look.candidates, where=look.where, resample=False
        )
        finding = slice_finding(every, pairs)
    else:
        finding = weakest_slice(comparison, look.baseline, look.measure, comparison.slices, look.where)
    column = columns.get(str(st.session_state.get("column"))) or columns[_telling(every, comparison)]
    other = columns.get(str(st.session_state.get("cross")))
    if other is not None and other is not column:
        column = cross(column, other)
        parts |= parts_of(comparison, look, (column,))
    return Found(column, parts[column.name], finding)


def parts_of(comparison: Comparison, look: View, columns: tuple[SliceColumn, ...]) -> dict[str, Parts]:
    """Every group of some columns for every candidate, by the column's name."""
    if not look.candidates:
        return {column.name: () for column in columns}
    work = {
        f"slices {comparison.key} {look.key} {column.name}": (
            f"Looking at slices by {plain(column.name)}",
            lambda _, column=column: tuple(
                by_slice(comparison, look.baseline, look.measure, column, look.candidates, where=look.where)
            ),
        )
        for column in columns
    }
    found = computed(work)
    return {column.name: found[key] for column, key in zip(columns, work, strict=True)}


def mixed_scales(comparison: Comparison, look: View) -> tuple[Notice, ...]:
    """The notices that parts of the judgments are graded on different scales."""
    key = f"mixed scales {comparison.key}"
    task = (
        "Looking at grades",
        lambda _: tuple(one for one in notices(comparison, [look.measure]) if one.code == "mixed-scales"),
    )
    found: tuple[Notice, ...] = computed({key: task})[key]
    return found


def _telling(parts: list[SliceStatistics], comparison: Comparison) -> str:
    """The column of the deepest fall, else of the highest rise, else the first."""
    findings = sorted((part for part in parts if part.finding), key=lambda part: part.difference or 0.0)
    if not findings:
        return comparison.slices[0].name
    return findings[0].column if findings[0].fell else findings[-1].column
