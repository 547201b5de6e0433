"""Notices as people read them: the worst first, each with its sentence, its count, its effect, and examples on demand."""

from collections.abc import Sequence

import streamlit as st

from core.notices import Notice
from pages.shared.text import plain, score

ICONS = {"error": ":material/error:", "warning": ":material/warning:", "info": ":material/info:"}
COLOURS = {"error": "orange", "warning": "orange", "info": "gray"}
WORDS = {"error": "Wrong as it is", "warning": "Look at this", "info": "Good to know"}
READINGS = {
    "low": "lowest", "high": "highest", "zero": "counted as 0", "exclude": "left out", "as_read": "as read", "otherwise": "the other way",
}  # fmt: skip


def draw(notices: Sequence[Notice]) -> None:
    """All notices, one under the other."""
    for notice in notices:
        _draw_one(notice)


def _draw_one(notice: Notice) -> None:
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(
                notice.title, icon=ICONS[notice.severity], color=COLOURS[notice.severity], help=WORDS[notice.severity]
            )  # type: ignore[arg-type]  # the colours above are Streamlit's
            st.markdown(f":gray[{plain(notice.about)}]", width="content")
        st.markdown(plain(notice.message, 600))
        if notice.effect is not None:
            readings = " · ".join(
                f"{READINGS.get(name, name)} **{score(value)}**" for name, value in notice.effect.readings
            )
            st.markdown(f":gray[Mean {plain(notice.effect.measure)}:] {readings}")
        if notice.examples:
            shown = ", ".join(f'"{plain(example, 120)}"' for example in notice.examples)
            more = notice.count - len(notice.examples)
            st.caption(f":gray[{shown}{f' and {more:,} more' if more > 0 else ''}]")
