"""What the gate says, to people, pull requests, build servers and programs, from one report."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.cli import document
from core.cli.compare import between, signed
from core.cli.output import as_json, number, table
from core.comparison import Comparison
from core.errors import InputError
from core.gating import Gated
from core.gating.junit import Case, Result, junit
from core.model.version import version
from core.statistics.gating import EXIT_CODES, Outcome, slice_blocks
from core.statistics.slice_family import FEWEST_QUERIES, SliceStatistics
from core.statistics.wording import exact

Undecided = Literal["pass", "warn", "fail"]
WORDS: dict[Outcome, str] = {
    "pass": "Pass",
    "fail": "Fail",
    "not-comparable": "Not comparable",
    "not-enough-evidence": "Not enough evidence",
}
LET_THROUGH = "There is not enough evidence, and the gate was told to let that through (--undecided warn)."
SLICES_SHOWN = 10  # in a pull request


@dataclass(frozen=True)
class Report:
    """A gate's outcome with its exit code; without `gated` and its comparison where the input could not be read."""

    outcome: Outcome
    code: int
    reasons: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    gated: Gated | None = None
    comparison: Comparison | None = None
    error: InputError | None = None

    @property
    def about(self) -> str:
        """Which runs and which measure."""
        if self.gated is None:
            return "the files could not be read"
        return f"{self.gated.candidate} against {self.gated.baseline}, {self.gated.measure}"


def report_of(comparison: Comparison, gated: Gated, undecided: Undecided | None) -> Report:
    """A decision as it is reported; `undecided` sets the exit code of "not enough evidence", and the word stays."""
    outcome, code, warnings = gated.decision.outcome, gated.decision.exit_code, gated.decision.warnings
    if outcome == "not-enough-evidence" and undecided is not None:
        code = 1 if undecided == "fail" else 0
        warnings = (*warnings, LET_THROUGH) if undecided == "warn" else warnings
    return Report(outcome, code, gated.decision.reasons, warnings, gated, comparison)


def refusal(error: InputError) -> Report:
    """What is reported where the input cannot be judged at all."""
    more = (f"… and {error.more:,} more",) if error.more else ()
    reasons = tuple(str(problem) for problem in error.problems) + more
    return Report("not-comparable", EXIT_CODES["not-comparable"], reasons, error=error)


def shown(report: Report, form: str) -> str:
    """The report in one of the formats."""
    if form == "json":
        return as_json(as_document(report))
    if form == "junit":
        return junit("ranklens gate", _cases(report))
    return _for_people(report, markdown=form == "md")


def as_document(report: Report) -> dict[str, Any]:
    """The gate's JSON of CLI.md: the same keys whatever the outcome."""
    found: dict[str, Any] = {"schema": document.SCHEMA, "ranklens": version()}
    if report.gated is None or report.comparison is None:
        problems = [] if report.error is None else [problem.as_json() for problem in report.error.problems]
        unknown = dict.fromkeys(("difference", "interval", "lower_bound", "margin", "needed_n"))
        found |= {"outcome": report.outcome, "reasons": list(report.reasons), **unknown, "slices": []}
        return found | {"conventions": {}, "inputs": {}, "error": {"problems": problems}, "exit_code": report.code}
    measures = [report.gated.measure]
    return found | {
        **report.gated.as_json(),
        "warnings": list(report.warnings),
        "exit_code": report.code,
        "conventions": document.conventions(report.comparison, measures),
        "inputs": document.inputs(report.comparison, measures),
    }


def annotations(report: Report) -> str:
    """Lines that GitHub Actions shows on the run: an error, a warning or a notice for each sentence; "" elsewhere."""
    if not os.environ.get("GITHUB_ACTIONS"):
        return ""
    title = f"Ranklens: {WORDS[report.outcome].lower()}"
    kind = "error" if report.code else "warning" if report.outcome == "not-enough-evidence" else "notice"
    lines = [_annotation(kind, title, reason) for reason in report.reasons]
    return "".join([*lines, *(_annotation("warning", title, warning) for warning in report.warnings)])


def _annotation(kind: str, title: str, message: str) -> str:
    safe = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    named = title.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={named}::{safe}\n"


