"""Data: are my files read the way I mean, and can I trust a score from them?"""

import streamlit as st

from pages.shared import files, health, loading, readings, saved_data, start, view
from pages.shared.navigation import OVERVIEW, ensure_app
from pages.shared.text import count, quiet

ensure_app()

brought = files.current()
if not brought:
    start.draw()
    st.stop()

state = loading.load(brought, view.conventions())
saved = files.saved_one()
if saved is not None:
    saved_data.draw(saved, state)
    st.stop()

left, right = st.columns([3, 1], vertical_alignment="bottom")
left.title(readings.finding(state), anchor=False)
left.markdown(
    f":gray[{count(len(brought), 'file')} · each read by its content; open one to see how, and to correct it]"
)
if state.comparison is not None and right.button("Open the overview", icon=":material/leaderboard:", width="stretch"):
    # Said with no parameters, as Streamlit refuses to take away those that belong to widgets; each widget writes its own again.
    st.switch_page(OVERVIEW, query_params={})

readings.draw(state)
start.uploader("Add files")
quiet(start.PROMISE)
if state.comparison is not None:
    health.draw(state.comparison, view.current(state.comparison))
