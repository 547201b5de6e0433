"""The two runs of a gate: from two run files, or from a bundle that holds the baseline with its judgments."""

from dataclasses import asdict, replace

from core.cli.options import Request
from core.cli.reading import read
from core.comparison import Comparison, assemble
from core.comparison.inputs import Piece
from core.errors import InputError, Problem
from core.exports.bundle import is_bundle, open_bundle
from core.model.run import Run


def two_runs(asked: Request) -> Comparison:
    """A comparison of the baseline and the candidate, in this order.

    Raises InputError with what is wrong in the files, where one of them holds several runs, or where a bundle was made with
    other judgments or conventions than the candidate is read with.
    """
    baseline, candidate = asked.inputs.runs
    if is_bundle(baseline.given):
        return _with_bundle(asked, baseline, candidate)
    comparison = read(asked)
    _one_of_each(comparison, 2)
    return comparison


def _with_bundle(asked: Request, baseline: Piece, candidate: Piece) -> Comparison:
    bundled = open_bundle(baseline.given)
    live = _run(bundled, baseline)
    comparison = read(replace(asked, inputs=replace(asked.inputs, runs=(candidate,))))
    _one_of_each(comparison, 1)
    name, found, expected = baseline.given.name, comparison.qrels.sha256, bundled.qrels.sha256
    problems = []
    if found != expected:
        message = f"was made with the qrels {expected[:12]}…, and the ones given are {found[:12]}…: not comparable"
        problems.append(Problem(name, None, message, "score the baseline on the new qrels and make the bundle again"))
    for convention, value in asdict(bundled.conventions).items():
        if asdict(asked.conventions)[convention] != value:
            option = f"--{convention.replace('_', '-')} {value}"
            problems.append(Problem(name, None, f"was made with {option}: not comparable", f"give {option} too"))
    if problems:
        raise InputError(problems)
    queries = comparison.queries or bundled.queries
    return assemble(comparison.qrels, [live, *comparison.runs], queries, None, asked.conventions)


def _run(bundled: Comparison, baseline: Piece) -> Run:
    """The run of a bundle: the one named by NAME=, else its only one."""
    if baseline.name is None and len(bundled.runs) == 1:
        return bundled.runs[0]
    if baseline.name in bundled.names:
        return bundled.run(baseline.name or "")
    names = ", ".join(f'"{name}"' for name in bundled.names)
    problem = "holds several runs" if baseline.name is None else f'holds no run "{baseline.name}"'
    raise InputError(
        Problem(baseline.given.name, None, f"{problem}: {names}", f'say which: --baseline "NAME={baseline.given.name}"')
    )


def _one_of_each(comparison: Comparison, wanted: int) -> None:
    if len(comparison.names) != wanted:
        names = ", ".join(f'"{name}"' for name in comparison.names)
        message = f"the files hold {len(comparison.names)} runs: {names}"
        raise InputError(
            Problem("--baseline/--candidate", None, message, "the gate takes one baseline and one candidate")
        )
