"""Distributions: is the mean hiding anything?"""

import streamlit as st

from pages.shared import distributions, loading, slicing, view
from pages.shared.compare_pair import pick, quick
from pages.shared.distributions_finding import shape
from pages.shared.empty import nothing_yet
from pages.shared.navigation import ensure_app
from pages.shared.text import plain

ensure_app()

comparison = loading.comparison()
if comparison is None:
    nothing_yet("Distributions", "Is the mean hiding anything? Bring judgments and runs to see.")
    st.stop()

look = view.current(comparison)
title, picker = st.columns([3, 1.25], vertical_alignment="bottom")
with picker:
    candidate = pick(comparison, look)
pair = next((pair for pair in quick(comparison, look) if pair.candidate == candidate), None)
found = shape(comparison, look, candidate or look.baseline, pair)
title.title(plain(found.title), anchor=False)
st.markdown(f":gray[{plain(found.sentence, 600)}]")
slicing.said(look)
st.header("Every run", anchor=False)
distributions.spread(comparison, look, candidate)
distributions.convention(comparison, look)
if candidate is None:
    st.info("A second run shows what changed, query by query. Bring one on the Data page.", icon=":material/info:")
    st.stop()
st.header("What changed", anchor=False)
distributions.changes(comparison, look, candidate)
distributions.against(comparison, look, candidate)
distributions.convention(comparison, look)
