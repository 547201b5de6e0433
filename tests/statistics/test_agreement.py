import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.statistics.agreement import kendall_tau, tau_ap

# The example in the documentation of the ircor package: ten systems by two measures.
X = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
Y = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]


def test_the_kendall_example_of_ircor_with_and_without_ties() -> None:
    assert kendall_tau(X, Y) == pytest.approx(0.2)
    assert kendall_tau(X, np.round(Y, 1)) == pytest.approx(0.2247333, abs=1e-7)
    assert kendall_tau(np.round(X, 1), np.round(Y, 1)) == pytest.approx(0.25)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=20))
def test_kendall_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    x, y = zip(*pairs, strict=True)
    found = kendall_tau(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


def test_tau_ap_weighs_the_top() -> None:
    # Yilmaz, Aslam & Robertson 2008: five items, first two swapped .5, last two swapped .875; Kendall is .8 for both.
    reference = [5, 4, 3, 2, 1]
    assert tau_ap(reference, reference) == pytest.approx(1)
    assert tau_ap(reference, reference[::-1]) == pytest.approx(-1)
    assert tau_ap(reference, [4, 5, 3, 2, 1]) == pytest.approx(0.5)
    assert tau_ap(reference, [5, 4, 3, 1, 2]) == pytest.approx(0.875)
    assert kendall_tau(reference, [4, 5, 3, 2, 1]) == pytest.approx(0.8)
    assert tau_ap([1], [1]) is None


def test_tau_ap_of_ties_is_the_mean_over_their_orders() -> None:
    reference = [5, 4, 3, 2, 1]
    orders = [[5, 4.1, 4, 2, 1], [5, 4, 4.1, 2, 1]]
    expected = np.mean([tau_ap(reference, order) or 0 for order in orders])
    assert tau_ap(reference, [5, 4, 4, 2, 1]) == pytest.approx(expected)
    assert tau_ap(reference, [1, 1, 1, 1, 1]) == pytest.approx(0)
