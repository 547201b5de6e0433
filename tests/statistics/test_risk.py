import numpy as np
import pytest
from scipy import stats

from core.statistics.risk import geo_risk, t_risk, u_risk

BASELINE = np.array([0.5, 0.4, 0.6, 0.2])
RUN = np.array([0.7, 0.3, 0.6, 0.1])


@pytest.mark.parametrize(("alpha", "expected"), [(0, 0.0), (1, -0.05), (5, -0.25)])
def test_losses_weigh_more_than_gains(alpha: float, expected: float) -> None:
    # By hand: gains .2, losses .1 + .1, so (.2 − (1 + alpha) × .2) / 4.
    assert u_risk(RUN - BASELINE, alpha) == pytest.approx(expected, abs=1e-12)


def test_the_risk_over_its_standard_error_is_a_t_value() -> None:
    weighted = np.array([0.2, -0.2, 0.0, -0.2])
    assert t_risk(RUN - BASELINE, 1) == pytest.approx(stats.ttest_1samp(weighted, 0).statistic)
    assert t_risk(np.zeros(4)) is None
    assert u_risk(np.array([])) is None


def test_without_risk_half_of_geo_risk_is_phi_of_zero() -> None:
    # Dincer, Macdonald & Ounis 2016: sqrt(mean × Phi(risk / n)); a run compared with itself has a risk of 0.
    assert geo_risk(RUN[:, None]) == pytest.approx([np.sqrt(RUN.mean() * 0.5)])
    assert geo_risk(np.stack([RUN, RUN], axis=1)) == pytest.approx([np.sqrt(RUN.mean() * 0.5)] * 2)
    assert geo_risk(np.zeros((3, 2))) == [0.0, 0.0]


def test_a_run_that_fails_where_others_do_well_has_the_lower_geo_risk() -> None:
    steady, erratic = np.full(10, 0.5), np.array([1.0, 0.0] * 5)
    first, second = geo_risk(np.stack([steady, erratic], axis=1), alpha=5)
    assert first > second
