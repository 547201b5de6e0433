"""Sources: which kinds of documents a run's top, its gained and its lost gain come from."""

import math

import numpy as np
import polars as pl

from core.comparison.comparison import Comparison, Mask
from core.model.frames import TOP_DEPTH
from core.model.measure import Measure
from core.scoring.discounts import LOG2
from core.scoring.gains import Floats, gain_of
from core.scoring.judged import Indices, place_in_group
from core.slices import MOST_VALUES, NONE

# One row per source, the one with most documents in the top first, `(none)` last.
# top: documents in the top k. gained: their gain × discount. lost: what the source's documents would add in the ideal
# ranking minus what they add; below 0 where they stand above their ideal place. Over the sources `gained` adds up to the DCG
# of all queries counted, `lost` to their ideal DCG minus their DCG. The shares are of these totals, null where a total is 0.
SOURCES = pl.Schema(
    {
        "source": pl.String,
        "top": pl.Int64,
        "top_share": pl.Float64,
        "gained": pl.Float64,
        "gained_share": pl.Float64,
        "lost": pl.Float64,
        "lost_share": pl.Float64,
    }
)
OWN = ("doc_id", "title", "text")


def source_columns(comparison: Comparison) -> tuple[str, ...]:
    """The columns of the document metadata that put the documents in 2 to 60 groups."""
    if comparison.documents is None:
        return ()
    table = comparison.documents.table
    return tuple(
        name for name in table.columns if name not in OWN and 2 <= table[name].drop_nulls().n_unique() <= MOST_VALUES
    )


def by_source(
    comparison: Comparison, name: str, measure: Measure, column: str, where: Mask | None = None
) -> pl.DataFrame:
    """SOURCES of a run's top k by a column of the document metadata, on the queries counted, of those in `where`.

    measure  an nDCG with a cutoff of up to 100, the depth to which a run's documents are known

    Queries whose gain cannot be computed are left out. Raises ValueError for a deeper cutoff, KeyError without such a column.
    """
    if measure.k is None or measure.k > TOP_DEPTH:
        raise ValueError(f"sources are known down to rank {TOP_DEPTH}, not to {measure.k}")
    if column not in source_columns(comparison):
        raise KeyError(column)
    scores = comparison.scores(name, measure)
    counted = scores.counted & ~np.isnan(scores.values)
    counted = counted if where is None else counted & where
    sources = _known(comparison, column)
    top = _top(comparison, name, measure.k, counted)
    top = top.join(sources, on="doc_id", how="left").with_columns(pl.col("source").fill_null(NONE))
    gains = _gain(top["grade"].fill_null(0.0).to_numpy(), measure)
    gains[top["grade"].is_null().to_numpy()] = 0.0
    top = top.with_columns(gained=pl.Series(gains / LOG2[top["rank"].to_numpy()]))
    ideal = _ideal(comparison, top, measure, counted).join(sources, on="doc_id", how="left")
    ideal = ideal.with_columns(pl.col("source").fill_null(NONE))
    got = _summed(top.group_by("source").agg("gained", top=pl.len()), "gained")
    best = _summed(ideal.group_by("source").agg("ideal"), "ideal")
    rows = got.join(best, on="source", how="full", coalesce=True).fill_null(0)
    rows = rows.with_columns(lost=pl.col("ideal") - pl.col("gained"))
    shares = {f"{part}_share": _share(rows[part]) for part in ("top", "gained", "lost")}
    return (
        rows.with_columns(**shares)
        .sort(pl.col("source") == NONE, pl.col("top"), "source", descending=[False, True, False])
        .select(SOURCES.names())
        .cast(SOURCES)
    )


def _known(comparison: Comparison, column: str) -> pl.DataFrame:
    if comparison.documents is None:
        raise KeyError(column)
    return comparison.documents.table.select("doc_id", pl.col(column).alias("source"))


def _top(comparison: Comparison, name: str, k: int, counted: Mask) -> pl.DataFrame:
    top = comparison.run(name).top
    return top.filter((top["rank"] <= k) & pl.Series(counted[top["query"].to_numpy()]))


def _ideal(comparison: Comparison, top: pl.DataFrame, measure: Measure, counted: Mask) -> pl.DataFrame:
    """The documents of the ideal top k with what each adds there; of equal gains the better ranked stands first."""
    qrels = comparison.qrels
    gain = _gain(qrels.grade, measure)
    rows = np.flatnonzero((gain > 0) & counted[qrels.query])
    judged = pl.DataFrame(
        {"query": qrels.query[rows], "doc_id": qrels.judgments["doc_id"].gather(rows), "gain": gain[rows]}
    )
    judged = judged.join(
        top.select("query", "doc_id", "rank"), on=["query", "doc_id"], how="left", maintain_order="left"
    )
    judged = judged.sort("query", "gain", "rank", descending=[False, True, False], nulls_last=True, maintain_order=True)
    place: Indices = place_in_group(judged["query"].to_numpy())
    k = measure.k or TOP_DEPTH
    added = np.where(place <= k, judged["gain"].to_numpy() / LOG2[np.minimum(place, k)], 0.0)
    return judged.with_columns(ideal=pl.Series(added)).filter(pl.Series(place <= k))


def _gain(grade: Floats, measure: Measure) -> Floats:
    return np.nan_to_num(gain_of(grade, measure), nan=0.0)


def _summed(groups: pl.DataFrame, column: str) -> pl.DataFrame:
    return groups.with_columns(
        pl.Series(column, [math.fsum(terms) for terms in groups[column].to_list()], dtype=pl.Float64)
    )


def _share(part: pl.Series) -> pl.Series:
    total = math.fsum(part.to_list())
    return pl.Series([value / total if total else None for value in part.to_list()], dtype=pl.Float64)
