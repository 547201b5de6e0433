"""Moves: every document in either top, with both ranks."""

import pytest

from core.comparison.moves import MOVES, moves
from core.model.measure import Measure
from tests.comparison.collections import comparison_of, ranked

GRADES = {"q": {"a": 2.0, "b": 1.0}, "r": {"a": 1.0}}


def test_every_document_in_either_top_is_there_with_both_ranks() -> None:
    comparison = comparison_of(
        GRADES, {"base": {"q": ranked("x", "a", "b", "y")}, "new": {"q": ranked("a", "x", "z"), "r": ranked("a")}}
    )
    found = moves(comparison, "new", "base", "q", Measure("nDCG", 3))
    assert found.schema == MOVES
    assert found.rows() == [
        ("a", 2.0, 2, 1, 1),
        ("x", None, 1, 2, -1),
        ("z", None, None, 3, None),
        ("b", 1.0, 3, None, None),
    ]


def test_a_document_that_left_the_top_shows_where_it_stands_now() -> None:
    comparison = comparison_of(GRADES, {"base": {"q": ranked("a", "b")}, "new": {"q": ranked("b", "x", "a")}})
    found = moves(comparison, "new", "base", "q", Measure("nDCG", 1))
    assert found.select("doc_id", "rank_baseline", "rank", "places").rows() == [("b", 2, 1, 1), ("a", 1, 3, -2)]


def test_a_query_that_neither_run_answers_has_no_moves() -> None:
    comparison = comparison_of(GRADES, {"base": {"q": ranked("a")}, "new": {"q": ranked("b")}})
    assert moves(comparison, "new", "base", "r", Measure("nDCG", 3)).rows() == []
    with pytest.raises(KeyError):
        moves(comparison, "new", "base", "unknown", Measure("nDCG", 3))
