"""Comparison: judgments and runs put together, on collections small enough to work out by hand."""

import math
import random
from typing import Any

import numpy as np
import polars as pl
import pytest

from core.comparison import MEANS, PER_QUERY, Comparison, open_comparison
from core.comparison.comparison import digest
from core.comparison.inputs import Inputs, Piece
from core.model.measure import Measure
from core.readers import Given
from tests.comparison.collections import SEED, SEED_RUN, comparison_of, ranked

log = math.log2
NDCG = Measure("nDCG", 10)
EXPONENTIAL = Measure("nDCG", 10, "exponential")
RR = Measure("RR", 10)
P2 = Measure("P", 2)

# a: relevant d1 (2) and d2 (1). b: relevant d3. c: nothing is relevant.
GRADES = {"a": {"d1": 2.0, "d2": 1.0, "d3": 0.0}, "b": {"d3": 1.0}, "c": {"d9": 0.0}}
RUNS = {
    "first": {"a": ranked("d2", "d1"), "b": ranked("d8", "d3"), "c": ranked("d9")},
    "second": {"a": ranked("d1", "d2"), "x": ranked("d1")},
}
FIRST_A = (1 + 2 / log(3)) / (2 + 1 / log(3))
FIRST_B = 1 / log(3)


def made(**conventions: Any) -> Comparison:
    return comparison_of(GRADES, RUNS, **conventions)


def test_runs_keep_their_order_and_are_found_by_name() -> None:
    assert made().names == ("first", "second")
    assert made().run("second").name == "second"
    with pytest.raises(KeyError):
        made().run("third")


def test_the_seed_example_scores_as_it_is_worked_out_by_hand() -> None:
    seed = comparison_of(SEED, {"run": SEED_RUN})
    assert seed.mean("run", Measure("nDCG", 4)) == pytest.approx(0.7104, abs=5e-5)
    assert seed.mean("run", Measure("nDCG", 4, "exponential")) == pytest.approx(0.6685, abs=5e-5)


def test_missing_and_undefined_queries_score_zero_and_stay_in_the_mean() -> None:
    assert made().mean("first", NDCG) == pytest.approx((FIRST_A + FIRST_B + 0) / 3, abs=1e-15)
    assert made().mean("second", NDCG) == pytest.approx((1 + 0 + 0) / 3, abs=1e-15)


def test_each_run_s_mean_is_over_its_own_answered_queries_where_missing_ones_are_left_out() -> None:
    assert made(missing="exclude").mean("first", NDCG) == made().mean("first", NDCG)
    assert made(missing="exclude").mean("second", NDCG) == 1.0


def test_undefined_queries_are_left_out_of_the_measures_for_which_they_are_undefined() -> None:
    without = made(undefined="exclude")
    assert without.mean("first", NDCG) == pytest.approx((FIRST_A + FIRST_B) / 2, abs=1e-15)
    assert without.mean("first", P2) == made().mean("first", P2) == pytest.approx((1 + 0.5 + 0) / 3)


def test_means_have_one_row_for_each_run_and_measure_with_its_counts() -> None:
    frame = made().means([NDCG, P2])
    assert frame.schema == MEANS
    assert frame.select("run", "measure", "scored", "missing", "undefined").rows() == [
        ("first", "nDCG@10", 3, 0, 1), ("first", "P@2", 3, 0, 0), ("second", "nDCG@10", 3, 2, 1), ("second", "P@2", 3, 2, 0),
    ]  # fmt: skip
    assert frame["mean_excluding_undefined"][0] == pytest.approx((FIRST_A + FIRST_B) / 2, abs=1e-15)
    assert frame["mean_excluding_undefined"][1] == frame["mean"][1]


def test_per_query_has_one_row_for_each_run_judged_query_and_measure() -> None:
    frame = made(missing="exclude").per_query([NDCG])
    assert frame.schema == PER_QUERY
    assert frame.select("run", "query_id", "missing", "undefined", "counted").rows() == [
        ("first", "a", False, False, True), ("first", "b", False, False, True), ("first", "c", False, True, True),
        ("second", "a", False, False, True), ("second", "b", True, False, False), ("second", "c", True, True, False),
    ]  # fmt: skip
    assert frame["score"].to_list() == pytest.approx([FIRST_A, FIRST_B, 0, 1, 0, 0], abs=1e-15)


def test_a_mean_over_some_queries_counts_only_those() -> None:
    some = np.array([False, True, True])
    assert made().mean("first", NDCG, some) == pytest.approx(FIRST_B / 2, abs=1e-15)
    assert made(undefined="exclude").mean("first", NDCG, some) == pytest.approx(FIRST_B, abs=1e-15)
    assert made().mean("first", NDCG, np.zeros(3, bool)) is None
    assert made().counted("first", RR, some).tolist() == [0.5, 0.0]


def test_a_query_whose_gain_cannot_be_computed_has_no_exponential_value_and_takes_the_mean_with_it() -> None:
    huge = comparison_of({"a": {"d1": 1001.0}, "b": {"d1": 1.0}}, {"run": {"a": ranked("d1"), "b": ranked("d1")}})
    assert huge.mean("run", EXPONENTIAL) is None
    assert huge.per_query([EXPONENTIAL])["score"].to_list() == [None, 1.0]
    assert huge.means([EXPONENTIAL])["mean"].to_list() == [None]
    assert huge.mean("run", NDCG) == 1.0
    assert huge.mean("run", EXPONENTIAL, np.array([False, True])) == 1.0


