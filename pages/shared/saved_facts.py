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
NAMES: dict[str, str] = {str(role): name for role, name in ROLE_NAMES.items()}


def held(saved: Saved) -> None:
    """The files behind it, and what came along."""
    for source in saved.inputs:
        role, name, digest = (source.get(key, "") for key in ("role", "name", "sha256"))
        icon, called = ICONS.get(role, ":material/description:"), NAMES.get(role, role)
        st.markdown(f"{icon} {plain(called, 40)} · **{plain(name, 80)}**  \n:small[:gray[SHA-256 {plain(digest, 64)}]]")
    quiet(f"{plain(saved.line, 600)}  \n{_view(saved.view)} {_notes(saved.notes)}")


def _view(view: Mapping[str, object]) -> str:
    """What the line of conventions does not say of the view: the baseline, the runs, the slice."""
    words = [f"baseline {plain(view['base'], 80)}"] if view.get("base") else []
    words += [f"runs {plain(_joined(view['runs']), 200)}"] if view.get("runs") else []
    words += [f"{plain(view.get('slice', ''), 80)}: {plain(_joined(view['in']), 200)}"] if view.get("in") else []
    return f"View: {', '.join(words) or 'all runs and queries'}."


def _notes(notes: Mapping[str, object]) -> str:
    return f"Notes or tags on {count(len(notes), 'query', 'queries')}." if notes else "No notes."


def _joined(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
