"""Text that came from files, shown as text: Markdown is live in titles, labels and messages, so it is taken out of it."""

import re

import streamlit as st

PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
PLAIN = re.compile(r"\w[\w ./()\u2013-]*")
EDGE = re.compile(r"(?:^|[^0-9A-Za-z])_|_(?:$|[^0-9A-Za-z])")
BREAKS = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


def plain(text: object, longest: int = 200) -> str:
    """Text for any place that reads Markdown: every mark escaped, line breaks made blanks, cut where it is very long."""
    line = BREAKS.sub(" ", str(text))
    line = line if len(line) <= longest else line[: longest - 1] + "…"
    return PUNCTUATION.sub(r"\\\1", line)


def quiet(markdown: str) -> None:
    """Small grey text that still contrasts enough to be read (Streamlit's own captions do not)."""
    st.markdown(f":small[:gray[{markdown}]]")


def is_plain(text: str) -> bool:
    """Whether a text means the same to people and to Markdown: letters, digits, blanks, a few marks, underscores inside words."""
    return PLAIN.fullmatch(text) is not None and EDGE.search(text) is None and "www." not in text.lower()


def score(value: float | None) -> str:
    """A score to three digits, a dash where there is none."""
    return "–" if value is None else f"{value:.3f}"


def difference(value: float | None) -> str:
    """A difference with its sign; the minus is a minus sign."""
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")


def count(number: int, one: str, many: str | None = None) -> str:
    """`1 query`, `2,400 queries`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
