"""The list of queries: the failure profile of each run, the worst queries, and the undefined ones apart."""

from collections.abc import Sequence

import numpy as np
import polars as pl
import streamlit as st

from core import charts
from core.comparison import Comparison
from core.comparison.causes import CAUSES, cause_counts, headline
from core.exports.sentences import short
from pages.shared.figure import card, exported, line
from pages.shared.queries_facts import Causes, causes_of, marks_of, shown_runs, standing_of
from pages.shared.queries_filters import MARKS, Listed
from pages.shared.queries_notes import Notes
from pages.shared.slicing import line as convention_line
from pages.shared.text import count, plain, quiet, score
from pages.shared.view import View

MOST_ROWS = 1000
WELL = ("near-ideal", "undefined")


def title(comparison: Comparison, look: View, run: str) -> tuple[str, str]:
    """The finding: what most often keeps the run from the ideal, and the sentence under it."""
    counts = cause_counts(causes_of(comparison, look, (run,)), look.where)
    total = counts.height and int(counts["n"][0])
    near = int(counts.filter(pl.col("code") == "near-ideal")["count"].sum())
    failing = int(counts.filter(~pl.col("code").is_in(WELL))["count"].sum())
    sentence = (
        f"{count(near, 'query is', 'queries are')} near the ideal (0.95 or more), {failing:,} of {total:,} fall short. "
        "Causes follow fixed rules; each query has exactly one."
    )
    return headline(counts, run, look.measure.k or 0), sentence


def say(comparison: Comparison, look: View, run: str) -> None:
    """The title of the list."""
    found, sentence = title(comparison, look, run)
    st.title(plain(found), anchor=False)
    st.markdown(f":gray[{plain(sentence, 600)}]")


def profile(comparison: Comparison, look: View, run: str) -> None:
    """The bar of causes of every run shown; a click filters the list."""
    names = shown_runs(look, run)
    counts = cause_counts(causes_of(comparison, look, names), look.where)
    frame = counts.filter(pl.col("count") > 0).select("run", "cause", "count")
    order = [cause.label for cause in CAUSES]
    if frame.is_empty():
        return
    st.header("Causes", anchor=False)
    card(
        "Why queries fall short",
        charts.causes(frame, order=order),
        counts.select("run", "cause", "count"),
        key="causes",
        finding=lambda: headline(counts, run, look.measure.k or 0),
        description=charts.describe_causes(frame, order=order),
        note="Click a part to list its queries." + ("" if len(names) == len(look.runs) else f" The first {len(names)} runs."),
        selection="cause",
    )  # fmt: skip
    with st.expander("What each cause means"):
        k = look.measure.k or 10
        for cause in CAUSES:
            st.markdown(f"**{cause.label}.** {cause.said(k)}")
        st.markdown(
            ":gray[The first that holds decides, in this order: undefined, missing, near ideal, nothing relevant returned, relevant only "
            "below k, some relevant never returned, unjudged on top, few judgments, wrong order.]"
        )


def draw(comparison: Comparison, look: View, found: Listed, notes: Notes) -> None:
    """The table of the worst, a pick of which opens the query, and the undefined ones."""
    ids = found.ids(comparison)
    shown = ids[:MOST_ROWS]
    cut = f" The first {MOST_ROWS:,} are shown; search reads all." if len(ids) > MOST_ROWS else ""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f":gray[{plain(found.said, 400)}: {count(len(ids), 'query', 'queries')}.{cut}]", width="stretch")
        if ids:
            st.button(
                "Open the first", key="_open_first", shortcut="O", icon=":material/arrow_forward:", on_click=open_query, args=(ids[0],)
            )  # fmt: skip
    if ids:
        _table(comparison, look, found, notes, shown)
    else:
        st.info("No query is left by these filters.", icon=":material/filter_alt_off:")
    line(convention_line(comparison, look))
    apart = found.undefined if not np.array_equal(found.undefined, found.order) else found.undefined[:0]
    if len(apart):
        with st.expander(f"{count(len(apart), 'undefined query', 'undefined queries')}, apart"):
            st.markdown(
                ":gray[No document of these queries has a positive gain, so every run scores 0 on them. They are not among the worst.]"
            )
            exported(
                _with_texts(comparison, [comparison.qrels.queries[at] for at in apart[:MOST_ROWS].tolist()]),
                hide_index=True, key="undefined_queries", alt="Undefined queries",
                finding=f"{count(len(apart), 'query has', 'queries have')} no document with a positive gain: every run scores 0 there",
                column_config={"query": "Query", "text": "Text"},
            )  # fmt: skip


