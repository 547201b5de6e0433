import math

import numpy as np
import pytest
from scipy import stats

from core.statistics.differences import (
    as_differences,
    badly_hurt,
    effect_size,
    hedges_g,
    largest,
    leave_one_out,
    moments,
    outcomes,
)
from tests.statistics.published import MAIZE, SLEEP, changes


def test_moments_are_those_of_scipy() -> None:
    d = changes(200, 0.03)
    found = moments(d)
    assert found.mean == pytest.approx(d.mean(), rel=1e-12)
    assert found.sd == pytest.approx(d.std(ddof=1), rel=1e-12)
    assert found.skew == pytest.approx(stats.skew(d), rel=1e-12)


def test_without_queries_there_are_no_moments_and_with_one_only_a_mean() -> None:
    assert moments(np.array([])) == moments(np.zeros(0))
    nothing, one = moments(np.array([])), moments(np.array([0.25]))
    assert (nothing.n, nothing.mean, nothing.sd, nothing.skew) == (0, None, None, None)
    assert (one.n, one.mean, one.sd, one.skew) == (1, 0.25, None, None)


def test_rounding_is_not_taken_for_spread() -> None:
    steady = np.array([0.4 - 0.3, 0.8 - 0.7, 0.9 - 0.8, 0.1])
    assert len(set(steady)) > 1
    assert moments(steady).sd == 0.0
    assert moments(steady).skew is None
    assert effect_size(steady) is None


def test_no_change_has_no_sign() -> None:
    mean = moments(np.array([-0.0, -0.0])).mean
    assert mean is not None
    assert math.copysign(1, mean) == 1


def test_differences_of_exponential_dcg_do_not_overflow() -> None:
    # 2^1000 is the largest gain there is; its square is no double.
    d = np.array([2.0**1000, -(2.0**1000), 2.0**999, 0.0])
    found = moments(d)
    assert found.mean == 2.0**997
    assert found.sd == pytest.approx(2.0**1000 * np.std([1, -1, 0.5, 0], ddof=1), rel=1e-12)
    assert found.skew == pytest.approx(stats.skew([1, -1, 0.5, 0]), rel=1e-12)
    assert leave_one_out(d) == pytest.approx((-(2.0**999) / 3, 2.0**999), rel=1e-12)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_difference_that_is_no_number_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        as_differences([0.1, bad])


def test_a_tie_is_a_difference_of_a_billionth_or_less() -> None:
    counts = outcomes(np.array([1e-9, -1e-9, 0.0, 1.1e-9, -1.1e-9, -0.5]))
    assert (counts.wins, counts.ties, counts.losses, counts.changed) == (1, 3, 2, 3)


def test_the_largest_query_is_named_by_its_place_and_its_share_of_all_change() -> None:
    found = largest(np.array([0.1, -0.5, 0.2, 0.2]))
    assert found is not None
    assert found.index == 1
    assert found.share == pytest.approx(0.5)
    assert largest(np.zeros(5)) is None


def test_leaving_one_out_spans_the_means_of_all_smaller_sets() -> None:
    d = changes(40, 0.02)
    means = [np.delete(d, at).mean() for at in range(len(d))]
    assert leave_one_out(d) == pytest.approx((min(means), max(means)), abs=1e-15)
    assert leave_one_out(d[:1]) is None


def test_a_loss_of_exactly_thirty_points_is_badly_hurt_whatever_its_last_bit() -> None:
    assert 0.4 - 0.7 > -0.3
    assert badly_hurt(np.array([0.4 - 0.7, 0.7 - 1.0, -0.3, -0.2999, 0.3, -0.9])) == 4


def test_effect_sizes_of_the_sleep_data() -> None:
    # Student's sleep data: dz 1.284558, J .914286, gz 1.174453.
    assert effect_size(-SLEEP) == pytest.approx(1.284558, abs=1e-6)
    assert hedges_g(-SLEEP) == pytest.approx(1.174453, abs=1e-6)
    assert (hedges_g(SLEEP) or 0) / (effect_size(SLEEP) or 1) == pytest.approx(0.914286, abs=1e-6)
    assert hedges_g(MAIZE[:1]) is None
