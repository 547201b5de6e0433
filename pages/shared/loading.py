"""Loading: from the files somebody brought to a comparison, each step kept by content digests and settings.

What is kept holds no user's name for a file but the one in the key, and nobody gets at it without bringing the same bytes.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

import polars as pl

from core.comparison import Comparison, assemble
from core.errors import InputError, Problem
from core.exports.bundle import comparison_of, is_bundle
from core.model.conventions import Conventions
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Qrels
from core.model.reading import Reading, Role
from core.model.run import Run
from core.readers.child import in_child
from core.readers.files import Given
from core.readers.jobs import Job, What
from core.readers.packed import Packed
from core.readers.perform import perform
from core.saved import Saved, open_saved
from pages.shared import files, saved_links, view
from pages.shared.files import Brought, Files
from pages.shared.kept import Progress, Work, computed, kept
from pages.shared.limits import limits
from pages.shared.text import count, plain

T = TypeVar("T")
TOGETHER: dict[Role, What] = {"qrels": "qrels", "queries": "queries", "documents": "documents"}


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """What came of reading a file: a value, or the error to show in its place."""

    value: T | None = None
    error: InputError | None = None

    @cached_property
    def weight(self) -> int:
        """Bytes of the frames it holds; a comparison's are those of its parts, which are kept by themselves."""
        parts: list[Any] = self.value if isinstance(self.value, list) else [self.value]
        parts = list(self.value.parts.values()) if isinstance(self.value, Packed) else parts
        read = [part for part in parts if isinstance(part, Run | Qrels | QueryMetadata | DocumentMetadata)]
        frames = [frame for part in read for frame in vars(part).values() if isinstance(frame, pl.DataFrame)]
        return sum(int(frame.estimated_size()) for frame in frames)


@dataclass(frozen=True)
class State:
    """How far the files of a session are.

    readings  by file key: how each was understood
    roles     by file key: its role; None where the person has to say
    errors    by file key: why it cannot be used as it is
    runs      by file key: the runs it holds
    bundle    the key of the file that holds the whole comparison, where one does: a bundle, or a saved comparison
    """

    files: Files
    readings: dict[str, Outcome[Reading]]
    roles: dict[str, Role | None]
    errors: dict[str, InputError] = field(default_factory=dict)
    runs: dict[str, tuple[Run, ...]] = field(default_factory=dict)
    qrels: Qrels | None = None
    comparison: Comparison | None = None
    bundle: str | None = None

    def of(self, role: Role) -> Files:
        """The files with a role."""
        return tuple(file for file in self.files if self.roles[file.key] == role)

    def usable(self, role: Role) -> Files:
        """The files with a role that nothing is wrong with so far."""
        return tuple(file for file in self.of(role) if file.key not in self.errors)


def comparison() -> Comparison | None:
    """The comparison of this session's files, or None where there is none yet."""
    brought = files.current()
    return load(brought, view.conventions()).comparison if brought else None


def load(brought: Files, conventions: Conventions) -> State:
    """Read everything that can be read; a refused run does not stop the others."""
    bundle = next((file for file in brought if packed(file)), None)
    if bundle is not None:
        return _opened(bundle, brought, conventions)
    readings = _recognised(brought)
    roles = {file.key: _role(file, readings[file.key]) for file in brought}
    errors = {key: outcome.error for key, outcome in readings.items() if outcome.error is not None}
    state = State(brought, readings, roles, errors)
    state, found = _with_judgments(state, conventions)
    state = _with_runs(state, conventions)
    every = [run for of_file in state.runs.values() for run in of_file]
    if state.qrels is None or not every:
        return state
    usable = [_id(file) for file in brought if file.key not in state.errors]
    key = f"comparison {hashlib.sha256(repr((usable, conventions)).encode()).hexdigest()}"
    outcome = computed({key: ("Putting the files together", _assembled(state.qrels, every, found, conventions))})[key]
    if outcome.error is not None:
        return replace(state, errors=state.errors | {state.usable("qrels")[0].key: outcome.error})
    return replace(state, comparison=outcome.value)


