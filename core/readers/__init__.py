"""Readers: from the files that people bring to judgments, runs and metadata."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from core.errors import InputError, Problem
from core.model.conventions import Conventions
from core.model.limits import LOCAL, Limits
from core.model.qrels import Qrels
from core.model.reading import Choice
from core.readers.files import Given, members
from core.readers.judgments import judged, qrels_of
from core.readers.recognition.reading import recognise
from core.readers.rows import Findings, Progress

__all__ = ["Given", "Progress", "members", "read_qrels", "recognise"]

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
    files = _each(
        _given(givens, limits), choices, progress, lambda given, choice, findings: judged(
            given, recognise(given, role="qrels", choice=choice, limits=limits), choice, limits, findings
        ),
    )  # fmt: skip
    return qrels_of(files, conventions or Conventions(), limits)


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