def open_query(query: str) -> None:
    """Go to one query: for a button's on_click."""
    st.session_state["q"] = query


def _open_row(key: str, ids: Sequence[str]) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    if rows and rows[0] < len(ids):
        open_query(ids[rows[0]])


def _with_texts(comparison: Comparison, ids: Sequence[str]) -> pl.DataFrame:
    frame = pl.DataFrame({"query": ids}, schema={"query": pl.String})
    return (
        frame.with_columns(text=pl.Series(map(comparison.query_text, ids), dtype=pl.String))
        if comparison.texts
        else frame
    )


def _table(comparison: Comparison, look: View, found: Listed, notes: Notes, shown: list[str]) -> None:
    frame = _rows(comparison, look, found, notes, shown)
    # Selections are by place and outlive a change of the data; the key tells this list from any other.
    key = f"worst_{abs(hash((comparison.key, look.key, found.run, found.by, tuple(shown))))}"
    column = st.column_config
    badges = [MARKS[mark] for mark in MARKS]
    exported(
        frame, hide_index=True, key=key, height=460, row_height=38, lazy=False, placeholder="–", selection_mode="single-row",
        on_select=lambda: _open_row(key, shown), alt=f"Queries of {found.run}, the worst first",
        finding=f"{found.said}: {count(len(found.order), 'query', 'queries')}{_lowest(frame)}",
        column_config={
            "query": column.TextColumn("Query", pinned=True),
            "text": column.TextColumn("Text", width="medium"),
            "score": column.ProgressColumn(found.run, format="%.3f", min_value=0, max_value=1, help=look.measure.meaning),
            "baseline": column.NumberColumn(look.baseline, format="%.3f", help="The baseline's score."),
            "difference": column.NumberColumn("Difference", format="%+.3f", help="The run minus the baseline."),
            "cause": column.TextColumn("Cause", width="medium"),
            "lost": column.NumberColumn("Lost gain", format="%.3f", help="Ideal DCG minus DCG."),
            "disagreement": column.NumberColumn("Disagreement", format="%.3f", help="The highest score of the runs shown minus the lowest."),
            "marks": column.MultiselectColumn("Notices", options=badges, color=["gray"] * len(badges)),
            "tags": column.ListColumn("Tags"),
        },
    )  # fmt: skip
    quiet("Pick a row to take its score apart.")


def _lowest(frame: pl.DataFrame) -> str:
    """The first of the list, with its score. frame: the rows that are drawn."""
    first = frame.row(0, named=True)
    return f', first "{short(first["query"])}" with {score(first["score"])}'


def _rows(comparison: Comparison, look: View, found: Listed, notes: Notes, shown: list[str]) -> pl.DataFrame:
    at = found.order[: len(shown)]
    stand = standing_of(comparison, look, found.run)
    causes: Causes = causes_of(comparison, look, (found.run,))
    marks = marks_of(comparison, look, found.run)
    columns: dict[str, object] = {"score": stand.score[at]}
    if found.run != look.baseline:
        columns |= {
            "baseline": comparison.scores(look.baseline, look.measure).values[at],
            "difference": stand.difference[at],
        }
    columns |= {"cause": [CAUSES[place].label for place in causes[found.run][at].tolist()], "lost": stand.lost[at]}
    if len(look.runs) > 1:
        columns["disagreement"] = stand.disagreement[at]
    columns["marks"] = pl.Series(
        [[MARKS[mark] for mark, mask in marks.items() if mask[place]] for place in at.tolist()],
        dtype=pl.List(pl.String),
    )
    if notes:
        tags = [list(notes[query].tags) if query in notes else [] for query in shown]
        columns["tags"] = pl.Series(tags, dtype=pl.List(pl.String))
    frame = _with_texts(comparison, shown)
    numbers = pl.DataFrame(columns).with_columns(pl.col(pl.Float64).fill_nan(None))
    return pl.concat([frame, numbers], how="horizontal")
