"""What `explain` says of a query beyond its arithmetic: the cause, what moved against the first run, what would fix it."""

from typing import Any

from core.cli.output import number, table
from core.comparison import Comparison
from core.comparison.causes import CAUSES, Cause, causes
from core.comparison.moves import moves
from core.comparison.what_would_fix import what_would_fix
from core.model.measure import Measure

MOST_ROWS = 10


def cause_of(comparison: Comparison, name: str, query: str, measure: Measure) -> Cause:
    """Why a query scores what it scores with a run by an nDCG."""
    return CAUSES[int(causes(comparison, name, measure)[comparison.qrels.index[query]])]


def more_json(comparison: Comparison, name: str, query: str, measure: Measure) -> dict[str, Any]:
    """cause, would_fix, moves: of an nDCG only; moves null for the first run, against which the others are held."""
    if measure.name != "nDCG":
        return {}
    first = comparison.names[0]
    return {
        "cause": cause_of(comparison, name, query, measure).code,
        "would_fix": what_would_fix(comparison, name, query, measure).to_dicts(),
        "moves": None if name == first else moves(comparison, name, first, query, measure).to_dicts(),
    }


def more_blocks(comparison: Comparison, name: str, query: str, measure: Measure, *, markdown: bool) -> list[str]:
    """The same for people: blocks of text and tables, none for other measures than nDCG."""
    if measure.name != "nDCG":
        return []
    cause = cause_of(comparison, name, query, measure)
    blocks = [f"Cause: {cause.label}. {cause.said(measure.k or 0)}"]
    fixes = [
        row for row in what_would_fix(comparison, name, query, measure).iter_rows(named=True) if row["improvement"] > 0
    ]
    if fixes:
        rows = [
            [row["doc_id"], f"{row['grade']:g}", _rank(row["rank"]), number(row["value"]), f"{row['improvement']:+.3f}"]
            for row in fixes[:MOST_ROWS]
        ]
        blocks += [
            f"What would fix it, one document moved to rank 1{_of(len(fixes))}:",
            table(rows, ["document", "grade", "rank now", "then", "gain"], markdown=markdown),
        ]
    first = comparison.names[0]
    moved = (
        []
        if name == first
        else [row for row in moves(comparison, name, first, query, measure).iter_rows(named=True) if row["places"] != 0]
    )
    if moved:
        rows = [
            [
                row["doc_id"],
                "unjudged" if row["grade"] is None else f"{row['grade']:g}",
                _rank(row["rank_baseline"]),
                _rank(row["rank"]),
            ]
            for row in moved[:MOST_ROWS]
        ]
        blocks += [
            f"What moved against {first}{_of(len(moved))}:",
            table(rows, ["document", "grade", f"rank in {first}", f"rank in {name}"], markdown=markdown),
        ]
    return blocks


def _rank(rank: int | None) -> str:
    return "–" if rank is None else str(rank)


def _of(rows: int) -> str:
    return f" (the first {MOST_ROWS} of {rows:,})" if rows > MOST_ROWS else ""
