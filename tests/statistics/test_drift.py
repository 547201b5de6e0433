import numpy as np
import pytest

from core.statistics.drift import (
    cusum,
    drift_sentence,
    ewma,
    ewma_limits,
    moving_range_sigma,
    segments,
    watch,
    worse_beyond_margin,
)
from core.statistics.paired import compare_differences
from tests.statistics.test_verdict import spread

# NIST/SEMATECH e-Handbook, section 6.3.2.4: twenty measurements and their EWMA.
MEASURED = [
    52.0, 47.0, 53.0, 49.3, 50.1, 47.0, 51.0, 50.1, 51.2, 50.5, 49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1,
]  # fmt: skip
SMOOTHED = [
    50.60, 49.52, 50.56, 50.18, 50.16, 49.21, 49.75, 49.85, 50.26, 50.33, 50.11, 49.36, 49.52, 50.05, 49.38, 49.92, 50.73,
    51.23, 51.94, 51.99,
]  # fmt: skip
STEADY = [0.001, -0.001] * 10


def test_the_ewma_example_of_nist() -> None:
    assert ewma(MEASURED, 50, 0.3) == pytest.approx(SMOOTHED, abs=0.0051)
    assert ewma_limits(50, 2.0539, 0.3, 3) == pytest.approx((47.4115, 52.5884), abs=1e-4)


def test_the_cusum_adds_what_is_beyond_half_a_sigma() -> None:
    # By hand: z of 1, 2, −1, −3 with a slack of .5.
    sums = cusum([1.0, 2.0, -1.0, -3.0], 0.0, 1.0)
    assert sums == [(0.5, 0.0), (2.0, 0.0), (0.5, 0.5), (0.0, 3.0)]
    assert cusum([12.0, 14.0], 10.0, 2.0) == cusum([1.0, 2.0], 0.0, 1.0)


def test_the_spread_from_night_to_night_is_the_mean_moving_range_over_d2() -> None:
    # d2 = 1.128 for ranges of two (NIST 6.3.2.2).
    assert moving_range_sigma([1.0, 3.0, 2.0]) == pytest.approx(1.5 / 1.128, rel=1e-3)
    assert moving_range_sigma([1.0]) is None
    noise = np.random.default_rng(0).normal(0, 2, 20_000)
    assert moving_range_sigma(list(noise)) == pytest.approx(2, rel=0.02)
    step = np.concatenate([noise[:100], noise[100:200] + 20])
    assert (moving_range_sigma(list(step)) or 0) < step.std() / 3


def test_a_new_segment_begins_where_the_key_changes() -> None:
    assert segments(["a", "a", "b", "a"]) == [range(2), range(2, 3), range(3, 4)]
    assert segments([]) == []
    assert segments([1]) == [range(1)]


def test_there_are_no_limits_before_ten_nights() -> None:
    points = watch([*STEADY[:10], 5.0])
    assert all(point.low is None and point.alerts == () for point in points[:10])
    assert points[10].low is not None
    assert points[10].alerts
    assert [point.night for point in points] == list(range(11))


def test_a_planted_drop_is_found_on_its_first_nights_and_named_once() -> None:
    rng = np.random.default_rng(8)
    nights = [*rng.normal(0.004, 0.004, 22), *rng.normal(-0.012, 0.004, 8)]
    points = watch(nights)
    first = [point.night for point in points if point.first]
    assert first == [22]
    assert all(point.alerts for point in points[22:])
    assert {"ewma-low", "cusum-low"} <= {alert for point in points for alert in point.alerts}
    sentence = drift_sentence(points[22], "nDCG@10")
    assert sentence is not None
    assert sentence.startswith("nDCG@10 has drifted down: −0.0")
    assert sentence.endswith(f"against the baseline now, where {points[22].centre:+.3f} was usual.")
    assert drift_sentence(points[21], "nDCG@10") is None


def test_a_rise_is_an_alert_too() -> None:
    points = watch([*STEADY, 0.01, 0.01])
    assert "ewma-high" in points[-1].alerts
    assert (drift_sentence(points[-1], "nDCG@10") or "").startswith("nDCG@10 has drifted up: +0.010 ")


def test_level_and_spread_are_held_from_the_first_alert_on() -> None:
    points = watch([*STEADY, *[-0.02] * 10])
    alerted = [point for point in points if point.alerts]
    assert len(alerted) == 10
    assert len({(point.centre, point.sigma) for point in alerted}) == 1


def test_an_alert_ends_some_nights_after_a_repair() -> None:
    # The cumulative sum stops at 10 and falls by half a sigma a night: from 10 to 5 in ten quiet nights.
    points = watch([*STEADY, *[-0.05] * 20, *STEADY, *STEADY])
    assert max(point.cusum_down or 0 for point in points) == 10
    assert points[-1].alerts == ()
    assert sum(point.first for point in points) == 1


def test_a_later_night_never_changes_an_earlier_one() -> None:
    nights = list(np.random.default_rng(1).normal(0, 1, 40)) + [-3.0] * 5
    assert watch(nights)[:30] == watch(nights[:30])


def test_segments_are_judged_apart() -> None:
    points = watch([*STEADY, *[v + 0.5 for v in STEADY]], ["old"] * 20 + ["new"] * 20)
    assert [point.segment for point in points] == [0] * 20 + [1] * 20
    assert not any(point.alerts for point in points)
    assert [point.low is None for point in points] == ([True] * 10 + [False] * 10) * 2


def test_a_lucky_baseline_is_not_drift() -> None:
    # Every night lies two sigmas below a baseline that was pinned on a good night.
    nights = list(np.random.default_rng(3).normal(-0.02, 0.01, 25))
    assert not any(point.alerts for point in watch(nights))


def test_a_system_that_never_changes_alerts_on_the_first_change() -> None:
    points = watch([0.0] * 15 + [-0.001])
    assert not any(point.alerts for point in points[:15])
    assert points[15].alerts == ("ewma-low",)
    assert points[15].cusum_down is None
    assert points[14].sigma == 0


def test_fresh_queries_every_night_bring_their_own_spread() -> None:
    nights = [*STEADY, 0.01]
    assert watch(nights)[-1].alerts
    wide = watch(nights, standard_errors=[0.02] * 21)
    assert wide[-1].alerts == ()
    assert wide[-1].sigma == 0.02


def test_quiet_nights_seldom_alert() -> None:
    # 300 seeded series of 30 quiet nights: EWMA and CUSUM together, with level and spread learnt from few nights.
    rng = np.random.default_rng(5)
    alerted = sum(any(point.alerts for point in watch(list(rng.normal(0, 1, 30)))) for _ in range(300))
    assert alerted / 300 < 0.2


@pytest.mark.parametrize(
    ("mean", "sd", "alert"), [(-0.05, 0.1, True), (-0.05, 1.0, False), (-0.015, 0.01, False), (0.05, 0.1, False)]
)
def test_worse_than_the_baseline_beyond_the_margin_is_an_alert_of_its_own(mean: float, sd: float, alert: bool) -> None:
    assert worse_beyond_margin(compare_differences(spread(100, mean, sd), resample=False)) == alert
