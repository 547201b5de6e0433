"""The frame around every page: page settings, navigation, logo, sidebar; in present mode none of them."""

import streamlit as st

from pages.shared import files, loading, navigation, present, saved_view, sidebar

st.session_state["_app"] = True
navigation.configure()
shown = present.on()
if not shown:
    st.logo(navigation.LOGO, size="large", icon_image=navigation.ICON)
page = st.navigation(list(navigation.pages()), position="hidden" if shown else "top")
files.keep_in_address()
if shown:
    present.draw(page.url_path or "data")
else:
    if saved_view.PENDING in st.session_state:
        saved_view.open_pending(loading.comparison())
    sidebar.draw()
    page.run()
