"""Slices: where does it win and lose?"""

import streamlit as st

from pages.shared import loading, slices_found, slices_sources, slices_table, slices_views, slicing, view
from pages.shared.empty import nothing_yet
from pages.shared.navigation import DATA, ensure_app
from pages.shared.queries_facts import run_of
from pages.shared.text import plain

ensure_app()

comparison = loading.comparison()
if comparison is None:
    nothing_yet("Slices", "Where does it win and lose? Bring judgments, runs and what you know of the queries to see.")
    st.stop()

look = view.current(comparison)
if not comparison.slices:
    st.title("Nothing to slice by", anchor=False)
    st.markdown(
        ":gray[A file with what is known of the queries, such as their text, intent or source, makes slices: one row a query, with its id.]"
    )
    st.page_link(DATA, label="Bring query metadata", icon=":material/upload_file:")
    slices_sources.draw(comparison, look, run_of(comparison, look, None))
    st.stop()

head = st.container()
slices_found.draw_controls(comparison)
found = slices_found.find(comparison, look)
with head:
    st.title(plain(found.finding.title, 300), anchor=False)
    st.markdown(f":gray[{plain(found.finding.sentence, 600)}]")
    slicing.said(look)
scales = slices_found.mixed_scales(comparison, look)
slices_table.scales_said([notice.message for notice in scales])
st.header(f"By {plain(found.column.name)}", anchor=False)
if look.candidates:
    slices_found.draw_run(look)
run = slices_found.run_looked_at(comparison, look, found)
slices_views.draw(comparison, look, found, run)
st.header("Every slice", anchor=False)
slices_table.draw(comparison, look, found, scales=bool(scales))
slices_table.averages(comparison, look, found, scales=bool(scales))
st.header("Within the slices", anchor=False)
slices_views.draw_within(comparison, look, found, run)
slices_sources.draw(comparison, look, run)
