"""Deleting: the page of a delete link (`?delete=…`), which asks first, and the question before something in a list is deleted."""

import streamlit as st

from core import saved
from core.errors import InputError
from core.saved import Found, Listed
from pages.shared import audit, files, identity, saved_links
from pages.shared.navigation import DATA
from pages.shared.saved_words import day
from pages.shared.text import plain

PARAMETER = "delete"
NOTHING = "This link deletes nothing here"
_DONE = "_deleted_by_link"


def asked() -> bool:
    """Whether the address is a delete link."""
    return PARAMETER in st.query_params


def draw() -> None:
    """The page of a delete link: a question, and that it is done. What deletes nothing has one sentence, whatever the reason is."""
    token = st.query_params[PARAMETER]
    if st.session_state.get(_DONE) == token:
        st.title("The saved comparison is deleted", anchor=False)
        st.markdown(":gray[Its links open nothing any more, here and for everybody else.]")
        _way_on()
        return
    try:
        found = saved.find_delete(saved_links.store(), token)
    except InputError as error:
        st.title("This saved comparison cannot be deleted", anchor=False)
        said(error)
        return
    if found is None or not identity.may("delete", found, "delete link"):
        st.title(NOTHING, anchor=False)
        st.markdown(
            ":gray[What it named was deleted already, has expired, was never saved on this server, or is not for you to delete.]"
        )
        _way_on()
        return
    st.title("Delete this saved comparison?", anchor=False)
    until = "" if found.expires is None else f", and expires on {day(found.expires)}"
    st.markdown(
        f"It was saved on {day(found.created)}{until}. Once it is deleted, none of its links opens anything any more, "
        "for nobody. There is no way back."
    )
    with st.container(horizontal=True, gap="small"):
        if st.button("Delete it for good", icon=":material/delete_forever:", key="delete_by_link"):
            _delete(token, found)
        if st.button("Leave it", icon=":material/close:", key="leave_it"):
            _leave()


def _delete(token: str, found: Found) -> None:
    try:
        saved.delete(saved_links.store(), token)
    except InputError as error:
        audit.record("delete", "failed", saved=found.id)
        said(error)
        return
    saved_links.forget(found.id)
    audit.record("delete", saved=found.id)
    st.session_state[_DONE] = token
    st.rerun()


@st.dialog("Delete this saved comparison?")
def confirm(line: Listed, *, own: bool = False) -> None:
    """Ask, and delete what stands in a list.

    own  it was saved in this visit, which has its delete link
    """
    st.markdown(f"**{plain(line.title)}**")
    st.markdown("None of its links opens anything any more, for nobody. There is no way back.")
    with st.container(horizontal=True, gap="small"):
        if st.button("Delete it for good", icon=":material/delete_forever:", key="delete_listed") and _taken(line, own):
            if files.saved_one() is None and files.gone():
                files.leave()
            st.rerun()
        if st.button("Keep it", key="keep_listed"):
            st.rerun()


def _taken(line: Listed, own: bool) -> bool:
    """Delete it where this visitor may, and say what stands in the way; whether it is gone."""
    if not identity.may("delete", line, "delete link" if own else "id"):
        audit.record("delete", "refused", saved=line.id)
        st.error("It is not yours to delete.", icon=":material/lock:")
        return False
    try:
        saved.delete_by_id(saved_links.store(), line.id, owner=line.owner)
    except InputError as error:
        audit.record("delete", "failed", saved=line.id)
        said(error)
        return False
    saved_links.forget(line.id)
    audit.record("delete", saved=line.id)
    return True


def said(error: InputError) -> None:
    """What the store refuses, in a sentence."""
    for problem in error.problems[:3]:
        hint = f" {plain(problem.hint, 300)}." if problem.hint else ""
        st.error(f"{plain(problem.message, 300)}.{hint}", icon=":material/error:")


def _way_on() -> None:
    if st.button("Go to the start page", icon=":material/upload_file:", key="deleted_start"):
        _leave()


def _leave() -> None:
    st.query_params.pop(PARAMETER, None)
    files.leave()
    st.switch_page(DATA, query_params={})
