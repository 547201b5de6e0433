"""The view in a bundle or in an address that no widget has read yet: what the sidebar would ask for, as the session's own values."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from core.comparison import Comparison
from core.model.conventions import DEFAULT_CONVENTIONS
from core.slices import column_named
from pages.shared.sidebar import CONFLICTS, MISSING, ORDERS, OWN_IDS
from pages.shared.view import CUTOFF, CUTOFFS, GAIN, GAINS

KEYS = ("gain", "k", "base", "runs", "slice", "in", "missing", "undefined", "level")
WORDS: dict[str, dict[str, str]] = {
    "gain": GAINS, "missing": MISSING, "undefined": MISSING, "order": ORDERS, "conflicts": CONFLICTS, "own": OWN_IDS,
}  # fmt: skip
PENDING = "_view_to_open"
# As long as any that a widget takes: what is longer, or a digit of another script, is no number here.
NUMBER = re.compile(r"[0-9]{1,9}")


def now() -> dict[str, Any]:
    """The view of this session, to be kept in a bundle."""
    return {key: st.session_state[key] for key in KEYS if st.session_state.get(key)}


def open_later(told: Mapping[str, Any]) -> None:
    """Open a view when the page is drawn next, before its widgets are."""
    st.session_state[PENDING] = dict(told)


def with_conventions(told: Mapping[str, Any], conventions: object) -> dict[str, Any]:
    """A view with the conventions that its numbers were made by, as far as the sidebar asks for them and they are not the usual ones."""
    found = conventions if isinstance(conventions, dict) else {}
    names = {"missing": "missing", "undefined": "undefined", "level": "relevance_level"}
    unusual = {
        key: found[name]
        for key, name in names.items()
        if found.get(name) not in (None, getattr(DEFAULT_CONVENTIONS, name))
    }
    return {**unusual, **told}


def open_pending(comparison: Comparison | None) -> None:
    """Set what is to be opened, as far as this comparison has it: a bundle may come from anybody."""
    told = st.session_state.get(PENDING)
    if told is None or comparison is None:
        return
    del st.session_state[PENDING]
    found = fitting(told, comparison)
    st.session_state.update(found)
    for key, text in _as_address(found, comparison).items():
        # Streamlit writes what is set here into the address itself, but not for a widget that it has never drawn.
        with suppress(StreamlitAPIException):
            st.query_params[key] = text


def _as_address(found: Mapping[str, Any], comparison: Comparison) -> dict[str, str | list[str]]:
    """What the widgets of the sidebar would write into an address: nothing for what is as usual."""
    usual: dict[str, Any] = {"gain": GAIN, "k": CUTOFF, "missing": "zero", "undefined": "zero", "level": 1}
    usual |= {"base": comparison.names[0], "runs": [], "in": []}
    return {
        key: value if isinstance(value, list) else WORDS.get(key, {}).get(value, str(value))
        for key, value in found.items()
        if value != usual.get(key)
    }


def fitting(told: Mapping[str, Any], comparison: Comparison) -> dict[str, Any]:
    """The parts of a view that a comparison can show."""
    found: dict[str, Any] = {}
    for key, words in WORDS.items():
        if isinstance(told.get(key), str) and told[key] in words:
            found[key] = told[key]
    if type(told.get("k")) is int and told["k"] in CUTOFFS:
        found["k"] = told["k"]
    if type(told.get("level")) is int and 1 <= told["level"] <= 1000:
        found["level"] = told["level"]
    if told.get("base") in comparison.names:
        found["base"] = told["base"]
    runs = _texts(told.get("runs"))
    if runs and all(run in comparison.names for run in runs):
        found["runs"] = runs
    name = told.get("slice")
    column = column_named(comparison.slices, name) if isinstance(name, str) else None
    if column is not None:
        values = [value for value in _texts(told.get("in")) if value in column.values]
        found |= {"slice": column.name, "in": values}
    return found


def from_address(address: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """What the widgets of the sidebar would read from an address: the texts of their options, as values."""
    told: dict[str, Any] = {}
    for key, words in WORDS.items():
        texts = {text: value for value, text in words.items()}
        if key in address:
            told[key] = texts.get(address[key][-1])
    for key in ("k", "level"):
        if key in address and NUMBER.fullmatch(address[key][-1]):
            told[key] = int(address[key][-1])
    told |= {key: address[key][-1] for key in ("base", "slice") if key in address}
    told |= {key: list(address[key]) for key in ("runs", "in") if key in address}
    return told


def _texts(values: object) -> list[str]:
    """The texts of a list, each once: a widget takes no value twice."""
    told = values if isinstance(values, list | tuple) else []
    return list(dict.fromkeys(value for value in told if isinstance(value, str)))
