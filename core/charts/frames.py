"""From the scores of every query to the frames of the Distributions charts: binned and counted, never dropped."""

import hashlib
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from core.charts.box_strip import BOX, STRIP
from core.charts.ecdf import ECDF
from core.charts.ends import ENDS
from core.charts.histogram import HISTOGRAM
from core.charts.style import in_order

# What all of these start from: one row per run and query, unique, in any order of queries; runs in the order to list
# them. score: in the measure's unit; a null (it cannot be computed) is left out of that run's n.
PER_QUERY = pl.Schema({"run": pl.String, "query_id": pl.String, "score": pl.Float64})

ECDF_POINTS: Final = 101
BINS: Final = 20
SAMPLED: Final = 300
# Scores are sums of floats: one that should be 1 may be 0.9999999999999999. The same distance makes a tie.
EQUAL: Final = 1e-9

Floats = npt.NDArray[np.float64]


def ecdf_points(per_query: pl.DataFrame, *, bounded: bool = True) -> pl.DataFrame:
    """For every run the share of its queries at or below 101 equally spaced scores: ECDF.

    per_query: PER_QUERY. From 0 to 1, or to the highest score of any run where the measure is not bounded.
    """
    grid = np.linspace(0.0, 1.0 if bounded else _highest(per_query), ECDF_POINTS)
    parts = []
    for run, scores in _by_run(per_query):
        share = np.searchsorted(np.sort(scores), grid + EQUAL, side="right") / max(1, scores.size)
        parts.append(pl.DataFrame({"score": grid, "share": share}).with_columns(run=pl.lit(run), n=scores.size))
    return _stacked(parts, ECDF)


def score_bins(per_query: pl.DataFrame, *, bounded: bool = True) -> pl.DataFrame:
    """Count every run's queries in 20 bins, and those at exactly 0 (and 1) in bins of their own: HISTOGRAM.

    per_query: PER_QUERY. Where the measure is not bounded the bins have a round width and end above every score.
    """
    width = 1 / BINS if bounded else _round_width(_highest(per_query) / BINS)
    edges = np.arange(BINS + 1) / BINS if bounded else np.arange(np.floor(_highest(per_query) / width) + 2) * width
    left, right = np.r_[-width, edges[:-1]], np.r_[0.0, edges[1:]]
    words = ["exactly 0", *(f"{a:.4g} to {b:.4g}" for a, b in pairwise(edges))]
    if bounded:
        left, right, words = np.r_[left, 1.0], np.r_[right, 1.0 + width], [*words, "exactly 1"]
    parts = []
    for run, scores in _by_run(per_query):
        counts = _counted(scores, edges, bounded)
        bins = pl.DataFrame({"left": left, "right": right, "bin": words, "count": counts})
        parts.append(bins.with_columns(run=pl.lit(run), n=scores.size))
    return _stacked(parts, HISTOGRAM)


def score_quantiles(per_query: pl.DataFrame) -> pl.DataFrame:
    """The 5th, 25th, 50th, 75th and 95th percentile (linear between scores) and the mean of every run: BOX.

    per_query: PER_QUERY. A run without scores is left out.
    """
    rows = []
    for run, scores in _by_run(per_query):
        if scores.size:
            quantiles = np.quantile(scores, [0.05, 0.25, 0.5, 0.75, 0.95]).tolist()
            rows.append((run, *quantiles, float(scores.mean()), scores.size))
    return pl.DataFrame(rows, schema=BOX, orient="row")


def sampled_scores(per_query: pl.DataFrame, *, most: int = SAMPLED) -> pl.DataFrame:
    """The scores of at most `most` queries, the same for every run: STRIP.

    per_query: PER_QUERY. The queries with the lowest hash of their id are kept, so that a query that is drawn once is
    drawn in every run, on every page and in every session.
    """
    queries = per_query["query_id"].unique().to_list()
    chosen = sorted((_hash(query), query) for query in queries)[:most]
    places = pl.DataFrame(
        {"query_id": [query for _, query in chosen], "offset": [_place(number) for number, _ in chosen]},
        schema={"query_id": pl.String, "offset": pl.Float64},
    )
    order = pl.DataFrame({"run": in_order(per_query, "run")}, schema={"run": pl.String}).with_row_index("at")
    return (
        per_query.filter(pl.col("score").is_not_null())
        .join(places, on="query_id")
        .join(order, on="run")
        .sort("at", "query_id")
        .select(list(STRIP))
    )


def shares_at_ends(per_query: pl.DataFrame) -> pl.DataFrame:
    """Count every run's queries that score exactly 0 and exactly 1: ENDS. per_query: PER_QUERY."""
    score = pl.col("score")
    zeros, ones = (score.abs() <= EQUAL).sum(), ((score - 1).abs() <= EQUAL).sum()
    return per_query.group_by("run", maintain_order=True).agg(zeros=zeros, ones=ones, n=score.count()).cast(ENDS)


def _by_run(per_query: pl.DataFrame) -> list[tuple[str, Floats]]:
    groups = per_query.group_by("run", maintain_order=True).agg(pl.col("score").drop_nulls())
    return [(run, scores.to_numpy()) for run, scores in zip(groups["run"], groups["score"], strict=True)]


def _stacked(parts: list[pl.DataFrame], schema: pl.Schema) -> pl.DataFrame:
    columns = [pl.col(name).cast(kind) for name, kind in schema.items()]
    return pl.concat(part.select(columns) for part in parts) if parts else schema.to_frame()


def _highest(per_query: pl.DataFrame) -> float:
    scores = per_query["score"].drop_nulls().to_numpy()
    return float(scores.max(initial=0.0)) or 1.0


def _round_width(width: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(width))
    return float(power * next(step for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-12)))


def _counted(scores: Floats, edges: Floats, bounded: bool) -> list[int]:
    at_zero = np.abs(scores) <= EQUAL
    at_one = (np.abs(scores - 1) <= EQUAL) & bounded
    inner = scores[~at_zero & ~at_one]
    places = np.clip(np.searchsorted(edges, inner - EQUAL, side="left"), 1, edges.size - 1)
    inside = np.bincount(places, minlength=edges.size)[1:]
    return [int(at_zero.sum()), *inside.tolist(), *([int(at_one.sum())] if bounded else [])]


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def _place(number: int) -> float:
    """−1 … 1 from the lower half of a hash; its upper half chose the query."""
    return (number & 0xFFFFFFFF) / 0x7FFFFFFF - 1
