"""Queries: which queries fail, and why? One of them at a time where the address names one."""

import streamlit as st

from pages.shared import drill_down, loading, queries_filters, queries_list, queries_notes, slicing, view
from pages.shared.empty import nothing_yet
from pages.shared.navigation import ensure_app

ensure_app()

comparison = loading.comparison()
if comparison is None:
    nothing_yet("Queries", "Which queries fail, and why? Bring judgments and runs to see.")
    st.stop()

look = view.current(comparison)
notes = queries_notes.current()
queries_filters.pick_cause_from_chart()
left, right = st.columns([3, 1], vertical_alignment="bottom")
query = queries_filters.query_asked(right)
if query:
    drill_down.draw(comparison, look, notes, query, left)
    st.stop()

with left:
    title = st.container()
about, controls = st.container(), st.container()
with controls:
    st.header("Queries, the worst first", anchor=False)
    queries_filters.draw(look, notes)
found = queries_filters.listed(comparison, look, notes)
with title:
    queries_list.say(comparison, look, found.run)
with about:
    slicing.said(look)
    queries_list.profile(comparison, look, found.run)
queries_list.draw(comparison, look, found, notes)
