"""Other readings of a run are what reading the changed run would give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.conventions import Conventions
from core.model.measure import Measure
from core.scoring.hits import Hits, answered_queries, hits_of
from core.scoring.judged import Mask, judged
from core.scoring.readings import condensed, turned_around, without_own_ids
from core.scoring.scores import score_hits
from tests.scoring.collections import Grades, Scored, naive, qrels_of, ranked, run_of

ASKED = [Measure.parse(name) for name in ("nDCG@3", "nDCG(dcg='exp-log2')@2", "AP", "RR", "P@2", "R@3", "Judged@2")]
ids = st.sampled_from(["q1", "q2", "a", "b", "c", "d"])
grades_of = st.dictionaries(ids, st.integers(-1, 3), min_size=1)
scores_of = st.dictionaries(ids, st.sampled_from([1.0, 2.0, 3.0, 4.0]), min_size=1)
collections = st.tuples(
    st.dictionaries(st.sampled_from(["q1", "q2"]), grades_of, min_size=2),
    st.dictionaries(st.sampled_from(["q1", "q2"]), scores_of, min_size=1),
)


def values(grades: Grades, hits: Hits, missing: Mask) -> dict[str, list[float]]:
    scored = score_hits(hits, missing, judged(qrels_of(grades)), ASKED, Conventions())
    return {str(measure): found.values.tolist() for measure, found in scored.items()}


def expected(grades: Grades, orders: dict[str, list[str]]) -> object:
    return {
        str(one): [pytest.approx(naive(grades[q], orders.get(q, []), one)) for q in sorted(grades)] for one in ASKED
    }


@given(collections)
def test_dropping_own_ids_closes_the_ranks_up(collection: tuple[Grades, Scored]) -> None:
    grades, scores = collection
    hits, missing = without_own_ids(run_of(grades, scores), len(grades))
    orders = {query: [doc for doc in ranked(docs) if doc != query] for query, docs in scores.items()}
    assert values(grades, hits, missing) == expected(grades, orders)
    assert missing.tolist() == [not orders.get(query) for query in sorted(grades)]


@given(collections)
def test_reading_the_scores_the_other_way_turns_the_ranking_around(collection: tuple[Grades, Scored]) -> None:
    grades, scores = collection
    hits, missing = turned_around(run_of(grades, scores), len(grades))
    orders = {query: ranked({doc: -level for doc, level in docs.items()}) for query, docs in scores.items()}
    assert values(grades, hits, missing) == expected(grades, orders)
    assert missing.tolist() == [query not in scores for query in sorted(grades)]


@given(collections)
def test_condensing_a_run_takes_its_unjudged_documents_out(collection: tuple[Grades, Scored]) -> None:
    grades, scores = collection
    run = run_of(grades, scores)
    orders = {query: [doc for doc in ranked(docs) if doc in grades[query]] for query, docs in scores.items()}
    assert values(grades, condensed(hits_of(run)), ~answered_queries(run, len(grades))) == expected(grades, orders)
