"""The label queue: the unjudged documents that could move the verdict, to take away, fill in and bring back."""

import secrets

import polars as pl
import streamlit as st

from core.comparison import Comparison
from core.comparison.label_queue import LONGEST, Direction, direction, label_queue, together
from core.comparison.unjudged import regradable
from core.exports.table import to_csv
from core.statistics.paired import PairStatistics
from pages.shared.compare_pair import once
from pages.shared.figure import exported
from pages.shared.text import count, difference, plain, quiet
from pages.shared.view import View

SHOWN = 50
TOWARDS: dict[Direction, str] = {
    "down": "would lower the difference",
    "up": "would raise the difference",
    "either": "would move the difference",
}
HOW = (
    "Give documents a grade in the column relevance, leave it empty where you do not judge, and drop the file on the Data page: what is "
    "graded joins the judgments. What changed then stands under Versions."
)


def draw(comparison: Comparison, look: View, pair: PairStatistics) -> None:
    """What to judge first, as a table and as CSV."""
    if not regradable(look.measure):
        st.info(f"The queue is there for nDCG down to rank 100, not for {plain(look.measure)}.", icon=":material/info:")
        return
    towards = direction(pair.verdict.case)
    queue = once(
        f"queue {comparison.key} {look.key} {pair.candidate}",
        lambda: label_queue(comparison, pair.candidate, pair.baseline, look.measure, towards, where=look.where),
    )
    st.header(plain(title(queue, towards)), anchor=False)
    if queue.is_empty():
        st.markdown(f":gray[Every document in the top {look.measure.k} of both runs that could do so is judged.]")
        return
    if_all = once(
        f"together {comparison.key} {look.key} {pair.candidate}",
        lambda: together(
            comparison,
            pair.candidate,
            pair.baseline,
            look.measure,
            queue,
            where=look.where,
            comparisons=pair.comparisons,
        ),
    )
    st.markdown(f":gray[{plain(f'{sentence(queue, look, pair, towards)} {all_of_them(if_all, pair)}', 800)}]")
    st.download_button(
        f"Download {count(queue.height, 'document')} as CSV",
        data=lambda: to_csv(queue).encode(),
        # The random part keeps two downloads of one length apart: large files are told apart by samples of their bytes and their name.
        file_name=f"label-queue-{secrets.token_hex(4)}.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key="download_queue",
    )
    quiet(HOW)
    if len(comparison.qrels.sources) > 1:
        quiet(
            f"{len(comparison.qrels.sources):,} files of judgments are joined now; Versions tells what each of them brings."
        )
    _table(queue, pair, title(queue, towards))


def title(queue: pl.DataFrame, towards: Direction) -> str:
    """How many documents there are to judge."""
    if queue.is_empty():
        return "No unjudged document could move the verdict by itself"
    most = "the first " if queue.height == LONGEST else ""
    return f"Judge these first: {most}{count(queue.height, 'unjudged document')} that {TOWARDS[towards]}"


def sentence(queue: pl.DataFrame, look: View, pair: PairStatistics, towards: Direction) -> str:
    """Why these, in this order."""
    why = {
        "down": f"{pair.candidate} is better as judged: these would speak against it.",
        "up": f"{pair.candidate} is worse as judged: these would speak for it.",
        "either": "The verdict has no side yet: these move it one way or the other.",
    }[towards]
    first = abs(queue["change"][0])
    return (
        f"{why} They stand unjudged in the top {look.measure.k} of one run or both, in the order of how far the mean difference would move "
        f"if the document had the top grade: {first:.2g} for the first."
    )


def all_of_them(after: PairStatistics, pair: PairStatistics) -> str:
    """Whether the queue can move the verdict at all."""
    same = after.verdict.case == pair.verdict.case
    word = "would still be" if same else "would become"
    return f"If all of them had it, the difference would be {difference(after.difference)} and the verdict {word} {after.verdict.label.lower()}."


def _table(queue: pl.DataFrame, pair: PairStatistics, shows: str) -> None:
    rows = queue.head(SHOWN).drop("relevance")
    rows = rows.drop(name for name in ("query_text", "title") if rows[name].null_count() == rows.height)
    column = st.column_config
    exported(
        rows, hide_index=True, height=420 if rows.height > 10 else "content", placeholder="–", key="queue", lazy=False,
        alt="Unjudged documents, those that move the difference most first", finding=shows,
        column_config={
            "query_id": column.TextColumn("Query", pinned=True),
            "query_text": column.TextColumn("Text", width="medium"),
            "doc_id": column.TextColumn("Document"),
            "title": column.TextColumn("Title", width="medium"),
            "rank_baseline": column.NumberColumn(f"Rank in {pair.baseline}", format="%d", help="Among its first 100; a dash where it is not."),
            "rank_candidate": column.NumberColumn(f"Rank in {pair.candidate}", format="%d", help="Among its first 100; a dash where it is not."),
            "change": column.NumberColumn("Moves the difference by", format="%+.5f", help="If the document had the top grade."),
        },
    )  # fmt: skip
    if queue.height > SHOWN:
        quiet(f"The first {SHOWN} of {queue.height:,}; the file holds them all.")
