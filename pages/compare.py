"""Compare: one run against another, in full."""

import streamlit as st

from core.comparison.finding import finding
from pages.shared import (
    compare_pairs,
    compare_parts,
    compare_sensitivity,
    compare_versions,
    label_queue,
    loading,
    slicing,
    view,
)
from pages.shared.compare_pair import pick, quick
from pages.shared.empty import nothing_yet
from pages.shared.figure import line
from pages.shared.navigation import ensure_app
from pages.shared.text import plain

ensure_app()

comparison = loading.comparison()
if comparison is None:
    nothing_yet("Compare", "One run against another, in full. Bring judgments and two runs to see.")
    st.stop()

look = view.current(comparison)
title, picker = st.columns([3, 1.25], vertical_alignment="bottom")
with picker:
    candidate = pick(comparison, look)
pair = next((pair for pair in quick(comparison, look) if pair.candidate == candidate), None)
if pair is None:
    title.title("A second run is needed to compare", anchor=False)
    st.markdown(
        f":gray[There is {plain(look.baseline)} alone. Bring another run on the Data page, or choose more runs in the sidebar.]"
    )
    st.stop()

found = finding(comparison, look.baseline, look.measure, [pair])
title.title(plain(found.title), anchor=False)
st.markdown(f":gray[{plain(found.sentence, 600)}]")
slicing.said(look)
names = ["In parts", "Does it hold", "All pairs", "Judge next", "Versions"]
parts, holds, pairs, judge, versions = st.tabs(names, key="part", bind="query-params", on_change="rerun")
slow = None
if parts.open:
    with parts:
        st.header("The verdict in its parts", anchor=False)
        slow = compare_parts.draw(comparison, look, pair)
if holds.open:
    with holds:
        compare_sensitivity.draw(comparison, look, pair)
if pairs.open:
    with pairs:
        compare_pairs.draw(comparison, look)
if judge.open:
    with judge:
        label_queue.draw(comparison, look, pair)
if versions.open:
    with versions:
        compare_versions.draw(look)
line(slicing.line(comparison, look))
if slow is not None:
    slow()
