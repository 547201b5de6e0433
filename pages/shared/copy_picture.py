"""Copying a picture: a button that puts it on the reader's clipboard, where the browser allows that."""

import base64

import streamlit as st
from streamlit.errors import StreamlitAPIException

COMPONENT = "ranklens.copy_picture"


@st.cache_resource(show_spinner=False)
def _component() -> object | None:
    """The component, or None where its script is not installed: it is a file of the package, since the policy allows no other."""
    try:
        return st.components.v2.component(
            COMPONENT, js="copy_picture.js", css="copy_picture.css", html="<button type='button'></button>"
        )
    except StreamlitAPIException:
        return None


def button(png: bytes, *, key: str) -> None:
    """Draw the button; nothing where it cannot work."""
    component = _component()
    if callable(component):
        component(
            data={"png": base64.b64encode(png).decode(), "label": "Copy"}, key=key, width="content", height="content"
        )