def test_undefined_belongs_to_the_query_and_the_measure() -> None:
    assert made().undefined(NDCG) == ("c",)
    assert made().undefined(Measure("RR", 10, rel=2)) == ("b", "c")
    assert made().undefined(P2) == ()
    assert comparison_of(GRADES, {}).undefined(NDCG) == ()


def test_missing_queries_are_the_judged_ones_without_an_answer() -> None:
    assert made().missing("first") == ()
    assert made().missing("second") == ("b", "c")


def test_scores_are_computed_once() -> None:
    one = made()
    assert one.scores("first", NDCG) is one.scores("first", NDCG)
    again = one.all_scores("first", [RR, NDCG])
    assert list(again) == [RR, NDCG]
    assert again[NDCG] is one.scores("first", NDCG)


def test_texts_are_those_that_the_metadata_give() -> None:
    known = comparison_of(GRADES, RUNS, queries={"query_id": ["a", "b", "z"], "text": ["red tea", None, "other"]})
    assert known.query_text("a") == "red tea"
    assert known.query_text("b") is None
    assert made().texts == {}


def test_slices_put_every_judged_query_in_one_group() -> None:
    known = comparison_of(GRADES, RUNS, queries={"query_id": ["a", "b", "z"], "intent": ["buy", "look", "other"]})
    [intent] = known.slices
    assert (intent.name, intent.values, intent.sizes) == ("intent", ("buy", "look", "(none)"), (1, 1, 1))


def test_the_convention_line_says_what_the_numbers_mean() -> None:
    line = comparison_of(GRADES, RUNS, missing="exclude", order="score64").line(EXPONENTIAL)
    assert line == (
        "nDCG@10 · exponential gain (2^grade − 1) · ideal from all judged documents · 3 queries · missing = left out · undefined = 0 (1) · "
        "ties: trec_eval, 64-bit scores · qrels 3f2a91c"
    )


def test_the_key_tells_apart_everything_that_a_number_depends_on() -> None:
    key = made().key
    assert made().key == key
    texts = {"query_id": ["a", "b"], "text": ["x", "y"]}
    others = [
        made(missing="exclude"),
        comparison_of(GRADES | {"b": {"d3": 2.0}}, RUNS),
        comparison_of(GRADES, {"first": RUNS["first"]}),
        comparison_of(GRADES, {"second": RUNS["second"], "first": RUNS["first"]}),
        comparison_of(GRADES, RUNS | {"second": {"a": ranked("d2", "d1")}}),
        comparison_of(GRADES, RUNS, queries=texts),
        comparison_of(GRADES, RUNS, queries=texts | {"text": ["x", "z"]}),
        comparison_of(GRADES, RUNS, documents={"doc_id": ["d1"], "title": ["T"]}),
    ]
    assert len({key, *(other.key for other in others)}) == len(others) + 1


def rows_of_files() -> tuple[list[str], list[str]]:
    chance = random.Random(4)
    qrels = [
        f"q{query} 0 d{doc} {chance.choice([0, 0, 1, 2, 3])}"
        for query in range(12)
        for doc in chance.sample(range(30), 12)
    ]
    run = [
        f"q{query} Q0 d{doc} 1 {chance.randrange(8)} m" for query in range(14) for doc in chance.sample(range(30), 15)
    ]
    return qrels, run


def read_rows(qrels: list[str], run: list[str]) -> pl.DataFrame:
    pieces = [Piece(Given(name, data="\n".join(rows).encode())) for name, rows in (("qrels", qrels), ("run", run))]
    found = open_comparison(Inputs((pieces[0],), (pieces[1],)))
    return found.per_query([NDCG, EXPONENTIAL, RR, P2, Measure("AP"), Measure("R", 5), Measure("Judged", 10)])


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_rows_changes_no_bit_of_any_score(seed: int) -> None:
    qrels, run = rows_of_files()
    first = read_rows(qrels, run)
    chance = random.Random(seed)
    shuffled = read_rows(chance.sample(qrels, len(qrels)), chance.sample(run, len(run)))
    assert shuffled.equals(first)
    assert first["score"].sum() > 0


def test_the_key_is_that_of_the_values_whatever_lies_under_a_null() -> None:
    one = pl.DataFrame({"a": [1.0, None, 3.0], "b": ["x", None, "z"]})
    hidden = pl.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", "z"]}).with_columns(
        pl.when(pl.col("a") != 2.0).then(pl.col("a")).alias("a"),
        pl.when(pl.col("b") != "y").then(pl.col("b")).alias("b"),
    )
    assert digest(one) == digest(hidden)
    assert digest(one) != digest(one.with_columns(pl.lit(4.0).alias("a")))
    assert digest(one) != digest(one.rename({"a": "c"}))
    long = pl.DataFrame({"a": [float(at) for at in range(300)]})
    assert digest(long) != digest(
        long.with_columns(pl.when(pl.col("a") == 150).then(0.0).otherwise(pl.col("a")).alias("a"))
    )
