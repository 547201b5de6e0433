"""Slices: where does it win and lose?"""

import streamlit as st

from pages.shared import loading, slicing, view
from pages.shared.empty import nothing_yet
from pages.shared.navigation import ensure_app

ensure_app()

comparison = loading.comparison()
if comparison is None:
    nothing_yet("Slices", "Where does it win and lose? Bring judgments, runs and what you know of the queries to see.")
    st.stop()

look = view.current(comparison)
st.title("Slices", anchor=False)
slicing.said(look)
