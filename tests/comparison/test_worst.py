"""Worst: each order is what its name says, undefined queries stand apart, search reads ids and texts."""

import numpy as np

from core.comparison.worst import By, containing, standing, worst
from core.model.measure import Measure
from tests.comparison.collections import SEED, SEED_RUN, comparison_of, ranked
from tests.scoring.collections import Grades, Scored

NDCG = Measure("nDCG", 4)
GRADES: Grades = {
    "big": {f"d{at}": 3 for at in range(9)},
    "flat": {"a": 1, "b": 0},
    "none": {"a": 0},
    "zero": {"a": 1},
}
ONE: Scored = {"big": ranked("d1", "x", "y", "z"), "flat": ranked("b", "a"), "zero": ranked("x"), "none": ranked("a")}
TWO: Scored = {"big": ranked("d1", "d2", "d3", "x"), "flat": ranked("b", "a"), "zero": ranked("a")}


def listed(by: By, run: str = "one", baseline: str = "two", **more: object) -> list[str]:
    comparison = comparison_of(GRADES, {"one": ONE, "two": TWO})
    found = standing(comparison, run, baseline, ["one", "two"], NDCG)
    return [comparison.qrels.queries[at] for at in worst(found, by, **more)]  # type: ignore[arg-type]  # a mask


def test_by_score_the_lowest_stands_first_and_undefined_queries_stand_apart() -> None:
    assert listed("score") == ["zero", "big", "flat"]


def test_by_difference_the_deepest_fall_stands_first() -> None:
    assert listed("difference") == ["zero", "big", "flat"]
    assert listed("difference", run="two", baseline="one") == ["flat", "big", "zero"]


def test_by_lost_gain_the_most_gain_left_on_the_table_stands_first() -> None:
    assert listed("lost") == ["big", "zero", "flat"]


def test_by_disagreement_the_widest_spread_stands_first() -> None:
    assert listed("disagreement") == ["zero", "big", "flat"]


def test_lost_gain_is_the_ideal_dcg_minus_the_dcg() -> None:
    found = standing(comparison_of(SEED, {"run": SEED_RUN}), "run", "run", ["run"], NDCG)
    assert np.round(found.lost, 4).tolist() == [1.8312]
    assert np.isnan(found.difference).all()
    assert found.disagreement.tolist() == [0.0]


def test_only_the_queries_asked_for_are_listed() -> None:
    assert listed("score", among=np.array([True, True, True, False])) == ["big", "flat"]


def test_equal_queries_stand_in_the_order_of_their_ids_and_those_without_a_value_last() -> None:
    grades: Grades = {f"q{at}": {"a": 2000.0 if at == 1 else 1.0} for at in range(5)}
    comparison = comparison_of(grades, {"run": {query: ranked("b", "a") for query in grades}})
    found = standing(comparison, "run", "run", ["run"], Measure("nDCG", 4, "exponential"))
    assert worst(found, "score").tolist() == [0, 2, 3, 4, 1]


def test_search_reads_ids_and_texts_in_any_case_and_takes_no_pattern() -> None:
    texts = {"query_id": ["big", "zero"], "text": ["Reset my PASSWORD (now)", "a.b"]}
    comparison = comparison_of(GRADES, {"one": ONE}, queries=texts)
    ids = comparison.qrels.queries

    def found(needle: str) -> list[str]:
        return [ids[at] for at in np.flatnonzero(containing(comparison, needle))]

    assert found("password") == ["big"]
    assert found("ZERO") == ["zero"]
    assert found("(now") == ["big"]
    assert found(".") == ["zero"]
    assert found("  ") == list(ids)
    assert found("nothing") == []


def test_search_without_texts_reads_ids() -> None:
    assert containing(comparison_of(GRADES, {"one": ONE}), "fl").tolist() == [False, True, False, False]
