"""Share: how do I show this?"""

import streamlit as st

from pages.shared import identity, loading, saved_list, saving, share_files, share_show, slicing, view
from pages.shared.empty import nothing_yet
from pages.shared.figure import line
from pages.shared.navigation import ensure_app
from pages.shared.scope import current as current_scope
from pages.shared.text import plain

ensure_app()

comparison = loading.comparison()
if comparison is None:
    nothing_yet(
        "Share", "How do I show this? Bring judgments and runs, and take pictures, slides, a report and files away."
    )
    saved_list.draw()
    st.stop()

look = view.current(comparison)
scope = current_scope(comparison, look)
st.title(f"Take it with you: {plain(scope.finding.title)}", anchor=False)
st.markdown(
    ":gray[Everything carries the sentence it shows and the conventions of its numbers, for the view that the sidebar asks for.]"
)
slicing.said(look)
if identity.may_save():
    saving.draw(scope)
st.header("To show", anchor=False)
left, right = st.columns(2, gap="small")
with left:
    share_show.deck(scope)
with right:
    share_show.report(scope)
left, right = st.columns(2, gap="small")
with left:
    share_show.pictures(scope)
with right:
    share_show.summary(scope)
st.header("To keep and to work with", anchor=False)
left, right = st.columns(2, gap="small")
with left:
    share_files.bundle(scope)
with right:
    share_files.tables(scope)
left, right = st.columns(2, gap="small")
with left:
    share_files.trec(scope)
with right:
    share_show.address()
line(slicing.line(comparison, look))
saved_list.draw()
