"""Courses and alerts: segments, baselines, what drifts, and the fall of a slice that the mean hides."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import InputError
from core.history import Result, course, course_finding, finding, read_series, watched
from core.history.on_alert import call
from core.model.conventions import Conventions
from core.store import Folder
from sample_data import make_history
from tests.history.made import VALUES, night, shaken

SIDES = ["left"] * 12 + ["right"] * 48


def calm(nights: int, start: int = 0, **more: Any) -> list[Result]:
    return [night(at, shaken(at), SIDES, **more) for at in range(start, start + nights)]


def fallen(nights: int, start: int, how: slice) -> list[Result]:
    """Nights on which the queries of a slice of the list are in fifth place."""
    results = []
    for at in range(start, start + nights):
        ranks = shaken(at)
        ranks[how] = 5
        results.append(night(at, ranks, SIDES))
    return results


LEFT, ALL = slice(0, 12), slice(0, 60)


def test_every_night_is_held_against_the_first_of_its_segment_query_by_query() -> None:
    results = [night(0, [1, 2, 3, 2]), night(1, [2, 2, 3, 2]), night(2, [1, 1, 3, 2])]
    found = course(results, "nDCG@10")
    assert [each.baseline.id for each in found.nights] == [results[0].id] * 3
    assert [each.difference for each in found.nights] == pytest.approx([0, (VALUES[1] - 1) / 4, (1 - VALUES[1]) / 4])
    assert [each.mean for each in found.nights] == pytest.approx(
        [(1 + VALUES[1] + 0.5 + VALUES[1]) / 4, (3 * VALUES[1] + 0.5) / 4, (2 + 0.5 + VALUES[1]) / 4]
    )
    assert [each.n for each in found.nights] == [4, 4, 4]
    assert found.nights[1].interval == pytest.approx((-0.3859, 0.2014), abs=1e-4)  # t(3) = 3.1824 × 0.18454 / 2


def test_a_result_that_is_pinned_is_the_baseline_of_its_segment_alone() -> None:
    results = [*[night(at, [1, 2]) for at in range(3)], *[night(at, [1, 2], qrels="9" * 64) for at in range(3, 5)]]
    found = course(results, "nDCG@10", baseline=results[1])
    assert [each.baseline.label for each in found.nights] == ["night 1"] * 3 + ["night 3"] * 2


@pytest.mark.parametrize(
    ("later", "said"),
    [
        ({"qrels": "9" * 64}, ("qrels",)),
        ({"ranks": [2] * 61, "sides": None}, ("query set", "qrels")),
        ({"conventions": Conventions(missing="exclude")}, ("missing zero → exclude",)),
        (
            {"conventions": Conventions(order="rank", relevance_level=2)},
            ("order score → rank", "relevance level 1 → 2"),
        ),
        ({"commit": "other"}, ()),
        ({"sides": ["x"] * 30 + ["y"] * 30}, ()),
    ],
)
def test_a_new_segment_begins_where_qrels_query_set_or_conventions_change(
    later: dict[str, Any], said: tuple[str, ...]
) -> None:
    known: dict[str, Any] = {"ranks": [2] * 60, "sides": SIDES}
    results = [night(0, **known), night(1, **(known | later)), night(2, **(known | later))]
    nights = course(results, "nDCG@10").nights
    assert [each.changed for each in nights] == [(), said, ()]
    assert [each.point.segment for each in nights] == ([0, 1, 1] if said else [0, 0, 0])


def test_limits_begin_after_ten_nights_of_a_segment() -> None:
    found = course([*calm(14), *calm(14, 14, qrels="9" * 64)], "nDCG@10")
    assert [each.point.low is not None for each in found.nights] == ([False] * 10 + [True] * 4) * 2


def test_a_slice_has_a_segment_of_its_own_where_its_queries_change() -> None:
    other = ["left"] * 20 + ["right"] * 40
    results = [night(0, [2] * 60, SIDES), night(1, [2] * 60, other), night(2, [2] * 60)]
    found = course(results, "nDCG@10", ("side", "left"))
    assert [(each.n, each.changed) for each in found.nights] == [(12, ()), (20, ("queries of the slice",))]
    assert found.left_out == 1


def test_calm_nights_find_nothing() -> None:
    found = watched(calm(30), "nDCG@10")
    assert found.standing == ()
    told = finding(found)
    assert told.title == "No drift"
    assert told.alert is None


def test_too_few_nights_are_told_as_such() -> None:
    assert finding(watched(calm(9), "nDCG@10")).title == "9 results, too few to tell drift from chance"
    assert finding(watched([], "nDCG@10")).title == "No result to show"
    assert finding(watched(calm(2), "P@5")).sentence == "No result of this series has P@5."


def test_a_drop_of_all_queries_is_dated_by_the_first_night_that_crossed() -> None:
    found = watched([*calm(20), *fallen(5, 20, ALL)], "nDCG@10")
    told = finding(found)
    assert told.alert is not None
    assert (told.alert.group, told.alert.first.result.label, told.alert.open) == (None, "night 20", True)
    assert told.title == "nDCG@10 is worse than the baseline since 21 May 2026"
    assert {alert.kind for alert in found.alerts if alert.group is None} == {"worse", "down"}
    assert found.begun_with(found.whole.nights[20].result) != ()
    assert found.begun_with(found.whole.nights[21].result) == ()


def test_a_rise_is_told_and_a_repair_ends_an_alert() -> None:
    def risen(at: int) -> Result:
        ranks = shaken(at)
        ranks[:40] = 1
        return night(at, ranks, SIDES)

    up = watched([*calm(20), *map(risen, range(20, 25))], "nDCG@10")
    assert finding(up).title == "nDCG@10 has drifted up since 21 May 2026"
    repaired = watched([*calm(20), *fallen(2, 20, ALL), *calm(12, 22)], "nDCG@10")
    assert repaired.standing == ()
    assert [alert.open for alert in repaired.alerts] == [False] * len(repaired.alerts)
    assert "earlier alerts are over" in finding(repaired).sentence


def test_a_fall_of_one_slice_that_the_mean_hides_is_the_finding() -> None:
    # One place down for six queries of twelve: 0.131 × 6 / 12 in the slice, a fifth of that in the mean.
    results = calm(20)
    for at in range(20, 24):
        ranks = shaken(at)
        ranks[:12] = [3] * 6 + [2] * 6
        results.append(night(at, ranks, SIDES))
    calm_left = [night(at, np.r_[[2] * 12, shaken(at)[12:]], SIDES) for at in range(20)]
    found = watched([*calm_left, *results[20:]], "nDCG@10")
    told = finding(found)
    assert told.alert is not None
    assert told.alert.group == ("side", "left")
    assert told.alert.first.result.label == "night 20"
    assert told.title == '"left" (side) fell by 0.065 since 21 May 2026, and the mean hardly shows it'
    assert told.alert.change == pytest.approx((0.5 - VALUES[1]) / 2)
    assert "within its usual range" in told.sentence


def test_each_course_says_what_it_shows_by_itself() -> None:
    found = watched([*calm(20), *fallen(6, 20, LEFT)], "nDCG@10")
    left, right = (next(one for one in found.slices if one.group == ("side", side)) for side in ("left", "right"))
    assert (
        course_finding(found.whole, found.alerts)
        == finding(found).title
        == "nDCG@10 has drifted down since 23 May 2026"
    )
    assert course_finding(left, found.alerts) == '"left" (side) fell by 0.275 since 21 May 2026'
    assert course_finding(right, found.alerts).endswith("nDCG@10 against the baseline, as usual")
    assert course_finding(right, found.alerts).startswith('"right" (side): ')
    short = watched(calm(3), "nDCG@10")
    assert course_finding(short.whole, short.alerts).startswith("All queries: ")
    assert course_finding(short.whole, short.alerts).endswith(", too few results to say what is usual")
    none = watched(calm(3), "P@3")
    assert course_finding(none.whole, none.alerts) == "All queries: no result has P@3"


def test_slices_of_fewer_than_ten_queries_are_not_watched() -> None:
    few = ["left"] * 9 + ["right"] * 51
    found = watched([night(at, shaken(at), few) for at in range(12)], "nDCG@10")
    assert [each.group for each in found.slices] == [("side", "right")]


def test_a_slice_that_moves_less_than_the_margin_does_not_alert() -> None:
    steady = [night(at, [2] * 60, SIDES) for at in range(15)]
    moved = [night(at, [3, *[2] * 59], SIDES) for at in range(15, 20)]
    found = watched([*steady, *moved], "nDCG@10")
    # 0.131 / 12 = 0.011 in the slice: the chart crosses, for nothing ever moved before.
    assert [alert.group for alert in found.alerts] == [None]


def test_a_later_night_never_changes_what_was_said_of_an_earlier_one() -> None:
    results = [*calm(15), *fallen(6, 15, LEFT), *calm(6, 21)]
    before = [night.point for night in watched(results[:18], "nDCG@10").whole.nights]
    after = [night.point for night in watched(results, "nDCG@10").whole.nights]
    assert after[:18] == before


def test_the_sample_history_hides_a_fall_of_billing_that_is_found() -> None:
    kept = read_series(Folder(make_history.STORE), make_history.SERIES)
    assert kept.problems == ()
    assert len(kept.results) == 30
    found = watched(kept.results, "nDCG@10")
    told = finding(found)
    assert told.title == '"billing" (source) fell by 0.073 since 26 November 2026, and the mean hardly shows it'
    assert told.alert is not None
    assert told.alert.first.result.at.day == make_history.BROKEN_FROM
    # By any control chart of the mean nothing happened.
    assert all(night.point.alerts == () and not night.worse for night in found.whole.nights)
    [changed] = [night for night in found.whole.nights if night.changed]
    assert changed.result.at.day == make_history.ALL_JUDGED_FROM
    assert changed.changed == ("query set", "qrels")


def test_the_sample_history_is_what_its_script_makes() -> None:
    kept = {result.at: result for result in read_series(Folder(make_history.STORE), make_history.SERIES).results}
    made = list(make_history.results(nights=(1, 9, 26)))
    assert len(kept) == 30
    for result in made:
        assert kept[result.at].id == result.id
        assert kept[result.at].scores.equals(result.scores)


# --- a command on an alert


TELL = "import sys, pathlib; pathlib.Path(sys.argv[1]).open('ab').write(sys.stdin.buffer.read() + b'\\n')"


def test_a_command_gets_each_alert_as_json_without_a_shell(tmp_path: Path) -> None:
    alerts = watched([*calm(20), *fallen(2, 20, ALL)], "nDCG@10").standing
    target = tmp_path / "told $(touch x).jsonl"
    assert call(f"'{sys.executable}' -c \"{TELL}\" '{target}'", "nightly", alerts) == len(alerts) >= 2
    told = [json.loads(line) for line in target.read_text().splitlines()]
    assert [each["sentence"] for each in told] == [alert.sentence for alert in alerts]
    assert {each["series"] for each in told} == {"nightly"}
    assert {each["schema"] for each in told} == {1}
    assert told[0]["first"]["name"] == "night 20"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("/no/such/command", "could not be started"),
        (f"'{sys.executable}' -c 'raise SystemExit(7)'", "ended with status 7"),
        ("", "no command was given"),
        ("unclosed 'quote", "cannot be read as a command"),
    ],
)
def test_a_command_that_fails_is_told(command: str, said: str) -> None:
    alerts = watched([*calm(20), *fallen(2, 20, ALL)], "nDCG@10").standing
    with pytest.raises(InputError, match=said):
        call(command, "nightly", alerts)


def test_no_alert_calls_nothing() -> None:
    assert call("/no/such/command", "nightly", ()) == 0
