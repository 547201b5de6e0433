"""Results in a store: kept as they are, once, whatever the series is called and whatever happens to the disk."""

import errno
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.history import Result, keep, read_series, result_of, series_names, state_of
from core.store import Folder, seal
from tests.conftest import REPOSITORY
from tests.history.made import NDCG, START, VALUES, comparison_of, night
from tests.store.faults import LONG, failing, left_in_tmp

GOLDEN = Path(__file__).parent / "golden_1"


@pytest.fixture
def store(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "store")


def same(one: Result, other: Result) -> bool:
    frames = one.scores.equals(other.scores) and one.groups.equals(other.groups)
    plain = [
        {name: value for name, value in vars(each).items() if name not in ("scores", "groups", "query_ids", "members")}
        for each in (one, other)
    ]
    return frames and plain[0] == plain[1]


def record(store: Folder) -> Path:
    return next((store.root / "series").rglob("*.json"))


def test_a_result_comes_back_to_the_last_digit(store: Folder) -> None:
    result = night(3, [1, 2, 3, 11], ["a", "b", "a", "b"], label="v1", commit="abc")
    assert keep(store, result) is True
    [found] = read_series(store, "nightly").results
    assert same(found, result)
    assert found.values("nDCG@10").tolist() == pytest.approx([1, VALUES[1], 0.5, 0])
    assert {group: mask.tolist() for group, mask in found.members.items()} == {
        ("side", "a"): [True, False, True, False],
        ("side", "b"): [False, True, False, True],
    }
    assert [(column, value, n) for column, value, n, _ in found.slices] == [("side", "a", 2), ("side", "b", 2)]
    assert found.slices[0][3]["nDCG@10"] == pytest.approx(0.75)


def test_a_record_holds_what_the_guide_to_results_asks(store: Folder) -> None:
    keep(store, night(0, [1, 2], label="v1", commit="abc"))
    found: dict[str, Any] = json.loads(record(store).read_text().splitlines()[0])
    assert found["schema"] == 1
    assert (found["series"], found["label"], found["commit"]) == ("nightly", "v1", "abc")
    assert found["at"] == "2026-05-01T02:00:00+00:00"
    assert found["qrels"]["sha256"] == "0" * 64
    assert found["run"] == {"name": "live", "sha256": "1" * 64, "rows": 2, "missing": 0}
    assert found["conventions"]["missing"] == "zero"
    assert set(found["parts"]) == {"scores", "groups"}
    assert all({"sha256", "bytes", "rows"} == set(part) for part in found["parts"].values())


def test_the_same_input_is_recorded_once(store: Folder) -> None:
    assert keep(store, night(0, [1, 2]))
    assert not keep(store, night(0, [1, 2]))
    assert len(read_series(store, "nightly").results) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"ranks": [1, 3]}, {"at": 1}, {"label": "x"}, {"commit": "x"}, {"qrels": "9" * 64}, {"run": "other"},
        {"sides": ["a", "b"]}, {"series": "other"},
    ],
)  # fmt: skip
def test_anything_else_is_another_result(other: dict[str, Any]) -> None:
    known: dict[str, Any] = {"at": 0, "ranks": [1, 2], "sides": None}
    first = night(**known)
    assert night(**(known | other)).id != first.id


