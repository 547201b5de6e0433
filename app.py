"""The frame around every page: page settings, navigation, logo, sidebar."""

import streamlit as st

from pages.shared import files, navigation, sidebar

st.session_state["_app"] = True
navigation.configure()
st.logo(navigation.LOGO, size="large", icon_image=navigation.ICON)
page = st.navigation(list(navigation.pages()), position="top")
files.keep_in_address()
sidebar.draw()
page.run()
