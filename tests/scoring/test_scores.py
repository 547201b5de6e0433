"""Scores: what stays in the mean, what is marked, what cannot be computed."""

import math
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.model.conventions import Conventions
from core.model.frames import SCORES
from core.model.measure import Measure
from core.scoring.scores import Scores, mean, score, score_queries
from tests.scoring.collections import Grades, Scored, qrels_of, run_of

# a is answered, b is missing, c has nothing relevant, d is both missing and without anything relevant.
GRADES: Grades = {"a": {"d1": 1, "d2": 2}, "b": {"d1": 1}, "c": {"d1": 0, "d2": -1}, "d": {"d1": 0}}
SCORES_OF_RUN: Scored = {"a": {"d2": 2, "d1": 1}, "c": {"d1": 1}, "z": {"d1": 1}}


def scored(
    name: str, missing: Literal["zero", "exclude"] = "zero", undefined: Literal["zero", "exclude"] = "zero"
) -> Scores:
    measure = Measure.parse(name)
    conventions = Conventions(missing=missing, undefined=undefined)
    return score(qrels_of(GRADES), run_of(GRADES, SCORES_OF_RUN), [measure], conventions)[measure]


@pytest.mark.parametrize(
    ("missing", "undefined", "expected"),
    [("zero", "zero", 1 / 4), ("exclude", "zero", 1 / 2), ("zero", "exclude", 1 / 2), ("exclude", "exclude", 1.0)],
)
def test_the_conventions_decide_who_is_in_the_mean(
    missing: Literal["zero", "exclude"], undefined: Literal["zero", "exclude"], expected: float
) -> None:
    for name in ("nDCG@10", "nDCG(dcg='exp-log2')@10", "R@10", "RR", "AP@5"):
        found = scored(name, missing, undefined)
        assert found.mean == expected
        assert found.missing.tolist() == [False, True, False, True]
        assert found.undefined.tolist() == [False, False, True, True]
        assert found.mean_excluding_undefined == (1.0 if missing == "exclude" else 0.5)


@pytest.mark.parametrize("name", ["P@10", "Success@10", "Judged@10", "DCG@10", "IDCG@10"])
def test_counts_and_sums_are_never_undefined(name: str) -> None:
    assert not scored(name, undefined="exclude").undefined.any()


def test_undefined_belongs_to_the_measure() -> None:
    qrels = qrels_of({"q": {"d1": 1}})
    run = run_of({"q": {"d1": 1}}, {"q": {"d1": 1}})
    asked = [Measure.parse(name) for name in ("nDCG@5", "nDCG(gains={1:0,2:1})@5", "R@5", "AP(rel=1)@5")]
    found = score(qrels, run, asked, Conventions(relevance_level=2))
    assert [bool(found[measure].undefined[0]) for measure in asked] == [False, True, True, False]


def test_the_relevance_level_does_not_touch_ndcg() -> None:
    qrels, run = qrels_of(GRADES), run_of(GRADES, SCORES_OF_RUN)
    asked = [Measure.parse(name) for name in ("nDCG@5", "P@2")]
    first, second = (score(qrels, run, asked, Conventions(relevance_level=level)) for level in (1, 2))
    assert first[asked[0]].values.tolist() == second[asked[0]].values.tolist()
    assert (first[asked[1]].mean, second[asked[1]].mean) == (1 / 4, 1 / 8)


def test_the_frame_of_scores_keeps_its_schema() -> None:
    frame = score_queries(
        qrels_of(GRADES), run_of(GRADES, SCORES_OF_RUN), Measure.parse("nDCG@10"), Conventions("exclude")
    )
    assert frame.schema == SCORES
    assert frame.rows() == [
        ("a", 1.0, False, False, True),
        ("b", 0.0, True, False, False),
        ("c", 0.0, False, True, True),
        ("d", 0.0, True, True, False),
    ]


def test_an_exponential_value_beyond_a_grade_of_1000_is_null_for_its_query_and_its_mean() -> None:
    grades: Grades = {"a": {"d": 1001, "e": 1}, "b": {"d": 1000, "e": 999}}
    qrels, run = qrels_of(grades), run_of(grades, {"a": {"d": 2, "e": 1}, "b": {"e": 2, "d": 1}})
    exponential, linear = Measure.parse("nDCG(dcg='exp-log2')@10"), Measure.parse("nDCG@10")
    found = score(qrels, run, [exponential, linear])
    assert score_queries(qrels, run, exponential)["score"].to_list() == [None, pytest.approx(0.8597, abs=1e-4)]
    assert found[exponential].mean is None
    assert not found[exponential].undefined.any()
    assert found[linear].mean == pytest.approx((1 + (999 + 1000 / math.log2(3)) / (1000 + 999 / math.log2(3))) / 2)


def test_a_mean_over_no_queries_is_null() -> None:
    grades: Grades = {"a": {"d": 0}}
    found = score(
        qrels_of(grades), run_of(grades, {"a": {"d": 1}}), [Measure.parse("nDCG@1")], Conventions(undefined="exclude")
    )
    assert found[Measure.parse("nDCG@1")].mean is None


def test_a_run_without_a_judged_query_is_refused() -> None:
    with pytest.raises(InputError, match="bm25: no query in common"):
        score(qrels_of(GRADES), run_of(GRADES, {"other": {"d1": 1}}), [Measure.parse("nDCG@1")])


def test_custom_gains_refuse_a_grade_that_they_lack() -> None:
    qrels, run = qrels_of(GRADES), run_of(GRADES, SCORES_OF_RUN)
    with pytest.raises(InputError, match="the gains given lack 1 of the grades in the judgments: 2"):
        score(qrels, run, [Measure.parse("nDCG(gains={1:1})@5")])
    # Grades of 0 and below need no gain of their own, and may have one.
    assert (
        score(qrels, run, [Measure.parse("nDCG(gains={1:1,2:10})@5")])[Measure.parse("nDCG(gains={1:1,2:10})@5")].mean
        == 1 / 4
    )
    rated = Measure.parse("nDCG(gains={0:0.1,1:1,2:10})@5")
    assert score(qrels, run, [rated])[rated].values.tolist() == [1.0, 0.0, 1.0, 0.0]


def test_the_ideal_belongs_to_the_judgments_and_not_to_the_run() -> None:
    assert scored("IDCG@1").values.tolist() == [2.0, 1.0, 0.0, 0.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=300))
def test_the_mean_is_that_of_numpy_and_does_not_depend_on_the_order(values: list[float]) -> None:
    array = np.array(values)
    assert mean(array) == pytest.approx(float(np.mean(array)), abs=1e-12)
    assert mean(array) == mean(array[::-1]) == mean(np.sort(array))


def test_the_mean_of_huge_sums_of_gains_does_not_overflow() -> None:
    assert mean(np.full(300_000, 1e304)) == pytest.approx(1e304, rel=1e-12)
