"""The pages there are, and what makes a page work when it is the first thing a fresh server is asked for."""

from collections.abc import Sequence

import streamlit as st

DATA = "pages/data.py"
OVERVIEW = "pages/overview.py"


def pages() -> Sequence[st.Page]:
    """All pages in their order; a page's address is its file's name."""
    return [
        st.Page(DATA, title="Data", url_path="data", icon=":material/upload_file:", default=True),
        st.Page(OVERVIEW, title="Overview", url_path="overview", icon=":material/leaderboard:"),
    ]


def ensure_app() -> None:
    """Send a page that was run without app.py through it.

    Before any session has called st.navigation, Streamlit takes the folder `pages` for its older kind of multipage app and runs
    the page that a first deep link names by itself.
    """
    if "_app" not in st.session_state:
        st.navigation(list(pages()), position="top")
        st.rerun()
