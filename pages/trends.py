"""Trends: is it drifting?"""

import streamlit as st

from pages.shared import trends, trends_charts, trends_empty, trends_result, trends_slices
from pages.shared.figure import line
from pages.shared.navigation import ensure_app
from pages.shared.text import plain

ensure_app()

names = trends.names()
if not names or not (trends.asked() or trends.recorded()):
    trends_empty.draw()
    st.stop()

trends.pick_from_charts()
head = st.container()
seen = trends.draw_controls(names)
with head:
    st.title(plain(seen.finding.title, 300), anchor=False)
    st.markdown(f":gray[{plain(seen.finding.sentence, 600)}]")
    trends.problems_said(seen)
if seen.watched.whole.latest is None:
    trends_empty.teach()
    st.stop()
st.header("Over time", anchor=False)
trends_charts.draw(seen)
line(seen.line)
trends_charts.alerts(seen)
trends_result.draw(seen)
trends_slices.draw(seen)
trends_empty.teach()
