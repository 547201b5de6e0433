"""The table of slices: every group for every run, what its groups add up to, and a way to look at one on every page."""

import math

import numpy as np
import polars as pl
import streamlit as st

from core.comparison import Comparison
from core.comparison.slice_finding import macro_and_micro, slice_finding, weakest_slice
from core.exports.sentences import short
from core.slices import NONE, SliceColumn
from core.statistics.slice_family import FEWEST_QUERIES, SliceStatistics
from pages.shared import slicing
from pages.shared.figure import exported, line
from pages.shared.slices_found import Found
from pages.shared.slices_views import inside
from pages.shared.text import count, difference, plain, quiet
from pages.shared.view import View

FINDINGS = {"Rose": "blue", "Fell": "orange", "No finding": "gray", "Too few queries": "gray", "Baseline": "gray"}


def draw(comparison: Comparison, look: View, found: Found, *, scales: bool) -> None:
    """The table; `scales` where grade scales differ, so that the highest grade of each slice stands beside it."""
    rows = _rows(comparison, look, found, scales=scales)
    values = list(dict.fromkeys(str(row["slice"]) for row in rows))
    st.selectbox(
        "Look at one slice on every page", values, index=None, placeholder="Choose a slice", key=f"_pick_{_name(found.column)}",
        on_change=_look_at, args=(found.column,),
    )  # fmt: skip
    column = st.column_config
    key = f"slices_{abs(hash((comparison.key, look.key, found.column.name)))}"
    p = "The chance of a difference this large by luck (sign-flip randomisation), {} for the many looks; only slices of 10 queries or more."
    exported(
        pl.DataFrame(rows, infer_schema_length=None), hide_index=True, key=key, placeholder="–", row_height=36,
        height="content" if len(rows) <= 14 else 520, selection_mode="single-row", alt=f"Slices by {found.column.name}",
        finding=shown(comparison, look, found),
        on_select=lambda: _look_at_row(key, found.column, rows),
        column_config={
            "slice": column.TextColumn(found.column.name, pinned=True),
            "run": column.TextColumn("Run"),
            "n": column.NumberColumn("Queries", format="%d"),
            "grade": column.NumberColumn("Highest grade", format="%g"),
            "mean": column.NumberColumn(str(look.measure), format="%.3f", help=look.measure.meaning),
            "difference": column.NumberColumn("Difference", format="%+.3f", help=f"Minus {look.baseline} on the same queries."),
            "interval": column.TextColumn("95 % interval", help="Paired Student's t."),
            "finding": column.MultiselectColumn("Finding", options=list(FINDINGS), color=list(FINDINGS.values())),
            "p_bh": column.NumberColumn("p (BH)", format="%.2g", help=p.format("allowed by Benjamini–Hochberg, for exploring,")),
            "p_holm": column.NumberColumn("p (Holm)", format="%.2g", help=p.format("allowed by Holm, for blocking,")),
        },
    )  # fmt: skip
    quiet(f"{sums_checked(look, found.column)} Pick a row to look at its queries on every page.")
    line(slicing.line(comparison, look))


def shown(comparison: Comparison, look: View, found: Found) -> str:
    """What the groups of the column show: for every candidate, or where a single run is weakest."""
    if look.candidates:
        return slice_finding(found.parts, []).title
    return weakest_slice(comparison, look.baseline, look.measure, [found.column], look.where).title


def sums_checked(look: View, column: SliceColumn) -> str:
    """Whether the groups hold every query looked at, and each once."""
    members = column.members if look.where is None else column.members[:, look.where]
    per_query = members.sum(axis=0)
    total, groups = len(per_query), int(members.any(axis=1).sum())
    of = count(total, "query", "queries")
    none = int(members[column.values.index(NONE)].sum()) if NONE in column.values else 0
    without = f" {count(none, 'query has', 'queries have')} no value: {NONE}." if none else ""
    if (per_query == 1).all():
        return f"{count(groups, 'slice')} hold {of}, each once.{without}"
    return f"{count(groups, 'slice')} hold {of}; lists put some in several, {int(per_query.sum()):,} places in all.{without}"


