"""Ties: the worst and the best order are what trying every order would find."""

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model.measure import Measure
from core.scoring.engine import values_of
from core.scoring.judged import judged
from core.scoring.ties import tie_orders
from tests.scoring.collections import Grades, Scored, naive, qrels_of, ranked, run_of

ASKED = ["nDCG@2", "nDCG(dcg='exp-log2')@3", "DCG@3", "AP", "RR", "P@2", "R@2", "Success@1", "Judged@2"]


def every_order(scores: dict[str, float]) -> list[list[str]]:
    """All rankings that the scores allow."""
    groups = [[doc for doc in scores if scores[doc] == level] for level in sorted(set(scores.values()), reverse=True)]
    return [[doc for group in order for doc in group] for order in product(*map(permutations, groups))]


def bounds(grades: Grades, scores: Scored, name: str) -> tuple[float, float]:
    qrels, measure = qrels_of(grades), Measure.parse(name)
    orders = tie_orders(run_of(grades, scores), measure, 1)
    worst, best = (values_of(hits, judged(qrels), [measure], 1)[measure] for hits in (orders.worst, orders.best))
    return float(worst[0]), float(best[0])


@given(
    st.dictionaries(st.sampled_from("abcde"), st.integers(-1, 3), min_size=1),
    st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from([1.0, 2.0]), min_size=1, max_size=6),
    st.sampled_from(ASKED),
)
@settings(max_examples=150)
def test_no_order_of_equal_scores_is_worse_or_better(
    grades: dict[str, float], scores: dict[str, float], name: str
) -> None:
    values = [naive(grades, order, Measure.parse(name)) for order in every_order(scores)]
    assert bounds({"q": grades}, {"q": scores}, name) == pytest.approx((min(values), max(values)), abs=1e-12)


def test_without_ties_nothing_moves() -> None:
    grades: Grades = {"q": {"a": 1, "b": 2}}
    scores: Scored = {"q": {"a": 2, "x": 1.5, "b": 1}}
    value = naive(grades["q"], ranked(scores["q"]), Measure.parse("nDCG@3"))
    assert bounds(grades, scores, "nDCG@3") == (value, value)
