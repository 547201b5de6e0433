"""Scenarios: what a comparison would be if the unjudged documents in two runs' tops were graded in one of four ways.

They are examples of what judging could bring, not limits of it.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from core.model.conventions import Conventions
from core.model.frames import TOP_DEPTH
from core.model.measure import Measure
from core.model.qrels import Qrels
from core.model.run import Run
from core.scoring.hits import Hits, answered_queries, hits_of, sorted_hits
from core.scoring.judged import Judged, judged
from core.scoring.scores import Scores, score_hits

Name = Literal["none", "all", "candidate-only", "baseline-only"]


@dataclass(frozen=True, eq=False)
class Scenario:
    """Both runs' scores where some unjudged documents have the top grade.

    name      "none": all stay 0 · "all" · "candidate-only" and "baseline-only": what that run alone has in its top k
    graded    how many documents were given the top grade
    """

    name: Name
    graded: int
    baseline: Scores
    candidate: Scores


def scenarios(
    qrels: Qrels, baseline: Run, candidate: Run, measure: Measure, conventions: Conventions
) -> tuple[Scenario, ...]:
    """Four ways in which the unjudged documents of the two top k could turn out, the ideal recomputed in each.

    The top grade is the highest of the judgments. A document is one run's alone where the other has it not in its top k.

    Returns the four in the order of `Name`. Raises ValueError where k lies beyond the documents kept for display (100).
    """
    if measure.k is None or measure.k > TOP_DEPTH:
        raise ValueError(f"unjudged documents are known down to rank {TOP_DEPTH}, {measure} looks deeper")
    old, new = unjudged(baseline, measure.k), unjudged(candidate, measure.k)
    pair = ["query", "doc_id"]
    both = pl.concat([old, new]).select(pair).unique(maintain_order=True)
    graded: dict[Name, pl.DataFrame] = {
        "none": both.clear(),
        "all": both,
        "candidate-only": new.join(old, on=pair, how="anti", maintain_order="left").select(pair),
        "baseline-only": old.join(new, on=pair, how="anti", maintain_order="left").select(pair),
    }
    found = []
    for name, documents in graded.items():
        grade = float(qrels.grade.max())
        facts = judged(qrels).with_documents(documents["query"].to_numpy().astype(np.int64), grade)
        pairs = ((baseline, old), (candidate, new))
        scored = [
            regraded(run, top.join(documents, on=pair, how="semi"), grade, facts, measure, conventions)
            for run, top in pairs
        ]
        found.append(Scenario(name, documents.height, *scored))
    return tuple(found)


def unjudged(run: Run, k: int) -> pl.DataFrame:
    """The unjudged documents in the top k: query, doc_id, rank."""
    return run.top.filter((pl.col("rank") <= k) & pl.col("grade").is_null()).select("query", "doc_id", "rank")


def regraded(
    run: Run, documents: pl.DataFrame, grade: float, facts: Judged, measure: Measure, conventions: Conventions
) -> Scores:
    """The run's scores when these of its unjudged documents have a grade."""
    hits = hits_of(run)
    merged: Hits = sorted_hits(
        np.concatenate([hits.query, documents["query"].to_numpy().astype(np.int64)]),
        np.concatenate([hits.rank, documents["rank"].to_numpy().astype(np.int64)]),
        np.concatenate([hits.grade, np.full(documents.height, grade)]),
    )
    missing = ~answered_queries(run, facts.n)
    return score_hits(merged, missing, facts, [measure], conventions)[measure]
