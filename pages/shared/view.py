"""The view: what the sidebar asks for, read from its widgets, which the address holds.

Every default is a constant, so an address without a parameter means the same tomorrow: no baseline is the first run, no runs are all
of them.
"""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.comparison import Comparison
from core.comparison.comparison import Mask
from core.model.conventions import Conventions
from core.model.measure import Measure
from core.slices import column_named

CUTOFFS = (1, 3, 5, 10, 20, 50, 100)
CUTOFF = 10
GAINS = {"linear": "Linear", "exponential": "Exponential"}
GAIN = "linear"
EVERY_LINEAR = tuple(Measure("nDCG", k) for k in CUTOFFS)
ALL_QUERIES = "All queries"


@dataclass(frozen=True, eq=False)
class View:
    """What the pages show: one measure, the runs asked for, the run they are held against, and the queries looked at.

    where   the queries of the slice filter, shape (judged queries,); None for all of them
    sliced  the filter as (column, values), None where there is none
    key     tells this view from others: what results that depend on it are kept under
    """

    measure: Measure
    baseline: str
    runs: tuple[str, ...]
    where: Mask | None = None
    sliced: tuple[str, tuple[str, ...]] | None = None

    @property
    def candidates(self) -> tuple[str, ...]:
        """The runs shown other than the baseline."""
        return tuple(run for run in self.runs if run != self.baseline)

    @property
    def key(self) -> str:
        """This view's own name among others."""
        return repr((str(self.measure), self.baseline, self.runs, self.sliced))


def measure() -> Measure:
    """The nDCG that the sidebar asks for."""
    gain = st.session_state.get("gain") or GAIN
    return Measure(
        "nDCG", int(st.session_state.get("k") or CUTOFF), "exponential" if gain == "exponential" else "linear"
    )


def conventions() -> Conventions:
    """The conventions that the sidebar asks for."""
    state = st.session_state
    return Conventions(
        missing="exclude" if state.get("missing") == "exclude" else "zero",
        undefined="exclude" if state.get("undefined") == "exclude" else "zero",
        order=state["order"] if state.get("order") in ("score64", "rank") else "score",
        conflicts=state["conflicts"] if state.get("conflicts") in ("last", "mean") else "highest",
        own_ids="drop" if state.get("own") == "drop" else "keep",
        relevance_level=int(state.get("level") or 1),
    )


def current(comparison: Comparison) -> View:
    """The view of a comparison."""
    names = comparison.names
    baseline = st.session_state.get("base")
    baseline = baseline if baseline in names else names[0]
    asked = [name for name in st.session_state.get("runs") or () if name in names] or names
    where, sliced = _filter(comparison)
    return View(measure(), baseline, tuple(name for name in names if name in asked or name == baseline), where, sliced)


def _filter(comparison: Comparison) -> tuple[Mask | None, tuple[str, tuple[str, ...]] | None]:
    """The queries that the slice filter leaves; a filter that leaves none, or all, is none."""
    column = column_named(comparison.slices, st.session_state.get("slice"))
    if column is None:
        return None, None
    values = tuple(value for value in st.session_state.get("in") or () if value in column.values)
    if not values or len(values) == len(column.values):
        return None, None
    return np.any([column.mask(value) for value in values], axis=0), (column.name, values)
