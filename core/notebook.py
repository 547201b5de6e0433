"""Notebook: reading, scoring, comparing and gating as plain functions; numbers and words are those of the command line."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from weakref import WeakKeyDictionary

import polars as pl

from core import gating
from core.comparison import Comparison, assemble
from core.comparison.pairs import against_baseline
from core.errors import InputError, Problem
from core.gating import Gated
from core.model.conventions import DEFAULT_CONVENTIONS, Conventions
from core.model.measure import Measure
from core.model.metadata import QueryMetadata
from core.model.qrels import Qrels
from core.model.run import Run
from core.readers import Given, read_qrels, read_queries, read_runs
from core.slices import SliceColumn, column_named
from core.statistics.evidence import MARGIN
from core.statistics.gating import GateRules
from core.statistics.paired import PairStatistics

__all__ = ["compare", "gate", "read_qrels", "read_queries", "read_run", "score", "write_run"]

MEASURES = ("nDCG@10",)

# What each run was read with: its ranks and hits hold for nothing else.
_read_with: WeakKeyDictionary[Run, tuple[Qrels, Conventions]] = WeakKeyDictionary()


def write_run(path: str | Path, results: Mapping[str, Iterable[tuple[str, float]]], *, name: str = "run") -> Path:
    """Write what a retriever returned as a TREC run, and return its path.

    results  query id → (document id, score) pairs, in any order; higher scores are better
    Raises InputError for an id that TREC's format cannot hold (empty, or with a blank in it).
    """
    ids = [*results, *(document for found in results.values() for document, _ in found), name]
    if bad := [each for each in dict.fromkeys(ids) if not each or each.split() != [each]]:
        hint = "TREC runs separate their columns by blanks"
        raise InputError([Problem(str(path), None, f'"{each}" cannot be an id in a run', hint) for each in bad])
    target = Path(path)
    with target.open("w", encoding="utf-8", newline="\n") as file:
        for query, found in results.items():
            ranked = sorted(found, key=lambda pair: -pair[1])
            for rank, (document, value) in enumerate(ranked, start=1):
                file.write(f"{query} Q0 {document} {rank} {value!r} {name}\n")
    return target


def read_run(
    file: str | Path | bytes | Given,
    qrels: Qrels,
    *,
    name: str | None = None,
    conventions: Conventions = DEFAULT_CONVENTIONS,
) -> Run:
    """Read the run of a file against its judgments.

    Raises InputError with all that is wrong in the file, or where it holds several runs.
    """
    runs = read_runs(file, qrels, name=name, conventions=conventions)
    if len(runs) != 1:
        names = ", ".join(f'"{run.name}"' for run in runs)
        message = f"holds {len(runs)} runs: {names}"
        raise InputError(Problem(Given.of(file).name, None, message, "core.readers.read_runs reads them all"))
    _read_with[runs[0]] = (qrels, conventions)
    return runs[0]


def score(
    qrels: Qrels,
    runs: Run | Sequence[Run],
    measures: str | Sequence[str] = MEASURES,
    *,
    per_query: bool = False,
    conventions: Conventions = DEFAULT_CONVENTIONS,
) -> pl.DataFrame:
    """Score runs: MEANS, one row per run and measure, or PER_QUERY, one row per run, query and measure.

    Raises InputError for an unknown measure, and for a run that was read with other judgments or conventions.
    """
    asked = [Measure.parse(measure) for measure in ([measures] if isinstance(measures, str) else measures)]
    comparison = _comparison(qrels, [runs] if isinstance(runs, Run) else runs, None, conventions)
    return comparison.per_query(asked) if per_query else comparison.means(asked)


def compare(
    qrels: Qrels,
    baseline: Run,
    candidates: Run | Sequence[Run],
    measure: str = MEASURES[0],
    *,
    margin: float = MARGIN,
    conventions: Conventions = DEFAULT_CONVENTIONS,
) -> list[PairStatistics]:
    """Hold candidates against a baseline: difference, interval, p-values and `verdict.sentence` of each, as one family.

    Raises InputError as `score` does.
    """
    others = [candidates] if isinstance(candidates, Run) else list(candidates)
    comparison = _comparison(qrels, [baseline, *others], None, conventions)
    return against_baseline(comparison, comparison.names[0], Measure.parse(measure), margin=margin)


def gate(
    qrels: Qrels,
    baseline: Run,
    candidate: Run,
    measure: str = MEASURES[0],
    *,
    margin: float = MARGIN,
    queries: QueryMetadata | None = None,
    slices: Sequence[str] = (),
    must_not_break: Sequence[str] = (),
    expect_qrels: str | None = None,
    conventions: Conventions = DEFAULT_CONVENTIONS,
) -> Gated:
    """Decide whether a candidate may replace the baseline, as `ranklens gate` does: `outcome`, `reasons`, `exit_code`.

    slices        attributes of the queries (of `queries`, or columns of the judgments' file) whose groups are guarded
    expect_qrels  the SHA-256 that the judgments are pinned to
    Raises InputError as `score` does, and for an attribute that the queries do not have.
    """
    comparison = _comparison(qrels, [baseline, candidate], queries, conventions)
    live, new = comparison.names
    return gating.gate(
        comparison, new, live, Measure.parse(measure), rules=GateRules(margin=margin), slices=_columns(comparison, slices),
        must_not_break=must_not_break, expect_qrels=expect_qrels,
    )  # fmt: skip


def _columns(comparison: Comparison, names: Sequence[str]) -> list[SliceColumn]:
    found = {name: column_named(comparison.slices, name) for name in names}
    unknown = [name for name, column in found.items() if column is None]
    if unknown:
        raise InputError([Problem("slices", None, f'the queries have no attribute "{name}"') for name in unknown])
    return [column for column in found.values() if column is not None]


def _comparison(
    qrels: Qrels, runs: Sequence[Run], queries: QueryMetadata | None, conventions: Conventions
) -> Comparison:
    problems = []
    for run in runs:
        read_qrels_, read_conventions = _read_with.get(run, (qrels, conventions))
        if read_qrels_ is not qrels:
            problems.append(Problem(run.name, None, "was read with other judgments", "read it again with these"))
        if read_conventions != conventions:
            problems.append(Problem(run.name, None, "was read with other conventions", "read it again with these"))
    if problems:
        raise InputError(problems)
    return assemble(qrels, runs, queries, conventions=conventions)
