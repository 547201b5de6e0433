"""Scenarios: grading unjudged documents in the collection itself gives the same values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.conventions import Conventions
from core.model.measure import Measure
from core.scoring.scenarios import scenarios
from tests.scoring.collections import Grades, Scored, naive, qrels_of, ranked, run_of

K = 3
MEASURES = [Measure.parse("nDCG@3"), Measure.parse("nDCG(dcg='exp-log2')@3")]
grades_of = st.dictionaries(st.sampled_from("abcd"), st.integers(-1, 3), min_size=1)
scores_of = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([1.0, 2.0, 3.0, 4.0]), min_size=1)
queries = st.sampled_from(["q1", "q2"])


def graded(grades: Grades, old: Scored, new: Scored, name: str) -> Grades:
    """The judgments with some unjudged documents at the top grade, said with sets."""
    top = max(grade for docs in grades.values() for grade in docs.values())
    result: Grades = {}
    for query, docs in grades.items():
        before, after = (set(ranked(run.get(query, {}))[:K]) - set(docs) for run in (old, new))
        chosen = {
            "none": set(),
            "all": before | after,
            "candidate-only": after - before,
            "baseline-only": before - after,
        }
        result[query] = docs | dict.fromkeys(chosen[name], top)
    return result


@given(
    st.dictionaries(queries, grades_of, min_size=2),
    st.dictionaries(queries, scores_of, min_size=1),
    st.dictionaries(queries, scores_of, min_size=1),
    st.sampled_from(MEASURES),
)
def test_each_scenario_is_the_comparison_after_such_judging(
    grades: Grades, old: Scored, new: Scored, measure: Measure
) -> None:
    found = scenarios(qrels_of(grades), run_of(grades, old), run_of(grades, new), measure, Conventions())
    assert [scenario.name for scenario in found] == ["none", "all", "candidate-only", "baseline-only"]
    for scenario in found:
        judged = graded(grades, old, new, scenario.name)
        assert scenario.graded == sum(map(len, judged.values())) - sum(map(len, grades.values()))
        for scored, run in ((scenario.baseline, old), (scenario.candidate, new)):
            expected = [naive(judged[query], ranked(run.get(query, {})), measure) for query in sorted(grades)]
            assert scored.values.tolist() == pytest.approx(expected, abs=1e-12)


def test_scenarios_do_not_look_deeper_than_the_documents_kept() -> None:
    grades: Grades = {"q": {"a": 1}}
    run = run_of(grades, {"q": {"a": 1}})
    with pytest.raises(ValueError, match="known down to rank 100"):
        scenarios(qrels_of(grades), run, run, Measure.parse("nDCG@101"), Conventions())
