"""`ranklens gate`: may the candidate replace the baseline? The exit code answers."""

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import polars as pl

from core.cli.compare import columns_named, finite
from core.cli.gate_baseline import two_runs
from core.cli.gate_config import pinned
from core.cli.gate_report import Report, Undecided, annotations, refusal, report_of, shown
from core.cli.options import CONVENTIONS, QRELS, QUERIES, options, output, request
from core.cli.output import write
from core.comparison import Comparison
from core.errors import InputError, Problem
from core.gating import gate as decide
from core.readers.files import Given
from core.statistics.evidence import MARGIN
from core.statistics.gating import EXIT_CODES, GateRules

FORMATS = ("table", "json", "md", "junit")


def _digest(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"[0-9a-fA-F]{64}", value):
        raise click.BadParameter(f'"{value}" is not a SHA-256: 64 hexadecimal digits.', context, option)
    return None if value is None else value.lower()


@click.command()
@click.option(
    "--config", metavar="FILE.toml", type=click.Path(path_type=Path), is_eager=True, expose_value=False, callback=pinned,
    help="Defaults for these options, pinned in a file: margin = 0.02, qrels = [\"qrels.txt\"], slice = [\"intent\"] and so on.",
)  # fmt: skip
@options((QRELS,))
@click.option(
    "--baseline",
    metavar="[NAME=]FILE",
    required=True,
    help="The run that is live: a run file, or a bundle that holds it (NAME= says which run).",
)
@click.option("--candidate", metavar="[NAME=]FILE", required=True, help="The run that wants to replace it.")
@options((QUERIES,))
@click.option(
    "--slice", "slices", metavar="COLUMN", multiple=True, help="Guard the values of this attribute of the queries."
)
@click.option("--measure", "-m", metavar="NAME", default="nDCG@10", show_default=True, help="What decides.")
@click.option(
    "--margin", type=click.FloatRange(min=0), default=MARGIN, show_default=True, callback=finite,
    help="The loss of the mean that would be accepted.",
)  # fmt: skip
@click.option("--expect-qrels", metavar="SHA256", callback=_digest, help="Refuse any other judgments than these.")
@click.option(
    "--must-not-break", metavar="FILE", help="Ids of queries that may not lose anything, one a line; \"# \" begins a comment."
)  # fmt: skip
@click.option(
    "--undecided", type=click.Choice(["pass", "warn", "fail"]),
    help="What \"not enough evidence\" exits with: 0, 0 with a warning, or 1; without this option 3.",
)  # fmt: skip
@options(CONVENTIONS, output(FORMATS))
def gate(form: str, out: Path | None, undecided: Undecided | None, **given: Any) -> int:
    """Decide whether a candidate may replace the baseline, by its exit code.

    \b
    ranklens gate --qrels qrels.txt --baseline live.run --candidate new.run
    ranklens gate --config gate.toml --candidate new.run --format md --out gate.md

    \b
    0  pass: a loss beyond the margin is unlikely (one-sided 95 % bound)
    1  fail: worse (95 % interval below 0), or a guarded slice, too many badly hurt queries, a query of the must-not-break list
    2  not comparable: the input cannot be judged
    3  not enough evidence: fewer than 50 queries, fewer than 10 that changed, or neither bound decides; says how many queries would settle it

    In GitHub Actions the reasons are annotations of the run too.
    """
    try:
        report = _report(undecided, given)
    except InputError as error:
        report = refusal(error)
    if report.code == EXIT_CODES["not-comparable"]:
        _tell_problems(report)
    if report.gated is not None or form != "table":
        write(shown(report, form), out)
    sys.stderr.write(annotations(report))
    return report.code


def _report(undecided: Undecided | None, given: dict[str, Any]) -> Report:
    runs = (given["baseline"], given["candidate"])
    asked = request(given | {"runs": runs, "documents": (), "measures": (given["measure"],)})
    watched = _ids(given["must_not_break"]) if given["must_not_break"] else []
    comparison = two_runs(asked)
    baseline, candidate = comparison.names
    alike = _alike(comparison, given["slices"])
    gated = decide(
        comparison,
        candidate,
        baseline,
        asked.measures[-1],
        rules=GateRules(margin=given["margin"]),
        slices=columns_named(comparison, [name for name in given["slices"] if name not in alike]),
        must_not_break=watched,
        expect_qrels=given["expect_qrels"],
    )
    report = report_of(comparison, gated, undecided)
    return replace(report, warnings=(*report.warnings, *alike.values()))


def _alike(comparison: Comparison, names: Sequence[str]) -> dict[str, str]:
    """The attributes in which all judged queries are alike, with the sentence that they guard nothing.

    They are no slices, and a gate that is pinned to them still has to decide on few queries.
    """
    known = {column.name for column in comparison.slices}
    tables = (comparison.queries.table if comparison.queries else None, comparison.qrels.columns)
    found = {}
    for name in names:
        for table in tables:
            if name in known or table is None or name not in table.columns:
                continue
            values = table.filter(pl.col("query_id").is_in(list(comparison.qrels.queries)))[name].drop_nulls().unique()
            if len(values) <= 1:
                found[name] = f'All judged queries have the same "{name}", so it guards no slice.'
    return found


def _ids(file: str) -> list[str]:
    """The ids of a must-not-break list. Raises InputError where the file cannot be read or names none."""
    given = Given.of(file)
    try:
        with given.raw() as stream:
            lines = stream.read().decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(Problem(given.name, None, "is not UTF-8", "save the list of query ids as UTF-8")) from error
    ids = [line.strip() for line in lines if line.strip() and not line.startswith("# ")]
    if not ids:
        raise InputError(Problem(given.name, None, "names no query", "one id a line"))
    return ids


def _tell_problems(report: Report) -> None:
    """Reasons on stderr, as every command tells why it cannot judge."""
    if report.error is None:
        sys.stderr.write("".join(f"{reason}\n" for reason in report.reasons))
        return
    for problem in report.error.problems:
        sys.stderr.write(f"{problem}\n" + (f"hint: {problem.hint}\n" if problem.hint else ""))
    if report.error.more:
        sys.stderr.write(f"… and {report.error.more:,} more\n")
