"""Signing in, as people see it: the one page for those whom nobody has named yet, and the marker of those who are signed in."""

import os

import streamlit as st

from core.errors import InputError
from pages.hosted.returning import FAILED
from pages.shared import audit, identity
from pages.shared.text import plain, quiet

OPERATOR = "RANKLENS_OPERATOR"
_LOGGED = "_sign_in_logged"


def lets_in() -> bool:
    """Whether this visitor gets past the sign-in page; nobody does where the settings are wrong. A new sign-in is logged."""
    try:
        visitor = identity.visitor()
        let_in = identity.admitted()
    except InputError:
        return False
    if visitor.signed_in and st.session_state.get(_LOGGED) != visitor.owner:
        st.session_state[_LOGGED] = visitor.owner
        if identity.first_seen():
            audit.record("sign in")
    return let_in


def draw() -> None:
    """The page of those who are not let in. It names the server and whoever runs it, and nothing that lies behind it."""
    try:
        identity.mode()
    except InputError as error:
        st.title("This dashboard is not set up", anchor=False)
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.title("Ranklens", anchor=False)
    operator = os.environ.get(OPERATOR, "").strip()
    st.markdown(f":gray[{plain(operator)}]" if operator else ":gray[Decide which ranking ships.]")
    if os.environ.get(identity.HEADER):
        st.info(
            "This dashboard is for people who are signed in, and nobody was named for you. Open it by the address that you were given.",
            icon=":material/lock:",
        )
        return
    if identity.unsure():
        st.warning(
            "You have signed in, but your provider does not say for sure who you are. Ask whoever runs this dashboard."
        )
    elif st.query_params.get(FAILED) == "failed":
        st.warning("Signing in did not work. Try again; if it fails again, ask whoever runs this dashboard.")
    st.markdown("What is here is for people who are signed in. Once you are, the address that you came with opens.")
    if st.button("Sign in", icon=":material/login:"):
        st.login()


def marker() -> None:
    """Who is signed in, at the end of the sidebar of every page, with the way out where it is ours."""
    visitor = identity.visitor()
    if not visitor.signed_in:
        return
    with st.sidebar:
        quiet(f"Signed in as {plain(visitor.name)}" + (" · admin" if visitor.admin else ""))
        if not os.environ.get(identity.HEADER):
            st.button("Sign out", icon=":material/logout:", type="tertiary", on_click=_sign_out)


def _sign_out() -> None:
    audit.record("sign out")
    identity.end()
    st.logout()