def _for_people(report: Report, *, markdown: bool) -> str:
    head = f"{WORDS[report.outcome]}: {report.about}"
    blocks = [f"### {_marked(head)}" if markdown else head]
    blocks.append(_sentences(report, markdown=markdown))
    if report.gated is not None and report.comparison is not None:
        blocks.append(_numbers(report.gated, markdown=markdown))
        if parts := _slices_shown(report.gated, markdown=markdown):
            blocks.append(parts)
        line = report.comparison.line(report.gated.measure)
        blocks.append(f"<sub>{_marked(line)}</sub>" if markdown else line)
    return "\n\n".join(blocks)


def _sentences(report: Report, *, markdown: bool) -> str:
    warnings = [f"warning: {warning}" for warning in report.warnings]
    if markdown:
        return "\n".join(f"- {_marked(sentence)}" for sentence in (*report.reasons, *warnings))
    return "\n".join((*report.reasons, *warnings))


def _numbers(gated: Gated, *, markdown: bool) -> str:
    decision, (new, old) = gated.decision, gated.means
    row = [
        str(gated.measure), number(old), number(new), signed(decision.difference), between(decision.interval),
        signed(decision.lower_bound), exact(gated.rules.margin) if gated.rules.margin else "0", f"{decision.n:,}",
        f"{gated.wins:,} / {gated.ties:,} / {gated.losses:,}", f"{gated.badly_hurt:,}",
    ]  # fmt: skip
    headers = [
        "measure", "baseline", "candidate", "difference", "95 % interval", "lower bound", "accepted loss", "queries",
        "better / same / worse", "lost 0.30 or more",
    ]  # fmt: skip
    return table([row], headers, markdown=markdown)


def _slices_shown(gated: Gated, *, markdown: bool) -> str:
    """The guarded slices; for a pull request the worst ten that have ten queries."""
    parts = list(gated.decision.slices)
    left = 0
    if markdown:
        parts = sorted((part for part in parts if part.n >= FEWEST_QUERIES), key=lambda part: part.difference or 0.0)
        left = max(0, len(parts) - SLICES_SHOWN)
        parts = parts[:SLICES_SHOWN]
    rows = [_slice_row(part, gated) for part in parts]
    headers = ["slice", "queries", "baseline", "candidate", "difference", "95 % interval", "p (Holm)", ""]
    told = table(rows, headers, markdown=markdown) if rows else ""
    return f"{told}\n\nand {left:,} slices that did better" if left else told


def _slice_row(part: SliceStatistics, gated: Gated) -> list[object]:
    state = "blocks" if slice_blocks(part, gated.rules) else "too few queries" if part.n < FEWEST_QUERIES else ""
    p = "–" if part.p_holm is None else f"{part.p_holm:.2g}"
    return [
        f"{part.column}: {part.value}", f"{part.n:,}", number(part.mean_baseline), number(part.mean_candidate),
        signed(part.difference), between(part.interval), p, state,
    ]  # fmt: skip


def _cases(report: Report) -> Sequence[Case]:
    """One case for the outcome, and one for each guarded slice that can block."""
    text = _sentences(report, markdown=False)
    results: dict[Outcome, Result] = {
        "pass": "passed",
        "fail": "failure",
        "not-comparable": "error",
        "not-enough-evidence": "skipped" if report.code == 0 else "failure",
    }
    first = Case(report.about, results[report.outcome], report.reasons[0] if report.reasons else "", text)
    if report.gated is None:
        return [first]
    gated = report.gated
    slices = [part for part in gated.decision.slices if part.n >= gated.rules.slice_queries]
    return [first, *(_slice_case(part, gated) for part in slices)]


def _slice_case(part: SliceStatistics, gated: Gated) -> Case:
    blocks = slice_blocks(part, gated.rules)
    told = f"{signed(part.difference)} {part.measure} over {part.n:,} queries"
    return Case(f"{part.column}: {part.value}", "failure" if blocks else "passed", told, told)


def _marked(text: str) -> str:
    """Text for Markdown: the marks that a name from a file could hold are escaped."""
    line = " ".join(text.split())
    for mark in "\\`*_[]<>|#!@":
        line = line.replace(mark, "\\" + mark)
    return line
