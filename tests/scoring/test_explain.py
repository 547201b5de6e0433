"""Explain: the arithmetic shown adds up to the value, and names what was not returned."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.conventions import Conventions
from core.model.measure import Measure
from core.scoring.explain import IDEAL, RANKING, Explanation, explain
from core.scoring.scores import score
from tests.scoring.collections import Grades, Scored, qrels_of, run_of

SEED: Grades = {"q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}
SEED_RUN: Scored = {"q1": {"A": 4, "B": 3, "x": 2.5, "C": 2, "D": 1}}


def explained(grades: Grades, scores: Scored, name: str, query: str = "q1", **conventions: Any) -> Explanation:
    return explain(qrels_of(grades), run_of(grades, scores), query, Measure.parse(name), Conventions(**conventions))


def test_each_rank_shows_grade_gain_discount_and_contribution() -> None:
    found = explained(SEED, SEED_RUN, "nDCG(dcg='exp-log2')@4")
    ideal = 7 + 7 / math.log2(3) + 3 / 2 + 1 / math.log2(5)
    assert found.ranking.schema == RANKING
    assert found.ranking.drop("part").rows() == [
        (1, "A", 3.0, 7.0, 1.0, 7.0, 7.0),
        (2, "B", 1.0, 1.0, 1 / math.log2(3), 1 / math.log2(3), 7 + 1 / math.log2(3)),
        (3, "x", None, 0.0, 0.5, 0.0, 7 + 1 / math.log2(3)),
        (4, "C", 0.0, 0.0, 1 / math.log2(5), 0.0, 7 + 1 / math.log2(3)),
    ]
    assert found.ideal_dcg == pytest.approx(ideal)
    assert found.dcg == pytest.approx(7 + 1 / math.log2(3))
    assert found.value == pytest.approx((7 + 1 / math.log2(3)) / ideal)


def test_the_ideal_ranking_tells_what_was_not_returned_and_what_it_cost() -> None:
    found = explained(SEED, SEED_RUN, "nDCG@4")
    assert found.ideal.schema == IDEAL
    assert found.ideal.select("place", "doc_id", "grade", "rank").rows() == [
        (1, "A", 3.0, 1),
        (2, "E", 3.0, None),
        (3, "D", 2.0, None),
        (4, "B", 1.0, 2),
    ]
    ideal = 3 + 3 / math.log2(3) + 2 / 2 + 1 / math.log2(5)
    assert found.not_returned.select("doc_id", "loss").rows() == [
        ("E", pytest.approx(3 / math.log2(3) / ideal)),
        ("D", pytest.approx(1 / ideal)),
    ]


def test_a_missing_query_is_explained_by_all_that_it_lacks() -> None:
    grades: Grades = SEED | {"q2": {"a": 1, "b": 2}}
    found = explained(grades, SEED_RUN, "nDCG@4", "q2")
    assert (found.value, found.missing, found.undefined, found.retrieved) == (0.0, True, False, 0)
    assert found.ranking.height == 0
    assert found.not_returned["doc_id"].to_list() == ["b", "a"]
    assert found.not_returned["loss"].sum() == pytest.approx(1)


def test_a_value_that_cannot_be_computed_is_null_in_every_place() -> None:
    found = explained({"q1": {"A": 2000, "B": 1}}, {"q1": {"B": 2, "A": 1}}, "nDCG(dcg='exp-log2')@4")
    assert (found.value, found.dcg, found.ideal_dcg) == (None, None, None)
    assert found.ranking["gain"].to_list() == [1.0, None]
    assert found.ideal["loss"].to_list() == [None]


def test_ranks_below_100_are_shown_where_they_are_judged() -> None:
    grades: Grades = {"q1": {"d150": 1, "d001": 1}}
    scores: Scored = {"q1": {f"d{rank:03}": float(-rank) for rank in range(1, 201)}}
    found = explained(grades, scores, "nDCG@200")
    assert found.ranking.height == 101
    assert found.ranking.tail(1).select("rank", "doc_id", "gain").rows() == [(150, None, 1.0)]
    assert found.ranking["part"].sum() == pytest.approx(found.value)


NAMES = [
    "nDCG@3",
    "nDCG(dcg='exp-log2')@2",
    "DCG@3",
    "P@3",
    "P(rel=2)@3",
    "R@2",
    "Success@2",
    "RR",
    "RR@2",
    "AP",
    "AP@3",
    "Judged@3",
]


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(-1, 3), min_size=1),
    st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([1.0, 2.0, 3.0]), min_size=1),
    st.sampled_from(NAMES),
    st.integers(1, 2),
)
def test_the_parts_add_up_to_the_value(
    grades: dict[str, float], scores: dict[str, float], name: str, level: int
) -> None:
    found = explained({"q1": grades}, {"q1": scores}, name, relevance_level=level)
    measure = Measure.parse(name)
    whole = score(
        qrels_of({"q1": grades}), run_of({"q1": grades}, {"q1": scores}), [measure], Conventions(relevance_level=level)
    )[measure]
    assert found.value == whole.mean
    assert found.ranking["part"].sum() == pytest.approx(found.value, abs=1e-12)
    if measure.name == "nDCG" and not found.undefined:
        assert found.ideal["loss"].sum() == pytest.approx(1 - whole.values[0], abs=1e-12)
