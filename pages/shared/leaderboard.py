"""The leaderboard: every run with its mean, its difference, how sure that is, and what it hides."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import streamlit as st

from core.comparison import Comparison
from core.comparison.finding import Finding
from core.exports import sentences
from core.model.measure import DEFAULT_MEASURES, Measure
from core.statistics.paired import PairStatistics
from pages.shared.figure import exported, line
from pages.shared.slicing import line as convention_line
from pages.shared.text import difference, plain, score
from pages.shared.view import CUTOFFS, View

COMPANIONS = tuple(measure for measure in DEFAULT_MEASURES if measure.name != "nDCG")
BARS = 10
HIDDEN_BARS = "How many queries score in each tenth from 0 to 1."
Row = dict[str, object]


def tiles(comparison: Comparison, look: View, pairs: Sequence[PairStatistics], found: Finding) -> None:
    """Four numbers of the run that the title is about."""
    name = found.candidate or look.baseline
    pair = next((pair for pair in pairs if pair.candidate == name), None)
    versus = f"vs {plain(look.baseline, 30)}" if pair else None
    delta = None if pair is None or pair.difference is None else round(pair.difference, 3)
    zeros = _zeros(comparison, look, name)
    with st.grid(4, min_column_width=150):
        st.metric(
            f"{plain(look.measure)} of {plain(name, 30)}",
            score(comparison.mean(name, look.measure, look.where)),
            delta,
            delta_color="off" if pair is None or pair.verdict.role == "neutral" else "normal",
            delta_description=versus,
            border=True,
            height="stretch",
        )
        for label, part in (("Queries better", "wins"), ("Queries worse", "losses")):
            if pair is not None:
                number = getattr(pair, part)
                share = f"{number / pair.n:.0%} of {pair.n:,}" if pair.n else None
                st.metric(
                    label, f"{number:,}", share, delta_color="off", delta_arrow="off", border=True, height="stretch"
                )
        st.metric(
            "Queries at 0",
            f"{zeros:,}",
            None if pair is None else zeros - _zeros(comparison, look, look.baseline),
            delta_color="off",
            delta_description=versus,
            border=True,
            height="stretch",
            help="Queries for which nothing relevant stands in the top k. Undefined queries are not counted.",
        )


def _zeros(comparison: Comparison, look: View, name: str) -> int:
    found = comparison.scores(name, look.measure)
    zeros = (found.values == 0) & found.counted & ~found.undefined
    return int((zeros if look.where is None else zeros & look.where).sum())


def draw(comparison: Comparison, look: View, pairs: Sequence[PairStatistics]) -> None:
    """The table of runs, the best mean first."""
    other = look.measure.with_gain("exponential" if look.measure.gain == "linear" else "linear")
    by_name = {pair.candidate: pair for pair in pairs}
    rows = sorted((_row(comparison, look, name, by_name.get(name), other) for name in look.runs), key=_best_first)
    exported(
        pl.DataFrame(rows, infer_schema_length=None),
        hide_index=True,
        row_height=40,
        height="content",
        key="leaderboard",
        placeholder="–",
        alt=f"Runs by their mean {look.measure}, with differences to {look.baseline}",
        finding=sentences.highest(
            [(name, comparison.mean(name, look.measure, look.where)) for name in look.runs], str(look.measure)
        ),
        column_config=_columns(look.measure, other, rows),
    )
    line(convention_line(comparison, look))


def _best_first(row: Row) -> float:
    mean = row["mean"]
    return -mean if isinstance(mean, float) else 1.0


def _row(comparison: Comparison, look: View, name: str, pair: PairStatistics | None, other: Measure) -> Row:
    missing = comparison.scores(name, look.measure).missing
    missing = missing if look.where is None else missing[look.where]
    values = comparison.counted(name, look.measure, look.where)
    low, high = (pair.interval if pair is not None else None) or (None, None)
    return {
        "run": name,
        "mean": comparison.mean(name, look.measure, look.where),
        "difference": None if pair is None else pair.difference,
        "interval": "" if low is None else f"{difference(low)} to {difference(high)}",
        "verdict": ["Baseline" if pair is None else pair.verdict.label],
        "record": "" if pair is None else f"{pair.wins:,} / {pair.ties:,} / {pair.losses:,}",
        "other": comparison.mean(name, other, look.where),
        "distribution": np.histogram(values[~np.isnan(values)], bins=BARS, range=(0, 1))[0].tolist(),
        **{str(measure): comparison.mean(name, measure, look.where) for measure in COMPANIONS},
        "answered": f"{len(missing) - int(missing.sum()):,} of {len(missing):,}",
    }


def _columns(measure: Measure, other: Measure, rows: Sequence[Row]) -> dict[str, Any]:
    """How each column is shown, and what it says when one rests on its head."""
    column = st.column_config
    answered = "Judged queries that the run answers. One that it does not answer scores 0, unless the conventions say otherwise."
    interval = (
        "Where the true difference likely lies: paired Student's t. "
        "With several runs the verdict uses a wider one that allows for all of them."
    )
    verdicts = list(dict.fromkeys(word for row in rows for word in row["verdict"]))  # type: ignore[attr-defined]  # a list of one word
    colours = {"Better": "blue", "Worse": "orange"}
    return {
        "run": column.TextColumn("Run", pinned=True),
        "mean": column.ProgressColumn(str(measure), format="%.3f", min_value=0, max_value=1, help=measure.meaning),
        "difference": column.NumberColumn(
            "Difference",
            format="%+.3f",
            help="The run's mean minus the baseline's, on the same queries. Above 0 is better.",
        ),
        "interval": column.TextColumn("95 % interval", help=interval),
        "verdict": column.MultiselectColumn(
            "Verdict",
            options=verdicts,
            color=[colours.get(word, "gray") for word in verdicts],
            help="Read from the interval, never from a p-value.",
        ),
        "record": column.TextColumn(
            "Better / same / worse", help="Queries that score better, the same and worse than with the baseline."
        ),
        "other": column.NumberColumn(
            f"{other.name}{other.at}, {other.gain}", format="%.3f", help=f"{other.label}. {other.meaning}"
        ),
        "distribution": column.BarChartColumn("Scores 0 to 1", y_min=0, color="primary", help=HIDDEN_BARS),
        **{str(each): column.NumberColumn(each.label, format="%.3f", help=each.meaning) for each in COMPANIONS},
        "answered": column.TextColumn("Answered", help=answered),
    }


def every_measure(comparison: Comparison, look: View) -> None:
    """Both gains at every cutoff side by side, and the companion measures."""
    pairs = [(Measure("nDCG", k), Measure("nDCG", k, "exponential")) for k in CUTOFFS]
    gains = [measure for pair in pairs for measure in pair]
    with st.container(border=True):
        st.markdown("### nDCG at every cutoff, both gains")
        short = {measure: f"@{measure.k} {'lin' if measure.gain == 'linear' else 'exp'}" for measure in gains}
        _means(comparison, look, gains, short, key="every_cutoff", alt="nDCG of every run at every cutoff, both gains")
        st.markdown("### Companion measures")
        _means(
            comparison,
            look,
            COMPANIONS,
            {measure: measure.label for measure in COMPANIONS},
            key="companions",
            alt="Companion measures of every run",
        )
        line(convention_line(comparison, look, [*gains[:2], *COMPANIONS]))


def _means(
    comparison: Comparison, look: View, measures: Sequence[Measure], names: dict[Measure, str], *, key: str, alt: str
) -> None:
    rows = [
        {"run": name} | {names[measure]: comparison.mean(name, measure, look.where) for measure in measures}
        for name in look.runs
    ]
    column = st.column_config
    heads = {
        names[each]: column.NumberColumn(names[each], format="%.3f", help=f"{each.label}. {each.meaning}")
        for each in measures
    }
    frame = pl.DataFrame(rows, infer_schema_length=None)
    exported(
        frame,
        hide_index=True,
        height="content",
        key=key,
        placeholder="–",
        alt=alt,
        finding=lambda: sentences.most_columns(frame, "measure"),
        column_config={"run": column.TextColumn("Run", pinned=True)} | heads,
    )