def averages(comparison: Comparison, look: View, found: Found, *, scales: bool) -> None:
    """The macro mean beside the micro mean; apart for each scale where grade scales differ."""
    groups = _by_scale(comparison, found.column) if scales else {"": list(range(len(found.column.values)))}
    rows = []
    for label, places in groups.items():
        base = _two_means(comparison, look, look.baseline, found.column, places)
        for name in look.runs:
            macro, micro = _two_means(comparison, look, name, found.column, places)
            row: dict[str, object] = {"run": name, "micro": micro, "macro": macro}
            if name != look.baseline:
                row |= {"micro_difference": _minus(micro, base[1]), "macro_difference": _minus(macro, base[0])}
            rows.append(({"scale": label} if scales else {}) | row)
    column = st.column_config
    with st.container(border=True):
        st.markdown("### Each query once, and each slice once")
        exported(
            pl.DataFrame(rows, infer_schema_length=None), hide_index=True, height="content", key="averages", placeholder="–",
            alt="Micro and macro means of every run", finding=apart_in(rows),
            column_config={
                "scale": column.TextColumn("Graded up to", pinned=True),
                "run": column.TextColumn("Run", pinned=True),
                "micro": column.NumberColumn("Micro mean", format="%.3f", help="Every query counts once."),
                "micro_difference": column.NumberColumn("Difference", format="%+.3f"),
                "macro": column.NumberColumn("Macro mean", format="%.3f", help="Every slice counts once, whatever its size."),
                "macro_difference": column.NumberColumn("Macro difference", format="%+.3f"),
            },
        )  # fmt: skip
        apart = " Slices on different grade scales are averaged apart." if scales else ""
        quiet(f"Where the two differ, large slices hide small ones.{apart}")


def apart_in(rows: list[dict[str, object]]) -> str:
    """Which run's micro and macro mean are furthest apart. rows: run, micro, macro; a scale where they are apart by it."""
    known = [row for row in rows if isinstance(row["micro"], float) and isinstance(row["macro"], float)]
    if not known:
        return "No mean can be computed"
    most = max(known, key=lambda row: abs(row["macro"] - row["micro"]))  # type: ignore[operator]  # both are numbers
    scale = f", graded up to {most['scale']}" if "scale" in most else ""
    return f"{short(str(most['run']))}{scale}: {most['micro']:.3f} over queries, {most['macro']:.3f} over slices"


def highest_grades(comparison: Comparison, column: SliceColumn) -> list[float]:
    """The highest grade given in each group of a column."""
    qrels = comparison.qrels
    first = np.searchsorted(qrels.query, np.arange(len(qrels.queries)))
    top = np.maximum.reduceat(qrels.grade, first)
    return [float(top[members].max()) if members.any() else math.nan for members in column.members]


def _by_scale(comparison: Comparison, column: SliceColumn) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    grades = highest_grades(comparison, column)
    for at in sorted(range(len(grades)), key=lambda at: grades[at]):
        found.setdefault(f"{grades[at]:g}", []).append(at)
    return found


def _two_means(
    comparison: Comparison, look: View, name: str, column: SliceColumn, places: list[int]
) -> tuple[float | None, float | None]:
    """Macro and micro over some groups; micro counts each query once, in however many groups it is."""
    means = {}
    for at in places:
        members = inside(look, column.members[at])
        means[column.values[at]] = (
            comparison.mean(name, look.measure, members),
            len(comparison.counted(name, look.measure, members)),
        )
    macro, _ = macro_and_micro(means)
    return macro, comparison.mean(name, look.measure, inside(look, np.any(column.members[places], axis=0)))


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _rows(comparison: Comparison, look: View, found: Found, *, scales: bool) -> list[dict[str, object]]:
    parts = {(part.value, part.candidate): part for part in found.parts}
    grades = highest_grades(comparison, found.column)
    rows = []
    for at, (value, members) in enumerate(zip(found.column.values, found.column.members, strict=True)):
        for name in look.runs:
            size = len(comparison.counted(name, look.measure, inside(look, members)))
            if size:
                row: dict[str, object] = {"slice": value, "run": name, "n": size}
                row |= {"grade": grades[at]} if scales else {}
                row["mean"] = comparison.mean(name, look.measure, inside(look, members))
                rows.append(row | (_statistics(parts.get((value, name))) if look.candidates else {}))
    return rows


def _statistics(part: SliceStatistics | None) -> dict[str, object]:
    if part is None:
        return {"difference": None, "interval": "", "finding": ["Baseline"], "p_bh": None, "p_holm": None}
    low, high = part.interval or (None, None)
    word = (
        "Too few queries"
        if part.n < FEWEST_QUERIES
        else ("Fell" if part.fell else "Rose")
        if part.finding
        else "No finding"
    )
    return {
        "difference": part.difference,
        "interval": "" if low is None else f"{difference(low)} to {difference(high)}",
        "finding": [word],
        "p_bh": part.p_bh,
        "p_holm": part.p_holm,
    }


def _name(column: SliceColumn) -> str:
    return f"{abs(hash(column.name))}"


def _look_at(column: SliceColumn) -> None:
    value = st.session_state[f"_pick_{_name(column)}"]
    if value is not None:
        slicing.look_at(column.name, [value])


def _look_at_row(key: str, column: SliceColumn, rows: list[dict[str, object]]) -> None:
    picked = st.session_state[key]["selection"]["rows"]
    if picked and picked[0] < len(rows):
        slicing.look_at(column.name, [str(rows[picked[0]]["slice"])])


def scales_said(messages: list[str]) -> None:
    """The notices that grade scales differ, on top of what they touch."""
    for message in messages:
        st.warning(plain(message, 600), icon=":material/straighten:")
