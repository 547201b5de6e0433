"""The views of one column's slices: differences, means, two runs, and distributions."""

import numpy as np
import polars as pl
import streamlit as st

from core import charts
from core.comparison import Comparison
from core.comparison.comparison import Mask
from core.comparison.slice_finding import slice_finding
from core.exports import sentences
from core.scoring.scores import mean
from core.slices import SliceColumn
from core.statistics.slice_family import FEWEST_QUERIES
from pages.shared.figure import card, menu
from pages.shared.slices_found import Found
from pages.shared.text import plain, quiet
from pages.shared.view import View

MOST_MULTIPLES = 12
BESIDE = 8


def draw(comparison: Comparison, look: View, found: Found, run: str) -> None:
    """The differences where there are two runs, and the means; beside each other where the slices are few."""
    if run == look.baseline:
        _means(comparison, look, found.column)
        return
    few = len(found.column.values) <= BESIDE
    left, right = st.columns(2, gap="small") if few else (st.container(), st.container())
    with left:
        _differences(look, found, run)
    with right:
        _means(comparison, look, found.column)


def draw_within(comparison: Comparison, look: View, found: Found, run: str) -> None:
    """Two runs in each slice, and how their scores are distributed."""
    if run != look.baseline:
        _two_runs(comparison, look, found, run)
    _distributions(comparison, look, found.column, run)


def inside(look: View, members: Mask) -> Mask:
    """The members of a group that the slice filter leaves."""
    return members if look.where is None else members & look.where


def _differences(look: View, found: Found, run: str) -> None:
    rows = []
    for part in found.parts:
        if part.candidate == run and part.n:
            low, high = part.interval or (None, None)
            finding = (
                "small" if part.n < FEWEST_QUERIES else ("worse" if part.fell else "better") if part.finding else "none"
            )
            rows.append(
                {
                    "slice": part.value,
                    "n": part.n,
                    "difference": part.difference,
                    "low": low,
                    "high": high,
                    "finding": finding,
                }
            )
    frame = pl.DataFrame(rows, schema=charts.SLICE_FOREST)
    card(
        f"Difference of {run} from {look.baseline}",
        charts.slice_forest(frame, measure=str(look.measure)),
        frame,
        key="slice_forest",
        finding=slice_finding([part for part in found.parts if part.candidate == run], []).title,
        description=charts.describe_slice_forest(frame, measure=str(look.measure)),
        note="Only findings have a colour: Benjamini–Hochberg below 0.05 and a difference of 0.02 or more, on 10 queries or more.",
    )


def _means(comparison: Comparison, look: View, column: SliceColumn) -> None:
    rows = []
    for name in look.runs:
        for value, members in zip(column.values, column.members, strict=True):
            values = comparison.counted(name, look.measure, inside(look, members))
            if len(values):
                base = comparison.mean(look.baseline, look.measure, inside(look, members))
                own = mean(values)
                difference = None if name == look.baseline or own is None or base is None else own - base
                rows.append({"run": name, "slice": value, "mean": own, "difference": difference, "n": len(values)})
    frame = pl.DataFrame(rows, schema=charts.HEATMAP)
    card(
        f"Mean {look.measure} by {column.name}",
        charts.heatmap(frame, measure=str(look.measure)),
        frame,
        key="slice_heatmap",
        finding=lambda: sentences.best_in(frame, column.name),
        description=charts.describe_heatmap(frame, measure=str(look.measure)),
        note=f"Coloured by the difference from {look.baseline}. An asterisk marks fewer than 10 queries.",
    )


def _two_runs(comparison: Comparison, look: View, found: Found, run: str) -> None:
    rows = [
        {"slice": part.value, "n": part.n, "a": part.mean_baseline, "b": part.mean_candidate}
        for part in found.parts
        if part.candidate == run and part.n and part.mean_baseline is not None and part.mean_candidate is not None
    ]
    frame = pl.DataFrame(rows, schema=charts.DUMBBELL)
    if frame.is_empty():
        return
    colours = charts.run_colours(comparison.names, [look.baseline, run])
    card(
        f"{look.baseline} and {run}",
        charts.dumbbell(frame, a=look.baseline, b=run, measure=str(look.measure), colours=colours),
        frame,
        key="dumbbell",
        finding=lambda: sentences.ahead_in(frame, look.baseline, run, found.column.name),
        description=charts.describe_dumbbell(frame, a=look.baseline, b=run, measure=str(look.measure)),
        note="The two means of each slice. Slices of fewer than 10 queries are pale.",
    )


def _distributions(comparison: Comparison, look: View, column: SliceColumn, run: str) -> None:
    """A small histogram for each of the largest slices."""
    names = list(dict.fromkeys([look.baseline, run]))
    frames = []
    shown = [(value, inside(look, members)) for value, members in zip(column.values, column.members, strict=True)]
    shown = [(value, members) for value, members in shown if members.any()]
    for value, members in shown[:MOST_MULTIPLES]:
        for name in names:
            scores = comparison.scores(name, look.measure)
            at = np.flatnonzero(scores.counted & members)
            ids = pl.Series("query_id", comparison.qrels.queries, dtype=pl.String).gather(at)
            rows = pl.DataFrame({"query_id": ids, "score": scores.values[at]}).with_columns(
                pl.col("score").fill_nan(None)
            )
            frames.append(rows.with_columns(run=pl.lit(name), slice=pl.lit(value)))
    if not frames:
        return
    every = pl.concat(frames)
    bins = charts.slice_bins(every)
    told = dict(charts.describe_small_multiples(bins, measure=str(look.measure)))
    drawn = charts.small_multiples(bins, measure=str(look.measure), colours=charts.run_colours(comparison.names, names))
    with st.container(border=True):
        st.markdown(f"### Scores in each slice by {plain(column.name)}")
        with st.grid(3, min_column_width=260):
            for place, (value, chart) in enumerate(drawn):
                with st.container():
                    st.markdown(f"**{plain(value, 60)}**")
                    st.altair_chart(
                        chart, key=f"chart_multiple_{place}", alt=f"{value}: {told[value]}", width="stretch"
                    )
                    box = charts.score_quantiles(
                        every.filter(pl.col("slice") == value).select(charts.PER_QUERY.names())
                    )
                    shows = sentences.middle_of_slice(box, value, run, look.baseline)
                    mine = bins.filter(pl.col("slice") == value)
                    menu(shows, f"{look.measure} of the queries in {value}", chart, mine, key=f"multiple_{place}")
        if len(shown) > MOST_MULTIPLES:
            quiet(f"The first {MOST_MULTIPLES} of {len(shown):,} slices.")
