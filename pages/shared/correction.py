"""Correcting a reading: its role, columns, direction of scores, labels, runs, encoding; broken lines, repairs of ids."""

from dataclasses import dataclass, field, replace

import streamlit as st

from core.errors import InputError
from core.model.reading import ROLE_NAMES, ROLES, Choice, Field, Reading, Role
from core.readers.repairs import described, parsed
from pages.shared import files
from pages.shared.files import Brought
from pages.shared.text import plain

FIELDS: dict[Role, tuple[Field, ...]] = {
    "qrels": (
        "query_id",
        "doc_id",
        "relevance",
        "iteration",
        "assessor",
        "text",
        "positive_docs",
        "metadata",
        "ignored",
    ),
    "run": (
        "query_id",
        "doc_id",
        "score",
        "distance",
        "rank",
        "system",
        "iteration",
        "text",
        "retrieved_docs",
        "ignored",
    ),
    "queries": ("query_id", "text", "metadata", "ignored"),
    "documents": ("doc_id", "title", "text", "metadata", "ignored"),
}
FIELD_NAMES: dict[Field, str] = {
    "query_id": "Query", "doc_id": "Document", "relevance": "Grade", "score": "Score", "distance": "Distance (lower is better)",
    "rank": "Rank", "system": "System", "iteration": "Iteration (unused)", "assessor": "Assessor", "text": "Text", "title": "Title",
    "positive_docs": "Relevant documents (list)", "retrieved_docs": "Retrieved documents (list)", "metadata": "Attribute",
    "ignored": "Not read",
}  # fmt: skip
RECOGNISED = "as recognised"
ENCODINGS = (RECOGNISED, "utf-8", "windows-1252", "latin-1", "utf-16")
MOST_COLUMNS = 24


@dataclass
class Asked:
    """What the form holds when it is sent; None where it does not ask."""

    role: Role
    encoding: str
    leave_out: bool = False
    fields: tuple[Field, ...] | None = None
    names: str | None = None
    title: str = ""
    lower: bool | None = None
    runs: list[str] | None = None
    labels: dict[str, float | None] = field(default_factory=dict)


def correct(file: Brought, reading: Reading | None, role: Role | None, error: InputError | None) -> None:
    """The controls that correct one file; all changes of the form are applied at once."""
    role = role or (reading.role if reading is not None else "run")
    if error is not None:
        _repairs(error)
    with st.form(f"correct_{file.key}", border=False):
        st.markdown("**Correct the reading**")
        left, right = st.columns(2)
        asked = Asked(
            left.selectbox(
                "Role", ROLES, ROLES.index(role), format_func=lambda each: ROLE_NAMES[each], key=f"role_{file.key}"
            ),
            right.selectbox("Encoding", ENCODINGS, _place(file.choice.encoding), key=f"encoding_{file.key}"),
        )
        if reading is not None:
            _columns(file, reading, role, asked)
            if role == "run":
                _run(file, reading, asked)
            if role == "qrels" and reading.labels:
                _grades(file, reading, asked)
        asked.leave_out = st.toggle(
            "Leave broken lines out",
            file.choice.leave_out_broken_lines,
            key=f"leave_{file.key}",
            help="They are counted in a notice.",
        )
        applied = st.form_submit_button("Apply", icon=":material/check:")
    st.button(
        "Take this file out",
        key=f"remove_{file.key}",
        icon=":material/delete:",
        on_click=files.remove,
        args=(file,),
        type="tertiary",
    )
    if applied:
        files.change(file, choice=_chosen(file.choice, reading, asked), title=asked.title.strip() or None)
        st.rerun()


def _place(encoding: str | None) -> int:
    return ENCODINGS.index(encoding) if encoding in ENCODINGS else 0


def _columns(file: Brought, reading: Reading, role: Role, asked: Asked) -> None:
    """One select box per column, with the fields that its role knows."""
    if not reading.columns or len(reading.columns) > MOST_COLUMNS:
        return
    if not reading.header and role in ("queries", "documents"):
        asked.names = st.text_input("Column names, by commas", _names(reading), key=f"names_{file.key}")
    fields: list[Field] = []
    with st.grid(4, min_column_width=150):
        for at, column in enumerate(reading.columns):
            options = FIELDS[role] if column.field in FIELDS[role] else (*FIELDS[role], column.field)
            label = f"Column {at + 1}: {plain(column.name, 40)}" if reading.header else f"Column {at + 1}"
            picked = st.selectbox(
                label,
                options,
                options.index(column.field),
                format_func=lambda each: FIELD_NAMES[each],
                key=f"field_{at}_{file.key}",
            )
            fields.append(picked)
    asked.fields = tuple(fields)


def _names(reading: Reading) -> str:
    return ",".join(column.name for column in reading.columns)


def _run(file: Brought, reading: Reading, asked: Asked) -> None:
    left, right = st.columns(2, vertical_alignment="bottom")
    asked.title = left.text_input(
        "Name of the run", file.title or "", placeholder="as the file says", key=f"title_{file.key}"
    )
    asked.lower = right.toggle(
        "Lower scores are better", reading.lower_is_better, key=f"lower_{file.key}", help="For distances."
    )
    if len(reading.runs) > 1:
        chosen = file.choice.runs or reading.runs
        asked.runs = st.multiselect("Runs of this file", reading.runs, default=chosen, key=f"runs_{file.key}")


def _grades(file: Brought, reading: Reading, asked: Asked) -> None:
    """A number for every word that stands in place of a grade."""
    st.markdown("The grades are words. What is each worth?")
    with st.grid(4, min_column_width=150):
        for at, (label, grade) in enumerate(reading.labels):
            asked.labels[label] = st.number_input(
                plain(label, 60), value=grade, step=1.0, placeholder="a grade", key=f"label_{at}_{file.key}"
            )


def _chosen(choice: Choice, reading: Reading | None, asked: Asked) -> Choice:
    """What is decided now: only what differs from how the file was recognised."""
    choice = replace(
        choice,
        leave_out_broken_lines=asked.leave_out,
        encoding=None if asked.encoding == RECOGNISED else asked.encoding,
    )
    if reading is None:
        return replace(choice, role=asked.role)
    if asked.role != reading.role or choice.role is not None:
        choice = replace(choice, role=asked.role)
    if asked.role != reading.role:
        return replace(choice, fields=None)
    if asked.fields is not None and asked.fields != tuple(column.field for column in reading.columns):
        choice = replace(choice, fields=asked.fields)
    if asked.names is not None and asked.names != _names(reading):
        choice = replace(choice, columns=tuple(name.strip() for name in asked.names.split(",")))
    if asked.lower is not None and asked.lower != reading.lower_is_better:
        choice = replace(choice, lower_is_better=asked.lower)
    if asked.runs is not None:
        every = set(asked.runs) == set(reading.runs) or not asked.runs
        choice = replace(choice, runs=None if every else tuple(asked.runs))
    known = tuple((label, grade) for label, grade in asked.labels.items() if grade is not None)
    return replace(choice, labels=known) if asked.labels else choice


def _repairs(error: InputError) -> None:
    """Repairs that would make ids meet are offered, with what each would do; nothing is repaired unasked."""
    for problem in error.problems:
        if problem.offered:
            wanted = tuple(map(parsed, problem.offered))
            sentence = " and ".join(map(described, wanted))
            key = f"repair_{problem.file}_{'_'.join(problem.offered)}"
            st.button(
                f"Repair by {plain(sentence)}", key=key, icon=":material/build:", on_click=files.repair, args=(wanted,)
            )
