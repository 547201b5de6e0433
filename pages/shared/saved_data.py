"""Saved data: the Data page of a saved comparison, whose files were read when it was saved."""

import streamlit as st

from core.exports.bundle import write_bundle
from core.exports.text import file_name
from core.saved import Saved
from pages.shared import health, identity, loading, readings, saved_facts, saved_view, saved_words, start, view
from pages.shared.export_menu import download
from pages.shared.navigation import OVERVIEW
from pages.shared.text import plain, quiet


def draw(saved: Saved, state: loading.State) -> None:
    """What it is, what it holds, its health, and how to go on with it."""
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    left.title(readings.finding(state), anchor=False)
    left.markdown(f":gray[Saved comparison · {plain(_facts(saved), 400)}]")
    if right.button("Open the overview", icon=":material/leaderboard:", width="stretch"):
        st.switch_page(OVERVIEW, query_params={})
    st.header("What was saved", anchor=False)
    with st.container(border=True):
        st.markdown(f"**{plain(saved.title)}**")
        saved_facts.held(saved)
        quiet(
            "How its files were read is fixed; measure, gain, slices and what missing queries score can be changed, for you alone."
        )
        comparison = state.comparison
        if comparison is not None:
            download(
                "Bundle", lambda: write_bundle(comparison, saved_view.now()), file_name("ranklens", saved.title), "ranklens",
                icon=":material/inventory_2:", help_text="The whole comparison in one file, for good",
            )  # fmt: skip
    if identity.may_upload():
        start.uploader("Bring files anew: they begin a comparison of their own, and what was saved stays as it is")
    if state.comparison is not None:
        health.draw(state.comparison, view.current(state.comparison))


def _facts(saved: Saved) -> str:
    by = saved_words.named(saved.owner)
    who = f" by {by}" if by else ""
    return f"saved on {saved_words.day(saved.created)}{who} · {saved_words.until(saved.expires)} · {saved_words.size(saved.bytes)}"
