"""The frame around every page: page settings, navigation, logo, sidebar."""

from pathlib import Path

import streamlit as st

from pages.shared import files, navigation, sidebar

ASSETS = Path(__file__).parent / "pages" / "shared" / "assets"

st.session_state["_app"] = True
st.set_page_config(page_title="Ranklens", page_icon=str(ASSETS / "icon.svg"), layout="wide")
st.logo(str(ASSETS / "logo.svg"), size="large", icon_image=str(ASSETS / "icon.svg"))
page = st.navigation(list(navigation.pages()), position="top")
files.keep_in_address()
sidebar.draw()
page.run()
