"""The engine equals pytrec_eval to the last bit, and the definition wherever pytrec_eval cannot go."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model.conventions import Conventions
from core.model.measure import Measure
from core.scoring import trec
from core.scoring.hits import hits_of
from core.scoring.judged import judged
from core.scoring.scores import score
from tests.scoring.collections import Grades, Scored, naive, qrels_of, ranked, run_of

CUTOFFS = [1, 2, 3, 5, 10, 1000]


def measures(*names: str) -> list[Measure]:
    return [Measure.parse(name) for text in names for name in text.split()]


def values(grades: Grades, scores: Scored, asked: list[Measure], **conventions: Any) -> dict[str, dict[str, float]]:
    """Query → measure's name → value, by the product."""
    qrels = qrels_of(grades)
    scored = score(qrels, run_of(grades, scores), asked, Conventions(**conventions))
    return {
        query: {str(measure): float(scored[measure].values[at]) for measure in asked}
        for at, query in enumerate(qrels.queries)
    }


def by_pytrec(grades: Grades, scores: Scored, asked: dict[str, str], level: int = 1) -> dict[str, dict[str, float]]:
    """Query → measure's name → value, by pytrec_eval; 0 for missing queries.

    Grades below −1 crash it, so they become −1; the query id "no_query" confuses it, so every id gets a letter.
    """
    clamped = {f"t{query}": {doc: max(int(at), -1) for doc, at in docs.items()} for query, docs in grades.items()}
    names = {name.rsplit("_", 1)[0] for name in asked.values() if name[-1].isdigit()}
    cut = {f"{name}.{','.join(map(str, CUTOFFS))}" for name in names}
    evaluator = pytrec_eval.RelevanceEvaluator(clamped, cut | {"map", "recip_rank"}, relevance_level=level)
    found = evaluator.evaluate({f"t{query}": docs for query, docs in scores.items() if docs})
    return {
        query: {ours: found.get(f"t{query}", {}).get(theirs, 0.0) for ours, theirs in asked.items()} for query in grades
    }


DOCUMENTS = [f"d{number}" for number in range(14)] + ["D", "é", "z/1"]


def collections(grade: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Grades, Scored]]:
    """Judgments and a run: ties, unjudged documents, missing queries, short runs, queries without judgments."""
    documents = st.sampled_from(DOCUMENTS)
    judgments = st.dictionaries(documents, grade, min_size=1, max_size=12)
    results = st.dictionaries(documents, st.sampled_from([3.0, 2.0, 1.5, 1.0, 0.0, -2.0, 1e-9, 7.25]), max_size=14)
    queries = st.sampled_from(["q1", "q2", "q10", "no_query", "é", "q 5"])
    return st.tuples(
        st.dictionaries(queries, judgments, min_size=1, max_size=5),
        st.dictionaries(queries, results, min_size=1, max_size=6),
    ).filter(lambda both: any(both[1].get(query) for query in both[0]))


def their_names() -> dict[str, str]:
    pairs = {"nDCG": "ndcg_cut", "P": "P", "R": "recall", "Success": "success", "AP": "map_cut"}
    named = {f"{ours}@{k}": f"{theirs}_{k}" for ours, theirs in pairs.items() for k in CUTOFFS}
    return named | {"AP": "map", "RR": "recip_rank"}


@given(collections(st.integers(-3, 5)), st.integers(1, 3))
@settings(max_examples=300)
def test_every_measure_equals_pytrec_eval_to_the_last_bit(collection: tuple[Grades, Scored], level: int) -> None:
    grades, scores = collection
    asked = their_names()
    ours = values(grades, scores, measures(*asked), relevance_level=level)
    assert ours == by_pytrec(grades, scores, asked, level)


@given(collections(st.integers(-3, 5)))
@settings(max_examples=200)
def test_our_own_arithmetic_for_linear_ndcg_equals_pytrec_eval_to_the_last_bit(
    collection: tuple[Grades, Scored],
) -> None:
    grades, scores = collection
    # A custom map of every grade to itself takes the way that pytrec_eval has no part in.
    own = {f"nDCG(gains={{1:1,2:2,3:3,4:4,5:5}})@{k}": f"ndcg_cut_{k}" for k in CUTOFFS}
    assert values(grades, scores, measures(*own)) == by_pytrec(grades, scores, own)


