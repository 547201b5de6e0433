"""Saved facts: what a saved comparison holds, said in words: its files by their digests, its view, its notes."""

from collections.abc import Mapping

import streamlit as st

from core.model.reading import ROLE_NAMES
from core.saved import Saved
from pages.shared.text import count, plain, quiet

ICONS = {
    "qrels": ":material/gavel:", "run": ":material/format_list_numbered:", "queries": ":material/manage_search:",
    "documents": ":material/description:",
}  # fmt: skip
VIEW = {
    "gain": "gain", "k": "cutoff", "base": "baseline", "runs": "runs", "slice": "slice", "in": "groups", "missing": "missing queries",
    "undefined": "undefined queries", "level": "relevant from grade",
}  # fmt: skip


def held(saved: Saved) -> None:
    """The files behind it, and what came along."""
    for source in saved.inputs:
        role, name = source.get("role", ""), source.get("name", "")
        known: Mapping[str, str] = {str(key): value for key, value in ROLE_NAMES.items()}
        st.markdown(
            f"{ICONS.get(role, ':material/description:')} {plain(known.get(role, role), 40)} · **{plain(name, 80)}**"
        )
        quiet(f"SHA-256 {plain(source.get('sha256', ''), 64)}")
    quiet(f"{_view(saved.view)} {_notes(saved.notes)}")


def _view(view: Mapping[str, object]) -> str:
    chosen = [f"{label} {plain(_shown(view[key]), 80)}" for key, label in VIEW.items() if view.get(key)]
    return f"View: {', '.join(chosen)}." if chosen else "View: as usual."


def _notes(notes: Mapping[str, object]) -> str:
    return f"{count(len(notes), 'query', 'queries')} with notes or tags." if notes else "No notes."


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
