"""What would fix it: against scoring the changed ranking from the start."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.what_would_fix import FIXES, what_would_fix
from core.model.measure import Gain, Measure
from tests.comparison.collections import SEED, SEED_RUN, comparison_of, ranked
from tests.scoring.collections import naive


def test_in_the_seed_example_the_missed_document_would_give_most() -> None:
    comparison = comparison_of(SEED, {"run": SEED_RUN})
    found = what_would_fix(comparison, "run", "seed", Measure("nDCG", 4))
    assert found.schema == FIXES
    assert found.select("doc_id", "rank").rows() == [("d5", None), ("d1", 1), ("d4", 4), ("d2", 2)]
    first = found.row(0, named=True)
    # 3 at rank 1, then 3, 1, 0: the 2 falls out of the top.
    assert first["value"] == pytest.approx(naive(SEED["seed"], ["d5", "d1", "d2", "d3"], Measure("nDCG", 4)), abs=1e-12)
    assert found["improvement"].to_list()[1] == 0.0
    # A 2 before the 3 that stands on top is no improvement.
    assert found["improvement"].to_list()[2] < 0


def test_a_missing_query_would_be_mended_by_any_relevant_document() -> None:
    comparison = comparison_of({"q": {"a": 2, "b": 1}, "r": {"a": 1}}, {"run": {"r": ranked("a")}})
    found = what_would_fix(comparison, "run", "q", Measure("nDCG", 2))
    assert found["doc_id"].to_list() == ["a", "b"]
    assert found["improvement"].to_list() == found["value"].to_list()


def test_nothing_can_be_mended_where_the_query_is_undefined_or_has_no_value() -> None:
    comparison = comparison_of({"q": {"a": 0}, "r": {"a": 2000}}, {"run": {"q": ranked("a"), "r": ranked("a")}})
    assert what_would_fix(comparison, "run", "q", Measure("nDCG", 2)).is_empty()
    assert what_would_fix(comparison, "run", "r", Measure("nDCG", 2, "exponential")).is_empty()
    with pytest.raises(KeyError):
        what_would_fix(comparison, "run", "unknown", Measure("nDCG", 2))


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(-1, 3), min_size=1),
    st.permutations("abcdefgh"),
    st.integers(1, 8),
    st.integers(1, 6),
    st.sampled_from(["linear", "exponential"]),
)
def test_each_value_is_the_score_of_the_changed_ranking(
    grades: dict[str, float], order: list[str], returned: int, k: int, gain: Gain
) -> None:
    documents, measure = order[:returned], Measure("nDCG", k, gain)
    comparison = comparison_of({"q": grades}, {"run": {"q": ranked(*documents)}})
    found = what_would_fix(comparison, "run", "q", measure)
    relevant = {doc for doc, grade in grades.items() if grade > 0}
    assert set(found["doc_id"]) == relevant
    for row in found.iter_rows(named=True):
        changed = [row["doc_id"], *(doc for doc in documents if doc != row["doc_id"])]
        assert row["value"] == pytest.approx(naive(grades, changed, measure), abs=1e-12)
        assert row["rank"] == (documents.index(row["doc_id"]) + 1 if row["doc_id"] in documents else None)
    assert found["improvement"].to_list() == sorted(found["improvement"].to_list(), reverse=True)