@given(collections(st.integers(-3, 16)))
@settings(max_examples=200)
def test_the_exponential_gain_equals_pytrec_eval_on_mapped_grades(collection: tuple[Grades, Scored]) -> None:
    grades, scores = collection
    mapped: Grades = {
        query: {doc: 2 ** max(grade, 0) - 1 for doc, grade in docs.items()} for query, docs in grades.items()
    }
    asked = {f"nDCG(dcg='exp-log2')@{k}": f"ndcg_cut_{k}" for k in CUTOFFS}
    assert values(grades, scores, measures(*asked)) == by_pytrec(mapped, scores, asked)


def test_exponential_gains_are_exact_for_whole_grades_up_to_30() -> None:
    grades: Grades = {"q": {f"d{grade}": grade for grade in range(31)}}
    scores: Scored = {"q": {f"d{grade}": 1.0 for grade in range(31)}}
    asked = measures("DCG(dcg='exp-log2')@31")
    expected = 0.0
    for rank, doc in enumerate(ranked(scores["q"]), 1):
        expected += (2 ** grades["q"][doc] - 1) / math.log2(rank + 1)
    assert values(grades, scores, asked)["q"] == {"DCG(dcg='exp-log2')@31": expected}


EVERYTHING = measures(
    "nDCG@3 nDCG@10 nDCG(dcg='exp-log2')@3 nDCG(gains={0:0.5,1:0,2:7,2.5:1})@4 DCG@3 DCG(dcg='exp-log2')@10 IDCG@3",
    "R@3 R(rel=2)@100 P@3 P(rel=2)@10 Success@2 RR@2 RR AP@3 AP AP(rel=2) Judged@3 Judged@10",
)


@given(collections(st.sampled_from([-1.5, -1, 0, 0.0, 0.5, 1, 2, 2.5])))
@settings(max_examples=200)
def test_fractional_grades_are_used_as_they_are(collection: tuple[Grades, Scored]) -> None:
    grades, scores = collection
    asked = [
        measure
        for measure in EVERYTHING
        if measure.gain != "custom" or all(0.5 not in d.values() for d in grades.values())
    ]
    ours = values(grades, scores, asked)
    for query, docs in grades.items():
        order = ranked(scores.get(query, {}))
        for measure in asked:
            assert ours[query][str(measure)] == pytest.approx(naive(docs, order, measure), abs=1e-12), measure


@given(collections(st.integers(-3, 5)), st.randoms())
def test_the_row_order_of_the_judgments_changes_nothing(collection: tuple[Grades, Scored], random: Any) -> None:
    grades, scores = collection
    queries = random.sample(sorted(grades), len(grades))
    shuffled = {
        query: {doc: grades[query][doc] for doc in random.sample(sorted(grades[query]), len(grades[query]))}
        for query in queries
    }
    asked = [measure for measure in EVERYTHING if measure.gain != "custom"]
    assert values(grades, scores, asked) == values(shuffled, scores, asked)


@given(collections(st.integers(-3, 5)))
def test_scores_stay_in_their_range(collection: tuple[Grades, Scored]) -> None:
    asked = [measure for measure in EVERYTHING if measure.gain != "custom" and measure.bounded]
    for row in values(*collection, asked).values():
        assert all(0.0 <= value <= 1.0 + 1e-12 for value in row.values()), row


SEED: Grades = {"q1": {"A": 3, "B": 1, "C": 0, "D": 2, "E": 3}}


def test_the_ideal_holds_judged_documents_that_were_not_returned() -> None:
    found = values(SEED, {"q1": {"A": 4, "B": 3, "C": 2, "D": 1}}, measures("nDCG@4", "nDCG(dcg='exp-log2')@4"))
    assert found["q1"]["nDCG@4"] == pytest.approx(0.710414667913779, abs=1e-15)
    assert found["q1"]["nDCG(dcg='exp-log2')@4"] == pytest.approx(0.6685274490004087, abs=1e-15)


