"""Scales: parts of the judgments that seem to be graded on different scales."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from core.notices import Notice
from core.readers.cells import shown

MOST_VALUES = 12
ENOUGH = 20
FEW_IN_A_FILE = 5
OWN = ("query_id", "doc_id", "grade", "line", "iteration", "assessor", "file\0", "text")


def mixed_scales(rated: pl.DataFrame, files: Sequence[str], name: str) -> list[Notice]:
    """A notice where the highest grades of the files, or of a column's values, differ by a factor of two or more.

    Parts with fewer than 5 judgments (files) or 20 (a column's values) are not looked at: they may lack the top grade.
    """
    found = []
    if len(files) > 1:
        tops = _tops(rated, "file\0", FEW_IN_A_FILE)
        found += _notice({files[at]: grades for at, grades in tops.items()}, "files", name)
    for column in (column for column in rated.columns if column not in OWN):
        if 2 <= rated[column].n_unique() <= MOST_VALUES:
            found += _notice(_tops(rated, column, ENOUGH), f"values of column {shown(column)}", name)
    return found


def _tops(rated: pl.DataFrame, column: str, least: int) -> dict[Any, list[float]]:
    parts = (
        rated.group_by(column).agg(pl.len().alias("n"), pl.col("grade").unique().sort()).filter(pl.col("n") >= least)
    )
    return {row[column]: row["grade"] for row in parts.sort(column).iter_rows(named=True) if row[column] is not None}


def _notice(scales: dict[str, list[float]], what: str, name: str) -> list[Notice]:
    tops = {part: max(grades) for part, grades in scales.items()}
    positive = [top for top in tops.values() if top > 0]
    if len(positive) < 2 or max(positive) < 2 * min(positive):
        return []
    examples = tuple(f"{part}: {_written(grades)}" for part, grades in scales.items())
    message = (
        f"The {what} seem to be graded on different scales: the highest grades are {_written(sorted(set(positive)))}."
    )
    return [Notice("mixed-scales", "warning", name, message, len(tops), examples)]


def _written(grades: list[float]) -> str:
    shown_grades = grades if len(grades) <= 8 else [*grades[:4], *grades[-3:]]
    return ", ".join(f"{grade:g}" for grade in shown_grades)
