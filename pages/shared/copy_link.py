"""Copying an address: it stands as text, and a button puts it on the reader's clipboard, where the browser allows that."""

import streamlit as st
from streamlit.errors import StreamlitAPIException

COMPONENT = "ranklens.copy_link"


@st.cache_resource(show_spinner=False)
def _component() -> object | None:
    """The component, or None where its script is not installed: it is a file of the package, since the policy allows no other."""
    try:
        return st.components.v2.component(
            COMPONENT, js="copy_link.js", css="copy_picture.css", html="<button type='button'></button>"
        )
    except StreamlitAPIException:
        return None


def copied(label: str, address: str, *, key: str) -> None:
    """Draw an address and its button; the address alone where no button can work."""
    st.code(address, language=None, wrap_lines=True)
    component = _component()
    if callable(component):
        component(data={"text": address, "label": label}, key=key, width="content", height="content")
