import numpy as np
import pytest
from scipy import stats

from core.statistics.interval import non_inferiority_p, paired_t, t_interval, t_lower, t_quantile
from tests.statistics.published import MAIZE, SLEEP, changes


def test_the_sleep_data_of_student_1908() -> None:
    found = paired_t(SLEEP)
    assert found is not None
    assert found.t == pytest.approx(-4.062128, abs=1e-6)
    assert found.df == 9
    assert found.p_value == pytest.approx(0.00283289, abs=1e-8)
    assert t_interval(SLEEP) == pytest.approx((-2.4598858, -0.7001142), abs=1e-7)


def test_the_maize_of_darwin_in_fisher_1935() -> None:
    found = paired_t(MAIZE)
    assert found is not None
    assert MAIZE.mean() == pytest.approx(20.9333, abs=1e-4)
    assert found.t == pytest.approx(2.147987, abs=1e-6)
    assert found.p_value == pytest.approx(0.0497029, abs=1e-7)
    assert t_interval(MAIZE) == pytest.approx((0.03119, 41.83547), abs=1e-5)


def test_non_inferiority_on_the_sleep_data() -> None:
    # Mean 1.58, standard error .388959; scipy 1.17: lower bound .866995, p(mu <= -.5) = .000231903.
    assert t_lower(-SLEEP) == pytest.approx(0.866995, abs=1e-6)
    assert non_inferiority_p(-SLEEP, 0.5) == pytest.approx(0.000231903, abs=1e-9)
    assert non_inferiority_p(SLEEP, 0.5) == pytest.approx(
        stats.ttest_1samp(SLEEP, -0.5, alternative="greater").pvalue, rel=1e-10
    )


@pytest.mark.parametrize("n", [2, 3, 10, 50, 6980])
@pytest.mark.parametrize("confidence", [0.90, 0.95, 0.99])
def test_the_interval_is_that_of_scipy(n: int, confidence: float) -> None:
    d = np.random.default_rng(n).normal(0.02, 0.2, n)
    expected = stats.ttest_1samp(d, 0).confidence_interval(confidence)
    assert t_interval(d, confidence) == pytest.approx((expected.low, expected.high), rel=1e-11, abs=1e-14)
    one_sided = stats.ttest_1samp(d, 0, alternative="greater").confidence_interval(confidence).low
    assert t_lower(d, confidence) == pytest.approx(one_sided, rel=1e-11, abs=1e-14)


@pytest.mark.parametrize("df", [1, 2, 9, 49, 199, 99_999])
@pytest.mark.parametrize("tail", [0.05, 0.025, 0.025 / 63])
def test_quantiles_without_scipy_stats_are_the_same_to_twelve_digits(df: int, tail: float) -> None:
    assert t_quantile(df, tail) == pytest.approx(stats.t.isf(tail, df), rel=1e-12)


def test_the_interval_for_several_comparisons_is_bonferroni() -> None:
    d = changes(60, 0.03)
    assert t_interval(d, comparisons=4) == pytest.approx(t_interval(d, 1 - 0.05 / 4), rel=1e-12)
    assert t_interval(d, comparisons=1) == t_interval(d)


def test_below_two_queries_there_is_no_interval_and_without_spread_it_is_one_value() -> None:
    assert t_interval(np.array([0.1])) is None
    assert t_interval(np.array([])) is None
    assert t_lower(np.array([0.1])) is None
    assert t_interval(np.full(30, 0.25)) == (0.25, 0.25)
    assert paired_t(np.full(30, 0.25)) is None
    assert non_inferiority_p(np.full(30, 0.25), 0.02) is None
