"""Notices as people read them: the worst first; those of one kind together, each with its sentence, effect and examples."""

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from core.notices import Notice, Severity
from core.readers.repairs import described, parsed
from pages.shared import files
from pages.shared.text import plain, score

ICONS: dict[Severity, str] = {"error": ":material/error:", "warning": ":material/warning:", "info": ":material/info:"}
WORDS: dict[Severity, str] = {"error": "Wrong as it is", "warning": "Look at this", "info": "Good to know"}
READINGS = {
    "low": "lowest", "high": "highest", "zero": "counted as 0", "exclude": "left out", "as_read": "as read",
    "otherwise": "the other way",
}  # fmt: skip


def draw(notices: Sequence[Notice]) -> None:
    """All notices in cards, one for each kind."""
    for _, group in groupby(notices, key=lambda notice: (notice.severity, notice.code)):
        _draw_kind(list(group))


def _draw_kind(group: Sequence[Notice]) -> None:
    first = group[0]
    with st.container(border=True, gap="xsmall"):
        st.badge(
            first.title,
            icon=ICONS[first.severity],
            color="gray" if first.severity == "info" else "orange",
            help=WORDS[first.severity],
        )
        for notice in group:
            st.markdown(plain(notice.message, 600) + _effect(notice) + _examples(notice))
            if notice.offered:
                _offer(notice)


def _effect(notice: Notice) -> str:
    if notice.effect is None:
        return ""
    readings = " · ".join(f"{READINGS.get(name, name)} **{score(value)}**" for name, value in notice.effect.readings)
    return f"  \n:gray[Mean {plain(notice.effect.measure)}:] {readings}"


def _examples(notice: Notice) -> str:
    """Where it was seen; without an example, the file or run that its sentence does not name."""
    if not notice.examples:
        named = not notice.about or notice.about in notice.message
        return "" if named else f"  \n:small[:gray[{plain(notice.about, 60)}]]"
    shown = ", ".join(plain(example, 120) for example in notice.examples)
    more = notice.count - len(notice.examples)
    return f"  \n:small[:gray[{plain(notice.about, 60)}: {shown}{f' and {more:,} more' if more > 0 else ''}]]"


def _offer(notice: Notice) -> None:
    """A repair that would make ids meet: done only when somebody asks for it."""
    wanted = tuple(map(parsed, notice.offered))
    sentence = " and ".join(map(described, wanted))
    key = f"repair_{notice.about}_{'_'.join(notice.offered)}"
    st.button(f"Repair by {plain(sentence)}", key=key, icon=":material/build:", on_click=files.repair, args=(wanted,))
