"""Facts of queries that take time for many of them: causes, marks, standing; kept by the comparison and what they depend on."""

import numpy as np
import numpy.typing as npt

from core.comparison import Comparison
from core.comparison.causes import Mark, causes, marks
from core.comparison.comparison import Mask
from core.comparison.worst import Standing, standing
from pages.shared.compare_pair import leading
from pages.shared.kept import computed
from pages.shared.view import View

MOST_RUNS = 6

Causes = dict[str, npt.NDArray[np.uint8]]


def run_of(comparison: Comparison, look: View, picked: str | None) -> str:
    """The run that a page is about: the one picked, else the candidate with the highest mean, else the baseline."""
    if picked in look.runs:
        return str(picked)
    return leading(comparison, look)


def shown_runs(look: View, name: str) -> tuple[str, ...]:
    """Up to six runs to show beside each other: the baseline, the run a page is about, then the others."""
    return tuple(dict.fromkeys([look.baseline, name, *look.runs]))[:MOST_RUNS]


def causes_of(comparison: Comparison, look: View, names: tuple[str, ...]) -> Causes:
    """Every query's cause with each of these runs."""
    work = {
        f"causes {comparison.key} {name} {look.measure}": (
            "Finding causes",
            lambda _, name=name: causes(comparison, name, look.measure),
        )
        for name in names
    }
    found = computed(work)
    return {name: found[key] for name, key in zip(names, work, strict=True)}


def marks_of(comparison: Comparison, look: View, name: str) -> dict[Mark, Mask]:
    """What is to be known of every query's score with a run."""
    key = f"marks {comparison.key} {name} {look.measure}"
    found: dict[Mark, Mask] = computed({key: ("Looking for ties", lambda _: marks(comparison, name, look.measure))})[
        key
    ]
    return found


def standing_of(comparison: Comparison, look: View, name: str) -> Standing:
    """How every query stands with a run."""
    key = f"standing {comparison.key} {name} {look.measure} {look.baseline} {look.runs}"
    task = ("Sorting queries", lambda _: standing(comparison, name, look.baseline, look.runs, look.measure))
    found: Standing = computed({key: task})[key]
    return found