def packed(file: Brought) -> bool:
    """Whether a file holds a whole comparison: a saved one, or a bundle; one that is no longer there does not."""
    if file.saved is not None:
        return True
    try:
        return file.member is None and is_bundle(_given(file))
    except InputError:
        return False


def unpacked(file: Brought) -> Outcome[Packed]:
    """What a bundle or a saved comparison holds. A bundle is read in a child as every file is, saved parts by their digests here."""
    job = Job("bundle", (_given(file),))
    stored = file.saved
    work: Work = (
        (lambda _: _outcome(in_child([job], limits=limits())[0])) if stored is None else (lambda _: _taken_out(stored))
    )
    key = f"bundle {file.sha256} {file.name}"
    found: Outcome[Packed] = computed({key: (f"Opening {plain(file.name)}", work)})[key]
    if found.error is not None and stored is not None:
        # The store may answer better the next time: what it refused is not kept.
        kept().drop(stored.id)
    return found


def _taken_out(stored: Saved) -> Outcome[Packed]:
    """The parts of a saved comparison, or why they cannot be read."""
    try:
        return Outcome(open_saved(saved_links.store(), stored))
    except InputError as error:
        return Outcome(error=error)


def from_bundle() -> bool:
    """Whether the comparison of this session was made before: its files were read when it was bundled or saved."""
    return any(packed(file) for file in files.current())


def _opened(bundle: Brought, brought: Files, conventions: Conventions) -> State:
    """The comparison in a bundle. How its files were read is fixed; what scores do with them is still asked for."""
    alone = InputError(
        Problem(bundle.name, None, "a bundle is a whole comparison", "remove the other files, or the bundle")
    )
    state = State(
        brought, {file.key: Outcome() for file in brought}, {file.key: None for file in brought},
        {file.key: alone for file in brought if file.key != bundle.key}, bundle=bundle.key,
    )  # fmt: skip
    outcome = unpacked(bundle)
    inside, error = outcome.value, outcome.error
    if inside is None or error is not None:
        return replace(state, errors=state.errors | ({} if error is None else {bundle.key: error}))
    key = f"comparison {bundle.sha256} {bundle.name} {conventions.missing} {conventions.undefined} {conventions.relevance_level}"

    def work(_: Progress) -> Outcome[Comparison]:
        try:
            found = comparison_of(inside, bundle.name, limits=limits())
        except InputError as error:
            return Outcome(error=error)
        asked = replace(
            found.conventions,
            missing=conventions.missing,
            undefined=conventions.undefined,
            relevance_level=conventions.relevance_level,
        )
        return Outcome(Comparison(found.qrels, found.runs, found.queries, found.documents, asked))

    made: Outcome[Comparison] = computed({key: ("Putting it together", work)})[key]
    if made.error is not None:
        return replace(state, errors=state.errors | {bundle.key: made.error})
    return replace(state, comparison=made.value)


def members(file: Brought) -> Files:
    """The files in a zip with several; any other file is its own only member, and so is one that cannot be opened."""
    found = in_child([Job("members", (_given(file),))], limits=limits())[0]
    inside = [given for given in found if isinstance(given, Given)] if isinstance(found, list) else []
    return tuple(replace(file, name=given.name, member=given.member) for given in inside) or (file,)


def _recognised(brought: Files) -> dict[str, Outcome[Reading]]:
    """How every file is understood; those not looked into yet share one child."""
    keys = {file.key: f"reading {_id(file)}" for file in brought}
    absent = [file for file in brought if kept().get(keys[file.key]) is None]
    if absent:
        jobs = [_job("recognise", (file,)) for file in absent]
        names = count(len(absent), "file") if len(absent) > 1 else plain(absent[0].name)
        batch = f"readings {[keys[file.key] for file in absent]}"
        work = partial(_done, jobs, Conventions(), all(file.ours for file in absent))
        found = computed({batch: (f"Looking into {names}", work)})[batch]
        for file, outcome in zip(absent, found, strict=True):
            kept().put(keys[file.key], _outcome(outcome))
    return {file.key: kept().get(keys[file.key]) for file in brought}


