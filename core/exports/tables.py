"""Tables: what of a comparison can be taken away as rows, each a frame with numbers as numbers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from core.comparison.causes import CAUSES, causes
from core.comparison.slice_finding import slice_finding
from core.comparison.worst import standing, worst
from core.exports.scope import Scope
from core.model.measure import DEFAULT_MEASURES, Measure
from core.statistics.wording import counted, queries

WORST = 10
# A leaderboard: one row per run, the best mean first; differences and intervals null for the baseline.
LEADERBOARD = pl.Schema({
    "run": pl.String, "mean": pl.Float64, "other_gain": pl.Float64, "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64,
    "wins": pl.Int64, "ties": pl.Int64, "losses": pl.Int64, "verdict": pl.String, "answered": pl.Int64,
})  # fmt: skip
SLICES = pl.Schema({
    "column": pl.String, "value": pl.String, "run": pl.String, "queries": pl.Int64, "baseline_mean": pl.Float64, "mean": pl.Float64,
    "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p_bh": pl.Float64, "finding": pl.String,
})  # fmt: skip
WORST_QUERIES = pl.Schema({
    "query": pl.String, "text": pl.String, "baseline": pl.Float64, "score": pl.Float64, "difference": pl.Float64, "cause": pl.String,
})  # fmt: skip
NOTICES = pl.Schema({
    "severity": pl.String, "about": pl.String, "notice": pl.String, "count": pl.Int64, "message": pl.String, "examples": pl.String,
})  # fmt: skip
INPUTS = pl.Schema({"role": pl.String, "name": pl.String, "rows": pl.Int64, "sha256": pl.String})


@dataclass(frozen=True, eq=False)
class Table:
    """A table to take away: its title is what it shows, `line` its conventions; the frame's columns have the names of a schema above."""

    key: str
    name: str
    title: str
    frame: pl.DataFrame
    line: str


def tables(scope: Scope) -> list[Table]:
    """All tables of a comparison."""
    return [found for make in MAKERS.values() if not (found := make(scope)).frame.is_empty()]


def leaderboard(scope: Scope) -> Table:
    """LEADERBOARD of the runs."""
    found = {pair.candidate: pair for pair in scope.pairs}
    rows = []
    for run in scope.runs:
        pair = found.get(run)
        low, high = (pair.interval if pair else None) or (None, None)
        missing = scope.comparison.scores(run, scope.measure).missing
        answered = ~missing if scope.where is None else ~missing & scope.where
        rows.append((
            run, scope.comparison.mean(run, scope.measure, scope.where), _other(scope, run), pair.difference if pair else None, low, high,
            *((pair.wins, pair.ties, pair.losses) if pair else (None, None, None)), pair.verdict.label if pair else "Baseline",
            int(answered.sum()),
        ))  # fmt: skip
    frame = pl.DataFrame(rows, schema=LEADERBOARD, orient="row").sort(
        "mean", descending=True, nulls_last=True, maintain_order=True
    )
    measures = [scope.measure, scope.other_gain] if scope.measure.uses_gain else [scope.measure]
    return Table("leaderboard", "Leaderboard", scope.finding.title, frame, scope.line(measures))


def _other(scope: Scope, run: str) -> float | None:
    return scope.comparison.mean(run, scope.other_gain, scope.where) if scope.measure.uses_gain else None


def slices(scope: Scope) -> Table:
    """SLICES of every column and candidate."""
    rows = []
    for parts in scope.parts.values():
        for part in parts:
            low, high = part.interval or (None, None)
            word = (
                "too few queries" if part.p_bh is None else "" if not part.finding else "fell" if part.fell else "rose"
            )
            rows.append((
                part.column, part.value, part.candidate, part.n, part.mean_baseline, part.mean_candidate, part.difference, low, high,
                part.p_bh, word,
            ))  # fmt: skip
    return Table(
        "slices",
        "Slices",
        slice_finding([part for parts in scope.parts.values() for part in parts], scope.pairs).title,
        pl.DataFrame(rows, schema=SLICES, orient="row"),
        scope.line(),
    )


