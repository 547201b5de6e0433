"""Ranking: one rule turns the rows of a run into final ranks; nothing else in Ranklens orders documents."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from core.model.conventions import Order

Places = npt.NDArray[np.int64]
# Any odd number with many bits set: spreads query numbers over all 64 bits of a key.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


class Ranked(NamedTuple):
    """Rows in their final order: query by query as they came, then by rank; repeated documents are gone.

    row                 places of the rows that stay, in the final order
    rank                from 1 in each query: uint32
    tie_first, tie_last ranks of the group of equal scores that the row stands in, both = rank without a tie: uint32
    repeated            places of the rows left out because their document stands further up
    """

    row: Places
    rank: npt.NDArray[np.uint32]
    tie_first: npt.NDArray[np.uint32]
    tie_last: npt.NDArray[np.uint32]
    repeated: Places


def pair_keys(query: Places, doc_id: pl.Series) -> npt.NDArray[np.uint64]:
    """One number for each (query, document) pair: equal pairs have equal keys, and very nearly the other way round."""
    with np.errstate(over="ignore"):
        return np.asarray(doc_id.hash().to_numpy() + query.astype(np.uint64) * _SPREAD)


def order_values(
    score: npt.NDArray[np.float64] | None, rank: npt.NDArray[np.float64] | None, order: Order, *, lower_is_better: bool
) -> npt.NDArray[np.floating]:
    """What rows are ordered by, best highest: the score in the precision asked, or the negative rank.

    "score" is the 32-bit float that trec_eval 9 and pytrec_eval compare, "score64" the double of trec_eval 10. A run
    without scores is ordered by rank whatever is asked.
    """
    if order == "rank" or score is None:
        if rank is None:
            raise ValueError("a run without scores and without ranks has no order")
        return -rank
    values = -score if lower_is_better else score
    if order == "score64":
        return values
    with np.errstate(over="ignore"):
        return values.astype(np.float32)


def ranked(
    query: Places,
    doc_id: pl.Series,
    keys: npt.NDArray[np.uint64],
    values: npt.NDArray[np.floating],
    *,
    ties_by_id: bool,
) -> Ranked:
    """Rank the rows of whole queries; the rows of a query stand together.

    query, doc_id, keys  of each row; keys from `pair_keys`
    values               from `order_values`: highest first
    ties_by_id           equal values stand by doc_id, descending in UTF-8 bytes (trec_eval's rule), and are a tie
                         group; else by their place in the file, and there are no ties: the rule for ranks given

    A repeated document keeps its best place and the ranks close up. Input that is in order already is not sorted.
    """
    row = _by_value(query, values)
    row, repeated = _without_repeats(row, query, doc_id, keys)
    query, values = query[row], values[row]
    count = len(row)
    new = np.ones(count, bool)
    new[1:] = query[1:] != query[:-1]
    starts = np.flatnonzero(new)
    rank = np.arange(1, count + 1) - np.repeat(starts, np.diff(starts, append=count))
    first = last = rank
    if ties_by_id:
        same = np.zeros(count + 1, bool)
        same[1:count] = (values[1:] == values[:-1]) & ~new[1:]
        tied = np.flatnonzero(same[1:] | same[:-1])
        if len(tied):
            row, first, last = _ties_by_id(row, rank, tied, ~same[:-1][tied], doc_id)
    return Ranked(row, rank.astype(np.uint32), first.astype(np.uint32), last.astype(np.uint32), repeated)


def _by_value(query: Places, values: npt.NDArray[np.floating]) -> Places:
    """Places in order of query as they come, then value; rows of equal value stay as they came."""
    new = query[1:] != query[:-1]
    if not ((values[1:] > values[:-1]) & ~new).any():
        return np.arange(len(query))
    group = np.zeros(len(query), np.int64)
    np.cumsum(new, out=group[1:])
    return np.lexsort((-values, group))


def _without_repeats(
    row: Places, query: Places, doc_id: pl.Series, keys: npt.NDArray[np.uint64]
) -> tuple[Places, Places]:
    """Take out of `row` all but the first of each (query, document) pair."""
    in_order = np.sort(keys)
    twice = in_order[1:][in_order[1:] == in_order[:-1]]
    if not len(twice):
        return row, np.empty(0, np.int64)
    at = np.flatnonzero(np.isin(keys[row], twice))
    pairs = pl.DataFrame({"query": query[row[at]], "doc_id": doc_id.gather(row[at])})
    # Two pairs may share a key by chance, so the ids themselves decide.
    again = at[~pairs.select(pl.struct("query", "doc_id").is_first_distinct()).to_series().to_numpy()]
    keep = np.ones(len(row), bool)
    keep[again] = False
    return row[keep], row[again]


def _ties_by_id(
    row: Places, rank: Places, tied: Places, begins: npt.NDArray[np.bool_], doc_id: pl.Series
) -> tuple[Places, Places, Places]:
    """Order the rows at `tied` by id within each run of equal values, and give every row its tie group's ranks."""
    run = np.cumsum(begins) - 1
    ids = pl.DataFrame({"run": run, "doc_id": doc_id.gather(row[tied]), "at": np.arange(len(tied))})
    row = row.copy()
    row[tied] = row[tied[ids.sort("run", "doc_id", descending=[False, True])["at"].to_numpy()]]
    starts = np.flatnonzero(begins)
    sizes = np.diff(starts, append=len(tied))
    first, last = rank.copy(), rank.copy()
    first[tied] = rank[tied[starts]][run]
    last[tied] = (rank[tied[starts]] + sizes - 1)[run]
    return row, first, last
