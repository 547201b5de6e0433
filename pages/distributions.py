"""Distributions: is the mean hiding anything?"""

import streamlit as st

from pages.shared import distributions, pair_head
from pages.shared.distributions_finding import shape
from pages.shared.navigation import ensure_app

ensure_app()

head = pair_head.drawn("Distributions", "Is the mean hiding anything? Bring judgments and runs to see.")
comparison, look, candidate = head.comparison, head.look, head.candidate
found = shape(comparison, look, candidate or look.baseline, head.pair)
head.say(found.title, found.sentence)
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
