import numpy as np
import polars as pl
import pytest

from core.comparison.all_pairs import PAIRS, Tukey, all_pairs, told_apart, tukey
from core.comparison.pairs import against_baseline
from core.model.conventions import Conventions
from core.model.measure import Measure
from core.statistics.tukey import tukey_p
from tests.comparison.made import Made, collection, comparison_of

NDCG = Measure("nDCG", 5)


@pytest.fixture(scope="module")
def three() -> Made:
    made = collection()
    scored = made.scored | {"third": collection(seed=9).scored["new"]}
    return Made(comparison_of(made.grades, scored), made.grades, scored)


def test_every_pair_stands_in_both_directions_with_the_numbers_of_compare(three: Made) -> None:
    found = all_pairs(
        three.comparison, NDCG, three.comparison.names, tukey(three.comparison, NDCG, three.comparison.names)
    )
    assert found.schema == PAIRS
    assert found.height == 6
    for baseline in three.comparison.names:
        for pair in against_baseline(three.comparison, baseline, NDCG, resample=False):
            row = found.row(
                by_predicate=(pl.col("run") == pair.candidate) & (pl.col("against") == baseline), named=True
            )
            assert (row["difference"], row["n"]) == (pair.difference, pair.n)
            assert (row["wins"], row["ties"], row["losses"]) == (pair.wins, pair.ties, pair.losses)


def test_the_p_values_are_tukey_s_over_all_runs(three: Made) -> None:
    names = three.comparison.names
    found = tukey(three.comparison, NDCG, names)
    scores = np.array([three.comparison.scores(name, NDCG).values for name in names]).T
    oracle = tukey_p(scores)
    rows = all_pairs(three.comparison, NDCG, names, found)
    assert found.n == 40
    for row in rows.iter_rows(named=True):
        assert row["p_value"] == oracle[names.index(row["run"])][names.index(row["against"])]


def test_two_runs_have_the_sign_flip_p_value() -> None:
    made = collection().comparison
    rows = all_pairs(made, NDCG, made.names, tukey(made, NDCG, made.names))
    [pair] = against_baseline(made, "old", NDCG, ["new"])
    row = rows.row(by_predicate=pl.col("run") == "new", named=True)
    assert row["p_value"] == pair.p_value
    assert row["shows_p"] is pair.verdict.shows_p_value


def test_a_clear_verdict_is_turned_in_the_other_direction() -> None:
    rng = np.random.default_rng(2)
    grades = {f"q{at}": {"a": 2.0, "b": 1.0, "c": 0.0} for at in range(60)}
    good = {query: {"a": 3.0, "b": 2.0 + rng.random()} for query in grades}
    bad = {query: {"c": 3.0, "b": 2.0 + rng.integers(0, 2), "a": 1.0} for query in grades}
    made = comparison_of(grades, {"good": good, "bad": bad})
    rows = all_pairs(made, NDCG, made.names, tukey(made, NDCG, made.names))
    assert rows["case"].to_list() == ["better", "worse"]
    assert told_apart(rows) == (1, 1)


def test_queries_that_one_run_does_not_count_are_in_no_p_value() -> None:
    made = collection(conventions=Conventions(missing="exclude", undefined="exclude")).comparison
    assert tukey(made, NDCG, made.names).n == 38
    assert all_pairs(made, NDCG, made.names, tukey(made, NDCG, made.names))["n"].to_list() == [38, 38]


def test_a_slice_filter_holds_for_differences_and_p_values(three: Made) -> None:
    where, names = np.arange(40) < 26, three.comparison.names
    rows = all_pairs(three.comparison, NDCG, names, tukey(three.comparison, NDCG, names, where), where)
    assert rows["n"].unique().to_list() == [26]
    assert rows["p_value"].null_count() == 0


def test_what_cannot_be_computed_has_no_p_value_and_no_difference() -> None:
    made = comparison_of({"q": {"a": 2000.0}}, {"old": {"q": {"a": 1.0}}, "new": {"q": {"b": 1.0}}})
    exponential = NDCG.with_gain("exponential")
    rows = all_pairs(made, exponential, made.names, tukey(made, exponential, made.names))
    assert rows["difference"].null_count() == rows["p_value"].null_count() == 2
    assert not rows["shows_p"].any()


def test_one_run_has_no_pairs() -> None:
    made = collection().comparison
    rows = all_pairs(made, NDCG, ["old"], tukey(made, NDCG, ["old"]))
    assert rows.is_empty()
    assert told_apart(rows) == (0, 0)


def test_a_pair_is_called_by_the_p_value_for_all_pairs_unless_the_verdict_has_another_reason() -> None:
    made = collection().comparison
    for p, expected in ((0.049, {"better", "worse"}), (0.05, {"no-clear-difference"}), (None, {"no-clear-difference"})):
        found = Tukey({("old", "new"): p, ("new", "old"): p}, 40)
        assert set(all_pairs(made, NDCG, made.names, found)["case"]) == expected
    few = all_pairs(made, NDCG, made.names, Tukey({("old", "new"): 0.001}, 40), np.arange(40) < 20)
    assert set(few["case"]) == {"too-few"}
    assert not few["shows_p"].any()
