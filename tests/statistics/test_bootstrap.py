import numpy as np
import pytest
from scipy import stats

from core.statistics import bootstrap
from core.statistics.bootstrap import bca_lower, bca_upper
from tests.statistics.published import changes

# scipy's own test of its bootstrap, which took it from R's boot package.
SIXTEEN = np.array([10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213])


def test_the_bca_interval_that_r_gives() -> None:
    # R boot: 32.31 to 91.43; scipy with 200,000 resamples: 32.19 to 91.59. Two one-sided 97.5 % bounds are that interval.
    assert bca_lower(SIXTEEN, 0.975, resamples=99_999) == pytest.approx(32.25, abs=0.3)
    assert bca_upper(SIXTEEN, 0.975, resamples=99_999) == pytest.approx(91.5, abs=0.6)


def test_the_one_sided_bound_is_that_of_scipy_within_its_resampling_error() -> None:
    d = changes(80, 0.02, seed=2)
    expected = stats.bootstrap(
        (d,), np.mean, method="BCa", alternative="greater", n_resamples=20_000, rng=np.random.default_rng(3)
    ).confidence_interval.low
    assert bca_lower(d) == pytest.approx(expected, abs=0.05 * d.std() / np.sqrt(80) * 2)


def test_rare_large_losses_push_the_bound_below_that_of_t() -> None:
    d = np.where(np.arange(60) < 2, -0.8, 0.01)
    symmetric = stats.ttest_1samp(d, 0, alternative="greater").confidence_interval(0.95).low
    bound = bca_lower(d)
    assert bound is not None
    assert bound < symmetric


def test_row_order_changes_nothing_and_the_upper_bound_mirrors_the_lower() -> None:
    d = changes(120, 0.02, seed=4)
    assert bca_lower(d) == bca_lower(np.random.default_rng(1).permutation(d))
    assert bca_upper(d) == -(bca_lower(-d) or 0)


def test_what_does_not_vary_is_its_own_bound_and_one_query_has_none() -> None:
    assert bca_lower(np.zeros(50)) == 0.0
    assert bca_lower(np.full(50, 0.1)) == pytest.approx(0.1)
    assert bca_lower(np.array([0.1])) is None
    assert bca_lower(np.array([])) is None
    assert bca_upper(np.array([0.1])) is None


def test_more_queries_draw_fewer_resamples_but_never_under_two_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    d = changes(1000, seed=8)
    monkeypatch.setattr(bootstrap, "MOST_DRAWS", 3_000_000)
    assert bca_lower(d) == bca_lower(d, resamples=3_000) != bca_lower(d, resamples=2_999)
    monkeypatch.setattr(bootstrap, "MOST_DRAWS", 1)
    assert bca_lower(d) == bca_lower(d, resamples=1_999) != bca_lower(d, resamples=1_998)
