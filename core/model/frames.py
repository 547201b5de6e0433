"""The long frames that pass between the parts: columns, types, sort order, range. One constant each."""

import polars as pl

# One row per judged (query, document) pair, unique; sorted by query_id, then doc_id, both by UTF-8 bytes.
# grade: -1000 … 1e6, finite.
JUDGMENTS = pl.Schema({"query_id": pl.String, "doc_id": pl.String, "grade": pl.Float64})

# One row per judged document that a run retrieved for a judged query; sorted by query, then rank.
# query: index into Qrels.queries. rank: from 1, repeated documents already closed up.
# tie_first … tie_last: the ranks of the group of equal scores that the document stands in (both = rank where it has no tie).
HITS = pl.Schema(
    {"query": pl.UInt32, "rank": pl.UInt32, "grade": pl.Float64, "tie_first": pl.UInt32, "tie_last": pl.UInt32}
)

# One row per judged query that a run answered with one document or more; sorted by query.
# retrieved: documents after closing up. own_rank: the rank of the document whose id is the query's, 0 where there is none.
# tied: retrieved documents that share their score with another one.
ANSWERED = pl.Schema({"query": pl.UInt32, "retrieved": pl.UInt32, "own_rank": pl.UInt32, "tied": pl.UInt32})

# The first TOP_DEPTH documents of each answered judged query, for display; sorted by query, then rank.
# grade: null where the document is unjudged. score: null where the run gave ranks only.
TOP = pl.Schema({"query": pl.UInt32, "rank": pl.UInt32, "doc_id": pl.String, "score": pl.Float64, "grade": pl.Float64})
TOP_DEPTH = 100

# One row per judged query; sorted by query_id. score: null where it cannot be computed (exponential gain above grade 1,000).
# counted: whether the query is in the mean under the conventions asked.
SCORES = pl.Schema(
    {"query_id": pl.String, "score": pl.Float64, "missing": pl.Boolean, "undefined": pl.Boolean, "counted": pl.Boolean}
)
