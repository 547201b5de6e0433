"""The files of a session: how each is read, what is wrong with it, and correcting it."""

import streamlit as st

from core.errors import InputError
from core.model.reading import ROLE_NAMES, ROLES, Reading
from pages.shared import files, loading, view
from pages.shared.correction import correct
from pages.shared.files import Brought
from pages.shared.text import count, plain, quiet

ICONS = {
    "qrels": ":material/gavel:",
    "run": ":material/format_list_numbered:",
    "queries": ":material/manage_search:",
    "documents": ":material/description:",
}


def finding(state: loading.State) -> str:
    """The title of the Data page: where things stand, in one sentence."""
    unanswered = (
        []
        if state.bundle
        else [file for file in state.files if state.roles[file.key] is None and file.key not in state.errors]
    )
    if state.errors:
        only = [file for file in state.files if file.key in state.errors]
        return (
            f"{plain(only[0].name, 60)} cannot be read as it is"
            if len(only) == 1
            else f"{len(only):,} files cannot be read as they are"
        )
    if unanswered:
        return (
            f"{plain(unanswered[0].name, 60)}: judgments or a run?"
            if len(unanswered) == 1
            else f"{len(unanswered):,} files need an answer"
        )
    if not state.of("qrels") and not state.bundle:
        return "Judgments are still missing"
    if not state.of("run") and not state.bundle:
        return "Runs are still missing"
    if state.comparison is None:
        return "Nothing can be compared yet"
    runs = count(len(state.comparison.runs), "run")
    return (
        f"{runs} and {count(len(state.comparison.qrels.queries), 'judged query', 'judged queries')}, ready to compare"
    )


def draw(state: loading.State) -> None:
    """Every file, broken ones opened."""
    st.header("Files", anchor=False)
    for file in state.files:
        _draw_file(state, file)


def _draw_bundle(state: loading.State, file: Brought) -> None:
    """A file that holds the whole comparison, or one that stands beside it."""
    error, comparison = state.errors.get(file.key), state.comparison
    said = "cannot be opened" if error else "bundle: a saved comparison"
    if comparison is not None and not error:
        names = ", ".join(plain(name, 40) for name in comparison.names[:6]) + (
            " …" if len(comparison.names) > 6 else ""
        )
        said += f" · {count(len(comparison.runs), 'run')}: {names}"
    icon = ":material/error:" if error else ":material/inventory_2:"
    with st.expander(f"**{plain(file.name, 80)}** — {said}", icon=icon, expanded=bool(error), key=f"file_{file.key}"):
        if error is not None:
            _problems(error)
        elif comparison is not None:
            quiet(plain(comparison.line(view.measure()), 400))
            quiet(
                "How its files were read is fixed in the bundle; measure, gain, slices and what missing queries score can be changed."
            )
        st.button("Remove", key=f"remove_{file.key}", icon=":material/delete:", on_click=files.remove, args=(file,))


def _draw_file(state: loading.State, file: Brought) -> None:
    if state.bundle is not None:
        _draw_bundle(state, file)
        return
    error = state.errors.get(file.key)
    outcome = state.readings[file.key]
    role = state.roles[file.key]
    asked = role is None and error is None
    icon = ":material/error:" if error else ":material/help:" if asked else ICONS[role or "qrels"]
    title = f"**{plain(file.name, 80)}** — {_summary(state, file)}"
    with st.expander(title, icon=icon, expanded=bool(error) or asked, key=f"file_{file.key}"):
        if error is not None:
            _problems(error)
        if asked and outcome.value is not None:
            _ask(file, outcome.value)
        if outcome.value is not None:
            _preview(file, outcome.value)
        correct(file, outcome.value, role, error)


def _summary(state: loading.State, file: Brought) -> str:
    """What a file is, in a few words."""
    if file.key in state.errors:
        return "cannot be read as it is"
    reading = state.readings[file.key].value
    role = state.roles[file.key]
    if reading is None or role is None:
        return "fits two roles: please say which"
    runs = state.runs.get(file.key, ())
    said_twice = reading.shape.lower() == ROLE_NAMES[role].lower()
    words = [ROLE_NAMES[role]] if said_twice else [ROLE_NAMES[role], plain(reading.shape)]
    if runs:
        rows = sum(run.rows for run in runs)
        words.append(count(rows, "row"))
        if len(runs) > 1 or runs[0].name != file.name.rsplit(".", 1)[0]:
            words.append(
                ("runs " if len(runs) > 1 else "run ")
                + ", ".join(plain(run.name, 40) for run in runs[:4])
                + (" …" if len(runs) > 4 else "")
            )
    elif role == "qrels" and state.qrels is not None and len(state.of("qrels")) == 1:
        words.append(count(state.qrels.judgments.height, "judgment"))
    if reading.container != "plain":
        words.append(reading.container)
    return " · ".join(words)


def _problems(error: InputError) -> None:
    """Everything that is wrong with a file, by line, with what to do."""
    lines = [
        f"- {_where(problem.line)}{plain(problem.message, 400)}"
        + (f"  \n  :gray[{plain(problem.hint, 400)}]" if problem.hint else "")
        for problem in error.problems
    ]
    if error.more:
        lines.append(f"- … and {error.more:,} more")
    st.error("\n".join(lines), icon=":material/error:")


def _where(line: int | None) -> str:
    return "" if line is None else f"line {line:,}: "


def _ask(file: Brought, reading: Reading) -> None:
    """A file that fits two roles is asked about, never guessed."""
    st.warning("What is in this file fits more than one role. Which is it?", icon=":material/help:")
    with st.container(horizontal=True):
        for role in ROLES:
            if role in reading.possible:
                st.button(
                    ROLE_NAMES[role],
                    key=f"role_{role}_{file.key}",
                    icon=ICONS[role],
                    on_click=files.decide,
                    args=(file,),
                    kwargs={"role": role},
                )


def _preview(file: Brought, reading: Reading) -> None:
    if not reading.preview:
        return
    width = max(len(row) for row in reading.preview)
    heads = [_head(reading, at) for at in range(width)]
    table = {
        head: [row[at] if at < len(row) else None for row in reading.preview]
        for at, head in enumerate(_distinct(heads))
    }
    st.dataframe(table, hide_index=True, alt=f"The first rows of {file.name}, as they are read")
    if reading.metadata:
        quiet(" · ".join(f"{plain(key)}: {plain(value)}" for key, value in reading.metadata))


def _head(reading: Reading, at: int) -> str:
    if at >= len(reading.columns):
        return f"column_{at + 1}"
    column = reading.columns[at]
    return (
        column.name if column.field in ("metadata", "ignored") else f"{column.name} → {column.field.replace('_', ' ')}"
    )


def _distinct(names: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found
