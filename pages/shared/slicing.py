"""The slice filter, said on every page that it touches, and taken away with one click."""

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitAPIException

from core.comparison import Comparison
from core.model.measure import Measure
from pages.shared.text import count, plain
from pages.shared.view import ALL_QUERIES, View


def said(look: View) -> None:
    """Say which queries a page is about, where it is not about all of them."""
    if look.where is None or look.sliced is None:
        return
    column, values = look.sliced
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(f"{plain(column)}: {plain(', '.join(values))}", icon=":material/filter_alt:", color="primary")
        st.markdown(f":gray[{count(int(look.where.sum()), 'query', 'queries')}]", width="content")
        st.button("Show all queries", key="_unslice", type="tertiary", icon=":material/close:", on_click=look_at_all)


def look_at_all() -> None:
    """Take the filter away."""
    st.session_state["slice"] = ALL_QUERIES
    st.session_state["in"] = []


def look_at(column: str, values: Sequence[str]) -> None:
    """Filter every page to some groups of a column: for a button's on_click."""
    st.session_state["slice"] = column
    st.session_state["in"] = list(values)
    # A widget that is drawn for the first time does not put the value that it was given into the address. Once it is
    # there the address is the widget's, and writing to it is refused.
    with suppress(StreamlitAPIException):
        st.query_params["in"] = list(values)


def line(comparison: Comparison, look: View, measures: Measure | Sequence[Measure] | None = None) -> str:
    """The convention line of the numbers that a page shows, with its slice."""
    found = comparison.line(look.measure if measures is None else measures)
    if look.where is None or look.sliced is None:
        return found
    return (
        f"{found} · {look.sliced[0]} = {', '.join(look.sliced[1])} ({count(int(look.where.sum()), 'query', 'queries')})"
    )
