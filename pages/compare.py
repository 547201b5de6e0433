"""Compare: one run against another, in full."""

import streamlit as st

from core.comparison.finding import finding
from pages.shared import (
    compare_pairs,
    compare_parts,
    compare_sensitivity,
    compare_versions,
    label_queue,
    pair_head,
    slicing,
)
from pages.shared.figure import line
from pages.shared.navigation import ensure_app
from pages.shared.text import plain

ensure_app()

head = pair_head.drawn("Compare", "One run against another, in full. Bring judgments and two runs to see.")
comparison, look, pair = head.comparison, head.look, head.pair
if pair is None:
    head.title.title("A second run is needed to compare", anchor=False)
    st.markdown(
        f":gray[There is {plain(look.baseline)} alone. Bring another run on the Data page, or choose more runs in the sidebar.]"
    )
    st.stop()

found = finding(comparison, look.baseline, look.measure, [pair])
head.say(found.title, found.sentence)
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
