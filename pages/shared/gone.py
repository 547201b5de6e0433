"""Gone: the one page of an address that opens nothing, in the same words whatever the reason is, and the way on."""

import streamlit as st

from core.errors import InputError
from pages.shared import audit, files, loading, saved_links, view
from pages.shared.navigation import DATA, OVERVIEW
from pages.shared.samples import SAMPLE
from pages.shared.text import plain, quiet

TITLE = "This link opens nothing here"
SENTENCE = (
    "What it named was deleted, has expired, was never saved on this server, or is not for you to open. "
    "Nobody can see from here which of these it is."
)
BROUGHT = "Files that were brought without saving them stay for twelve hours at most: bring them again."
_LOGGED = "_found_closed"
UNREADABLE = "This saved comparison cannot be opened"


def draw() -> bool:
    """Draw the page in place of any other, where the address opens nothing; says whether it did."""
    error = _error()
    if error is None and not files.gone():
        return False
    _log(error)
    st.title(TITLE if error is None else UNREADABLE, anchor=False)
    if error is None:
        st.markdown(f":gray[{SENTENCE}]")
        quiet(BROUGHT)
    else:
        for problem in error.problems[:3]:
            st.error(f"It {plain(problem.message, 300)}.", icon=":material/broken_image:")
            if problem.hint:
                quiet(f"What helps: {plain(problem.hint, 300)}.")
    with st.container(horizontal=True, gap="small"):
        if st.button("Go to the start page", icon=":material/upload_file:", key="gone_start"):
            files.leave()
            st.switch_page(DATA, query_params={})
        if st.button("Open the sample comparison", icon=":material/play_arrow:", key="gone_sample"):
            files.leave()
            files.open_set(SAMPLE)
            st.switch_page(OVERVIEW, query_params={})
    return True


def _log(error: InputError | None) -> None:
    """One line in the log for each address that a session finds closed."""
    token = files.current_token() or ""
    if st.session_state.get(_LOGGED) != token:
        st.session_state[_LOGGED] = token
        refused = saved_links.looked_up(token).refused
        audit.record("open", "failed" if error else "refused" if refused else "not there", saved=refused)


def _error() -> InputError | None:
    """Why a saved comparison that is there cannot be opened; None where it can, or where there is none."""
    token = files.current_token()
    try:
        brought = (None if token is None else files.resolve(token)) or ()
    except InputError as error:
        return error
    if not any(file.saved for file in brought):
        return None
    return next(iter(loading.load(brought, view.conventions()).errors.values()), None)
