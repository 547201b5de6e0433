import math

import numpy as np
import pytest

from core.statistics.evidence import Names
from core.statistics.families import holm
from core.statistics.paired import Pair, compare_differences, compare_family
from core.statistics.sign_flip import sign_flip_p
from tests.statistics.published import SLEEP, changes

# The contract of CLI.md for one entry of "comparisons".
FIELDS = [
    "candidate", "baseline", "measure", "n", "difference", "interval", "interval_simultaneous", "p_value", "p_holm",
    "wins", "ties", "losses", "effect_size", "detectable", "largest_share", "badly_hurt", "verdict",
]  # fmt: skip


def test_an_entry_has_the_fields_of_the_command_line() -> None:
    row = compare_differences(SLEEP, Names("hybrid", "bm25", "nDCG@10")).as_json()
    assert list(row) == FIELDS
    assert (row["candidate"], row["baseline"], row["measure"]) == ("hybrid", "bm25", "nDCG@10")
    assert (row["n"], row["wins"], row["ties"], row["losses"]) == (10, 0, 1, 9)
    assert row["interval"] == pytest.approx([-2.4598858, -0.7001142], abs=1e-7)
    assert row["effect_size"] == pytest.approx(-1.284558, abs=1e-6)
    assert row["largest_share"] == pytest.approx(4.6 / 15.8)
    assert row["badly_hurt"] == 9
    assert row["p_value"] == row["p_holm"] == 2 / 512
    assert set(row["verdict"]) == {"case", "sentence"}  # type: ignore[call-overload]  # as_json is typed loosely


@pytest.mark.parametrize(
    ("d", "known"),
    [
        ([], {"n": 0, "wins": 0, "ties": 0, "losses": 0, "badly_hurt": 0}),
        ([0.2], {"n": 1, "wins": 1, "ties": 0, "losses": 0, "badly_hurt": 0, "difference": 0.2, "p_value": 1.0, "p_holm": 1.0, "largest_share": 1.0}),
        (
            np.zeros(30),
            {"n": 30, "wins": 0, "ties": 30, "losses": 0, "badly_hurt": 0, "difference": 0.0, "p_value": 1.0, "p_holm": 1.0,
             "interval": [0.0, 0.0], "interval_simultaneous": [0.0, 0.0]},
        ),
        (
            np.full(30, 0.25),
            {"n": 30, "wins": 30, "ties": 0, "losses": 0, "badly_hurt": 0, "difference": 0.25, "p_value": 1e-5, "p_holm": 1e-5,
             "interval": [0.25, 0.25], "interval_simultaneous": [0.25, 0.25], "largest_share": pytest.approx(1 / 30)},
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_computed_is_null(d: object, known: dict[str, object]) -> None:
    row = compare_differences(d).as_json()  # type: ignore[arg-type]  # lists and arrays
    for name in FIELDS[3:-1]:
        assert row[name] == known.get(name), name


def test_differences_of_a_billionth_are_no_effect() -> None:
    found = compare_differences(np.random.default_rng(0).uniform(-1e-9, 1e-9, 50))
    assert found.verdict.case == "identical"
    assert (found.effect_size, found.detectable, found.largest_share, found.p_value) == (None, None, None, 1.0)


def test_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        compare_differences([0.1, math.nan])


def test_a_family_fills_in_holm_and_the_simultaneous_intervals() -> None:
    ds = [changes(80, mean, seed=at) for at, mean in enumerate((0.05, 0.0, -0.03))]
    family = compare_family([Pair(f"run{at}", d) for at, d in enumerate(ds)], "bm25", "nDCG@10")
    alone = [compare_differences(d) for d in ds]
    assert [one.candidate for one in family] == ["run0", "run1", "run2"]
    assert [one.p_holm for one in family] == holm([one.p_value for one in alone])
    for one, single in zip(family, alone, strict=True):
        assert one.interval == single.interval
        assert one.p_value == single.p_value
        assert one.interval is not None
        assert one.interval_simultaneous is not None
        assert one.interval_simultaneous[0] < one.interval[0] < one.interval[1] < one.interval_simultaneous[1]
    assert "adjusted for 3 comparisons" in family[0].verdict.sentence


def test_a_family_of_one_is_not_adjusted() -> None:
    (one,) = compare_family([Pair("hybrid", changes(80, 0.05))], "bm25", "nDCG@10")
    assert one.p_holm == one.p_value
    assert one.interval_simultaneous == one.interval
    assert "adjusted" not in one.verdict.sentence
    assert compare_family([], "bm25", "nDCG@10") == []


def test_without_resampling_everything_but_the_p_values_is_there() -> None:
    d = changes(80, 0.05)
    quick, full = compare_differences(d, resample=False), compare_differences(d)
    assert (quick.p_value, quick.p_holm) == (None, None)
    assert full.p_value == sign_flip_p(d)
    assert quick.verdict == full.verdict
    assert compare_family([Pair("hybrid", d)], "bm25", "nDCG@10", resample=False)[0].p_holm is None


def test_the_largest_query_is_named_by_its_id_whatever_the_order() -> None:
    d = np.array([0.1, -0.5, 0.5, 0.2])
    assert compare_differences(d, ids=["c", "b", "a", "d"]).largest_query == "a"
    assert compare_differences(d).largest_query is None
    assert compare_differences(d).largest_index == 1
