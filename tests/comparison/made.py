"""Comparisons made of seeded random collections, and their parts as plain dicts for the naive scorer."""

import random
from dataclasses import dataclass
from typing import Any

import polars as pl

from core.comparison import Comparison
from core.model.conventions import Conventions
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Source
from tests.scoring.collections import Grades, Scored, qrels_of, run_of


@dataclass(frozen=True)
class Made:
    """A comparison and what it was made of: every run as {query: {document: score}}."""

    comparison: Comparison
    grades: Grades
    scored: dict[str, Scored]


def comparison_of(
    grades: Grades, scored: dict[str, Scored], *, conventions: Conventions | None = None, **more: Any
) -> Comparison:
    """A comparison of runs given as dicts."""
    runs = tuple(run_of(grades, run, name) for name, run in scored.items())
    return Comparison(qrels_of(grades), runs, conventions=conventions or Conventions(), **more)


def metadata_of(columns: dict[str, list[str | None]], queries: list[str]) -> QueryMetadata:
    """Query metadata with these columns."""
    table = pl.DataFrame({"query_id": queries, **columns}).sort("query_id")
    return QueryMetadata(table, (Source("queries.csv", "0" * 64),), table.height)


def titles_of(titles: dict[str, str]) -> DocumentMetadata:
    """Document metadata with titles."""
    table = pl.DataFrame({"doc_id": list(titles), "title": list(titles.values())}).sort("doc_id")
    return DocumentMetadata(table, (Source("documents.csv", "0" * 64),), table.height)


def collection(queries: int = 40, seed: int = 5, *, ties: bool = True, conventions: Conventions | None = None) -> Made:
    """Two runs over some queries: unjudged documents, tied scores, one undefined query, one that "new" does not answer."""
    chance = random.Random(seed)
    names = [f"q{at:02}" for at in range(queries)]
    grades: Grades = {}
    scored: dict[str, Scored] = {"old": {}, "new": {}}
    for at, query in enumerate(names):
        documents = [f"d{number}" for number in range(12)]
        grades[query] = {doc: float(chance.choice([0, 0, 1, 2, 3])) for doc in chance.sample(documents, 6)}
        if at == 1:
            grades[query] = dict.fromkeys(grades[query], 0.0)
        elif not any(grades[query].values()):
            grades[query][next(iter(grades[query]))] = 2.0
        for name, help_ in (("old", 0.5), ("new", 0.9)):
            scores = {doc: chance.random() * 3 + help_ * grades[query].get(doc, 0.0) for doc in documents}
            kept = chance.sample(documents, 9)
            scored[name][query] = {doc: round(scores[doc], 0 if ties else 6) for doc in kept}
    del scored["new"]["q02"]
    intents: list[str | None] = [("lookup", "how-to")[at % 2] for at in range(queries)]
    queries_known = metadata_of({"text": [f"text of {name}" for name in names], "intent": intents}, names)
    made = comparison_of(grades, scored, conventions=conventions, queries=queries_known)
    return Made(made, grades, scored)
