import itertools

import numpy as np
import pytest
from scipy import stats

from core.statistics.sign_flip import FLIPS, sign_flip_p
from tests.statistics.published import MAIZE, SLEEP, changes


def test_the_maize_of_darwin_by_full_enumeration() -> None:
    # Fisher 1935, section 21: 863 of 32,768 one-sided, twice that two-sided.
    assert sign_flip_p(MAIZE) == 1726 / 32768
    assert sign_flip_p(MAIZE, "greater") == 863 / 32768
    assert sign_flip_p(-MAIZE, "less") == 863 / 32768


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 12])
def test_up_to_sixteen_changed_queries_every_sign_pattern_is_tried(n: int) -> None:
    d = np.round(np.random.default_rng(n).normal(0.1, 0.2, n), 1) + 0.05
    sums = [abs(sum(signs * d)) for signs in (np.array(s) for s in itertools.product((-1, 1), repeat=n))]
    assert sign_flip_p(d) == sum(s >= abs(d.sum()) - 1e-9 for s in sums) / 2**n


def test_unchanged_queries_do_not_count_towards_the_sixteen() -> None:
    assert sign_flip_p(np.concatenate([MAIZE, np.zeros(500)])) == 1726 / 32768
    assert sign_flip_p(np.concatenate([MAIZE, np.full(500, 1e-10)])) == 1726 / 32768


def test_equal_sums_count_as_reached_however_they_were_added() -> None:
    # 0.1 + 0.2 is not 0.3 in binary: without a tolerance the p-value would fall by the patterns that tie with the data.
    d = np.array([0.3, 0.3, 0.1 + 0.2, 0.1, 0.2, 0.2, 0.1])
    exact = stats.permutation_test(
        (np.array([3, 3, 3, 1, 2, 2, 1]),), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    assert sign_flip_p(d) == exact.pvalue


def test_random_flips_agree_with_scipy_within_three_standard_errors() -> None:
    d = changes(60, 0.02, seed=5)
    expected = stats.permutation_test(
        (d,), np.mean, permutation_type="samples", n_resamples=19_999, vectorized=True, rng=np.random.default_rng(1)
    ).pvalue
    found = sign_flip_p(d)
    assert found is not None
    assert 0.01 < found < 0.9
    assert found == pytest.approx(expected, abs=3 * np.sqrt(expected * (1 - expected) * (1 / 19_999 + 1 / FLIPS)))


def test_seventeen_changed_queries_by_flips_agree_with_their_enumeration() -> None:
    d = np.random.default_rng(4).normal(0.06, 0.2, 17)
    signs = ((np.arange(2**17)[:, None] >> np.arange(17)) & 1) * 2 - 1
    exact = float((np.abs(signs @ d) >= abs(d.sum()) - 1e-12).mean())
    assert sign_flip_p(d) == pytest.approx(exact, abs=3 * np.sqrt(exact * (1 - exact) / FLIPS))


def test_the_smallest_p_of_random_flips_is_one_in_a_hundred_thousand_and_never_zero() -> None:
    assert sign_flip_p(np.full(200, 0.1)) == 1 / 100_000
    assert sign_flip_p(np.full(200, 0.1), "less") == 1.0


@pytest.mark.parametrize("n", [12, 300, 1500])
def test_swapping_the_runs_gives_the_same_p_and_turns_less_into_greater(n: int) -> None:
    d = changes(n, 0.004, seed=n)
    assert sign_flip_p(d) == sign_flip_p(-d)
    assert sign_flip_p(d, "less") == sign_flip_p(-d, "greater")
    assert sign_flip_p(d, "greater") == sign_flip_p(-d, "less")


@pytest.mark.parametrize("n", [12, 300, 1500])
def test_row_order_changes_nothing(n: int) -> None:
    d = changes(n, 0.004, seed=n)
    shuffled = np.random.default_rng(9).permutation(d)
    assert sign_flip_p(d) == sign_flip_p(shuffled)
    assert sign_flip_p(d, "less") == sign_flip_p(shuffled, "less")


def test_the_two_sides_add_up_to_the_two_sided_p_for_an_exact_test() -> None:
    assert sign_flip_p(MAIZE, "greater") == pytest.approx((sign_flip_p(MAIZE) or 0) / 2)
    assert (sign_flip_p(SLEEP, "less") or 1) < 0.005 < (sign_flip_p(SLEEP, "greater") or 0)


def test_words_take_over_where_there_is_nothing_to_flip() -> None:
    assert sign_flip_p(np.array([])) is None
    assert sign_flip_p(np.zeros(40)) == 1.0
    assert sign_flip_p(np.array([0.3])) == 1.0


def test_another_seed_gives_another_p_of_the_same_size() -> None:
    d = changes(100, 0.02, seed=5)
    one, other = sign_flip_p(d, seed=1), sign_flip_p(d, seed=2)
    assert one != other
    assert one == pytest.approx(other, abs=0.01)
