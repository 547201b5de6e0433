"""The table of queries: every query's score with every run, searchable, undefined and missing ones marked."""

from typing import Any

import numpy as np
import polars as pl
import streamlit as st

from core.comparison import Comparison
from pages.shared.figure import exported, line
from pages.shared.navigation import QUERIES
from pages.shared.slicing import line as convention_line
from pages.shared.text import count, quiet
from pages.shared.view import View


def draw(comparison: Comparison, look: View) -> None:
    """One row per judged query, the worst of the best candidate first."""
    search = st.text_input(
        "Search in ids and texts",
        key="search",
        placeholder="a word or an id",
        icon=":material/search:",
        persist_state="session",
    )
    frame = table(comparison, look)
    if search:
        needle = search.lower()
        hit = pl.col("query").str.to_lowercase().str.contains(needle, literal=True)
        if "text" in frame.columns:
            hit |= pl.col("text").fill_null("").str.to_lowercase().str.contains(needle, literal=True)
        frame = frame.filter(hit)
    event = exported(
        frame,
        hide_index=True,
        # The selection is by position: another frame must not inherit it.
        key=f"per_query_{hash((comparison.key, look.key, search))}",
        placeholder="–",
        height=420,
        lazy=False,
        on_select="rerun",
        selection_mode="single-row",
        alt=f"Every query's {look.measure} with every run",
        finding=lambda: title(frame, len(look.runs)),
        column_config=_columns(look),
    )
    quiet(f"{frame.height:,} of {len(comparison.qrels.queries):,} queries. Pick one to take its score apart.")
    line(convention_line(comparison, look))
    picked = event["selection"]["rows"]
    if picked and picked[0] < frame.height:
        st.switch_page(QUERIES, query_params={"q": frame["query"][picked[0]]})


def title(frame: pl.DataFrame, runs: int) -> str:
    """On how many of the queries every run scores 0. frame: as `table` makes it."""
    scored = frame.filter(~pl.col("note").str.starts_with("undefined"))
    zero = scored.filter(pl.all_horizontal(pl.col(f"run_{at}") == 0 for at in range(runs))).height
    who = "the run scores" if runs == 1 else f"all {runs:,} runs score"
    undefined = frame.height - scored.height
    rest = f", {undefined:,} more undefined" if undefined else ""
    return f"On {zero:,} of {count(frame.height, 'query', 'queries')} {who} 0{rest}"


def _columns(look: View) -> dict[str, Any]:
    column = st.column_config
    note = (
        "Undefined: no document has a positive grade, so every run scores 0. Missing: the runs named do not answer it."
    )
    return {
        "query": column.TextColumn("Query", pinned=True),
        "text": column.TextColumn("Text", width="medium"),
        "note": column.TextColumn("Note", help=note),
    } | {
        f"run_{at}": column.ProgressColumn(name, format="%.3f", min_value=0, max_value=1)
        for at, name in enumerate(look.runs)
    }


def table(comparison: Comparison, look: View) -> pl.DataFrame:
    """The rows: query, text where known, one column a run, and a note."""
    queries = comparison.qrels.queries
    columns: dict[str, object] = {"query": pl.Series(queries, dtype=pl.String)}
    if comparison.texts:
        columns["text"] = pl.Series([comparison.query_text(query) for query in queries], dtype=pl.String)
    lacking: list[list[str]] = [[] for _ in queries]
    for at, name in enumerate(look.runs):
        scores = comparison.scores(name, look.measure)
        columns[f"run_{at}"] = pl.Series(np.where(scores.counted, scores.values, np.nan)).fill_nan(None)
        for place in np.flatnonzero(scores.missing).tolist():
            lacking[place].append(name)
    undefined = set(comparison.undefined(look.measure))
    columns["note"] = pl.Series(
        [_note(query in undefined, lacking[at], len(look.runs)) for at, query in enumerate(queries)], dtype=pl.String
    )
    frame = pl.DataFrame(columns)
    frame = frame if look.where is None else frame.filter(pl.Series(look.where))
    return frame.sort(
        pl.col("note").str.starts_with("undefined"),
        pl.min_horizontal([f"run_{at}" for at in range(len(look.runs))]),
        "query",
    )


def _note(undefined: bool, lacking: list[str], runs: int) -> str:
    missing = (
        "" if not lacking else "missing in every run" if len(lacking) == runs else f"missing in {', '.join(lacking)}"
    )
    return " · ".join(part for part in ("undefined" if undefined else "", missing) if part)
