import pytest

from core.statistics.overlap import rank_biased_overlap


def test_the_tied_example_of_webber_2010_as_worked_in_dlukes_rbo() -> None:
    # README of the rbo package by D. Lukes: min .489195, res .477472, ext .966667 at p = .9.
    found = rank_biased_overlap([frozenset("ac"), "b", "d"], ["a", frozenset("bc"), "d"], 0.9)
    assert found is not None
    assert found.low == pytest.approx(0.489195, abs=1e-6)
    assert found.rest == pytest.approx(0.477472, abs=1e-6)
    assert found.extrapolated == pytest.approx(0.966667, abs=1e-6)


def test_identical_rankings_are_one_and_disjoint_ones_zero() -> None:
    same, other = rank_biased_overlap(["a", "b", "c"], ["a", "b", "c"]), rank_biased_overlap(["a", "b"], ["c", "d"])
    assert same is not None
    assert other is not None
    assert same.extrapolated == pytest.approx(1)
    assert same.low + same.rest == pytest.approx(1)
    assert (other.extrapolated, other.low) == (0, 0)


def test_rankings_are_cut_at_the_shorter_and_the_order_of_the_two_does_not_matter() -> None:
    assert rank_biased_overlap(["a", "b", "c"], ["b", "a"]) == rank_biased_overlap(["b", "a"], ["a", "b"])
    assert rank_biased_overlap([], ["a"]) is None


def test_a_swap_at_the_top_weighs_more_than_one_below() -> None:
    ranking = ["a", "b", "c", "d", "e"]
    top, bottom = rank_biased_overlap(ranking, [*"bacde"]), rank_biased_overlap(ranking, [*"abced"])
    assert top is not None
    assert bottom is not None
    assert top.extrapolated < bottom.extrapolated < 1