def worst_queries(scope: Scope, most: int = WORST) -> Table:
    """WORST_QUERIES: where the leader loses most against the baseline, or scores lowest where it is alone."""
    name, compared = scope.leader, scope.leader != scope.baseline
    if scope.measure.name != "nDCG":
        return Table("worst", "Worst queries", "Worst queries", WORST_QUERIES.to_frame(), scope.line())
    stands = standing(scope.comparison, name, scope.baseline, scope.runs, scope.measure)
    found = worst(stands, "difference" if compared else "score", scope.where)
    found = found[stands.difference[found] < 0][:most] if compared else found[:most]
    because = causes(scope.comparison, name, scope.measure) if len(found) else np.zeros(0, np.uint8)
    base = scope.comparison.scores(scope.baseline, scope.measure).values
    rows = []
    for at in found.tolist():
        query = scope.comparison.qrels.queries[at]
        difference = float(stands.difference[at]) if compared else None
        rows.append(
            (
                query,
                scope.comparison.query_text(query),
                float(base[at]),
                float(stands.score[at]),
                difference,
                CAUSES[because[at]].label,
            )
        )
    frame = pl.DataFrame(rows, schema=WORST_QUERIES, orient="row").with_columns(
        pl.col("baseline", "score", "difference").fill_nan(None)
    )
    title = (
        f"{name} loses most on these {queries(len(rows))}"
        if compared
        else f"{name} scores lowest on these {queries(len(rows))}"
    )
    return Table("worst", "Worst queries", title, frame, scope.line())


def notice_rows(scope: Scope) -> Table:
    """NOTICES: what in the files touches the numbers."""
    rows = [(n.severity, n.about, n.title, n.count, n.message, ", ".join(n.examples)) for n in scope.notices]
    title = f"{len(rows):,} {'thing' if len(rows) == 1 else 'things'} to know about the files"
    return Table("notices", "Data health", title, pl.DataFrame(rows, schema=NOTICES, orient="row"), scope.line())


def inputs(scope: Scope) -> Table:
    """INPUTS: the files behind the numbers, by name and SHA-256 of their bytes."""
    comparison = scope.comparison
    rows: list[tuple[str, str, int | None, str]] = [
        ("judgments", source.name, comparison.qrels.rows if len(comparison.qrels.sources) == 1 else None, source.sha256)
        for source in comparison.qrels.sources
    ]
    rows += [("run", run.name, run.rows, run.source.sha256) for run in comparison.runs]
    for role, known in (("query metadata", comparison.queries), ("document metadata", comparison.documents)):
        sources = known.sources if known is not None else ()
        rows += [
            (role, source.name, known.rows if known and len(sources) == 1 else None, source.sha256)
            for source in sources
        ]
    return Table(
        "inputs",
        "Input files",
        f"{counted(len(rows), 'file')} behind the numbers",
        pl.DataFrame(rows, schema=INPUTS, orient="row"),
        scope.line(),
    )


def per_query(scope: Scope, measures: tuple[Measure, ...] | None = None) -> pl.DataFrame:
    """Every query's value with every run by every measure, with the conventions in a column: what `score --format csv` gives."""
    asked = measures or tuple(dict.fromkeys((scope.measure, *DEFAULT_MEASURES)))
    line = pl.lit(scope.comparison.line(asked)).alias("conventions")
    frame = scope.comparison.per_query(asked).filter(pl.col("run").is_in(list(scope.runs)))
    if scope.where is not None:
        inside = pl.Series(scope.comparison.qrels.queries, dtype=pl.String).filter(pl.Series(scope.where))
        frame = frame.filter(pl.col("query_id").is_in(inside.implode()))
    return frame.with_columns(line)


MAKERS: Mapping[str, Callable[[Scope], Table]] = {
    "leaderboard": leaderboard, "slices": slices, "worst": worst_queries, "notices": notice_rows, "inputs": inputs,
}  # fmt: skip
