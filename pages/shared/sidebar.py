"""The sidebar: what all pages share. Every widget is bound to the address, so a link restores the screen."""

import re
from collections.abc import Sequence

import streamlit as st

from core.comparison import Comparison
from core.slices import column_named
from pages.shared import loading
from pages.shared.text import count, is_plain, plain, quiet
from pages.shared.view import ALL_QUERIES, CUTOFF, CUTOFFS, GAIN, GAINS

ORDERS = {
    "score": "32-bit score (trec_eval 9)",
    "score64": "64-bit score (trec_eval 10)",
    "rank": "The file's rank column",
}
MISSING = {"zero": "Score 0", "exclude": "Leave out"}
CONFLICTS = {"highest": "The highest", "last": "The last", "mean": "The mean"}
OWN_IDS = {"keep": "Keep", "drop": "Leave out"}
NUMBER = re.compile(r"[0-9]{1,9}(?:\.0)?")


def draw() -> None:
    """Draw the sidebar; without a comparison it holds only what can be chosen already."""
    comparison = loading.comparison()
    with st.sidebar:
        if comparison is None:
            st.markdown("Bring judgments and runs, and what is compared is chosen here.")
            return
        names = comparison.names
        _measure()
        st.selectbox(
            "Baseline", names, key="base", bind="query-params", help="The run that every other one is held against."
        )
        if len(names) > 1:
            _several("Runs", "runs", names, "None picked means all of them.")
        _slice(comparison)
        _conventions()
        quiet(f"{count(len(comparison.qrels.queries), 'judged query', 'judged queries')} · {count(len(names), 'run')}")


def _slice(comparison: Comparison) -> None:
    """The slice filter: an attribute of the queries, and the values that are looked at."""
    if not comparison.slices:
        return
    columns = {column.name: column for column in comparison.slices}
    # Two columns crossed are picked on the Slices page; here the pair is an option only while it is the one that is asked for.
    asked = column_named(comparison.slices, st.session_state.get("slice") or st.query_params.get("slice"))
    columns |= {asked.name: asked} if asked is not None else {}
    picked = st.selectbox(
        "Slice",
        [ALL_QUERIES, *columns],
        key="slice",
        bind="query-params",
        help="Look at some of the queries only, on every page.",
    )
    if picked in columns:
        _several(picked, "in", columns[picked].values, "None picked means all queries.")


def _several(label: str, key: str, options: Sequence[str], help_text: str) -> None:
    """Pick any number of options. Pills read Markdown, so names with marks in them go into a box, which does not."""
    label = plain(label)
    if len(options) <= 12 and all(map(is_plain, options)):
        st.pills(label, options, selection_mode="multi", key=key, bind="query-params", help=help_text)
    else:
        st.multiselect(label, options, key=key, bind="query-params", help=help_text)


def _measure() -> None:
    st.segmented_control(
        "nDCG gain", list(GAINS), default=GAIN, required=True, format_func=lambda gain: GAINS[gain], key="gain", bind="query-params",
        help="Linear: a document gains its grade. Exponential: 2^grade − 1, so the best documents weigh more.",
    )  # fmt: skip
    st.segmented_control(
        "Cutoff k", list(CUTOFFS), default=CUTOFF, required=True, key="k", bind="query-params", help="How many documents from the top count.",
    )  # fmt: skip


def _conventions() -> None:
    with st.expander("Conventions"):
        _choose("Missing queries", "missing", MISSING, "Judged queries that a run does not answer.")
        _choose("Undefined queries", "undefined", MISSING, "Queries without a document of a positive grade.")
        if not loading.from_bundle():
            # What the files of a bundle were read by is part of the bundle.
            _choose("Order", "order", ORDERS, "How a run's documents are ranked; ties go by document id, descending.")
            _choose("Conflicting judgments", "conflicts", CONFLICTS, "Which grade counts where a pair is judged twice.")
            _choose(
                "Documents with the query's own id",
                "own",
                OWN_IDS,
                "As in ArguAna or Quora, where queries stand in the corpus.",
            )
        if not NUMBER.fullmatch(st.query_params.get("level", "1")):
            # Streamlit fails where an address asks a widget for a number without an end, so it must not be there at all.
            del st.query_params["level"]
            st.rerun()
        st.number_input(
            "Relevant from grade",
            1,
            1000,
            1,
            key="level",
            bind="query-params",
            help="For recall, precision, MAP, MRR and hit rate; nDCG does not use it.",
        )


def _choose(label: str, key: str, options: dict[str, str], help_text: str) -> None:
    st.selectbox(
        label, list(options), format_func=lambda option: options[option], key=key, bind="query-params", help=help_text
    )
