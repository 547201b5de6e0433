"""Data health: what in the files touches the numbers."""

import streamlit as st

from core.comparison import Comparison
from pages.shared.view import View


def draw(comparison: Comparison, look: View) -> None:
    """Counts, coverage of every run, the grades, and every notice."""
    st.header("Data health", anchor=False)
