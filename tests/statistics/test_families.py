import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.statistics.families import benjamini_hochberg, bonferroni, holm
from tests.statistics.published import HEART


def found(ps: list[float | None]) -> int:
    return sum(p is not None and p < 0.05 for p in ps)


def test_the_heart_trial_of_benjamini_and_hochberg_1995() -> None:
    assert (found(bonferroni(HEART)), found(holm(HEART)), found(benjamini_hochberg(HEART))) == (3, 3, 4)
    assert holm(HEART)[:4] == pytest.approx([0.0015, 0.0056, 0.0247, 0.114])
    assert benjamini_hochberg(HEART)[:4] == pytest.approx([0.0015, 0.003, 0.0095, 0.035625])


def test_what_has_no_p_value_is_not_counted_as_one_of_the_family() -> None:
    ps = [0.04, None, 0.01, None]
    assert bonferroni(ps) == [0.08, None, 0.02, None]
    assert holm(ps) == [0.04, None, 0.02, None]
    assert benjamini_hochberg(ps) == [0.04, None, 0.02, None]
    assert holm([]) == benjamini_hochberg([]) == bonferroni([]) == []
    assert holm([None]) == [None]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_adjusted_values_keep_the_order_and_lie_between_the_plain_and_bonferroni(ps: list[float]) -> None:
    by_size = sorted(range(len(ps)), key=lambda at: ps[at])
    bh, strict, most = benjamini_hochberg(ps), holm(ps), bonferroni(ps)
    assert bh == pytest.approx(stats.false_discovery_control(ps), rel=1e-9)
    for plain, low, middle, high in zip(ps, bh, strict, most, strict=True):
        assert low is not None
        assert middle is not None
        assert high is not None
        assert plain <= low * (1 + 1e-12)
        assert low <= middle * (1 + 1e-12)
        assert middle <= high
        assert high <= 1
    for adjusted in (bh, strict):
        values = [adjusted[at] or 0.0 for at in by_size]
        assert values == sorted(values)
