import numpy as np
import pytest
from scipy import integrate, stats

from core.statistics.power import detectable_difference, detectable_effect, needed_n, power


@pytest.mark.parametrize(("dz", "n"), [(0.5, 34), (0.2, 199), (0.3, 90), (0.8, 15)])
def test_the_sample_sizes_of_cohen(dz: float, n: int) -> None:
    # Cohen 1988 and G*Power: paired t test, two-sided 5 %, 80 % power.
    assert needed_n(dz) == n
    assert power(dz, n) >= 0.8 > power(dz, n - 1)
    assert needed_n(-dz) == n


def test_power_at_the_published_size_and_one_sided() -> None:
    assert power(0.5, 34) == pytest.approx(0.8078, abs=5e-5)
    assert needed_n(0.5, sides=1) == 27


@pytest.mark.parametrize(
    ("sd", "margin", "n"),
    [(0.10, 0.02, 156), (0.15, 0.02, 350), (0.20, 0.02, 620), (0.15, 0.05, 58), (0.15, 0.01, 1393)],
)
def test_queries_that_let_an_unchanged_candidate_pass(sd: float, margin: float, n: int) -> None:
    # One-sided t formula for a true difference of 0 and a margin: 80 % of unchanged candidates pass.
    assert needed_n(margin / sd, sides=1) == n


@pytest.mark.parametrize(
    ("n", "expected"), [(25, (0.058, 0.088, 0.117)), (50, (0.040, 0.061, 0.081)), (200, (0.020, 0.030, 0.040))]
)
def test_smallest_differences_for_usual_spreads(n: int, expected: tuple[float, ...]) -> None:
    # Noncentral t, 80 % power, two-sided 5 %, for standard deviations of .10, .15 and .20.
    found = [detectable_difference(sd, n) for sd in (0.10, 0.15, 0.20)]
    assert found == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("n", [2, 3, 10, 50, 6980, 200_000])
def test_the_detectable_effect_has_a_power_of_eighty_percent_by_integration(n: int) -> None:
    effect = detectable_effect(n)
    assert effect is not None
    # P(|T| > t) by integrating over the spread s that is seen: T = (Z + shift) / s, with s√(n − 1) of the chi distribution.
    shift, critical, width = effect * np.sqrt(n), stats.t.isf(0.025, n - 1), np.sqrt(n - 1)

    def reached(s: float) -> float:
        tails = stats.norm.sf(critical * s - shift) + stats.norm.cdf(-critical * s - shift)
        return float(tails * stats.chi.pdf(s * width, n - 1) * width)

    found = integrate.quad(reached, 0, 2 + 10 / width, limit=500, points=[1.0, shift / critical])[0]
    assert found == pytest.approx(0.8, abs=1e-7)


def test_a_large_number_of_queries_is_found_without_a_search() -> None:
    n = needed_n(0.002)
    assert n is not None
    assert power(0.002, n) >= 0.8 > power(0.002, n - 5)


def test_what_cannot_be_shown_is_none() -> None:
    assert detectable_effect(1) is None
    assert detectable_effect(0) is None
    assert detectable_difference(0.0, 50) is None
    assert detectable_difference(None, 1) is None
    assert needed_n(0.0) is None