def _with_judgments(state: State, conventions: Conventions) -> tuple[State, dict[Role, Any]]:
    """Read judgments and metadata, the files of each role as one. An error is shown at the file that it names."""
    groups: dict[Role, Files] = {role: group for role in TOGETHER if (group := state.usable(role))}
    keys = {role: _key(role, group, conventions) for role, group in groups.items()}
    outcomes = computed({
        keys[role]: (f"Reading {plain(group[0].name)}", _read(_job(TOGETHER[role], group), group, conventions)) for role, group in groups.items()
    })  # fmt: skip
    errors = dict(state.errors)
    found: dict[Role, Any] = {}
    for role, group in groups.items():
        outcome = outcomes[keys[role]]
        found[role] = outcome.value
        if outcome.error is not None:
            named = {problem.file for problem in outcome.error.problems}
            errors |= {file.key: outcome.error for file in group if file.name in named} or {group[0].key: outcome.error}
    return replace(state, errors=errors, qrels=found.get("qrels")), found


def _with_runs(state: State, conventions: Conventions) -> State:
    """Read every run against the judgments, side by side."""
    qrels = state.qrels
    if qrels is None:
        return state
    judged = _key("qrels", state.usable("qrels"), conventions)
    group = state.usable("run")
    keys = {file.key: f"run {_id(file)} {judged} {conventions.order} {conventions.own_ids}" for file in group}
    outcomes = computed({
        keys[file.key]: (f"Reading {plain(file.name)}", _read(_job("run", (file,), qrels), (file,), conventions)) for file in group
    })  # fmt: skip
    errors, runs = dict(state.errors), dict(state.runs)
    for file in group:
        outcome = outcomes[keys[file.key]]
        runs[file.key] = tuple(outcome.value or ())
        if outcome.error is not None:
            errors[file.key] = outcome.error
    return replace(state, errors=errors, runs=runs)


def _role(file: Brought, outcome: Outcome[Reading]) -> Role | None:
    """A file's role: the person's word, or the content's where it fits one role only."""
    if file.choice.role is not None:
        return file.choice.role
    reading = outcome.value
    return reading.role if reading is not None and len(reading.possible) < 2 else None


def _id(file: Brought) -> str:
    """What everything that is read from a file depends on."""
    return hashlib.sha256(repr((file.sha256, file.name, file.member, file.title, file.choice)).encode()).hexdigest()


def _key(role: Role, group: Files, conventions: Conventions) -> str:
    joined = "|".join(_id(file) for file in group)
    return f"{role} {hashlib.sha256(joined.encode()).hexdigest()} {conventions.conflicts if role == 'qrels' else ''}"


def _given(file: Brought) -> Given:
    return Given(file.name, path=file.path, member=file.member)


def _job(what: What, group: Files, qrels: Qrels | None = None) -> Job:
    return Job(what, tuple(map(_given, group)), tuple(file.choice for file in group), name=group[0].title, qrels=qrels)


def _outcome(found: Any) -> Outcome[Any]:
    return Outcome(error=found) if isinstance(found, InputError) else Outcome(value=found)


def _read(job: Job, group: Files, conventions: Conventions) -> Work:
    """Work that gives an Outcome: what a user caused is a result, everything else stays loud."""
    ours = all(file.ours for file in group)
    return lambda progress: _outcome(_done([job], conventions, ours, progress)[0])


def _done(jobs: Sequence[Job], conventions: Conventions, ours: bool, progress: Progress) -> Sequence[Any]:
    """Do jobs: those on files that people brought in a child with limits, those on our own samples here."""
    if not ours:
        return in_child(jobs, conventions=conventions, limits=limits(), progress=lambda _, *so_far: progress(*so_far))
    return [perform(job, conventions, limits(), progress) for job in jobs]


def _assembled(qrels: Qrels, runs: Sequence[Run], found: Mapping[Role, Any], conventions: Conventions) -> Work:
    """Work that puts together what was read, or says why that cannot be."""

    def work(_: Progress) -> Outcome[Comparison]:
        try:
            built = assemble(qrels, runs, found.get("queries"), found.get("documents"), conventions, limits=limits())
        except InputError as error:
            return Outcome(error=error)
        for name in built.names:
            # pytrec_eval gives all cutoffs of a run for the price of the deepest one: changing k then costs nothing.
            built.all_scores(name, view.EVERY_LINEAR)
        return Outcome(built)

    return work
