import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.statistics.shares import exact_interval, exact_lower, exact_upper, wilson


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    # Newcombe 1998, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_intervals_of_newcombe_1998(count: int, n: int, low: float, high: float) -> None:
    assert wilson(count, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("n", "upper"), [(25, 0.113), (50, 0.058), (200, 0.015)])
def test_no_badly_hurt_query_still_allows_for_some(n: int, upper: float) -> None:
    # Zero of n: the exact one-sided upper bound is 1 − 0.05^(1/n).
    assert exact_upper(0, n) == pytest.approx(1 - 0.05 ** (1 / n), rel=1e-12)
    assert exact_upper(0, n) == pytest.approx(upper, abs=5e-4)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_are_those_of_scipy_and_stay_within_zero_and_one(case: tuple[int, int]) -> None:
    count, n = case
    test = stats.binomtest(count, n)
    for found, method in ((wilson(count, n), "wilson"), (exact_interval(count, n), "exact")):
        expected = test.proportion_ci(0.95, method)
        assert found is not None
        assert found == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-12)
        assert 0 <= found[0] <= count / n <= found[1] <= 1
    one_sided = stats.binomtest(count, n, alternative="greater").proportion_ci(0.95, "exact").low
    assert exact_lower(count, n) == pytest.approx(one_sided, rel=1e-9, abs=1e-12)


def test_a_share_of_nothing_is_unknown() -> None:
    assert wilson(0, 0) is None
    assert exact_interval(0, 0) is None
    assert exact_lower(0, 0) is None
    assert exact_upper(0, 0) is None
