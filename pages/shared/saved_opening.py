"""Opening a saved comparison: a bare link brings back the page and the view it was saved from; an address that says more wins.

`v=1` in an address says that its view stands in it, all of it, also where everything is as usual and nothing is said: a
reload then does not go back to what was saved.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.saved import Saved
from pages.shared import audit, files, saved_links, saved_view
from pages.shared.navigation import OVERVIEW
from pages.shared.present import PARAMETER as PRESENT

MARK = "v"
NO_VIEW = ("d", PRESENT, "embed", "embed_options")
# What a page's own widgets have in the address, beside what the sidebar has.
OF_PAGES: dict[str, tuple[str, ...]] = {
    "overview": ("by",),
    "queries": ("q", "of", "sort", "cause", "mark", "find", "tag"),
    "slices": ("column", "cross", "vs", "docs"),
    "compare": ("vs", "part"),
    "distributions": ("vs",),
}
PLACE = "place"
LONGEST, MOST = 300, 50
WATCHED_EVERY_SECONDS = 15
_LAST, _RESTORED, _AGAIN = "_place", "_restored", "_open_as_saved"


def remember(page: str) -> None:
    """Keep in mind which page is looked at and what its own widgets ask for: what a link that is saved next opens."""
    if page in OF_PAGES:
        asked = {key: st.query_params.get_all(key) for key in OF_PAGES[page] if key in st.query_params}
        st.session_state[_LAST] = (page, asked)


def place() -> tuple[str, dict[str, list[str]]]:
    """The page that was looked at last, and what its widgets asked for."""
    found: tuple[str, dict[str, list[str]]] = st.session_state.get(_LAST) or ("overview", {})
    return found


def open_one(token: str, page: str) -> None:
    """Open a saved comparison as it was saved, from a list."""
    st.session_state[_AGAIN] = True
    files.leave()
    files.open_set(token)
    st.switch_page(_path(page), query_params={})


def restore(page: str, *, shown: bool) -> None:
    """Bring back what was saved, where the address says no more than which comparison.

    page   the page of the address, empty for the start
    shown  in present mode, which leaves the address as it is
    """
    saved, token = files.saved_one(), files.current_token()
    if saved is None:
        return
    new = st.session_state.get(_RESTORED) != token
    if new:
        st.session_state[_RESTORED] = token
        audit.record("open", saved=saved.id)
    again = st.session_state.pop(_AGAIN, False)
    if again or ("d" in st.query_params and not set(st.query_params) - set(NO_VIEW)):
        saved_view.open_later(saved_view.with_conventions(saved.view, saved.conventions))
        if (new or again) and not shown:
            _turn_to(page, saved)
    if not shown:
        st.query_params[MARK] = "1"


def front() -> str:
    """The page that an address without one leads to: the one that was saved, where a saved comparison is open."""
    saved = files.saved_one()
    return "data" if saved is None else saved.page


def watch() -> None:
    """Look now and then whether the link still opens something: what is deleted leaves a screen that nobody touches, too."""
    token = files.current_token()
    if token is not None and files.saved_one() is not None:
        _watched(token)


@st.fragment(run_every=WATCHED_EVERY_SECONDS)
def _watched(token: str) -> None:
    if saved_links.looked_up(token).found is None:
        st.rerun()


def _turn_to(page: str, saved: Saved) -> None:
    """Go to the page it was saved from, where the address names none, and let its widgets ask for what they asked for."""
    wanted = page or saved.page
    asked = _asked(saved.view, wanted) if wanted == saved.page else {}
    if asked or wanted != (page or "data"):
        st.switch_page(_path(wanted), query_params=asked)


def _asked(told: Mapping[str, Any], page: str) -> dict[str, list[str]]:
    """What a page's own widgets asked for. It may come from anybody: only what such a page has, as texts of an address."""
    asked = told.get(PLACE)
    if not isinstance(asked, dict):
        return {}
    return {
        key: [value for value in asked[key] if isinstance(value, str) and len(value) <= LONGEST][:MOST]
        for key in OF_PAGES.get(page, ())
        if isinstance(asked.get(key), list)
    }


def _path(page: str) -> str:
    """The file of a page that shows a comparison; Overview's for any other word."""
    return f"pages/{page}.py" if page in (*OF_PAGES, "data") else OVERVIEW
