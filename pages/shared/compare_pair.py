"""The candidate that is held against the baseline, picked on the page, in the address as `vs`; and what is kept of the pair."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from core.comparison import Comparison
from core.comparison.finding import finding
from core.comparison.pairs import against_baseline
from core.statistics.paired import PairStatistics
from pages.shared.kept import computed, kept
from pages.shared.view import View

T = TypeVar("T")


def pick(comparison: Comparison, look: View) -> str | None:
    """Draw the picker and return the candidate: the one with the highest mean where none is picked; None for one run."""
    if not look.candidates:
        return None
    picked = st.selectbox(
        "Candidate",
        [LEADING, *look.candidates],
        key="vs",
        bind="query-params",
        help=f"The run that is held against the baseline. Differences are candidate minus baseline: above 0 is better. {BASELINE}",
    )
    return picked if picked in look.candidates else leading(comparison, look)


def leading(comparison: Comparison, look: View) -> str:
    """The candidate that the Overview's title is about: the one with the highest mean, or the baseline where it is alone."""
    if not look.candidates:
        return look.baseline
    return finding(comparison, look.baseline, look.measure, quick(comparison, look)).candidate or look.candidates[0]


LEADING = "Leading candidate"
BASELINE = "The baseline is chosen in the sidebar."


def quick(comparison: Comparison, look: View) -> list[PairStatistics]:
    """Every candidate against the baseline, without p-values: no verdict needs them."""
    return once(
        f"pairs {comparison.key} {look.key}",
        lambda: against_baseline(
            comparison, look.baseline, look.measure, look.candidates, where=look.where, resample=False
        ),
    )


def resampled(comparison: Comparison, look: View) -> list[PairStatistics]:
    """The same with p-values: the slow part, to be asked for after everything else is drawn."""
    key = f"resampled {comparison.key} {look.key}"
    work = (
        "Shuffling signs for the p-values",
        lambda _: against_baseline(comparison, look.baseline, look.measure, look.candidates, where=look.where),
    )
    found: list[PairStatistics] = computed({key: work})[key]
    return found


def once(key: str, make: Callable[[], T]) -> T:
    """What quick work gives, kept under a key of content and settings."""
    found: T | None = kept().get(key)
    if found is None:
        found = make()
        kept().put(key, found)
    return found
