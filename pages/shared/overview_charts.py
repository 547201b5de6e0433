"""The charts of the Overview: differences to the baseline, runs by slice, and the curve over k for both gains."""

from collections.abc import Sequence

import polars as pl
import streamlit as st

from core import charts
from core.comparison import Comparison
from core.comparison.finding import finding
from core.comparison.pairs import differences
from core.exports import sentences
from core.model.measure import Gain, Measure
from core.scoring.scores import mean
from core.statistics.interval import t_interval
from core.statistics.paired import PairStatistics
from pages.shared.figure import card
from pages.shared.view import CUTOFFS, View


def draw(comparison: Comparison, look: View, pairs: Sequence[PairStatistics]) -> None:
    """All of them in cards, two beside each other where there is room."""
    if pairs:
        left, right = st.columns(2, gap="small") if comparison.slices else (st.container(), None)
        with left:
            _forest(comparison, look, pairs)
        if right is not None:
            with right:
                _heatmap(comparison, look)
    gains: tuple[Gain, ...] = ("linear", "exponential")
    for place, gain in zip(st.columns(2, gap="small"), gains, strict=True):
        with place:
            _curve(comparison, look, Measure("nDCG", look.measure.k, gain))


def _forest(comparison: Comparison, look: View, pairs: Sequence[PairStatistics]) -> None:
    rows: list[dict[str, object]] = [
        {"run": look.baseline, "difference": 0.0, "low": None, "high": None, "verdict": "baseline"}
    ]
    for pair in pairs:
        low, high = pair.interval_simultaneous or (None, None)
        rows.append(
            {
                "run": pair.candidate,
                "difference": pair.difference,
                "low": low,
                "high": high,
                "verdict": pair.verdict.case,
            }
        )
    frame = pl.DataFrame(rows, schema=charts.FOREST)
    interval = "95 % interval" if len(pairs) == 1 else f"95 % interval for {len(pairs)} comparisons"
    card(
        f"Difference from {look.baseline}",
        charts.forest(frame, measure=str(look.measure), interval=interval),
        frame,
        key="forest",
        finding=finding(comparison, look.baseline, look.measure, pairs).title,
        description=charts.describe_forest(frame, measure=str(look.measure)),
        note="Mean paired difference. Blue is better, orange is worse, hollow grey is not clear.",
    )


def _heatmap(comparison: Comparison, look: View) -> None:
    names = [column.name for column in comparison.slices]
    picked = st.session_state.get("by")
    column = comparison.slices[names.index(picked)] if picked in names else comparison.slices[0]
    rows = []
    for name in look.runs:
        for value, members in zip(column.values, column.members, strict=True):
            inside = members if look.where is None else members & look.where
            values = comparison.counted(name, look.measure, inside)
            apart = (
                None
                if name == look.baseline
                else mean(differences(comparison, name, look.baseline, look.measure, inside).d)
            )
            rows.append({"run": name, "slice": value, "mean": mean(values), "difference": apart, "n": len(values)})
    frame = pl.DataFrame([row for row in rows if row["n"]], schema=charts.HEATMAP)
    card(
        "Where each run wins",
        charts.heatmap(frame, measure=str(look.measure)),
        frame,
        key="heatmap",
        finding=lambda: sentences.best_in(frame, column.name),
        description=charts.describe_heatmap(frame, measure=str(look.measure)),
        note=f"Mean {look.measure} by {column.name}, coloured by the difference from {look.baseline}. An asterisk marks fewer than 10 queries.",
        control=lambda: st.selectbox("Slice by", names, key="by", bind="query-params", label_visibility="collapsed"),
    )


def _curve(comparison: Comparison, look: View, measure: Measure) -> None:
    rows = []
    for name in look.runs:
        comparison.all_scores(name, [measure.with_cutoff(k) for k in CUTOFFS])
        for k in CUTOFFS:
            values = comparison.counted(name, measure.with_cutoff(k), look.where)
            average = mean(values)
            low, high = (average is not None and t_interval(values)) or (None, None)
            rows.append({"run": name, "k": k, "mean": average, "low": low, "high": high})
    frame = pl.DataFrame(rows, schema=charts.CURVE)
    card(
        f"nDCG over k, {measure.gain} gain",
        charts.curve(frame, measure="nDCG", colours=charts.run_colours(comparison.names, look.runs)),
        frame,
        key=f"curve_{measure.gain}",
        finding=lambda: sentences.leads(frame, measure.gain),
        description=charts.describe_curve(frame, measure=f"nDCG, {measure.gain} gain"),
        note="Mean over the queries, with its 95 % interval.",
        measures=measure,
    )
