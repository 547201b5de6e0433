"""What moved against the baseline, what would mend the query, and what people wrote on it."""

import polars as pl
import streamlit as st

from core import charts
from core.comparison import Comparison
from core.comparison.moves import moves
from core.comparison.ranked_documents import documents
from core.comparison.what_would_fix import what_would_fix
from core.exports import sentences
from pages.shared import queries_notes
from pages.shared.figure import card, exported
from pages.shared.queries_notes import LONGEST_NOTE, MOST_TAGS, Note, Notes
from pages.shared.text import plain, quiet, score
from pages.shared.view import View

MOST_FIXES = 20


def draw(comparison: Comparison, look: View, run: str, query: str, notes: Notes) -> None:
    """The three, the first only where there is a run to hold against the baseline."""
    left, right = st.columns(2, gap="small")
    with left:
        if run != look.baseline:
            _moved(comparison, look, run, query)
    with right if run != look.baseline else left, st.container(border=True, height="stretch"):
        _mending(comparison, look, run, query)
    _notes(query, notes)


def _moved(comparison: Comparison, look: View, run: str, query: str) -> None:
    k = look.measure.k or 10
    rows = moves(comparison, run, look.baseline, query, look.measure)
    if rows.is_empty():
        with st.container(border=True, height="stretch"):
            st.markdown("### What moved")
            st.markdown(":gray[Neither run returns a document.]")
        return
    titles = documents(comparison, rows["doc_id"].to_list())
    titles = (
        titles.select("doc_id", "title")
        if "title" in titles.columns
        else titles.select("doc_id", title=pl.lit(None, pl.String))
    )
    frame = rows.join(titles, on="doc_id", how="left", maintain_order="left").rename(
        {"rank_baseline": "before", "rank": "after"}
    )
    frame = frame.select(pl.col(name).cast(kind) for name, kind in charts.BUMP.items())
    drawn = frame if k <= 20 else frame.filter((pl.col("before") <= 20) | (pl.col("after") <= 20))
    depth = min(k, 20)
    card(
        f"What moved from {look.baseline} to {run}",
        charts.bump(drawn, baseline=look.baseline, candidate=run, k=depth),
        frame,
        key="moved",
        finding=lambda: sentences.entered(drawn, look.baseline, run, depth),
        description=charts.describe_bump(drawn, baseline=look.baseline, candidate=run, k=depth),
        note=f"The documents in the top {depth} of either run.",
    )


def _mending(comparison: Comparison, look: View, run: str, query: str) -> None:
    st.markdown("### What would fix it")
    rows = what_would_fix(comparison, run, query, look.measure).filter(pl.col("improvement") > 0)
    if rows.is_empty():
        st.markdown(f":gray[No single document moved to rank 1 would raise the {plain(look.measure)} of {plain(run)}.]")
        return
    st.markdown(
        f":gray[{plain(look.measure)} of {plain(run)} if one document stood at rank 1, and what stands above it one lower.]"
    )
    shown = rows.head(MOST_FIXES)
    known = documents(comparison, shown["doc_id"].to_list())
    if "title" in known.columns:
        shown = shown.join(known.select("doc_id", "title"), on="doc_id", how="left", maintain_order="left")
    column = st.column_config
    exported(
        shown, hide_index=True, key="mending", placeholder="–", height="content" if shown.height <= 9 else 400,
        alt=f"What moving one document to rank 1 would give {run}",
        finding=f"One document moved to rank 1 would raise the {look.measure} of {sentences.short(run)} by up to "
        f"{score(max(rows['improvement'].to_list()))}",
        column_order=["doc_id", "title", "grade", "rank", "improvement", "value"] if "title" in shown.columns else None,
        column_config={
            "doc_id": column.TextColumn("Document"),
            "title": column.TextColumn("Title", width="medium"),
            "grade": column.NumberColumn("Grade", format="%g"),
            "rank": column.NumberColumn("Rank now", format="%d", help="Empty where it is not within the first 100."),
            "value": column.NumberColumn("Then", format="%.3f"),
            "improvement": column.NumberColumn("Gain", format="%+.3f"),
        },
    )  # fmt: skip
    if rows.height > MOST_FIXES:
        quiet(f"The first {MOST_FIXES} of {rows.height:,}.")


def _notes(query: str, notes: Notes) -> None:
    note = notes.get(query, Note())
    with st.container(border=True):
        st.markdown("### Notes and tags")
        with st.form(f"_note_{query}", border=False):
            left, right = st.columns([3, 2], gap="small")
            text = left.text_area("Note", note.text, max_chars=LONGEST_NOTE, height=100, key=f"_text_{query}")
            tags = right.multiselect(
                "Tags", sorted({*queries_notes.tags(notes), *note.tags}), default=list(note.tags), accept_new_options=True,
                max_selections=MOST_TAGS, key=f"_tags_{query}", placeholder="Choose or write a tag",
            )  # fmt: skip
            if st.form_submit_button("Keep", icon=":material/save:"):
                queries_notes.write(query, text, tags)
                st.rerun()
        quiet(queries_notes.where())
