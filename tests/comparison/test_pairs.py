"""Pairs: which queries two runs are compared on, and their differences by hand."""

from typing import Any

import numpy as np
import pytest

from core.comparison.pairs import against_baseline, answered, by_slice, compared, differences
from core.model.measure import Measure
from core.slices import slice_columns, split_lists
from core.statistics.evidence import Answered
from tests.comparison.collections import comparison_of, ranked

RR = Measure("RR")
NDCG = Measure("nDCG", 10)
EXPONENTIAL = Measure("nDCG", 10, "exponential")

# The relevant document stands at ranks 1, 2, 4 in "old" and 2, 2, 1 in "new"; nothing is relevant for u; "new" misses d.
GRADES = {"a": {"good": 1.0}, "b": {"good": 1.0}, "c": {"good": 1.0}, "d": {"good": 1.0}, "u": {"bad": 0.0}}
AT = {rank: ranked(*[f"x{at}" for at in range(1, rank)], "good") for rank in (1, 2, 4)}
RUNS = {
    "old": {"a": AT[1], "b": AT[2], "c": AT[4], "d": AT[1], "u": AT[1]},
    "new": {"a": AT[2], "b": AT[2], "c": AT[1], "u": AT[2]},
}
D = {"a": 1 / 2 - 1, "b": 0.0, "c": 1 - 1 / 4, "d": 0 - 1.0, "u": 0.0}


def pairs_of(**conventions: Any) -> dict[str, float]:
    made = comparison_of(GRADES, RUNS, **conventions)
    found = differences(made, "new", "old", RR)
    return {made.qrels.queries[at]: d for at, d in zip(found.queries.tolist(), found.d.tolist(), strict=True)}


def test_differences_are_candidate_minus_baseline_on_every_judged_query() -> None:
    assert pairs_of() == D


def test_a_query_that_either_run_misses_leaves_the_pair_where_missing_ones_are_left_out() -> None:
    assert pairs_of(missing="exclude") == {query: D[query] for query in "abcu"}
    made = comparison_of(GRADES, RUNS, missing="exclude")
    assert differences(made, "old", "new", RR).d.tolist() == [-D[query] for query in "abcu"]


def test_an_undefined_query_leaves_the_pair_where_undefined_ones_are_left_out() -> None:
    assert pairs_of(undefined="exclude") == {query: D[query] for query in "abcd"}
    assert pairs_of(missing="exclude", undefined="exclude") == {query: D[query] for query in "abc"}


def test_only_the_queries_looked_at_are_compared() -> None:
    made = comparison_of(GRADES, RUNS)
    where = np.array([True, False, True, False, False])
    found = differences(made, "new", "old", RR, where)
    assert (found.queries.tolist(), found.d.tolist()) == ([0, 2], [D["a"], D["c"]])


def test_a_value_that_cannot_be_computed_leaves_nothing_to_compare_unless_it_is_not_looked_at() -> None:
    grades = GRADES | {"b": {"good": 1.0, "huge": 1001.0}}
    made = comparison_of(grades, RUNS)
    assert not compared(made, "new", "old", EXPONENTIAL).any()
    assert compared(made, "new", "old", NDCG).all()
    assert compared(made, "new", "old", EXPONENTIAL, np.array([True, False, True, True, True])).sum() == 4
    [pair] = against_baseline(made, "old", EXPONENTIAL)
    assert (pair.n, pair.difference, pair.interval, pair.p_value) == (0, None, None, None)


def test_the_baseline_is_no_candidate_of_its_own() -> None:
    made = comparison_of(GRADES, RUNS | {"third": RUNS["old"]})
    assert [pair.candidate for pair in against_baseline(made, "old", RR)] == ["new", "third"]
    assert [pair.candidate for pair in against_baseline(made, "old", RR, ["third", "old"])] == ["third"]
    assert against_baseline(comparison_of(GRADES, {"old": RUNS["old"]}), "old", RR) == []


