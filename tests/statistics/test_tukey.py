import itertools

import numpy as np
import pytest

from core.statistics.sign_flip import sign_flip_p
from core.statistics.tukey import tukey_p
from tests.statistics.published import MAIZE, changes


def scores(n: int = 40, runs: int = 4, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.round(np.clip(rng.normal(0.5, 0.2, (n, 1)) + rng.normal(0, 0.1, (n, runs)), 0, 1), 2)


def test_two_runs_are_the_sign_flip_test() -> None:
    both = np.stack([np.zeros(15), MAIZE], axis=1)
    assert tukey_p(both) == [[None, 1726 / 32768], [1726 / 32768, None]]
    d = changes(50, 0.02)
    assert tukey_p(np.stack([d * 0, d], axis=1))[0][1] == sign_flip_p(d)


def test_three_runs_agree_with_every_shuffle_of_five_queries() -> None:
    table = scores(5, 3, seed=6)
    orders = list(itertools.permutations(range(3)))
    ranges = np.array(
        [
            np.ptp(sum(row[list(order)] for row, order in zip(table, pick, strict=True)))
            for pick in itertools.product(orders, repeat=5)
        ]
    )
    means = table.sum(axis=0)
    for one, other in itertools.combinations(range(3), 2):
        exact = float((ranges >= abs(means[one] - means[other]) - 1e-9).mean())
        assert tukey_p(table)[one][other] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 9_999) + 1e-3)


def test_a_larger_difference_never_has_a_larger_p() -> None:
    table = scores(runs=6, seed=2)
    means = table.mean(axis=0)
    pairs = sorted(itertools.combinations(range(6), 2), key=lambda pair: abs(means[pair[0]] - means[pair[1]]))
    ps = [tukey_p(table)[one][other] or 0.0 for one, other in pairs]
    assert ps == sorted(ps, reverse=True)


def test_the_order_of_queries_and_of_runs_changes_nothing() -> None:
    table = scores()
    plain = tukey_p(table)
    assert tukey_p(np.random.default_rng(1).permutation(table)) == plain
    backwards = tukey_p(table[:, ::-1])
    assert backwards[0][1] == plain[3][2]
    assert backwards[0][3] == plain[3][0]


def test_equal_runs_have_a_p_of_one_and_no_query_has_none() -> None:
    same = np.repeat(scores(20, 1), 3, axis=1)
    assert tukey_p(same) == [[None, 1.0, 1.0], [1.0, None, 1.0], [1.0, 1.0, None]]
    assert tukey_p(np.zeros((0, 3))) == [[None] * 3] * 3
    assert tukey_p(np.zeros((5, 1))) == [[None]]


def test_among_equally_good_runs_a_pair_is_rarely_found() -> None:
    # Carterette 2012: the chance of any false finding among all pairs is held at 5 %; 300 seeded worlds of five runs.
    rng = np.random.default_rng(11)
    false = 0
    for _ in range(300):
        table = rng.normal(0, 0.2, (30, 1)) + rng.normal(0, 0.1, (30, 5))
        false += any(p is not None and p < 0.05 for row in tukey_p(table, permutations=399) for p in row)
    assert 0.02 <= false / 300 <= 0.08
