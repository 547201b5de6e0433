"""Taking a file away: a button that looks like Streamlit's own, and fetches a file which the server makes only then."""

import streamlit as st
from streamlit.errors import StreamlitAPIException

COMPONENT = "ranklens.take"
HTML = (
    "<div class='take'><button type='button' aria-describedby='tip' hidden>"
    "<span class='icon' aria-hidden='true' translate='no'></span><span class='label'></span></button>"
    "<span class='tip' id='tip' role='tooltip'></span><p class='said' role='status'></p></div>"
)


@st.cache_resource(show_spinner=False)
def _component() -> object | None:
    """The component, or None where its script is not installed: it is a file of the package, since the policy allows no other."""
    try:
        return st.components.v2.component(COMPONENT, js="take.js", css="take.css", html=HTML)
    except StreamlitAPIException:
        return None


def works() -> bool:
    """Whether the button can be drawn here."""
    return callable(_component())


def button(label: str, token: str, name: str, *, icon: str, help_text: str, key: str) -> None:
    """Draw the button for the file that is offered under a token.

    name  what the file is called where it is put down
    """
    component = _component()
    if callable(component):
        told = {
            "label": label, "token": token, "name": name, "help": help_text, "icon": icon.removeprefix(":material/").strip(":"),
        }  # fmt: skip
        component(data=told, key=key, width="content", height="content")