def test_a_pair_holds_its_difference_and_its_wins_ties_and_losses() -> None:
    [pair] = against_baseline(comparison_of(GRADES, RUNS), "old", RR)
    assert (pair.candidate, pair.baseline, pair.measure) == ("new", "old", "RR")
    assert pair.difference == pytest.approx((-0.5 + 0 + 0.75 - 1 + 0) / 5)
    assert (pair.n, pair.wins, pair.ties, pair.losses, pair.badly_hurt) == (5, 1, 2, 2, 2)
    # Three differences are not 0: the p-value is the share of the 8 ways to turn their signs that give a sum as far from 0.
    sums = [abs(a * 0.5 + b * 0.75 + c) for a in (1, -1) for b in (1, -1) for c in (1, -1)]
    assert pair.p_value == sum(value >= 0.75 for value in sums) / 8


def test_without_resampling_there_is_no_p_and_the_verdict_is_the_same() -> None:
    made = comparison_of(GRADES, RUNS)
    [with_p], [without] = (against_baseline(made, "old", RR, resample=each) for each in (True, False))
    assert without.p_value is without.p_holm is None
    assert (without.verdict, without.interval) == (with_p.verdict, with_p.interval)


def test_answered_queries_are_counted_for_both_runs_among_those_looked_at() -> None:
    made = comparison_of(GRADES, RUNS)
    assert answered(made, "new", "old") == Answered(5, 4, 5)
    assert answered(made, "new", "old", np.array([True, False, False, True, False])) == Answered(2, 1, 2)


def test_a_run_that_answers_under_half_of_the_queries_is_no_fair_comparison() -> None:
    made = comparison_of(GRADES, RUNS | {"new": {"a": AT[1], "b": AT[1]}})
    [pair] = against_baseline(made, "old", RR)
    assert pair.verdict.case == "unanswered"


def test_candidates_are_one_family() -> None:
    alone = against_baseline(comparison_of(GRADES, RUNS), "old", RR)[0]
    pair = against_baseline(comparison_of(GRADES, RUNS | {"third": RUNS["old"]}), "old", RR)[0]
    assert alone.interval == alone.interval_simultaneous == pair.interval
    assert pair.interval is not None
    assert pair.interval_simultaneous is not None
    assert pair.interval_simultaneous[0] < pair.interval[0] < pair.interval[1] < pair.interval_simultaneous[1]


def test_a_slice_has_the_queries_of_its_group_and_none_is_lost() -> None:
    made = comparison_of(GRADES, RUNS, queries={"query_id": ["a", "b", "c"], "intent": ["buy", "buy", "look"]})
    [intent] = made.slices
    rows = {row.value: row for row in by_slice(made, "old", RR, intent)}
    assert {value: row.n for value, row in rows.items()} == {"buy": 2, "(none)": 2, "look": 1}
    assert rows["buy"].difference == pytest.approx((D["a"] + D["b"]) / 2)
    assert rows["buy"].mean_baseline == pytest.approx(0.75)
    assert rows["buy"].mean_candidate == pytest.approx(0.5)
    assert rows["(none)"].difference == pytest.approx((D["d"] + D["u"]) / 2)
    assert rows["look"].interval is None
    assert all(row.p_bh is None and not row.finding for row in rows.values())


def test_missing_and_undefined_queries_left_out_are_in_no_slice() -> None:
    queries = {"query_id": list("abcdu"), "intent": ["buy", "buy", "look", "look", "look"]}
    made = comparison_of(GRADES, RUNS, queries=queries, missing="exclude", undefined="exclude")
    assert {row.value: row.n for row in by_slice(made, "old", RR, made.slices[0])} == {"buy": 2, "look": 1}


def test_a_query_with_a_list_is_in_every_group_of_it_once_lists_are_split() -> None:
    queries = {"query_id": list("abcdu"), "source": ["web|app", "web", "app", "web", "web|app"]}
    made = comparison_of(GRADES, RUNS, queries=queries)
    whole = next(column for column in slice_columns(made.qrels, made.queries) if column.name == "source")
    split = split_lists(whole)
    assert {row.value: row.n for row in by_slice(made, "old", RR, split)} == {"web": 4, "app": 3}
    assert sum(row.n for row in by_slice(made, "old", RR, whole)) == 5


def test_no_candidates_are_not_all_candidates() -> None:
    made = comparison_of(
        GRADES, RUNS, queries={"query_id": list("abcdu"), "intent": ["buy", "buy", "look", "look", "look"]}
    )
    assert against_baseline(made, "old", RR, []) == []
    assert by_slice(made, "old", RR, made.slices[0], []) == []
