"""Facts for people who look at their data: coverage of each run, and the judgments in numbers."""

import numpy as np
import polars as pl

from core.health.order import tied_in_top
from core.health.shown import Shown
from core.health.unjudged import judged_in_top
from core.model.qrels import Qrels

# One row per run, in their order. judged: share of the documents returned in the top k that are judged (null without any).
# depth: median documents per answered query. tied: queries in which a tie with a judged document reaches the top k.
RUN_FACTS = pl.Schema(
    {
        "run": pl.String,
        "answered": pl.UInt32,
        "missing": pl.UInt32,
        "extra": pl.UInt32,
        "depth": pl.Float64,
        "judged": pl.Float64,
        "tied": pl.UInt32,
    }
)
# One row per grade, ascending.
GRADE_COUNTS = pl.Schema({"grade": pl.Float64, "judgments": pl.UInt32})
# One row per judged query, sorted by query_id. relevant: documents with a grade above 0.
JUDGMENT_COUNTS = pl.Schema({"query_id": pl.String, "judgments": pl.UInt32, "relevant": pl.UInt32})


def run_facts(look: Shown) -> pl.DataFrame:
    """RUN_FACTS: how each run covers the judged queries."""
    rows = []
    for run in look.runs:
        judged, returned = judged_in_top(run, look.k)
        answered = run.answered.height
        depth = run.answered["retrieved"].median()
        share = judged / returned if returned else None
        tied = int(tied_in_top(run, look.k, look.n).sum())
        rows.append((run.name, answered, look.n - answered, run.extra, depth, share, tied))
    return pl.DataFrame(rows, schema=RUN_FACTS, orient="row")


def grade_counts(qrels: Qrels) -> pl.DataFrame:
    """GRADE_COUNTS: how often each grade was given."""
    grades, counts = np.unique(qrels.grade, return_counts=True)
    return pl.DataFrame({"grade": grades, "judgments": counts}).cast(GRADE_COUNTS)


def judgment_counts(qrels: Qrels) -> pl.DataFrame:
    """JUDGMENT_COUNTS: how many judgments each query has."""
    n = len(qrels.queries)
    columns = {
        "query_id": pl.Series(qrels.queries, dtype=pl.String),
        "judgments": np.bincount(qrels.query, minlength=n),
        "relevant": np.bincount(qrels.query[qrels.grade > 0], minlength=n),
    }
    return pl.DataFrame(columns).cast(JUDGMENT_COUNTS)
