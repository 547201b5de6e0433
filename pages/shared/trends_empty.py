"""What the Trends page says while nothing is recorded, and how results are recorded."""

import streamlit as st

from core.errors import InputError
from core.store import open_store
from pages.shared.text import plain, quiet
from pages.shared.trends import look_at_sample

COMMAND = """ranklens record nightly --qrels qrels.txt --run live.run --queries queries.csv \\
    --label v2.3 --commit "$(git rev-parse HEAD)"
ranklens history nightly
"""


def draw() -> None:
    """The page before there is a series: what it will answer, how to begin, and the sample."""
    st.title("Trends", anchor=False)
    st.markdown(
        ":gray[Is it drifting? Record a result every night, and see whether anything has moved for good: on the whole, and in every slice.]"
    )
    try:
        open_store()
    except InputError as error:
        for problem in error.problems:
            st.error(plain(problem, 400), icon=":material/error:")
    st.header("Record a result", anchor=False)
    _how()
    st.header("See it at work", anchor=False)
    st.markdown("Thirty nights of a company's search. One source breaks towards the end, and the mean hardly shows it.")
    st.button("Open the sample history", icon=":material/play_arrow:", on_click=look_at_sample)


def teach() -> None:
    """How results are recorded, folded away."""
    with st.expander("How results are recorded", icon=":material/terminal:"):
        _how()


def _how() -> None:
    st.markdown(
        "Run this after every nightly build. The same result again adds nothing, and any number of jobs may record at once."
    )
    st.code(COMMAND, language=None, wrap_lines=True)
    quiet(
        "Results are kept where `RANKLENS_STORE` says, a folder or `s3://bucket/folder`; where it says nothing, in a folder of your own. "
        "`ranklens app --store URL` looks elsewhere. "
        "`--on-alert COMMAND` calls a program of yours when an alert begins."
    )
