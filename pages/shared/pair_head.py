"""The head of a page about one pair: the finding, beside it the candidate to pick, below both the slice filter."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.comparison import Comparison
from core.statistics.paired import PairStatistics
from pages.shared import loading, slicing, view
from pages.shared.compare_pair import pick, quick
from pages.shared.empty import nothing_yet
from pages.shared.text import plain
from pages.shared.view import View


@dataclass(frozen=True, eq=False)
class Head:
    """What such a page is about.

    candidate, pair  the run picked and what it comes to against the baseline; None where there is only one run
    title            the place that is kept for the title
    """

    comparison: Comparison
    look: View
    candidate: str | None
    pair: PairStatistics | None
    title: DeltaGenerator

    def say(self, title: str, sentence: str) -> None:
        """The finding, and which queries it is about."""
        self.title.title(plain(title), anchor=False)
        st.markdown(f":gray[{plain(sentence, 600)}]")
        slicing.said(self.look)


def drawn(name: str, answers: str) -> Head:
    """Draw the picker and keep a place for the title; without files the page says what it `answers`, and ends."""
    comparison = loading.comparison()
    if comparison is None:
        nothing_yet(name, answers)
        st.stop()
    look = view.current(comparison)
    title, picker = st.columns([3, 1.25], vertical_alignment="bottom")
    with picker:
        candidate = pick(comparison, look)
    pair = next((pair for pair in quick(comparison, look) if pair.candidate == candidate), None)
    return Head(comparison, look, candidate, pair, title)
