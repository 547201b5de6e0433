"""Sources: the parts add up to the totals, and are what a count by hand gives."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.sources import SOURCES, by_source, source_columns
from core.model.measure import Gain, Measure
from core.slices import NONE
from tests.comparison.collections import SEED, SEED_RUN, comparison_of, ranked

DOCUMENTS = {
    "doc_id": ["d1", "d2", "d3", "d4", "d5"],
    "title": ["One", "Two", "Three", "Four", "Five"],
    "source": ["wiki", "wiki", "mail", "mail", "docs"],
    "language": ["en"] * 5,
}


def test_only_columns_that_group_documents_are_sources() -> None:
    assert source_columns(comparison_of(SEED, {"run": SEED_RUN}, documents=DOCUMENTS)) == ("source",)
    assert source_columns(comparison_of(SEED, {"run": SEED_RUN})) == ()


def test_the_seed_example_loses_most_by_the_missed_document() -> None:
    comparison = comparison_of(SEED, {"run": SEED_RUN}, documents=DOCUMENTS)
    found = by_source(comparison, "run", Measure("nDCG", 4), "source")
    assert found.schema == SOURCES
    rows = {row["source"]: row for row in found.iter_rows(named=True)}
    assert list(rows) == ["mail", "wiki", "docs"]
    assert (rows["mail"]["top"], rows["wiki"]["top"], rows["docs"]["top"]) == (2, 2, 0)
    assert rows["wiki"]["gained"] == pytest.approx(3 + 1 / math.log2(3))
    assert rows["docs"]["lost"] == pytest.approx(3 / math.log2(3))
    assert rows["mail"]["lost"] == pytest.approx(2 / 2 - 2 / math.log2(5))
    assert rows["wiki"]["lost"] == pytest.approx(1 / math.log2(5) - 1 / math.log2(3))
    assert found["lost_share"].sum() == pytest.approx(1)


def test_a_document_without_a_source_is_counted() -> None:
    documents: dict[str, list[Any]] = {"doc_id": ["d1", "d2", "d3"], "source": ["wiki", "mail", None]}
    found = by_source(comparison_of(SEED, {"run": SEED_RUN}, documents=documents), "run", Measure("nDCG", 4), "source")
    assert found.row(-1, named=True)["source"] == NONE
    assert found["top"].to_list() == [1, 1, 2]


def test_shares_of_nothing_are_empty_and_missing_queries_lose_their_whole_ideal() -> None:
    grades = {"q": {"d1": 2.0}, "r": {"d2": 0.0}}
    comparison = comparison_of(grades, {"run": {"r": ranked("d2")}}, documents=DOCUMENTS)
    found = by_source(comparison, "run", Measure("nDCG", 4), "source")
    assert found["gained_share"].to_list() == [None]
    assert found["lost"].to_list() == [2.0]
    left_out = comparison_of(grades, {"run": {"r": ranked("d2")}}, documents=DOCUMENTS, missing="exclude")
    assert by_source(left_out, "run", Measure("nDCG", 4), "source")["lost_share"].to_list() == [None]


def test_what_is_not_known_is_refused() -> None:
    comparison = comparison_of(SEED, {"run": SEED_RUN}, documents=DOCUMENTS)
    with pytest.raises(KeyError):
        by_source(comparison, "run", Measure("nDCG", 4), "language")
    with pytest.raises(ValueError, match="down to rank 100"):
        by_source(comparison, "run", Measure("nDCG", 101), "source")


NAMES = [f"d{at}" for at in range(1, 9)]


@given(
    st.dictionaries(
        st.sampled_from(["q1", "q2", "q3"]),
        st.dictionaries(st.sampled_from(NAMES), st.integers(-1, 3), min_size=1),
        min_size=1,
    ),
    st.dictionaries(
        st.sampled_from(["q1", "q2", "q3"]),
        st.dictionaries(st.sampled_from(NAMES), st.sampled_from([1.0, 2.0, 3.0]), min_size=1),
    ),
    st.integers(1, 5),
    st.sampled_from(["linear", "exponential"]),
    st.sampled_from(["zero", "exclude"]),
)
def test_the_sources_add_up_to_what_the_leaderboard_uses(grades, scores, k: int, gain: Gain, missing: str) -> None:  # type: ignore[no-untyped-def]  # hypothesis gives the types above
    answered = {query: docs for query, docs in scores.items() if query in grades}
    if not answered:
        return
    comparison = comparison_of(grades, {"run": answered}, documents=DOCUMENTS, missing=missing)
    found = by_source(comparison, "run", Measure("nDCG", k, gain), "source")
    scored = comparison.all_scores("run", [Measure("DCG", k, gain), Measure("IDCG", k, gain), Measure("nDCG", k, gain)])
    dcg, ideal, ndcg = scored.values()
    assert found["gained"].sum() == pytest.approx(dcg.values[ndcg.counted].sum(), abs=1e-9)
    assert found["lost"].sum() == pytest.approx((ideal.values - dcg.values)[ndcg.counted].sum(), abs=1e-9)
    assert found["top"].sum() == sum(min(k, len(docs)) for docs in answered.values())
    for share in ("top_share", "gained_share", "lost_share"):
        known = found[share].drop_nulls()
        assert known.is_empty() or known.sum() == pytest.approx(1)
    every = np.ones(len(comparison.qrels.queries), bool)
    assert by_source(comparison, "run", Measure("nDCG", k, gain), "source", every).equals(found)
