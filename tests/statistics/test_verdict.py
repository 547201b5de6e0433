import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.differences import Array
from core.statistics.evidence import Answered, Names
from core.statistics.paired import PairStatistics, compare_differences
from core.statistics.verdict import CASES
from tests.statistics.published import changes

NAMES = Names("hybrid", "bm25", "nDCG@10")


def compare(d: npt.ArrayLike, **options: Any) -> PairStatistics:
    return compare_differences(d, NAMES, resample=False, **options)


def spread(n: int, mean: float, sd: float) -> Array:
    """Differences with exactly this mean and standard deviation, evenly spread, without skew."""
    d = np.linspace(-1, 1, n)
    return np.asarray(mean + sd * d / d.std(ddof=1))


SENTENCES: list[tuple[str, npt.ArrayLike, dict[str, Any], str]] = [
    # case, differences, options, sentence
    ("identical", np.zeros(50), {}, "hybrid and bm25 score the same on all 50 queries: no change in nDCG@10."),
    ("identical", [1e-9], {}, "hybrid and bm25 score the same on the one query: no change in nDCG@10."),
    (
        "unanswered", spread(50, -0.3, 0.2), {"answered": Answered(50, 24, 50)},
        "Not a fair comparison: −0.300 nDCG@10, but hybrid answers only 24 of the 50 judged queries.",
    ),
    (
        "unanswered", spread(50, 0.1, 0.2), {"answered": Answered(5000, 2400, 1)},
        "Not a fair comparison: +0.100 nDCG@10, but hybrid answers only 2,400 and bm25 answers only 1 of the 5,000 judged queries.",
    ),
    (
        "unanswered", [], {"answered": Answered(50, 0, 50)},
        "Not a fair comparison: hybrid answers only 0 of the 50 judged queries.",
    ),
    ("too-few", [], {}, "There is nothing to compare: hybrid and bm25 share no scored query for nDCG@10."),
    (
        "too-few", [0.2], {},
        "Too few queries to judge: +0.200 nDCG@10 over 1 query. Shown for exploration only; a verdict needs at least 25.",
    ),
    (
        "too-few", spread(24, 0.041, 0.01), {},
        "Too few queries to judge: +0.041 nDCG@10 over 24 queries. Shown for exploration only; a verdict needs at least 25.",
    ),
    (
        "too-few", np.r_[np.zeros(191), np.full(9, -0.2)], {},
        (
            "Too few changed queries to judge: −0.009 nDCG@10, from 9 of 200 queries. Shown for exploration only; "
            "a verdict needs at least 10 that changed."
        ),
    ),
    (
        "few-queries", np.r_[spread(60, 0.001, 0.01), 0.9], {"ids": [f"q{at}" for at in range(61)]},
        (
            'A few queries drive this result: +0.016 nDCG@10 for hybrid over bm25, but one query ("q60") holds 64 % of all change. '
            "Leave out any one query and it lies between +0.001 and +0.016, always above 0."
        ),
    ),
    (
        "few-queries", np.r_[spread(60, -0.001, 0.01), 0.9], {},
        (
            "A few queries drive this result: +0.014 nDCG@10 for hybrid over bm25, but one query holds 64 % of all change. "
            "Leave out any one query and it lies between −0.001 and +0.014, so a single query can turn its sign."
        ),
    ),
    (
        "few-queries", np.r_[spread(60, -0.001, 0.01), -0.2, -0.15, -0.12], {},
        (
            "A few queries drive this result: −0.008 nDCG@10 for hybrid over bm25, but a handful of changes is far larger "
            "than the rest. Leave out any one query and it lies between −0.009 and −0.005, always below 0."
        ),
    ),
    (
        "better", spread(200, 0.041, 0.15), {},
        "hybrid is better than bm25 by about 0.041 nDCG@10 (likely between 0.020 and 0.062).",
    ),
    (
        "better", spread(200, 0.041, 0.15), {"comparisons": 4},
        "hybrid is better than bm25 by about 0.041 nDCG@10 (likely between 0.014 and 0.068, adjusted for 4 comparisons).",
    ),
    (
        "worse", spread(200, -0.041, 0.15), {"comparisons": 4},
        "hybrid is worse than bm25 by about 0.041 nDCG@10 (likely between 0.014 and 0.068, adjusted for 4 comparisons).",
    ),
    (
        "better", spread(200, 0.0212, 0.15), {},
        "hybrid is better than bm25 by about 0.021 nDCG@10 (likely between just above 0 and 0.042).",
    ),
    ("better", np.full(30, 0.1), {}, "hybrid is better than bm25 by about 0.100 nDCG@10 (about the same on every query)."),
    (
        "no-difference-that-matters", spread(400, -0.002, 0.1), {},
        "No difference that matters between hybrid and bm25: −0.002 nDCG@10, and any change is likely smaller than 0.02.",
    ),
    (
        "no-difference-that-matters", spread(400, -0.002, 0.1), {"margin": 0.015, "comparisons": 3},
        (
            "No difference that matters between hybrid and bm25: −0.002 nDCG@10, and any change is likely smaller than 0.015, "
            "each of the 3 comparisons taken by itself."
        ),
    ),
    (
        "no-clear-difference", spread(50, 0.012, 0.15), {},
        (
            "No clear difference between hybrid and bm25: +0.012 nDCG@10 (likely between −0.031 and +0.055). "
            "With 50 queries only changes of about 0.06 or more would show."
        ),
    ),
    (
        "no-clear-difference", spread(50, 0.012, 0.15), {"comparisons": 2},
        (
            "No clear difference between hybrid and bm25: +0.012 nDCG@10 (likely between −0.037 and +0.061, adjusted for "
            "2 comparisons). With 50 queries only changes of about 0.06 or more would show in a single comparison."
        ),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("case", "d", "options", "sentence"), SENTENCES)
def test_each_case_has_its_sentence(case: str, d: npt.ArrayLike, options: dict[str, Any], sentence: str) -> None:
    verdict = compare(d, **options).verdict
    assert verdict.sentence == sentence
    assert verdict.as_json() == {"case": case, "sentence": sentence}


def test_every_case_is_among_the_sentences() -> None:
    assert {row[0] for row in SENTENCES} == set(CASES)


def test_a_sentence_never_says_too_much() -> None:
    for _, d, options, _ in SENTENCES:
        sentence = compare(d, **options).verdict.sentence
        assert not re.search(r"significan|prove|\*|\bp\s*[=<]|nan|None", sentence)
        assert "%" not in sentence or re.search(r"[+−]\d+\.\d{3} nDCG@10", sentence)
        assert sentence.endswith(".")


ORDER: list[tuple[str, npt.ArrayLike, dict[str, Any]]] = [
    # Each input would also satisfy a later case: the first that holds wins.
    ("identical", np.zeros(50), {"answered": Answered(50, 0, 0)}),
    ("unanswered", spread(10, 0.5, 0.01), {"answered": Answered(50, 24, 50)}),
    ("too-few", spread(24, 0.5, 0.01), {"answered": Answered(50, 25, 25)}),
    ("too-few", np.r_[np.zeros(100), np.full(9, 0.5)], {}),
    ("few-queries", np.r_[np.full(60, 0.01), 0.9], {}),
    ("better", spread(60, 0.5, 0.01), {}),
    ("better", spread(60, 0.005, 0.001), {}),
    ("worse", spread(60, -0.005, 0.001), {}),
    ("no-difference-that-matters", spread(60, 0.0, 0.001), {}),
]


@pytest.mark.parametrize(("case", "d", "options"), ORDER)
def test_the_first_case_that_holds_is_the_verdict(case: str, d: npt.ArrayLike, options: dict[str, Any]) -> None:
    assert compare(d, **options).verdict.case == case


def test_twenty_five_queries_and_ten_changed_ones_are_enough() -> None:
    assert compare(spread(25, 0.5, 0.01)).verdict.case == "better"
    assert compare(np.r_[np.zeros(30), np.full(10, 0.1)]).verdict.case != "too-few"


def test_half_of_the_judged_queries_answered_is_enough() -> None:
    assert compare(spread(50, 0.5, 0.01), answered=Answered(50, 25, 25)).verdict.case == "better"
    assert compare(spread(50, 0.5, 0.01), answered=Answered(51, 25, 51)).verdict.case == "unanswered"


def test_a_query_may_hold_a_quarter_of_all_change_and_no_more() -> None:
    # Twelve changes of 0.25 beside one: exactly a quarter at 1, with the other side balanced so that nothing is skewed.
    d = np.r_[np.zeros(200), np.tile([0.25, -0.25], 6)]
    at, above = compare(np.r_[d, 1.0]), compare(np.r_[d, 1.02])
    assert at.largest_share == 0.25
    assert "holds" not in at.verdict.sentence
    assert "one query holds 25 % of all change" in above.verdict.sentence


def test_skew_counts_against_the_root_of_the_number_of_queries() -> None:
    # k equal gains among n queries have the skew (1 − 2s) / √(s(1 − s)) with s = k / n: 12 of 60 give 1.5 and 1.5 / √60 = 0.19.
    some = compare(np.r_[np.zeros(48), np.full(12, 0.1)])
    assert some.skew_ratio == pytest.approx(1.5 / np.sqrt(60))
    assert some.verdict.case == "better"
    few = compare(np.r_[np.zeros(170), np.full(10, 0.1)])
    assert few.skew_ratio == pytest.approx((1 - 2 / 18) / np.sqrt(17 / 18**2) / np.sqrt(180))
    assert 0.28 < (few.skew_ratio or 0) < 0.30
    assert few.verdict.case == "few-queries"


def test_better_needs_the_simultaneous_interval_where_there_are_several() -> None:
    d = spread(100, 0.032, 0.15)
    alone, among_eight = compare(d), compare(d, comparisons=8)
    assert alone.interval == among_eight.interval
    assert (alone.verdict.case, among_eight.verdict.case) == ("better", "no-clear-difference")


def test_colour_and_p_value_are_held_back_where_there_is_too_little() -> None:
    shown = {
        case: (compare(d, **options).verdict.role, compare(d, **options).verdict.shows_p_value)
        for case, d, options, _ in SENTENCES
    }
    assert shown == {
        "identical": ("neutral", False),
        "unanswered": ("neutral", False),
        "too-few": ("neutral", False),
        "few-queries": ("neutral", True),
        "better": ("better", True),
        "worse": ("worse", True),
        "no-difference-that-matters": ("neutral", True),
        "no-clear-difference": ("neutral", True),
    }
    assert compare([]).verdict.label == "Too few queries"


MIRROR = {"better": "worse", "worse": "better"}


@given(st.integers(2, 80), st.integers(0, 10_000), st.sampled_from([0.0, 0.005, 0.03]), st.integers(1, 5))
def test_swapping_the_runs_mirrors_everything_exactly(n: int, seed: int, mean: float, comparisons: int) -> None:
    d = changes(n, mean, seed=seed)
    one, other = compare(d, comparisons=comparisons), compare(-d, comparisons=comparisons)
    assert other.difference == -(one.difference or 0)
    for name in ("interval", "interval_simultaneous", "interval_90", "leave_one_out"):
        low, high = getattr(one, name)
        assert getattr(other, name) == (-high, -low)
    assert (other.wins, other.ties, other.losses) == (one.losses, one.ties, one.wins)
    assert (other.detectable, other.largest_share, other.skew_ratio) == (
        one.detectable,
        one.largest_share,
        one.skew_ratio,
    )
    assert other.verdict.case == MIRROR.get(one.verdict.case, one.verdict.case)
    if one.effect_size is not None:
        assert other.effect_size == -one.effect_size


@given(st.integers(0, 80), st.integers(0, 10_000))
def test_row_order_changes_nothing(n: int, seed: int) -> None:
    d = changes(n, 0.01, seed=seed)
    order = np.random.default_rng(seed).permutation(n)
    ids = [f"q{at}" for at in range(n)]
    one, other = compare(d, ids=ids), compare(d[order], ids=[ids[at] for at in order])
    assert one.as_json() == other.as_json()
    assert one.largest_query == other.largest_query
    assert one.skew_ratio == other.skew_ratio


@given(st.lists(st.floats(-1, 1), max_size=60))
def test_no_number_is_ever_nan_and_every_input_gets_words(values: list[float]) -> None:
    found = compare(values)
    for name, value in found.as_json().items():
        for number in value if isinstance(value, list) else [value]:
            assert not isinstance(number, float) or np.isfinite(number), name
    assert "nan" not in found.verdict.sentence
    if found.interval is not None and found.difference is not None:
        assert found.interval[0] <= found.difference <= found.interval[1]
        assert found.interval_simultaneous == found.interval


def test_adding_a_query_without_a_change_never_raises_the_difference() -> None:
    d = changes(40, 0.03)
    assert abs(compare(np.r_[d, 0.0]).difference or 0) <= abs(compare(d).difference or 0)
