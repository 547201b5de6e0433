"""Finding: the title of a page says what the runs show, and nothing stronger than the verdict."""

import numpy as np
import pytest

from core.comparison.finding import finding
from core.model.measure import Measure
from core.statistics.evidence import Answered
from core.statistics.paired import Pair, PairStatistics, compare_family
from tests.comparison.collections import comparison_of, ranked

NDCG = Measure("nDCG", 10)
MADE = comparison_of({"a": {"d1": 1.0}}, {"old": {"a": ranked("x", "d1")}, "new": {"a": ranked("d1")}})
NOISE = np.tile([0.01, -0.01], 30)
# Differences for each case of the verdict.
CASES: dict[str, tuple[list[float], Answered | None]] = {
    "identical": ([0.0] * 40, None),
    "unanswered": ([0.1, -0.1] * 20, Answered(40, 10, 40)),
    "too-few": ([0.1, 0.2, -0.1], None),
    "few-queries": ([0.9, *(NOISE[:39] / 10)], None),
    "better": (list(NOISE + 0.05), None),
    "worse": (list(NOISE - 0.05), None),
    "no-difference-that-matters": (list(NOISE + 0.001), None),
    "no-clear-difference": (list(20 * NOISE + 0.02), None),
}
TITLES = {
    "identical": "new and old score the same",
    "unanswered": "Not a fair comparison: too many queries are unanswered",
    "too-few": "new is 0.067 ahead of old, on too few queries to judge",
    "few-queries": "A few queries drive new ahead of old",
    "better": "new beats old by 0.050",
    "worse": "new does not beat old: it is 0.050 behind",
    "no-difference-that-matters": "No difference that matters between new and old",
    "no-clear-difference": "No clear difference between new and old",
}


def family(*cases: str) -> list[PairStatistics]:
    names = ("new", "third", "fourth")
    return compare_family(
        [Pair(name, *CASES[case]) for name, case in zip(names, cases, strict=False)], "old", "nDCG@10"
    )


@pytest.mark.parametrize("case", CASES)
def test_the_title_says_what_the_verdict_says(case: str) -> None:
    [pair] = family(case)
    assert pair.verdict.case == case
    found = finding(MADE, "old", NDCG, [pair])
    assert (found.title, found.sentence, found.candidate) == (TITLES[case], pair.verdict.sentence, "new")


def test_the_candidate_with_the_highest_mean_stands_for_all() -> None:
    found = finding(MADE, "old", NDCG, family("worse", "better", "identical"))
    assert (found.candidate, found.title) == ("third", "third beats old by 0.050")


def test_where_every_candidate_is_worse_the_closest_is_named() -> None:
    pairs = compare_family([Pair("new", NOISE - 0.05), Pair("third", NOISE - 0.03)], "old", "nDCG@10")
    assert finding(MADE, "old", NDCG, pairs).title == "No run beats old: third comes closest, 0.030 behind"


def test_a_tiny_lead_is_not_shown_as_zero() -> None:
    [pair] = compare_family([Pair("new", [0.0001, 0.0, 0.0])], "old", "nDCG@10")
    assert (
        finding(MADE, "old", NDCG, [pair]).title == "new is less than 0.001 ahead of old, on too few queries to judge"
    )


def test_a_single_run_tells_its_score_and_asks_for_another() -> None:
    found = finding(MADE, "old", NDCG, [])
    assert (found.title, found.sentence, found.candidate) == (
        "old scores 0.631 nDCG@10", "Bring a second run to compare.", None,
    )  # fmt: skip


def test_a_score_that_cannot_be_computed_is_said_to_be_so() -> None:
    huge = comparison_of({"a": {"d1": 1001.0}}, {"old": {"a": ranked("d1")}})
    exponential = Measure("nDCG", 10, "exponential")
    assert finding(huge, "old", exponential, []).title == "nDCG(dcg='exp-log2')@10 of old cannot be computed"
