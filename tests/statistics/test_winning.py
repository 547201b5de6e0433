import numpy as np
import pytest
from scipy import stats

from core.statistics.winning import sign_test_p, wilcoxon_p
from tests.statistics.published import MAIZE, SLEEP, changes


@pytest.mark.parametrize(("wins", "losses", "p"), [(29, 21, 0.3222), (25, 18, 0.3604)])
def test_the_sign_tests_of_smucker_2007(wins: int, losses: int, p: float) -> None:
    # Smucker, Allan & Carterette 2007, section 3.2: 29 of 50, and 25 of 43 after leaving out ties.
    d = np.array([0.1] * wins + [-0.2] * losses + [0.0] * 7)
    assert sign_test_p(d) == pytest.approx(p, abs=5e-5)
    assert sign_test_p(d) == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-12)
    assert sign_test_p(-d) == sign_test_p(d)


def test_the_wilcoxon_tests_of_the_maize_and_the_sleep_data() -> None:
    # Darwin's maize: W = 24, exact. Sleep (a zero and equal sizes): normal approximation, zeros as Pratt 1959 has them.
    assert wilcoxon_p(MAIZE) == pytest.approx(0.041259765625, abs=1e-12)
    assert wilcoxon_p(SLEEP) == pytest.approx(0.0058250, abs=1e-7)


def test_rounding_does_not_break_equal_sizes() -> None:
    noisy = np.array([0.3 - 0.2, 0.2 - 0.1, 0.9 - 0.8, -(0.4 - 0.3), 0.5] * 4)
    assert wilcoxon_p(noisy) == wilcoxon_p(np.round(noisy, 1))


def test_more_wins_than_chance_says_nothing_of_the_mean() -> None:
    # 45 tiny wins and 5 large losses: it wins more often, and its mean is lower.
    d = np.concatenate([np.linspace(0.001, 0.01, 45), np.full(5, -0.5)])
    assert (sign_test_p(d) or 1) < 1e-6
    assert d.mean() < 0


def test_nothing_changed_means_no_test() -> None:
    assert sign_test_p(np.zeros(9)) is None
    assert wilcoxon_p(np.zeros(9)) is None
    assert sign_test_p(np.array([])) is None


def test_row_order_and_swapped_runs_change_nothing() -> None:
    d = changes(80, 0.02)
    shuffled = np.random.default_rng(1).permutation(d)
    assert wilcoxon_p(d) == wilcoxon_p(shuffled) == wilcoxon_p(-d)
    assert sign_test_p(d) == sign_test_p(shuffled)
