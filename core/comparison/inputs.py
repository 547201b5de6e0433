"""Inputs: the files of a comparison with what a person decided about each, and reading them all."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from core.comparison.comparison import Comparison
from core.errors import InputError, Problem
from core.model.conventions import Conventions
from core.model.limits import LOCAL, Limits
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Qrels
from core.model.reading import Choice
from core.model.run import Run
from core.notices import Notice
from core.readers import read_documents, read_qrels, read_queries, read_runs, read_through
from core.readers.files import Given

Progress = Callable[[str, int, int], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Piece:
    """One file of a comparison: what was given, what the person decided, and the name they gave its run (or None)."""

    given: Given
    choice: Choice = Choice()
    name: str | None = None


@dataclass(frozen=True)
class Inputs:
    """All files of a comparison, by role. Several qrels are joined; so are several metadata files of a kind."""

    qrels: tuple[Piece, ...]
    runs: tuple[Piece, ...]
    queries: tuple[Piece, ...] = ()
    documents: tuple[Piece, ...] = ()


def open_comparison(
    inputs: Inputs,
    conventions: Conventions = Conventions(),
    *,
    lower_is_better: frozenset[str] = frozenset(),
    limits: Limits = LOCAL,
    progress: Progress | None = None,
) -> Comparison:
    """Read all files of a comparison.

    `lower_is_better` names runs whose lower scores are better, as they are called once read.

    Raises InputError with the problems of all files, not only of the first that has one: where the judgments cannot be
    read, each run is still looked at by itself.
    """
    problems: list[InputError] = []

    qrels = _try(lambda: _qrels(inputs.qrels, conventions, limits), problems)
    queries = _try(lambda: _queries(inputs.queries, limits), problems)
    documents = _try(lambda: _documents(inputs.documents, limits), problems)
    if qrels is None:
        runs: list[Run] = []
        for piece in inputs.runs:
            _try(partial(read_through, piece.given, choice=piece.choice, limits=limits), problems)
    else:
        runs = _every_run(inputs.runs, qrels, conventions, lower_is_better, limits, progress, problems)
    if problems:
        raise InputError([each for error in problems for each in error.problems], sum(error.more for error in problems))
    if qrels is None:
        raise InputError(Problem("--qrels", None, "no judgments were given"))
    _all_known(lower_is_better, runs)
    return assemble(qrels, runs, queries, documents, conventions, limits=limits)


def assemble(
    qrels: Qrels,
    runs: Iterable[Run],
    queries: QueryMetadata | None = None,
    documents: DocumentMetadata | None = None,
    conventions: Conventions = Conventions(),
    *,
    limits: Limits = LOCAL,
) -> Comparison:
    """Put files that were read together: equal names of runs get ` (2)` with the notice `renamed-run`.

    Raises InputError where there are more runs or judged queries than the limits allow.
    """
    named = distinct_names(runs)
    if len(named) > limits.runs:
        raise InputError(
            Problem("", None, f"{len(named):,} runs were given, the limit is {limits.runs:,}", "compare fewer at once")
        )
    if len(qrels.queries) > limits.queries:
        message = f"{len(qrels.queries):,} queries are judged, the limit is {limits.queries:,}"
        raise InputError(Problem(qrels.name, None, message, "compare fewer at once"))
    return Comparison(qrels, tuple(named), queries, documents, conventions)


def distinct_names(runs: Iterable[Run]) -> list[Run]:
    """The runs, each with a name of its own: the second `run` becomes `run (2)` and a notice says so."""
    taken: set[str] = set()
    named: list[Run] = []
    for run in runs:
        name, number = run.name, 2
        while name in taken:
            name, number = f"{run.name} ({number})", number + 1
        taken.add(name)
        if name != run.name:
            message = f'Two runs are called "{run.name}": this one is shown as "{name}".'
            told = [replace(notice, about=name) if notice.about == run.name else notice for notice in run.notices]
            told.append(Notice("renamed-run", "info", name, message, 1, (run.name,)))
            run = replace(run, name=name, notices=tuple(told))
        named.append(run)
    return named


def _every_run(
    pieces: tuple[Piece, ...],
    qrels: Qrels,
    conventions: Conventions,
    lower_is_better: frozenset[str],
    limits: Limits,
    progress: Progress | None,
    problems: list[InputError],
) -> list[Run]:
    runs: list[Run] = []
    for piece in pieces:
        told = None if progress is None else partial(progress, piece.given.name)
        read = partial(_runs, piece, qrels, conventions, lower_is_better, limits, told)
        runs += _try(read, problems) or []
    return runs


def _qrels(pieces: tuple[Piece, ...], conventions: Conventions, limits: Limits) -> Qrels:
    givens = [piece.given for piece in pieces]
    return read_qrels(givens, choices=[piece.choice for piece in pieces], conventions=conventions, limits=limits)


def _queries(pieces: tuple[Piece, ...], limits: Limits) -> QueryMetadata | None:
    if not pieces:
        return None
    return read_queries([piece.given for piece in pieces], choices=[piece.choice for piece in pieces], limits=limits)


def _documents(pieces: tuple[Piece, ...], limits: Limits) -> DocumentMetadata | None:
    if not pieces:
        return None
    return read_documents([piece.given for piece in pieces], choices=[piece.choice for piece in pieces], limits=limits)


def _runs(
    piece: Piece,
    qrels: Qrels,
    conventions: Conventions,
    lower_is_better: frozenset[str],
    limits: Limits,
    progress: Callable[[int, int], None] | None,
) -> list[Run]:
    def read(choice: Choice) -> list[Run]:
        return read_runs(
            piece.given,
            qrels,
            name=piece.name,
            choice=choice,
            conventions=conventions,
            limits=limits,
            progress=progress,
        )

    runs = read(piece.choice)
    turned = {run.name for run in runs} & lower_is_better
    if not turned:
        return runs
    # The direction belongs to a run, and only reading tells the names of the runs in a file: those that turn are read again.
    again = {run.name: run for run in read(replace(piece.choice, lower_is_better=True))}
    return [again[run.name] if run.name in turned else run for run in runs]


def _all_known(names: frozenset[str], runs: list[Run]) -> None:
    known = {run.name for run in runs}
    unknown = sorted(names - known)
    if unknown:
        hint = "the runs are " + ", ".join(f'"{name}"' for name in sorted(known))
        raise InputError(
            [Problem("--lower-is-better", None, f'there is no run called "{name}"', hint) for name in unknown]
        )


def _try(read: Callable[[], T], problems: list[InputError]) -> T | None:
    try:
        return read()
    except InputError as error:
        problems.append(error)
        return None
