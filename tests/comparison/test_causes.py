"""Causes: each rule at its threshold, the precedence, and counts that add up."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.causes import CAUSE_COUNTS, CAUSES, PRECEDENCE, cause_counts, causes, headline, marks
from core.model.measure import Measure
from tests.comparison.collections import SEED, SEED_RUN, comparison_of, ranked
from tests.scoring.collections import Grades

NDCG = Measure("nDCG", 3)
JUDGED = {"n1": 0.0, "n2": 0.0, "n3": 0.0, "n4": 0.0, "n5": 0.0}


def cause_of(grades: dict[str, float], documents: list[str], measure: Measure = NDCG) -> str:
    comparison = comparison_of(
        {"other": {"x": 1}, "q": grades}, {"run": {"other": ranked("x"), "q": ranked(*documents)}}
    )
    return CAUSES[int(causes(comparison, "run", measure)[1])].code


@pytest.mark.parametrize(
    ("grades", "documents", "code"),
    [
        (JUDGED, ["n1", "n2"], "undefined"),
        (JUDGED, [], "undefined"),
        (JUDGED | {"a": 1.0}, [], "missing"),
        (JUDGED | {"a": 1.0}, ["a", "n1"], "near-ideal"),
        (JUDGED | {"a": 1.0}, ["n1", "n2", "n3", "n4"], "nothing-returned"),
        (JUDGED | {"a": 1.0}, ["u1", "u2", "u3"], "nothing-returned"),
        (JUDGED | {"a": 1.0}, ["n1", "n2", "n3", "a"], "below-k"),
        (JUDGED | {"a": 1.0, "b": 1.0}, ["n1", "a", "n2"], "never-returned"),
        (JUDGED | {"a": 1.0, "b": 1.0}, ["u1", "a", "u2"], "never-returned"),
        (JUDGED | {"a": 1.0, "b": 1.0}, ["n1", "a", "b"], "wrong-order"),
        (JUDGED | {"a": 1.0, "b": 1.0}, ["a", "n1", "n2", "b"], "wrong-order"),
        (JUDGED | {"a": 1.0}, ["u1", "a", "n1"], "wrong-order"),
        (JUDGED | {"a": 1.0}, ["u1", "u2", "a", "n1"], "unjudged-on-top"),
        ({"a": 1.0, "n1": 0.0, "n2": 0.0, "n3": 0.0}, ["n1", "a"], "few-judgments"),
        ({"a": 1.0, "n1": 0.0, "n2": 0.0, "n3": 0.0, "n4": 0.0}, ["n1", "a"], "wrong-order"),
        ({"a": 1.0}, ["u1", "u2", "a"], "unjudged-on-top"),
    ],
)  # fmt: skip
def test_each_rule_decides_where_the_ones_before_it_do_not_hold(
    grades: dict[str, float], documents: list[str], code: str
) -> None:
    assert cause_of(grades, documents) == code


def test_a_score_of_exactly_0_95_is_near_ideal_and_what_was_returned_is_held_to_the_same() -> None:
    top = Measure("nDCG", 1)
    assert cause_of(JUDGED | {"a": 19.0, "best": 20.0}, ["a"], top) == "near-ideal"
    assert cause_of(JUDGED | {"a": 18.9, "best": 20.0}, ["a"], top) == "never-returned"
    assert cause_of(JUDGED | {"a": 19.0, "best": 20.0, "b": 1.0}, ["b", "a"], top) == "wrong-order"
    assert cause_of(JUDGED | {"a": 18.9, "best": 20.0, "b": 1.0}, ["b", "a"], top) == "never-returned"


def test_relevant_is_what_the_measures_own_gain_says() -> None:
    custom = Measure("nDCG", 3, "custom", ((1.0, 0.0), (2.0, 1.0)))
    assert cause_of(JUDGED | {"a": 1.0, "b": 2.0}, ["a", "n1"], custom) == "nothing-returned"
    assert cause_of(JUDGED | {"a": 1.0, "b": 2.0}, ["a", "n1"]) == "never-returned"


def test_a_query_beyond_the_exponential_gain_is_read_by_the_linear_one() -> None:
    measure = Measure("nDCG", 3, "exponential")
    assert cause_of(JUDGED | {"a": 2000.0}, ["n1", "a"], measure) == "wrong-order"
    assert cause_of(JUDGED | {"a": 2000.0}, ["a"], measure) == "near-ideal"
    assert cause_of(JUDGED | {"a": 2000.0}, ["n1"], measure) == "nothing-returned"


def test_the_seed_example_lacks_a_relevant_document() -> None:
    comparison = comparison_of(SEED, {"run": SEED_RUN})
    assert CAUSES[int(causes(comparison, "run", Measure("nDCG", 4))[0])].code == "never-returned"


def test_marks_stand_each_for_itself() -> None:
    grades: Grades = {"few": {"a": 1, "b": 1}, "tied": JUDGED | {"a": 1}, "none": {"a": 0}}
    scores = {"few": ranked("u", "a"), "tied": {"a": 1.0, "n1": 1.0, "n2": 0.5}}
    found = marks(comparison_of(grades, {"run": scores}), "run", NDCG)
    ids = ["few", "none", "tied"]
    told = {mark: [ids[at] for at in np.flatnonzero(mask)] for mark, mask in found.items()}
    assert told == {
        "undefined": ["none"],
        "missing": ["none"],
        "tied": ["tied"],
        "unjudged-on-top": ["few"],
        "few-judgments": ["few", "none"],
    }


def test_a_tie_below_k_is_no_mark() -> None:
    scores = {"q": {"a": 9.0, "n1": 8.0, "n2": 7.0, "n3": 1.0, "n4": 1.0}}
    comparison = comparison_of({"q": JUDGED | {"a": 1}}, {"run": scores})
    assert not marks(comparison, "run", NDCG)["tied"].any()


def test_rules_are_told_with_their_cutoff_and_every_cause_has_one_place() -> None:
    assert sorted(PRECEDENCE) == sorted(cause.code for cause in CAUSES)
    assert CAUSES[2].said(7) == "Documents judged relevant are returned, all of them below rank 7."
    assert all("{" not in cause.said(3) for cause in CAUSES)


DOCUMENTS = st.sampled_from("abcdefgh")


@given(
    st.dictionaries(
        st.sampled_from(["q1", "q2", "q3", "q4"]),
        st.dictionaries(DOCUMENTS, st.integers(-1, 3), min_size=1),
        min_size=1,
    ),
    st.dictionaries(
        st.sampled_from(["q1", "q2", "q3", "q4"]), st.dictionaries(DOCUMENTS, st.sampled_from([1.0, 2.0, 3.0]))
    ),
    st.integers(1, 5),
    st.sampled_from(["linear", "exponential"]),
)
def test_every_query_has_exactly_one_cause_and_the_counts_add_up(grades, scores, k, gain) -> None:  # type: ignore[no-untyped-def]  # hypothesis gives the types above
    answered = {query: docs for query, docs in scores.items() if docs and query in grades}
    if not answered:
        return
    comparison = comparison_of(grades, {"run": answered})
    measure = Measure("nDCG", k, gain)
    found = causes(comparison, "run", measure)
    assert found.shape == (len(comparison.qrels.queries),)
    counts = cause_counts({"run": found})
    assert counts["count"].sum() == len(comparison.qrels.queries)
    assert counts["code"].to_list() == [cause.code for cause in CAUSES]
    values = comparison.scores("run", measure).values
    near = found == [cause.code for cause in CAUSES].index("near-ideal")
    assert (values[near] >= 0.95).all()
    assert (values[~near] < 0.95).all()
    where = np.arange(len(found)) % 2 == 0
    assert cause_counts({"run": found}, where)["count"].sum() == where.sum()


def test_the_causes_stand_from_the_worst_to_the_good_end() -> None:
    places = {cause.code: at for at, cause in enumerate(CAUSES)}
    order = ["missing", "nothing-returned", "wrong-order", "unjudged-on-top", "undefined", "near-ideal"]
    assert all(places[one] < places[other] for one, other in pairwise(order))  # type: ignore[index]  # codes of the catalogue


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("missing", "new does not answer 3 of 5 queries"),
        ("below-k", "new puts all that is relevant below rank 10 for 3 of 5 queries"),
        ("wrong-order", "new has the right documents in the wrong order for 3 of 5 queries"),
        ("near-ideal", "No query of new fails"),
    ],
)
def test_the_headline_names_what_keeps_a_run_from_the_ideal_most_often(code: str, expected: str) -> None:
    rows = [("new", cause.code, cause.label, 3 if cause.code == code else 0, 5) for cause in CAUSES]
    assert headline(pl.DataFrame(rows, schema=CAUSE_COUNTS, orient="row"), "new", 10) == expected
