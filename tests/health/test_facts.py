"""Facts: coverage and judgments in numbers that can be counted by hand."""

from core.health import GRADE_COUNTS, JUDGMENT_COUNTS, RUN_FACTS, grade_counts, judgment_counts, run_facts, shown
from core.model.conventions import Conventions
from core.model.measure import Measure
from tests.scoring.collections import Grades, qrels_of, run_of

GRADES: Grades = {"a": {"d1": 2, "d2": 0, "d3": -1}, "b": {"d1": 2}, "c": {"d9": 0}}


def test_each_run_is_counted() -> None:
    first = run_of(GRADES, {"a": {"d1": 2, "x": 2, "y": 1}, "b": {"d1": 1}, "z": {"d1": 1}}, "first")
    second = run_of(GRADES, {"a": {}}, "second")
    found = run_facts(shown(qrels_of(GRADES), [first, second], Measure.parse("nDCG@2"), Conventions(), []))
    assert found.schema == RUN_FACTS
    assert found.rows() == [("first", 2, 1, 1, 2.0, 2 / 3, 1), ("second", 0, 3, 0, None, None, 0)]


def test_grades_and_judgments_are_counted() -> None:
    qrels = qrels_of(GRADES)
    assert grade_counts(qrels).schema == GRADE_COUNTS
    assert grade_counts(qrels).rows() == [(-1.0, 1), (0.0, 2), (2.0, 2)]
    assert judgment_counts(qrels).schema == JUDGMENT_COUNTS
    assert judgment_counts(qrels).rows() == [("a", 3, 1), ("b", 1, 1), ("c", 1, 0)]
