"""Data health: what in the files touches the numbers, as counts, coverage, grades and notices."""

import polars as pl
import streamlit as st

from core import charts, health
from core.comparison import Comparison
from core.comparison.notices import notices
from core.exports import sentences
from core.model.measure import Measure
from pages.shared import notices as drawn
from pages.shared.figure import card, exported, line
from pages.shared.kept import computed
from pages.shared.text import count
from pages.shared.view import CUTOFFS, View


def draw(comparison: Comparison, look: View) -> None:
    """Counts, coverage of every run, the grades, and every notice."""
    measures = [look.measure, Measure("nDCG", max(CUTOFFS))]
    key = f"notices {comparison.key} {look.measure}"
    told = computed({key: ("Looking at what touches the numbers", lambda _: notices(comparison, measures))})[key]
    st.header("Data health", anchor=False)
    _tiles(comparison, look, sum(notice.severity != "info" for notice in told))
    left, right = st.columns([3, 2], gap="small")
    with left, st.container(border=True, height="stretch"):
        _coverage(comparison, look)
    with right:
        _grades(comparison)
    st.header(count(len(told), "notice") if told else "No notices", anchor=False)
    if not told:
        st.markdown(":gray[Nothing in these files needs a word.]")
    drawn.draw(told)
    line(comparison.line(look.measure))


def _tiles(comparison: Comparison, look: View, serious: int) -> None:
    undefined = len(comparison.undefined(look.measure))
    with st.grid(4, min_column_width=150):
        st.metric("Judged queries", f"{len(comparison.qrels.queries):,}", border=True, height="stretch")
        st.metric("Judgments", f"{comparison.qrels.judgments.height:,}", border=True, height="stretch")
        st.metric(
            "Undefined queries", f"{undefined:,}", border=True, height="stretch",
            help="No document has a positive grade: a query like this scores 0 whatever a run does.",
        )  # fmt: skip
        st.metric("Notices to look at", f"{serious:,}", border=True, height="stretch")


def _coverage(comparison: Comparison, look: View) -> None:
    """How each run covers the judged queries."""
    st.markdown("### Coverage of each run")
    seen = health.shown(comparison.qrels, comparison.runs, look.measure, comparison.conventions, [look.measure])
    column = st.column_config
    k = look.measure.k
    facts = health.run_facts(seen)
    exported(
        facts, hide_index=True, height="content", key="coverage", placeholder="–", alt="How each run covers the judged queries",
        finding=coverage(facts),
        column_config={
            "run": column.TextColumn("Run", pinned=True),
            "answered": column.NumberColumn("Answered", format="%d", help="Judged queries that the run answers."),
            "missing": column.NumberColumn("Missing", format="%d", help="Judged queries that it does not answer."),
            "extra": column.NumberColumn("Extra", format="%d", help="Queries of the run that nobody judged: left out."),
            "depth": column.NumberColumn("Depth", format="localized", help="Documents per answered query, the median."),
            "judged": column.NumberColumn(
                f"Judged@{k}", format="percent", help="The share of the documents returned there that somebody judged."
            ),
            "tied": column.NumberColumn(f"Ties in the top {k}", format="%d", help="Queries in which a tie with a judged document reaches the top."),
        },
    )  # fmt: skip


def coverage(facts: pl.DataFrame) -> str:
    """Which run answers the fewest judged queries. facts: `run`, `answered`, `missing` of every run."""
    if not facts["missing"].sum():
        return f"Every run answers all {count(int(facts['answered'].max() or 0), 'judged query', 'judged queries')}"  # type: ignore[arg-type]  # of integers
    least = facts.sort("missing", descending=True, maintain_order=True).row(0, named=True)
    judged = least["answered"] + least["missing"]
    return f"{sentences.short(least['run'])} leaves {least['missing']:,} of {count(judged, 'judged query', 'judged queries')} unanswered"


def _grades(comparison: Comparison) -> None:
    frame = charts.grade_bars(comparison.qrels.grade)
    card(
        "Grades given", charts.grade_histogram(frame), frame, key="grades",
        finding=sentences.graded(comparison.qrels.grade, comparison.conventions.relevance_level, len(comparison.qrels.queries)),
        description=charts.describe_grade_histogram(frame),
        note=f"{comparison.qrels.judgments.height:,} judgments of {len(comparison.qrels.queries):,} queries.",
    )  # fmt: skip
