import numpy as np
import pytest

from core.statistics.differences import Array
from core.statistics.families import benjamini_hochberg, holm
from core.statistics.interval import t_interval
from core.statistics.paired import compare_differences
from core.statistics.sign_flip import sign_flip_p
from core.statistics.slice_family import Slice, fall_sentence, fallen, macro_mean, reverses, slice_family
from tests.statistics.published import changes


def part(value: str, d: Array, candidate: str = "hybrid", column: str = "forum", measure: str = "nDCG@10") -> Slice:
    return Slice(column, value, candidate, "bm25", measure, 0.5 + d, np.full(len(d), 0.5))


def test_an_entry_has_the_fields_of_the_command_line() -> None:
    d = changes(40, 0.05)
    (one,) = slice_family([part("gis", d)])
    assert list(one.as_json()) == [
        "column", "value", "candidate", "baseline", "measure", "n", "mean_candidate", "mean_baseline",
        "difference", "interval", "p_value", "p_bh", "p_holm", "finding",
    ]  # fmt: skip
    assert (one.n, one.mean_baseline) == (40, 0.5)
    assert one.mean_candidate == pytest.approx(0.5 + d.mean())
    assert one.difference == pytest.approx(d.mean())
    assert one.interval == pytest.approx(t_interval(d), abs=1e-12)
    assert one.p_value == sign_flip_p((0.5 + d) - 0.5)


def test_the_family_is_the_values_of_a_column_times_the_candidates() -> None:
    planted = [("gis", -0.1, "a"), ("tex", 0.0, "a"), ("gis", 0.04, "b"), ("tex", 0.02, "b")]
    slices = [part(value, changes(30, mean, seed=at), run) for at, (value, mean, run) in enumerate(planted)]
    found = slice_family(slices)
    ps = [one.p_value for one in found]
    assert [one.p_bh for one in found] == benjamini_hochberg(ps)
    assert [one.p_holm for one in found] == holm(ps)


def test_another_column_or_measure_is_another_family() -> None:
    d = changes(30, 0.05)
    found = slice_family([part("gis", d), part("short", d, column="length"), part("gis", d, measure="R@100")])
    assert [one.p_bh for one in found] == [one.p_value for one in found]


def test_below_ten_queries_a_slice_is_outside_the_family_and_never_a_finding() -> None:
    found = slice_family([part("small", np.full(9, -0.5)), part("enough", np.full(10, -0.5))])
    small, enough = found
    assert (small.p_bh, small.p_holm, small.finding, small.fell) == (None, None, False, False)
    assert small.p_value == 2 / 2**9
    assert enough.p_bh == enough.p_holm == enough.p_value == 2 / 2**10
    assert enough.fell


def test_a_planted_fall_of_six_queries_is_no_finding() -> None:
    assert not any(
        one.finding for one in slice_family([part("planted", np.full(6, -0.9)), part("rest", changes(200, seed=3))])
    )


@pytest.mark.parametrize(("size", "finding"), [(0.02, True), (0.0199, False), (0.12 - 0.1, True)])
def test_a_finding_needs_a_difference_of_the_margin_at_least(size: float, finding: bool) -> None:
    up, down = slice_family([part("up", np.full(30, size)), part("down", np.full(30, -size))])
    assert (up.finding, down.finding) == (finding, finding)
    assert (up.fell, down.fell) == (False, finding)


def test_a_large_difference_that_may_be_chance_is_no_finding() -> None:
    (one,) = slice_family([part("gis", np.tile([0.9, -0.7], 10))])
    assert (one.difference or 0) > 0.02
    assert not one.finding


def test_an_empty_or_single_query_slice_has_nulls() -> None:
    empty, single = slice_family([part("empty", np.array([])), part("single", np.array([0.1]))])
    assert (empty.n, empty.mean_candidate, empty.difference, empty.interval, empty.p_value) == (
        0,
        None,
        None,
        None,
        None,
    )
    assert (single.n, single.interval, single.p_value) == (1, None, 1.0)


def test_a_slice_that_fell_behind_a_mean_that_did_not_is_named_the_deepest_first() -> None:
    parts = {"gis": changes(80, -0.10, seed=1), "tex": changes(80, -0.06, seed=2), "unix": changes(400, 0.06, seed=3)}
    slices = slice_family([part(value, d) for value, d in parts.items()])
    verdict = compare_differences(np.concatenate(list(parts.values()))).verdict
    assert verdict.case == "better"
    found = fallen(verdict, slices)
    assert [one.value for one in found] == ["gis", "tex"]
    size = -(found[0].difference or 0)
    assert fall_sentence(found[0]) == (
        f'"gis" (forum) fell by {size:.3f} nDCG@10 over 80 queries with hybrid, although the mean of all queries is not worse.'
    )


def test_there_is_no_alert_where_the_mean_is_worse_anyway() -> None:
    d = changes(200, -0.1)
    assert compare_differences(d).verdict.case == "worse"
    assert fallen(compare_differences(d).verdict, slice_family([part("gis", d)])) == []


def test_the_gate_asks_whether_a_slice_fell_one_sided() -> None:
    d = changes(40, -0.03, seed=7)
    (two,), (one,) = slice_family([part("gis", d)]), slice_family([part("gis", d)], alternative="less")
    assert one.p_value == pytest.approx((two.p_value or 0) / 2, abs=0.005)


def test_every_slice_counts_once_in_the_macro_mean() -> None:
    assert macro_mean([0.2, None, 0.6]) == pytest.approx(0.4)
    assert macro_mean([None]) is None
    assert macro_mean([]) is None


def test_kidney_stones_reverse_and_paired_slices_cannot() -> None:
    # Charig et al. 1986: open surgery .931 and .730 against .867 and .688, yet .780 against .826 of all.
    assert reverses(0.780 - 0.826, [0.931 - 0.867, 0.730 - 0.688])
    assert reverses(0.826 - 0.780, [0.867 - 0.931, 0.688 - 0.730])
    assert not reverses(0.01, [0.02, -0.01])
    assert not reverses(0.0, [0.02, 0.01])
    assert not reverses(0.01, [])
    rng = np.random.default_rng(5)
    for _ in range(50):
        d, kinds = rng.normal(0, 0.2, 30), rng.integers(0, 3, 30)
        assert not reverses(d.mean(), [d[kinds == kind].mean() for kind in range(3) if (kinds == kind).any()])
