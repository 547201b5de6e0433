import pytest

from core.comparison.qrels_versions import CROSSED, GRADES, agreement, order_tau, verdicts
from core.model.measure import Measure
from tests.comparison.made import collection, comparison_of
from tests.scoring.collections import Grades, qrels_of

NDCG = Measure("nDCG", 3)
BEFORE: Grades = {"q1": {"a": 2.0, "b": 0.0, "c": 1.0}, "q2": {"a": 1.0, "d": 3.0}}
AFTER: Grades = {"q1": {"a": 2.0, "b": 1.0, "x": 1.0}, "q2": {"a": 3.0, "d": 3.0}, "q3": {"z": 1.0}}


def test_agreement_is_counted_over_the_pairs_that_both_judge() -> None:
    found = agreement(qrels_of(BEFORE), qrels_of(AFTER))
    assert found.grades.schema == GRADES
    assert found.both.height == 4
    assert found.same == 0.5
    assert found.same_side == 0.75  # b became relevant, a of q2 was already
    assert (found.added, found.removed) == (2, 1)


def test_changed_grades_are_listed_the_largest_change_first() -> None:
    found = agreement(qrels_of(BEFORE), qrels_of(AFTER))
    assert found.changed.rows() == [("q2", "a", 1.0, 3.0), ("q1", "b", 0.0, 1.0)]
    assert found.crossed.schema == CROSSED
    assert found.crossed.rows() == [(0.0, 1.0, 1), (1.0, 3.0, 1), (2.0, 2.0, 1), (3.0, 3.0, 1)]


def test_the_relevance_level_decides_which_side_a_grade_is_on() -> None:
    assert agreement(qrels_of(BEFORE), qrels_of(AFTER), level=2).same_side == 0.75  # a of q2 became relevant, b did not


def test_versions_without_a_pair_in_common_have_no_agreement() -> None:
    found = agreement(qrels_of({"q": {"a": 1.0}}), qrels_of({"q": {"b": 1.0}}))
    assert found.same is found.same_side is None
    assert found.changed.is_empty()


def test_a_verdict_moves_where_the_judgments_change_sides() -> None:
    grades: Grades = {f"q{at:02}": {"a": 2.0, "b": 0.0} for at in range(40)}
    turned: Grades = {f"q{at:02}": {"a": 0.0, "b": 2.0} for at in range(40)}
    first = {query: {"a": 2.0, "b": 1.0} for query in grades}
    second = {query: {"b": 2.0, "a": 1.0} for query in grades}
    before, after = (comparison_of(version, {"old": first, "new": second}) for version in (grades, turned))
    [moved] = verdicts(before, after, "old", NDCG)
    assert (moved.before.verdict.case, moved.after.verdict.case) == ("worse", "better")
    assert moved.moves
    assert order_tau(before, after, NDCG) == -1.0
    [same] = verdicts(before, before, "old", NDCG)
    assert not same.moves
    assert order_tau(before, before, NDCG) == 1.0


def test_runs_that_only_one_version_could_read_are_left_out() -> None:
    made = collection()
    fewer = comparison_of(made.grades, {"old": made.scored["old"]})
    assert verdicts(made.comparison, fewer, "old", NDCG) == []
    assert verdicts(made.comparison, fewer, "new", NDCG) == []
    assert order_tau(made.comparison, fewer, NDCG) is None


@pytest.mark.parametrize("empty", [{}, {"old": {}}])
def test_without_candidates_no_verdict_can_move(empty: dict[str, dict[str, dict[str, float]]]) -> None:
    made = comparison_of(BEFORE, {"old": {"q1": {"a": 1.0}}, **empty})
    assert verdicts(made, made, "old", NDCG) == []
