"""Correcting a reading: the role, the columns, the direction of scores, the labels, the runs, the encoding, broken lines, repairs."""

from dataclasses import replace

import streamlit as st

from core.errors import InputError
from core.model.reading import ROLE_NAMES, ROLES, Field, Reading, Role
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
    "query_id": "Query", "doc_id": "Document", "relevance": "Grade", "score": "Score", "distance": "Distance (lower is better)", "rank": "Rank",
    "system": "System", "iteration": "Iteration (unused)", "assessor": "Assessor", "text": "Text", "title": "Title", "positive_docs": "Relevant documents (list)",
    "retrieved_docs": "Retrieved documents (list)", "metadata": "Attribute", "ignored": "Not read",
}  # fmt: skip
ENCODINGS = ("as recognised", "utf-8", "windows-1252", "latin-1", "utf-16")


def correct(file: Brought, reading: Reading | None, role: Role | None, error: InputError | None) -> None:
    """The controls that correct one file; all changes of the form are applied at once."""
    role = role or (reading.role if reading is not None else "run")
    with st.form(f"correct_{file.key}", border=False):
        st.markdown("**Correct the reading**")
        asked: dict[str, object] = {}
        left, right = st.columns(2)
        asked["role"] = left.selectbox(
            "Role", ROLES, index=ROLES.index(role), format_func=lambda each: ROLE_NAMES[each], key=f"role_{file.key}"
        )
        asked["encoding"] = right.selectbox(
            "Encoding", ENCODINGS, index=_place(ENCODINGS, file.choice.encoding), key=f"encoding_{file.key}"
        )
        if reading is not None:
            asked |= _columns(file, reading, role)
            asked |= _run(file, reading) if role == "run" else _grades(file, reading) if role == "qrels" else {}
        asked["leave_out"] = st.toggle(
            "Leave broken lines out",
            value=file.choice.leave_out_broken_lines,
            key=f"leave_{file.key}",
            help="They are counted in a notice.",
        )
        applied = st.form_submit_button("Apply", icon=":material/check:")
    if reading is not None and error is not None:
        _repairs(error)
    st.button(
        "Take this file out",
        key=f"remove_{file.key}",
        icon=":material/delete:",
        on_click=files.remove,
        args=(file,),
        type="tertiary",
    )
    if applied:
        _apply(file, reading, asked)
        st.rerun()


def _place(options: tuple[str, ...], value: str | None) -> int:
    return options.index(value) if value in options else 0


def _columns(file: Brought, reading: Reading, role: Role) -> dict[str, object]:
    """One select box per column, with the fields that its role knows."""
    if not reading.columns or len(reading.columns) > 24:
        return {}
    asked: dict[str, object] = {}
    if not reading.header and role in ("queries", "documents"):
        names = ",".join(column.name for column in reading.columns)
        asked["names"] = st.text_input("Column names, by commas", value=names, key=f"names_{file.key}")
    with st.grid(4, min_column_width=150):
        fields = []
        for at, column in enumerate(reading.columns):
            options = FIELDS[role] if column.field in FIELDS[role] else (*FIELDS[role], column.field)
            label = f"Column {at + 1}: {column.name}" if reading.header else f"Column {at + 1}"
            fields.append(
                st.selectbox(
                    label,
                    options,
                    index=options.index(column.field),
                    format_func=lambda each: FIELD_NAMES[each],
                    key=f"field_{at}_{file.key}",
                )
            )
    asked["fields"] = tuple(fields)
    return asked


def _run(file: Brought, reading: Reading) -> dict[str, object]:
    asked: dict[str, object] = {}
    left, right = st.columns(2, vertical_alignment="bottom")
    asked["title"] = left.text_input(
        "Name of the run", value=file.title or "", placeholder="as the file says", key=f"title_{file.key}"
    )
    asked["lower"] = right.toggle(
        "Lower scores are better", value=reading.lower_is_better, key=f"lower_{file.key}", help="For distances."
    )
    if len(reading.runs) > 1:
        asked["runs"] = st.multiselect(
            "Runs of this file", reading.runs, default=file.choice.runs or reading.runs, key=f"runs_{file.key}"
        )
    return asked


def _grades(file: Brought, reading: Reading) -> dict[str, object]:
    """A number for every word that stands in place of a grade."""
    if not reading.labels:
        return {}
    st.markdown("The grades are words. What is each worth?")
    labels = {}
    with st.grid(4, min_column_width=150):
        for at, (label, grade) in enumerate(reading.labels):
            labels[label] = st.number_input(
                label, value=grade, step=1.0, placeholder="a grade", key=f"label_{at}_{file.key}"
            )
    return {"labels": labels}


def _apply(file: Brought, reading: Reading | None, asked: dict[str, object]) -> None:
    choice = file.choice
    changes: dict[str, object] = {"leave_out_broken_lines": asked["leave_out"]}
    if reading is None or asked["role"] != reading.role or choice.role is not None:
        changes["role"] = asked["role"]
    changes["encoding"] = None if asked["encoding"] == ENCODINGS[0] else asked["encoding"]
    if reading is not None:
        if "fields" in asked and asked["fields"] != tuple(column.field for column in reading.columns):
            changes["fields"] = asked["fields"]
        if "names" in asked and asked["names"] != ",".join(column.name for column in reading.columns):
            changes["columns"] = tuple(name.strip() for name in str(asked["names"]).split(","))
        if "lower" in asked and asked["lower"] != reading.lower_is_better:
            changes["lower_is_better"] = asked["lower"]
        if "runs" in asked:
            picked = asked["runs"]
            changes["runs"] = None if set(picked) == set(reading.runs) else tuple(picked)  # type: ignore[arg-type, call-overload]  # a list from the multiselect
        if "labels" in asked:
            changes["labels"] = tuple(
                (label, float(grade)) for label, grade in asked["labels"].items() if grade is not None
            )  # type: ignore[attr-defined]  # the dictionary built above
    title = str(asked.get("title") or "").strip() or None
    files.change(file, choice=replace(choice, **changes), title=title)  # type: ignore[arg-type]  # the fields are named above


def _repairs(error: InputError) -> None:
    """Repairs that would make ids meet are offered, with what each would do; nothing is repaired unasked."""
    for problem in error.problems:
        if problem.offered:
            wanted = tuple(map(parsed, problem.offered))
            sentence = " and ".join(described(repair) for repair in wanted)
            st.button(
                f"Repair by {plain(sentence)}",
                key=f"repair_{'_'.join(problem.offered)}",
                icon=":material/build:",
                on_click=files.repair,
                args=(wanted,),
            )
