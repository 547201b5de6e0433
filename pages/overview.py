"""Overview: which run is best, and is it real?"""

import streamlit as st

from core.comparison.finding import finding
from core.comparison.pairs import against_baseline
from pages.shared import alerts, leaderboard, loading, overview_charts, per_query, slicing, view
from pages.shared.empty import nothing_yet
from pages.shared.navigation import ensure_app
from pages.shared.text import plain

ensure_app()

comparison = loading.comparison()
if comparison is None:
    nothing_yet("Overview", "Which run is best, and is it real? Bring judgments and runs to see.")
    st.stop()

look = view.current(comparison)
pairs = against_baseline(comparison, look.baseline, look.measure, look.candidates, where=look.where, resample=False)
found = finding(comparison, look.baseline, look.measure, pairs)
st.title(plain(found.title), anchor=False)
st.markdown(f":gray[{plain(found.sentence, 600)}]")
slicing.said(look)
leaderboard.tiles(comparison, look, pairs, found)
st.header("Leaderboard", anchor=False)
leaderboard.draw(comparison, look, pairs)
alerts.draw(comparison, look, pairs)
overview_charts.draw(comparison, look, pairs)
st.header("All measures", anchor=False)
leaderboard.every_measure(comparison, look)
st.header("Query by query", anchor=False)
per_query.draw(comparison, look)
