"""The frame around every page: page settings, who is let in, navigation, logo, sidebar; in present mode none of them."""

# Before anything is drawn, and by all visitors of a new server one after the other: Altair asks a pandas that another thread is
# still loading for what it does not have yet.
import pandas as pd  # noqa: F401
import streamlit as st

from pages.hosted import exports, sessions
from pages.shared import (
    deleting,
    files,
    gone,
    identity,
    loading,
    navigation,
    present,
    saved_opening,
    saved_view,
    sidebar,
    sign_in_page,
)

st.session_state["_app"] = True
navigation.configure()
shown = present.on()
if not shown:
    st.logo(navigation.LOGO, size="large", icon_image=navigation.ICON)
let_in = sign_in_page.lets_in()
page = st.navigation(list(navigation.pages()), position="top" if let_in and not shown else "hidden")
sessions.meet(may_upload=let_in and identity.may_upload())
exports.begin()
if not let_in:
    sign_in_page.draw()
    st.stop()
if deleting.asked():
    deleting.draw()
    st.stop()
if gone.draw():
    st.stop()
saved_opening.restore(page.url_path, shown=shown)
files.keep_in_address()
saved_opening.watch()
if saved_view.PENDING in st.session_state:
    saved_view.open_pending(loading.comparison())
if shown:
    present.draw(page.url_path or saved_opening.front())
else:
    saved_opening.remember(page.url_path)
    sidebar.draw()
    sign_in_page.marker()
    page.run()
