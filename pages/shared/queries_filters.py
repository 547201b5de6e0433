"""Which queries the list holds, and in which order: its controls, all in the address, and what they leave."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.comparison import Comparison
from core.comparison.causes import CAUSES, Mark
from core.comparison.comparison import Mask
from core.comparison.worst import By, containing, worst
from pages.shared.compare_pair import LEADING
from pages.shared.queries_facts import causes_of, marks_of, run_of, standing_of
from pages.shared.queries_notes import Notes, tags
from pages.shared.view import View

ORDERS: dict[By, str] = {
    "score": "Lowest score",
    "difference": "Deepest fall",
    "lost": "Most lost gain",
    "disagreement": "Most disagreement",
}
MARKS: dict[Mark, str] = {
    "undefined": "Undefined",
    "missing": "Missing",
    "tied": "Tied",
    "unjudged-on-top": "Unjudged on top",
    "few-judgments": "Few judgments",
}
MARKS_MEAN = (
    "Undefined: no document is relevant. Missing: the run does not answer it. Tied: equal scores reach the top. "
    "Unjudged on top: half or more of the first five documents. Few judgments: under 5."
)
LABELS = {cause.label: at for at, cause in enumerate(CAUSES)}


@dataclass(frozen=True, eq=False)
class Listed:
    """The list of queries, the worst first.

    run    the run that it is about
    order  places in Qrels.queries, shape (queries listed,): undefined queries only where they were asked for
    undefined  the undefined queries that the filters leave, which stand apart: shape (undefined,)
    said   the order and the filters in words
    """

    run: str
    by: By
    order: npt.NDArray[np.int64]
    undefined: npt.NDArray[np.int64]
    said: str

    def ids(self, comparison: Comparison) -> list[str]:
        """The ids of the queries listed, in their order."""
        return [comparison.qrels.queries[at] for at in self.order.tolist()]


def query_asked(place: DeltaGenerator) -> str:
    """The id of the one query that is asked for, in the address as `q`; empty where the list is."""
    return str(place.text_input("Open a query", key="q", bind="query-params", placeholder="its id") or "").strip()


def draw(look: View, notes: Notes) -> None:
    """The controls. They are drawn beside the list and beside one of its queries, so that next and previous follow the list."""
    with st.grid(4, min_column_width=150):
        st.selectbox(
            "Run", [LEADING, *look.runs], key="of", bind="query-params",
            help="The run whose queries are listed. The leading candidate is the one with the highest mean.",
        )  # fmt: skip
        st.selectbox(
            "Worst first by", list(ORDERS), format_func=lambda by: ORDERS[by], key="sort", bind="query-params",
            help="Fall: against the baseline. Lost gain: ideal DCG minus DCG. Disagreement: the highest score of the runs minus the lowest.",
        )  # fmt: skip
        st.multiselect("Cause", list(LABELS), key="cause", bind="query-params", placeholder="Any")
        st.multiselect(
            "Notice", list(MARKS), format_func=lambda mark: MARKS[mark], key="mark", bind="query-params", placeholder="Any",
            help=MARKS_MEAN,
        )  # fmt: skip
        st.text_input(
            "Search ids and texts", key="find", bind="query-params", placeholder="a word or an id",
        )  # fmt: skip
        st.multiselect(
            "Tag",
            tags(notes),
            key="tag",
            bind="query-params",
            placeholder="Any",
            help="Tags are given on a query's own page.",
        )


def listed(comparison: Comparison, look: View, notes: Notes) -> Listed:
    """What the controls leave."""
    state: Mapping[str, object] = st.session_state  # type: ignore[assignment]  # it is read as a mapping
    run = run_of(comparison, look, str(state.get("of")))
    by: By = state["sort"] if state.get("sort") in ORDERS else "score"  # type: ignore[assignment]  # one of its keys
    if by == "difference" and run == look.baseline:
        by = "score"
    among, words = _among(comparison, look, notes, run)
    found = standing_of(comparison, look, run)
    undefined = np.flatnonzero(found.undefined & among)
    wanted = "Undefined" in _picked("cause") or "undefined" in _picked("mark")
    order = undefined if wanted and not (~found.undefined & among).any() else worst(found, by, among)
    said = " · ".join([f"{ORDERS[by].lower()} of {run}", *words])
    return Listed(run, by, order, undefined, said[0].upper() + said[1:])


def _picked(key: str) -> list[str]:
    return [str(value) for value in st.session_state.get(key) or ()]


def _among(comparison: Comparison, look: View, notes: Notes, run: str) -> tuple[Mask, list[str]]:
    """The queries that all filters leave, and the filters in words."""
    among = np.ones(len(comparison.qrels.queries), bool) if look.where is None else look.where.copy()
    words = []
    picked = [label for label in _picked("cause") if label in LABELS]
    if picked:
        among &= np.isin(causes_of(comparison, look, (run,))[run], [LABELS[label] for label in picked])
        words.append(" or ".join(picked).lower())
    marks = [mark for mark in MARKS if mark in _picked("mark")]
    if marks:
        found = marks_of(comparison, look, run)
        among &= np.any([found[mark] for mark in marks], axis=0)
        words.append(" or ".join(MARKS[mark] for mark in marks).lower())
    wanted = set(_picked("tag"))
    if wanted:
        tagged = {query for query, note in notes.items() if wanted & set(note.tags)}
        among &= np.array([query in tagged for query in comparison.qrels.queries], bool)
        words.append("tagged " + " or ".join(sorted(wanted)))
    needle = str(st.session_state.get("find") or "").strip()
    if needle:
        among &= containing(comparison, needle)
        words.append(f'containing "{needle}"')
    return among, words


def pick_cause_from_chart() -> None:
    """Take a click on the bar of causes over into the filters, once, before their widgets are drawn."""
    event = st.session_state.get("chart_causes")
    points = (event["selection"].get("cause") or []) if event else []
    seen = repr(points)
    if points and seen != st.session_state.get("_cause_clicked"):
        st.session_state["cause"] = [point["cause"] for point in points if point.get("cause") in LABELS]
        st.session_state["of"] = points[-1]["run"]
    st.session_state["_cause_clicked"] = seen