def test_unjudged_documents_gain_nothing() -> None:
    found = values({"q": {"a": 1}}, {"q": {"x": 2, "a": 1}}, measures("nDCG@1", "DCG@2", "P@2", "Judged@2"))
    assert found["q"] == {"nDCG@1": 0.0, "DCG@2": 1 / math.log2(3), "P@2": 0.5, "Judged@2": 0.5}


def test_a_query_with_more_than_a_thousand_relevant_documents_has_the_ideal_of_all() -> None:
    grades: Grades = {"q": {f"d{at:04}": 1 + at % 3 for at in range(2400)}}
    scores: Scored = {"q": {f"d{at:04}": float(-at) for at in range(2400)}}
    own = "nDCG(gains={1:1,2:2,3:3})@1000"
    found = values(grades, scores, measures("nDCG@1000", "nDCG@700", own, "R@1000"))["q"]
    asked = {"nDCG@1000": "ndcg_cut_1000", own: "ndcg_cut_1000", "R@1000": "recall_1000"}
    theirs = by_pytrec(grades, scores, asked)["q"]
    assert {name: found[name] for name in asked} == theirs
    assert found["nDCG@700"] == naive(grades["q"], ranked(scores["q"]), Measure.parse("nDCG@700"))


def test_grades_that_pytrec_eval_walks_too_long_take_our_own_way() -> None:
    grades: Grades = {"q": {"a": 1_000_000, "b": 7, "c": 20_000}}
    assert not trec.takes(judged(qrels_of(grades)).best(Measure("IDCG", 1000)))
    scores: Scored = {"q": {"b": 3, "a": 2, "x": 1}}
    asked = {f"nDCG@{k}": f"ndcg_cut_{k}" for k in CUTOFFS}
    assert values(grades, scores, measures(*asked)) == by_pytrec(grades, scores, asked)


@pytest.mark.parametrize("cutoffs", [[], [0], [-1], [1001], [10**9], [True], [5.0], ["5"], [np.int64(5)]])
def test_no_cutoff_reaches_pytrec_eval_unchecked(cutoffs: list[Any]) -> None:
    qrels = qrels_of(SEED)
    facts = judged(qrels)
    with pytest.raises(ValueError, match="cannot take"):
        trec.linear_ndcg(hits_of(run_of(SEED, {"q1": {"A": 1}})), facts.best(Measure("IDCG", 1000)), facts.n, cutoffs)


def test_fractional_grades_never_reach_pytrec_eval() -> None:
    grades: Grades = {"q": {"a": 1.5}}
    facts = judged(qrels_of(grades))
    with pytest.raises(ValueError, match="cannot take"):
        trec.linear_ndcg(hits_of(run_of(grades, {"q": {"a": 1}})), facts.best(Measure("IDCG", 1000)), facts.n, [5])


def case_ids(shared: Path) -> list[dict[str, Any]]:
    lines = (shared / "cases" / "scoring_cases.jsonl").read_text().splitlines()
    return [case for case in map(json.loads, lines) if "values" in case["expected"]]


def test_the_planted_scoring_cases_come_out_as_published(shared: Path) -> None:
    cases = case_ids(shared)
    assert len(cases) > 15
    for case in cases:
        grades: Grades = {}
        for line in case["files"]["qrels.txt"].splitlines():
            query, _, doc, grade = line.split()
            grades.setdefault(query, {}).setdefault(doc, float(grade))
            grades[query][doc] = max(grades[query][doc], float(grade))
        scores: Scored = {}
        for line in case["files"]["run.txt"].splitlines():
            query, _, doc, _, level, _ = line.split()
            scores.setdefault(query, {}).setdefault(doc, float(level))
        names = sorted({name for row in case["expected"]["values"].values() for name in row})
        found = values(grades, scores, measures(*names))
        for query, row in case["expected"]["values"].items():
            for name, value in row.items():
                assert found[query][name] == pytest.approx(value, abs=1e-12), (case["id"], query, name)
        scored = score(qrels_of(grades), run_of(grades, scores), measures(*names))
        for measure in scored.values():
            assert measure.mean == pytest.approx(case["expected"]["means"][str(measure.measure)], abs=1e-12), case["id"]
