"""Figures of the slices: the leader against the baseline in each, and every run's mean in each."""

from collections.abc import Iterator

import polars as pl

from core import charts
from core.comparison.comparison import Mask
from core.comparison.pairs import differences
from core.comparison.slice_finding import slice_finding
from core.exports import sentences
from core.exports.figure import Figure, shown_runs
from core.exports.scope import Scope
from core.scoring.scores import mean
from core.slices import SliceColumn
from core.statistics.slice_family import FEWEST_QUERIES

MOST_VALUES = 14


def slices(scope: Scope) -> Iterator[Figure]:
    """By every attribute of the queries with up to 14 values: the differences with their intervals, and the means of every run."""
    for at, column in enumerate(scope.comparison.slices):
        if len(column.values) > MOST_VALUES:
            continue
        frame = _heat(scope, column)
        measure = str(scope.measure)
        if scope.candidates:
            parts = [part for part in scope.parts[column.name] if part.candidate == scope.leader]
            rows = [
                _slice_row(part.value, part.n, part.difference, part.interval, part.finding) for part in parts if part.n
            ]
            forest = pl.DataFrame(rows, schema=charts.SLICE_FOREST, orient="row")
            if not forest.is_empty():
                yield Figure(
                    f"slices-{at}-forest", f"Differences by {column.name}", slice_finding(parts, scope.pairs).title,
                    f"{scope.leader} minus {scope.baseline}, mean {measure} by {column.name}, 95 % intervals. Only findings have a colour "
                    "(Benjamini–Hochberg below 0.05, 0.02 or more, 10 queries or more).",
                    charts.slice_forest(forest, measure=measure), forest,
                    charts.describe_slice_forest(forest, measure=measure), scope.line(),
                )  # fmt: skip
        if not frame.is_empty():
            yield Figure(
                f"slices-{at}-means", f"Means by {column.name}", sentences.best_in(frame, column.name),
                f"Mean {measure} by {column.name}, coloured by the difference from {scope.baseline}. "
                f"An asterisk marks fewer than {FEWEST_QUERIES} queries.",
                charts.heatmap(frame, measure=measure), frame, charts.describe_heatmap(frame, measure=measure), scope.line(),
            )  # fmt: skip


def _slice_row(
    value: str, n: int, difference: float | None, interval: tuple[float, float] | None, finding: bool
) -> tuple[str, int, float | None, float | None, float | None, str]:
    low, high = interval or (None, None)
    word = (
        "small" if n < FEWEST_QUERIES else "none" if not finding else "worse" if (difference or 0.0) < 0 else "better"
    )
    return value, n, difference, low, high, word


def _heat(scope: Scope, column: SliceColumn) -> pl.DataFrame:
    rows = []
    for run in shown_runs(scope):
        for value, members in zip(column.values, column.members, strict=True):
            inside: Mask = members if scope.where is None else members & scope.where
            values = scope.comparison.counted(run, scope.measure, inside)
            apart = (
                None
                if run == scope.baseline
                else mean(differences(scope.comparison, run, scope.baseline, scope.measure, inside).d)
            )
            rows.append((run, value, mean(values), apart, len(values)))
    return pl.DataFrame([row for row in rows if row[-1]], schema=charts.HEATMAP, orient="row")
