"""The pages there are, and what makes a page work when it is the first thing a fresh server is asked for."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.shared import identity

ASSETS = Path(__file__).parent / "assets"
ICON, LOGO = str(ASSETS / "icon.svg"), str(ASSETS / "logo.svg")
DATA = "pages/data.py"
OVERVIEW = "pages/overview.py"
DISTRIBUTIONS = "pages/distributions.py"
QUERIES = "pages/queries.py"
SLICES = "pages/slices.py"
COMPARE = "pages/compare.py"
TRENDS = "pages/trends.py"
SHARE = "pages/share.py"


def pages() -> Sequence[st.Page]:
    """All pages in their order; a page's address is its file's name. A server that lists nothing has no page of series."""
    every = [
        st.Page(DATA, title="Data", url_path="data", icon=":material/upload_file:", default=True),
        st.Page(OVERVIEW, title="Overview", url_path="overview", icon=":material/leaderboard:"),
        st.Page(DISTRIBUTIONS, title="Distributions", url_path="distributions", icon=":material/area_chart:"),
        st.Page(QUERIES, title="Queries", url_path="queries", icon=":material/manage_search:"),
        st.Page(SLICES, title="Slices", url_path="slices", icon=":material/pie_chart:"),
        st.Page(COMPARE, title="Compare", url_path="compare", icon=":material/compare_arrows:"),
        st.Page(TRENDS, title="Trends", url_path="trends", icon=":material/timeline:"),
        st.Page(SHARE, title="Share", url_path="share", icon=":material/ios_share:"),
    ]
    return [page for page in every if page.url_path != "trends"] if identity.only_shows() else every


def shown_pages() -> Sequence[st.Page]:
    """The pages that show a comparison, for a link to one of them."""
    return [page for page in pages() if page.url_path not in ("share", "trends")]


def configure() -> None:
    """Page settings, before anything else is drawn: without an icon of our own the browser would fetch one from elsewhere."""
    st.set_page_config(page_title="Ranklens", page_icon=ICON, layout="wide")


def ensure_app() -> None:
    """Send a page that was run without app.py through it.

    Before any session has called st.navigation, Streamlit takes the folder `pages` for its older kind of multipage app and runs
    the page that a first deep link names by itself.
    """
    if "_app" not in st.session_state:
        configure()
        st.navigation(list(pages()), position="top")
        st.rerun()
