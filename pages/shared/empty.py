"""What a page says while there is nothing to compare, and the way on."""

import streamlit as st

from pages.shared import files
from pages.shared.navigation import DATA


def nothing_yet(title: str, sentence: str) -> None:
    """The title, what the page will answer, and a link to where files are brought."""
    st.title(title, anchor=False)
    if files.current():
        st.info(
            "The files that are here do not make a comparison yet. The Data page says what is missing.",
            icon=":material/info:",
        )
    else:
        st.markdown(f":gray[{sentence}]")
    st.page_link(DATA, label="Go to Data", icon=":material/upload_file:")
