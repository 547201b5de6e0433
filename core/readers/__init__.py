"""Readers: from the files that people bring to judgments, runs and metadata."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from core.errors import InputError, Problem
from core.model.conventions import Conventions
from core.model.limits import LOCAL, Limits
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Qrels
from core.model.reading import Choice, Role
from core.model.run import Run
from core.readers.files import Given, members
from core.readers.formats import rows
from core.readers.judgments import Judged, judged, qrels_of
from core.readers.meeting import no_query_in_common, with_mismatch
from core.readers.metadata import Described, described, document_metadata, query_metadata
from core.readers.recognition.reading import recognise
from core.readers.rows import Findings, Progress
from core.readers.runs import ranked_runs

__all__ = [
    "Given",
    "Progress",
    "members",
    "read_documents",
    "read_qrels",
    "read_queries",
    "read_runs",
    "read_through",
    "recognise",
]

Input = Given | str | Path | bytes
T = TypeVar("T")


def read_qrels(
    givens: Input | Sequence[Input],
    *,
    choices: Sequence[Choice] = (),
    conventions: Conventions | None = None,
    limits: Limits = LOCAL,
    progress: Progress | None = None,
) -> Qrels:
    """Read the judgments of one file, or of several that are joined.

    `choices` stand in the order of the files; a file without one is read as it is recognised.
    Raises InputError with all that is wrong in any of the files.
    """

    def read(given: Given, choice: Choice, findings: Findings) -> Judged:
        return judged(given, recognise(given, role="qrels", choice=choice, limits=limits), choice, limits, findings)

    files = _each(_given(givens, limits), choices, progress, read)
    return qrels_of(files, conventions or Conventions(), limits)


def read_runs(
    given: Input,
    qrels: Qrels,
    *,
    name: str | None = None,
    choice: Choice | None = None,
    conventions: Conventions | None = None,
    limits: Limits = LOCAL,
    progress: Progress | None = None,
) -> list[Run]:
    """Read the run of a file, or the runs where tags or a system column tell several apart, and rank them.

    `name` is the run's name instead of the file's; several are then called `name/tag`.
    Notices: those of `ranked_runs`, and id-mismatch where its documents hardly meet the judged ones.
    Raises InputError with all that is wrong in the file, or if it answers no judged query: with ids of both sides and
    the repair that would make them meet, if one is found.
    """
    choice, conventions = choice or Choice(), conventions or Conventions()
    file = Given.of(given, limits=limits)
    reading = recognise(file, role="run", choice=choice, limits=limits)
    runs = ranked_runs(
        file, reading, qrels, rows, name=name, choice=choice, conventions=conventions, limits=limits, progress=progress
    )
    if not any(run.answered.height for run in runs):
        raise no_query_in_common(file, reading, choice, qrels, limits)
    return [with_mismatch(run, qrels) for run in runs]


def read_through(given: Input, *, choice: Choice | None = None, limits: Limits = LOCAL) -> None:
    """Read a run file to its end with no judgments to hold it against. Raises InputError with all that is wrong in the file itself."""
    choice, file = choice or Choice(), Given.of(given, limits=limits)
    findings = Findings(file.name, leave_out=choice.leave_out_broken_lines)
    for _ in rows(file, recognise(file, role="run", choice=choice, limits=limits), choice, limits, findings):
        pass
    findings.finish()


def read_queries(
    givens: Input | Sequence[Input],
    *,
    choices: Sequence[Choice] = (),
    limits: Limits = LOCAL,
    progress: Progress | None = None,
) -> QueryMetadata:
    """Read query metadata from one file or several. Raises InputError with all that is wrong in any of them."""
    return query_metadata(_described(givens, "queries", choices, limits, progress))


def read_documents(
    givens: Input | Sequence[Input],
    *,
    choices: Sequence[Choice] = (),
    limits: Limits = LOCAL,
    progress: Progress | None = None,
) -> DocumentMetadata:
    """Read document metadata from one file or several. Raises InputError with all that is wrong in any of them."""
    return document_metadata(_described(givens, "documents", choices, limits, progress))


def _described(
    givens: Input | Sequence[Input], role: Role, choices: Sequence[Choice], limits: Limits, progress: Progress | None
) -> list[Described]:
    def read(given: Given, choice: Choice, findings: Findings) -> Described:
        return described(given, recognise(given, role=role, choice=choice, limits=limits), choice, limits, findings)

    return _each(_given(givens, limits), choices, progress, read)


def _given(givens: Input | Sequence[Input], limits: Limits) -> list[Given]:
    every = [givens] if isinstance(givens, Given | str | Path | bytes) else list(givens)
    if not every:
        raise InputError(Problem("", None, "no file was given"))
    return [Given.of(given, limits=limits) for given in every]


def _each(
    givens: Sequence[Given],
    choices: Sequence[Choice],
    progress: Progress | None,
    read: Callable[[Given, Choice, Findings], T],
) -> list[T]:
    """Read every file before any error is raised, so that all problems are told at once."""
    done: list[T] = []
    problems: list[Problem] = []
    more = 0
    for at, given in enumerate(givens):
        choice = choices[at] if at < len(choices) else Choice()
        findings = Findings(given.name, leave_out=choice.leave_out_broken_lines, progress=progress)
        try:
            done.append(read(given, choice, findings))
        except InputError as error:
            problems += error.problems
            more += error.more
    if problems:
        raise InputError(problems, more)
    return done
