"""Moves: which documents of one query stand elsewhere with a run than with the baseline."""

import polars as pl

from core.comparison.comparison import Comparison
from core.model.frames import TOP_DEPTH
from core.model.measure import Measure
from core.scoring.explain import rows_of

# One row per document in the top of either run, by its rank with the run, then with the baseline.
# rank_baseline, rank: within the first 100 of either, null where it stands below or is not returned. grade: null where unjudged.
# places: how far it rose, below 0 where it fell; null where one of the ranks is not known.
MOVES = pl.Schema(
    {"doc_id": pl.String, "grade": pl.Float64, "rank_baseline": pl.UInt32, "rank": pl.UInt32, "places": pl.Int64}
)


def moves(comparison: Comparison, name: str, baseline: str, query_id: str, measure: Measure) -> pl.DataFrame:
    """MOVES of one query between the baseline and a run: every document in the top k of either.

    Raises KeyError where the query is not judged.
    """
    at = comparison.qrels.index[query_id]
    k = min(measure.k or TOP_DEPTH, TOP_DEPTH)
    before, after = (rows_of(comparison.run(one).top, at).select("doc_id", "grade", "rank") for one in (baseline, name))
    both = before.rename({"rank": "rank_baseline"}).join(after, on="doc_id", how="full", coalesce=True)
    rows = both.with_columns(grade=pl.coalesce("grade", "grade_right")).filter(
        (pl.col("rank") <= k).fill_null(value=False) | (pl.col("rank_baseline") <= k).fill_null(value=False)
    )
    places = pl.col("rank_baseline").cast(pl.Int64) - pl.col("rank").cast(pl.Int64)
    return (
        rows.with_columns(places=places)
        .sort("rank", "rank_baseline", "doc_id", nulls_last=True)
        .select(MOVES.names())
        .cast(MOVES)
    )
