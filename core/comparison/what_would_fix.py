"""What would fix it: how much one query would gain if one judged document stood at rank 1."""

import numpy as np
import polars as pl

from core.comparison.comparison import Comparison
from core.model.frames import TOP_DEPTH
from core.model.measure import Measure
from core.model.measure_names import LARGEST_CUTOFF
from core.scoring.discounts import LOG2
from core.scoring.explain import judgments_of, rows_of
from core.scoring.gains import gain_of
from core.scoring.judged import judged

# One row per judged document with a positive gain, the largest improvement first, then by grade and id.
# rank: where the run has it within its first 100, else null. value: the score with the document at rank 1, what stood above
# it one rank lower. improvement: value minus the score as it is; 0 for the document that stands at rank 1 already.
FIXES = pl.Schema(
    {"doc_id": pl.String, "grade": pl.Float64, "rank": pl.UInt32, "value": pl.Float64, "improvement": pl.Float64}
)


def what_would_fix(comparison: Comparison, name: str, query_id: str, measure: Measure) -> pl.DataFrame:
    """FIXES of one query: each judged document moved to rank 1, one at a time, and the nDCG that would give.

    A document below the first 100 of the run counts as not returned there; with k up to 100 the value is the same.
    Empty where the query is undefined or its value cannot be computed. Raises KeyError where it is not judged.
    """
    at = comparison.qrels.index[query_id]
    scores = comparison.scores(name, measure)
    ideal = judged(comparison.qrels).ideal(measure)[at]
    if scores.undefined[at] or np.isnan(scores.values[at]):
        return FIXES.to_frame()
    run = comparison.run(name)
    top = rows_of(run.top, at).select("doc_id", "rank")
    rows = judgments_of(comparison.qrels, at).select("doc_id", "grade")
    rows = rows.join(top, on="doc_id", how="left", maintain_order="left")
    gain = gain_of(rows["grade"].to_numpy(), measure)
    k = measure.k or LARGEST_CUTOFF
    hits = rows_of(run.hits, at).filter(pl.col("rank") <= k)
    at_rank = np.zeros(k + 2)
    at_rank[hits["rank"].to_numpy()] = gain_of(hits["grade"].to_numpy(), measure)
    ranks = np.arange(1, k + 1)
    # Sums over the ranks above p, each moved one down (the last of them out of the top), and over those below p.
    moved = np.concatenate([[0.0], np.cumsum(at_rank[1:k] / LOG2[2 : k + 1])])
    stays = at_rank[1 : k + 1] / LOG2[ranks]
    below = np.concatenate([np.cumsum(stays[::-1])[::-1], [0.0]])
    place = np.minimum(rows["rank"].fill_null(TOP_DEPTH + k).to_numpy().astype(np.int64), k + 1)
    dcg = gain + moved[np.minimum(place - 1, k - 1)] + below[np.minimum(place, k)]
    rows = rows.with_columns(pl.Series("value", dcg / ideal), pl.Series("gain", gain)).filter(pl.col("gain") > 0)
    return (
        rows.with_columns(improvement=pl.col("value") - scores.values[at])
        .with_columns(improvement=pl.when(pl.col("improvement").abs() < 1e-12).then(0.0).otherwise("improvement"))
        .sort("improvement", "grade", "doc_id", descending=[True, True, False])
        .select(FIXES.names())
        .cast(FIXES)
    )
