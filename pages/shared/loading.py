"""Loading: from the files somebody brought to a comparison, each step kept by content digests and settings.

What is kept holds no user's name for a file but the one in the key, and nobody gets at it without bringing the same bytes.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from core.comparison import Comparison, assemble
from core.errors import InputError
from core.model.conventions import Conventions
from core.model.qrels import Qrels
from core.model.reading import ROLES, Reading, Role
from core.model.run import Run
from core.readers import child
from core.readers.files import Given
from pages.shared import files, view
from pages.shared.files import Brought, Files
from pages.shared.kept import Progress, Work, computed
from pages.shared.limits import limits
from pages.shared.text import plain

T = TypeVar("T")


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """What came of reading a file: a value, or the error to show in its place."""

    value: T | None = None
    error: InputError | None = None


@dataclass(frozen=True)
class State:
    """How far the files of a session are.

    readings  by file key: how each was understood
    roles     by file key: its role; None where the person has to say
    errors    by file key: why it cannot be used as it is
    runs      by file key: the runs it holds
    """

    files: Files
    readings: dict[str, Outcome[Reading]]
    roles: dict[str, Role | None]
    errors: dict[str, InputError] = field(default_factory=dict)
    runs: dict[str, tuple[Run, ...]] = field(default_factory=dict)
    qrels: Qrels | None = None
    comparison: Comparison | None = None

    def of(self, role: Role) -> Files:
        """The files with a role."""
        return tuple(file for file in self.files if self.roles[file.key] == role)


def comparison() -> Comparison | None:
    """The comparison of this session's files, or None where there is none yet."""
    brought = files.current()
    return load(brought, view.conventions()).comparison if brought else None


def load(brought: Files, conventions: Conventions) -> State:
    """Read everything that can be read; a refused run does not stop the others."""
    found = computed(
        {f"reading {_id(file)}": (f"Looking into {plain(file.name)}", _recognise(file)) for file in brought}
    )
    readings: dict[str, Outcome[Reading]] = {file.key: found[f"reading {_id(file)}"] for file in brought}
    roles = {file.key: _role(file, readings[file.key]) for file in brought}
    errors = {key: outcome.error for key, outcome in readings.items() if outcome.error is not None}
    return _joined(State(brought, readings, roles, errors), conventions)


def _joined(state: State, conventions: Conventions) -> State:
    """Read judgments and metadata, then the runs against the judgments, and put them together."""
    groups = {role: tuple(file for file in state.of(role) if file.key not in state.errors) for role in ROLES}
    errors = dict(state.errors)
    qrels_work = _read_qrels(groups["qrels"], conventions)
    work = {
        "qrels": qrels_work,
        "queries": _read_queries(groups["queries"]),
        "documents": _read_documents(groups["documents"]),
    }
    found = _all_of(
        {role: (_key(role, groups[role], conventions), task) for role, task in work.items() if groups[role]},
        groups,
        errors,
    )
    qrels = found.get("qrels")
    if qrels is None:
        return replace(state, errors=errors)
    judged = _key("qrels", groups["qrels"], conventions)
    keys = {file.key: f"run {_id(file)} {judged} {conventions.order} {conventions.own_ids}" for file in groups["run"]}
    outcomes = computed(
        {
            keys[file.key]: (f"Reading {plain(file.name)}", _read_runs(file, qrels, conventions))
            for file in groups["run"]
        }
    )
    runs: dict[str, tuple[Run, ...]] = {}
    for file in groups["run"]:
        outcome = outcomes[keys[file.key]]
        runs[file.key] = outcome.value or ()
        if outcome.error is not None:
            errors[file.key] = outcome.error
    state = replace(state, errors=errors, runs=runs, qrels=qrels)
    every = [run for of_file in runs.values() for run in of_file]
    if not every:
        return state
    name = hashlib.sha256(repr(([_id(file) for file in state.files], sorted(errors), conventions)).encode()).hexdigest()
    task = _tried(
        lambda _: assemble(qrels, every, found.get("queries"), found.get("documents"), conventions, limits=limits())
    )
    outcome = computed({f"comparison {name}": ("Putting the files together", task)})[f"comparison {name}"]
    if outcome.error is not None:
        errors[groups["qrels"][0].key] = outcome.error
    return replace(state, errors=errors, comparison=outcome.value)


def _all_of(
    work: dict[Role, tuple[str, Work]], groups: dict[Role, Files], errors: dict[str, InputError]
) -> dict[Role, Any]:
    """Read the files of each role as one. An error is shown at the file that it names, else at the first."""
    outcomes = computed({key: (f"Reading {plain(groups[role][0].name)}", task) for role, (key, task) in work.items()})
    found: dict[Role, Any] = {}
    for role, (key, _) in work.items():
        outcome = outcomes[key]
        found[role] = outcome.value
        if outcome.error is not None:
            named = {problem.file for problem in outcome.error.problems}
            for file in [file for file in groups[role] if file.name in named] or groups[role][:1]:
                errors[file.key] = outcome.error
    return found


def _key(role: Role, group: Files, conventions: Conventions) -> str:
    joined = "|".join(_id(file) for file in group)
    return hashlib.sha256(f"{role} {joined} {conventions.conflicts if role == 'qrels' else ''}".encode()).hexdigest()


def _role(file: Brought, outcome: Outcome[Reading]) -> Role | None:
    """A file's role: the person's word, or the content's where it fits one role only."""
    if file.choice.role is not None:
        return file.choice.role
    reading = outcome.value
    return reading.role if reading is not None and len(reading.possible) < 2 else None


def _id(file: Brought) -> str:
    """What everything that is read from a file depends on."""
    return hashlib.sha256(repr((file.sha256, file.name, file.member, file.title, file.choice)).encode()).hexdigest()


def _given(file: Brought) -> Given:
    return Given(file.name, path=file.path, member=file.member)


def _tried(read: Callable[[Progress], T]) -> Work:
    """Work that gives an Outcome: what a user caused is a result, everything else stays loud."""

    def work(progress: Progress) -> Outcome[T]:
        try:
            return Outcome(value=read(progress))
        except InputError as error:
            return Outcome(error=error)

    return work


def _recognise(file: Brought) -> Work:
    return _tried(lambda _: child.recognise(_given(file), choice=file.choice, limits=limits()))


def _read_qrels(group: Files, conventions: Conventions) -> Work:
    choices = [file.choice for file in group]
    return _tried(
        lambda progress: child.read_qrels(
            [*map(_given, group)], choices=choices, conventions=conventions, limits=limits(), progress=progress
        )
    )


def _read_queries(group: Files) -> Work:
    return _tried(
        lambda _: child.read_queries([*map(_given, group)], choices=[file.choice for file in group], limits=limits())
    )


def _read_documents(group: Files) -> Work:
    return _tried(
        lambda _: child.read_documents([*map(_given, group)], choices=[file.choice for file in group], limits=limits())
    )


def _read_runs(file: Brought, qrels: Qrels, conventions: Conventions) -> Work:
    return _tried(
        lambda progress: tuple(
            child.read_runs(
                _given(file),
                qrels,
                name=file.title,
                choice=file.choice,
                conventions=conventions,
                limits=limits(),
                progress=progress,
            )
        )
    )
