"""Comparisons from plain dicts, for the tests of this folder and of the pages."""

from typing import Any

import polars as pl

from core.comparison import Comparison
from core.model.conventions import Conventions
from core.model.metadata import DocumentMetadata, QueryMetadata
from tests.scoring.collections import Grades, Scored, qrels_of, run_of


def comparison_of(
    grades: Grades,
    runs: dict[str, Scored],
    *,
    queries: dict[str, list[Any]] | None = None,
    documents: dict[str, list[Any]] | None = None,
    **conventions: Any,
) -> Comparison:
    """A comparison from {query: {document: grade}} and {run: {query: {document: score}}}, and columns of metadata."""
    return Comparison(
        qrels_of(grades),
        tuple(run_of(grades, scores, name) for name, scores in runs.items()),
        None if queries is None else QueryMetadata(pl.DataFrame(queries), (), len(next(iter(queries.values())))),
        None
        if documents is None
        else DocumentMetadata(pl.DataFrame(documents), (), len(next(iter(documents.values())))),
        Conventions(**conventions),
    )


def ranked(*documents: str) -> dict[str, float]:
    """Scores that rank documents in the order given."""
    return {document: float(len(documents) - at) for at, document in enumerate(documents)}


# The seed example: grades 3, 1, 0, 2 returned, a document of grade 3 missed; nDCG@4 is 0.710 linear and 0.669 exponential.
SEED: Grades = {"seed": {"d1": 3, "d2": 1, "d3": 0, "d4": 2, "d5": 3}}
SEED_RUN: Scored = {"seed": ranked("d1", "d2", "d3", "d4")}
