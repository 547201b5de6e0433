"""The one order rule, held against a plain sort of Python lists."""

import struct

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.conventions import Order
from core.model.ranking import order_values, pair_keys, ranked

Row = tuple[int, str, float, float]
NEAR = [0.0, -0.0, 1.0, 1.0 + 1e-9, 1.0 - 1e-9, -1.0, 1e300, 2e300, float("inf"), float("-inf")]
IDS = ["a", "b", "é", "z", "\U0001f600", "\ufb01", "aa"]
ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(IDS), st.sampled_from(NEAR), st.integers(0, 4).map(float)),
    max_size=30,
)  # fmt: skip


def single(value: float) -> float:
    """As a 32-bit float, by the C rule: too large is infinite."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def naive(rows: list[Row], order: Order, *, lower: bool) -> list[tuple[int, str, int, int, int]]:
    """(query, document, rank, first and last rank of its tie group) by sorting lists."""
    found = []
    for query in dict.fromkeys(row[0] for row in rows):
        mine = [row for row in rows if row[0] == query]
        if order == "rank":
            keyed = [(row[3], row) for row in mine]
        else:
            mine.sort(key=lambda row: row[1].encode(), reverse=True)
            exact = (lambda score: score) if order == "score64" else single
            keyed = [(exact(row[2]) if lower else -exact(row[2]), row) for row in mine]
        keyed.sort(key=lambda pair: pair[0])
        kept = list({row[1]: (value, row) for value, row in reversed(keyed)}.values())[::-1]
        # The dict above keeps the best of each document, but in the place of the last: order again, stably.
        places = {id(row): at for at, (_, row) in enumerate(keyed)}
        kept.sort(key=lambda pair: places[id(pair[1])])
        values = [value for value, _ in kept]
        for rank, (value, row) in enumerate(kept, 1):
            tie = (
                (rank, rank) if order == "rank" else (values.index(value) + 1, len(values) - values[::-1].index(value))
            )
            found.append((query, row[1], rank, *tie))
    return found


def ours(rows: list[Row], order: Order, *, lower: bool) -> list[tuple[int, str, int, int, int]]:
    query = np.array([row[0] for row in rows], np.int64)
    doc_id = pl.Series("doc_id", [row[1] for row in rows], pl.String)
    score, rank = (np.array([row[at] for row in rows], np.float64) for at in (2, 3))
    values = order_values(score, rank, order, lower_is_better=lower)
    result = ranked(query, doc_id, pair_keys(query, doc_id), values, ties_by_id=order != "rank")
    assert sorted([*result.row.tolist(), *result.repeated.tolist()]) == list(range(len(rows)))
    ids = doc_id.gather(result.row).to_list()
    return list(
        zip(
            query[result.row].tolist(),
            ids,
            result.rank.tolist(),
            result.tie_first.tolist(),
            result.tie_last.tolist(),
            strict=True,
        )
    )


@given(ROWS, st.sampled_from(["score", "score64", "rank"]), st.booleans())
def test_ranks_ties_and_repeats_are_those_of_a_plain_sort(rows: list[Row], order: Order, lower: bool) -> None:
    rows.sort(key=lambda row: row[0])
    assert ours(rows, order, lower=lower) == naive(rows, order, lower=lower)


def test_tied_scores_stand_by_document_id_descending_in_bytes() -> None:
    rows = [(0, doc, 1.0, 0.0) for doc in ("m", "z", "b", "é")]
    assert [row[1] for row in ours(rows, "score", lower=False)] == ["é", "z", "m", "b"]


def test_a_difference_below_single_precision_is_a_tie_and_none_in_double() -> None:
    rows = [(0, "a", 100.0000002, 1.0), (0, "b", 100.0000001, 2.0)]
    assert [row[1:] for row in ours(rows, "score", lower=False)] == [("b", 1, 1, 2), ("a", 2, 1, 2)]
    assert [row[1:] for row in ours(rows, "score64", lower=False)] == [("a", 1, 1, 1), ("b", 2, 2, 2)]


def test_a_repeated_document_keeps_its_best_place_and_the_ranks_close_up() -> None:
    rows = [(0, "d1", 1.0, 1.0), (0, "d2", 2.0, 2.0), (0, "d1", 3.0, 3.0), (0, "d3", 0.5, 4.0)]
    assert [row[1:3] for row in ours(rows, "score", lower=False)] == [("d1", 1), ("d2", 2), ("d3", 3)]


def test_equal_ranks_stand_as_they_came() -> None:
    rows = [(0, "b", 9.0, 1.0), (0, "a", 8.0, 0.0), (0, "c", 7.0, 1.0)]
    assert [row[1] for row in ours(rows, "rank", lower=False)] == ["a", "b", "c"]


def test_the_same_document_of_two_queries_is_no_repeat() -> None:
    assert len(ours([(0, "d", 1.0, 1.0), (1, "d", 1.0, 1.0)], "score", lower=False)) == 2


def test_a_run_without_scores_and_ranks_has_no_order() -> None:
    with pytest.raises(ValueError, match="no order"):
        order_values(None, None, "score", lower_is_better=False)
