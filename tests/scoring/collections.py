"""Small collections from plain dicts, and the naive scorer that everything is held against; no product arithmetic.

A run is built as a reader would build it: 32-bit scores descending, ties by doc_id descending in UTF-8 bytes.
"""

import math
import struct
from typing import Any

import numpy as np
import polars as pl

from core.model.frames import ANSWERED, HITS, JUDGMENTS, TOP, TOP_DEPTH
from core.model.measure import Measure
from core.model.qrels import Qrels, Source
from core.model.run import Run

Grades = dict[str, dict[str, float]]
Scored = dict[str, dict[str, float]]
DIGEST = "3f2a91c" + "0" * 57


def single(score: float) -> float:
    """A score as a 32-bit float holds it."""
    return float(np.float32(score)) if math.isinf(score) else struct.unpack("f", struct.pack("f", score))[0]


def ranked(scores: dict[str, float]) -> list[str]:
    """Document ids, best first."""
    return sorted(scores, key=lambda doc: (single(scores[doc]), doc.encode()), reverse=True)


def qrels_of(grades: Grades, **more: Any) -> Qrels:
    """Qrels from {query: {document: grade}}."""
    rows = [(query, doc, float(grade)) for query, docs in grades.items() for doc, grade in docs.items()]
    rows.sort(key=lambda row: (row[0].encode(), row[1].encode()))
    return Qrels(pl.DataFrame(rows, schema=JUDGMENTS, orient="row"), (Source("qrels.txt", DIGEST),), len(rows), **more)


def run_of(grades: Grades, scores: Scored, name: str = "bm25", **more: Any) -> Run:
    """A Run from {query: {document: score}} against the same judgments."""
    queries = sorted((query for query, docs in grades.items() if docs), key=str.encode)
    hits, answered, top = [], [], []
    for at, query in enumerate(queries):
        docs = scores.get(query) or {}
        order = ranked(docs)
        levels = [single(docs[doc]) for doc in order]
        for rank, doc in enumerate(order, 1):
            grade = grades[query].get(doc)
            level = single(docs[doc])
            first = 1 + levels.index(level)
            if grade is not None:
                hits.append((at, rank, float(grade), first, first + levels.count(level) - 1))
            if rank <= TOP_DEPTH:
                top.append((at, rank, doc, docs[doc], grade))
        if order:
            tied = sum(levels.count(level) > 1 for level in levels)
            answered.append((at, len(order), order.index(query) + 1 if query in docs else 0, tied))
    extra = [query for query, docs in scores.items() if docs and query not in queries]
    return Run(
        name,
        Source(f"{name}.txt", DIGEST),
        rows=sum(map(len, scores.values())),
        queries=sum(map(bool, scores.values())),
        hits=pl.DataFrame(hits, schema=HITS, orient="row"),
        answered=pl.DataFrame(answered, schema=ANSWERED, orient="row"),
        top=pl.DataFrame(top, schema=TOP, orient="row"),
        extra=len(extra),
        extra_examples=tuple(extra[:5]),
        **more,
    )


def naive_gain(measure: Measure, grade: float) -> float:
    """The gain of one grade."""
    if measure.gain == "custom":
        return dict(measure.gains).get(grade, 0.0)
    if grade <= 0:
        return 0.0
    if measure.gain == "linear":
        return grade
    return 2.0**grade - 1.0 if grade <= 1000 else math.nan


def naive_dcg(gains: list[float]) -> float:
    """Gains in rank order, discounted and added up."""
    total = 0.0
    for rank, gain in enumerate(gains, 1):
        total += gain / math.log2(rank + 1)
    return total


def naive(grades: dict[str, float], order: list[str], measure: Measure, level: int = 1) -> float:
    """One query's value, straight from the definition."""
    k = measure.k or max(len(order), 1)
    top = order[:k]
    if measure.uses_gain:
        ideal = naive_dcg(sorted((naive_gain(measure, grade) for grade in grades.values()), reverse=True)[:k])
        dcg = naive_dcg([naive_gain(measure, grades.get(doc, 0.0)) if doc in grades else 0.0 for doc in top])
        return {"DCG": dcg, "IDCG": ideal, "nDCG": dcg / ideal if ideal else 0.0}[measure.name]
    level = measure.rel or level
    relevant = {doc for doc, grade in grades.items() if grade >= level}
    found = [rank for rank, doc in enumerate(top, 1) if doc in relevant]
    if measure.name == "Judged":
        return sum(doc in grades for doc in top) / k
    if measure.name == "P":
        return len(found) / k
    if measure.name == "Success":
        return float(bool(found))
    if measure.name == "RR":
        return 1.0 / found[0] if found else 0.0
    if not relevant:
        return 0.0
    if measure.name == "R":
        return len(found) / len(relevant)
    return sum(place / rank for place, rank in enumerate(found, 1)) / len(relevant)