def test_without_a_time_a_result_is_the_same_all_day_and_another_one_the_next() -> None:
    def at(moment: datetime) -> str:
        class Clock(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
                return moment.astimezone(tz)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("core.history.result.datetime", Clock)
            return result_of(comparison_of([1, 2]), (NDCG,), "nightly").id

    morning = datetime(2026, 5, 1, 0, 1, tzinfo=UTC)
    assert at(morning) == at(morning + timedelta(hours=23)) != at(morning + timedelta(days=1))


def test_results_come_in_the_order_of_their_times(store: Folder) -> None:
    for at in (5, 1, 3):
        keep(store, night(at, [1, 2]))
    assert [result.at for result in read_series(store, "nightly").results] == [
        START + timedelta(days=at) for at in (1, 3, 5)
    ]


NAMES = ["../../etc/passwd", "C:\\x", "s3://bucket", "night/ly", "Ω ночь", "a" * 200, "-", ".", "x\u202ey"[:1]]


@pytest.mark.parametrize("name", NAMES)
def test_a_series_may_have_any_name_and_none_becomes_a_path(tmp_path: Path, name: str) -> None:
    store = Folder(tmp_path / "store")
    keep(store, night(0, [1, 2], series=name))
    assert series_names(store) == [name]
    assert len(read_series(store, name).results) == 1
    assert read_series(store, "other").results == ()
    assert {path.name for path in tmp_path.iterdir()} == {"store"}
    for path in (tmp_path / "store").rglob("*"):
        assert all(
            part in ("series", "blobs", "tmp") or len(part) in (2, 64, 37)
            for part in path.relative_to(store.root).parts
        )


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\0", "x" * 201, "\ud800"])
def test_what_is_no_name_is_refused(store: Folder, name: str) -> None:
    for call in (lambda: night(0, [1, 2], series=name), lambda: read_series(store, name)):
        with pytest.raises(InputError, match="is no name for a series"):
            call()


def test_groups_are_kept_once_for_all_nights(store: Folder) -> None:
    for at in range(5):
        keep(store, night(at, [1 + at, 2], ["a", "b"]))
    assert len(store.entries("blobs/")) == 5 + 1


def test_a_changed_byte_anywhere_is_told_and_the_other_results_are_still_there(store: Folder) -> None:
    good, bad = night(0, [1, 2], ["a", "b"]), night(1, [2, 3], ["a", "b"])
    keep(store, good)
    before = {path for path in store.root.rglob("*") if path.is_file()}
    keep(store, bad)
    for path in {path for path in store.root.rglob("*") if path.is_file()} - before:
        data = path.read_bytes()
        for at in range(0, len(data), max(1, len(data) // (400 if LONG else 60))):
            path.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
            found = read_series(store, "nightly")
            assert [result.id for result in found.results] == [good.id]
            [problem] = found.problems
            assert problem.file == f"the result {bad.id[:12]}"
            assert "is damaged" in problem.message
        path.unlink()
        assert [result.id for result in read_series(store, "nightly").results] == [good.id]
        path.write_bytes(data)
    assert read_series(store, "nightly").problems == ()


def test_a_record_of_a_later_version_is_told(store: Folder) -> None:
    keep(store, night(0, [1, 2]))
    path = record(store)
    path.write_bytes(seal(json.loads(path.read_text().splitlines()[0]) | {"schema": 2}))
    [problem] = read_series(store, "nightly").problems
    assert problem.message == "was written by a later version of Ranklens (schema 2)"
    assert problem.hint == "update Ranklens"


@settings(max_examples=40)
@given(
    st.sampled_from(["at", "run", "qrels", "measures", "means", "slices", "parts", "conventions", "lines"]),
    st.none() | st.integers() | st.text() | st.lists(st.integers()),
)
def test_a_sealed_record_of_another_shape_is_told(field: str, value: object) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        store = Folder(Path(folder))
        keep(store, night(0, [1, 2]))
        path = record(store)
        document = json.loads(path.read_text().splitlines()[0])
        path.write_bytes(seal(document | {field: value}))
        found = read_series(store, "nightly")
        # Either the record cannot be used, or the field is one whose shape nothing depends on yet.
        assert found.problems or len(found.results) == 1


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_fails_at_any_call_leaves_the_series_as_it_was(store: Folder, number: int) -> None:
    words = "there is no room left on the disk" if number == errno.ENOSPC else "may not be written to"
    told: list[str] = []
    at = 0
    done = False
    while not done:
        at += 1
        new = night(at, [1, 1 + at % 11])
        with failing(at, number) as calls:
            try:
                keep(store, new)
            except InputError as error:
                told.append(error.problems[0].message)
            done = calls() < at
        assert left_in_tmp(store) == []
        assert read_series(store, "nightly").problems == ()
        # What was refused can be kept once there is room again.
        keep(store, new)
        found = read_series(store, "nightly")
        assert (found.problems, [result.label for result in found.results][-1]) == ((), new.label)
        assert len(found.results) == at
    assert len(told) > 20
    assert all(message.startswith("not saved: ") and words in message for message in told)


WRITER = """
import sys
from pathlib import Path
from core.history import keep
from core.store import Folder
from tests.history.made import night
for at in range(int(sys.argv[3])):
    keep(Folder(Path(sys.argv[1])), night(at, [1 + int(sys.argv[2]), 2], label=f"w{sys.argv[2]}"))
    keep(Folder(Path(sys.argv[1])), night(at, [1, 2], label="shared"))
"""


def test_eight_jobs_record_at_once_and_nothing_is_lost_or_doubled(store: Folder) -> None:
    nights = 50 if LONG else 3
    jobs = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(store.root), str(number), str(nights)], cwd=REPOSITORY)
        for number in range(8)
    ]
    assert [job.wait() for job in jobs] == [0] * 8
    found = read_series(store, "nightly")
    assert found.problems == ()
    assert len(found.results) == 8 * nights + nights
    assert list((store.root / "tmp").iterdir()) == []


def test_the_state_of_a_series_changes_with_every_result(store: Folder) -> None:
    states = [state_of(store, "nightly")]
    for at in range(3):
        keep(store, night(at, [1, 2]))
        states.append(state_of(store, "nightly"))
    keep(store, night(2, [1, 2]))
    assert len(set(states)) == 4
    assert state_of(store, "nightly") == states[-1]


def test_a_store_of_schema_1_opens_to_the_same_numbers_for_ever() -> None:
    found = read_series(Folder(GOLDEN), "golden")
    assert found.problems == ()
    assert [result.label for result in found.results] == ["first", "second"]
    assert found.results[0].means["nDCG@10"] == pytest.approx((1 + VALUES[1] + 0.5) / 3, abs=1e-12)
    assert found.results[1].means["nDCG@10"] == pytest.approx((VALUES[1] + 0.5 + 0) / 3, abs=1e-12)
    assert found.results[0].values("nDCG@10").tolist() == pytest.approx([1, VALUES[1], 0.5], abs=1e-12)
    assert set(found.results[0].members) == {("side", "a"), ("side", "b")}
