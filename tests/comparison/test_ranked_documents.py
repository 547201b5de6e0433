"""Ranked documents: ties as they were ranked, metadata beside each document, and sums that a person can check."""

import pytest

from core.comparison.ranked_documents import ideal_in_words, ranked_documents, sum_in_words, ties
from core.model.measure import Measure
from core.scoring.explain import explain
from tests.comparison.collections import SEED, SEED_RUN, comparison_of, ranked

DOCUMENTS = {"doc_id": ["d1", "d3", "zz"], "title": ["One", "Three", "Other"], "source": ["wiki", "mail", "wiki"]}


def test_the_seed_example_adds_up_in_words() -> None:
    comparison = comparison_of(SEED, {"run": SEED_RUN})
    linear = explain(comparison.qrels, comparison.run("run"), "seed", Measure("nDCG", 4))
    assert sum_in_words(linear) == "3/1.000 + 1/1.585 + 2/2.322 = 4.492"
    assert ideal_in_words(linear) == "3/1.000 + 3/1.585 + 2/2.000 + 1/2.322 = 6.323"
    exponential = explain(comparison.qrels, comparison.run("run"), "seed", Measure("nDCG", 4, "exponential"))
    assert sum_in_words(exponential) == "7/1.000 + 1/1.585 + 3/2.322 = 8.923"
    assert ideal_in_words(exponential) == "7/1.000 + 7/1.585 + 3/2.000 + 1/2.322 = 13.347"
    assert (round(linear.value or 0, 3), round(exponential.value or 0, 3)) == (0.71, 0.669)
    assert sum_in_words(linear, most=1) == "3/1.000 + 2 more = 4.492"
    assert sum_in_words(explain(comparison.qrels, comparison.run("run"), "seed", Measure("P", 4))) == ""


def test_the_contributions_add_up_to_what_the_leaderboard_uses() -> None:
    comparison = comparison_of(SEED, {"run": SEED_RUN})
    for measure in (Measure("nDCG", 4), Measure("nDCG", 4, "exponential")):
        found = explain(comparison.qrels, comparison.run("run"), "seed", measure, comparison.conventions)
        assert found.ranking["dcg"].to_list()[-1] == found.dcg
        assert found.ideal["dcg"].to_list()[-1] == found.ideal_dcg
        assert found.value == found.dcg / found.ideal_dcg  # type: ignore[operator]  # both are numbers here
        assert comparison.mean("run", measure) == found.value


def test_documents_carry_their_metadata_and_unknown_ones_none() -> None:
    comparison = comparison_of(SEED, {"run": SEED_RUN}, documents=DOCUMENTS)
    found = explain(comparison.qrels, comparison.run("run"), "seed", Measure("nDCG", 4))
    rows = ranked_documents(comparison, "run", found)
    assert rows.select("doc_id", "title", "source").rows() == [
        ("d1", "One", "wiki"),
        ("d2", None, None),
        ("d3", "Three", "mail"),
        ("d4", None, None),
    ]


@pytest.mark.parametrize(
    ("order", "told"),
    [("score", [(1, "1–2"), (2, "1–2"), (3, "3–4"), (4, "3–4")]), ("score64", [(3, "3–4"), (4, "3–4")]), ("rank", [])],
)
def test_ties_are_those_of_the_scores_that_ranked(order: str, told: list[tuple[int, str]]) -> None:
    scores = {"q": {"a": 1.000000001, "b": 1.0, "c": 0.5, "d": 0.5, "e": 0.1}}
    comparison = comparison_of({"q": {"a": 1}}, {"run": scores}, order=order)
    assert ties(comparison, "run", "q").rows() == told


def test_a_query_that_is_not_answered_has_no_ranking() -> None:
    comparison = comparison_of({"q": {"a": 1}, "r": {"a": 1}}, {"run": {"r": ranked("a")}})
    assert ties(comparison, "run", "q").is_empty()
    found = explain(comparison.qrels, comparison.run("run"), "q", Measure("nDCG", 4))
    assert ranked_documents(comparison, "run", found).is_empty()
    assert sum_in_words(found) == "0 = 0.000"
