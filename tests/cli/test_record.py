"""`ranklens record`: a run's result appended to a series, once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.history import read_series
from core.store import Folder
from tests.cli.conftest import QRELS, Done, Ranklens
from tests.cli.test_gate import qrels_of, run_of


@pytest.fixture(autouse=True)
def store(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv("RANKLENS_STORE", str(folder / "kept"))
    return Folder(folder / "kept")


def record(ranklens: Ranklens, *more: str, series: str = "nightly", run: str = "bm25.run") -> Done:
    return ranklens("record", series, "--qrels", "qrels.txt", "--run", run, *more)


def test_a_result_is_recorded_with_everything_there_is_to_know(ranklens: Ranklens, store: Folder) -> None:
    done = record(
        ranklens, "--queries", "queries.csv", "--label", "v1", "--commit", "abc", "--at", "2026-05-01T02:00+02:00",
        "--missing", "exclude", "--measure", "nDCG@10", "--measure", "P@5", "--format", "json",
    )  # fmt: skip
    assert done.code == 0
    [result] = read_series(store, "nightly").results
    assert (result.label, result.commit, result.at.isoformat()) == ("v1", "abc", "2026-05-01T00:00:00+00:00")
    assert result.measures == ("nDCG@10", "P@5")
    assert result.conventions["missing"] == "exclude"
    assert (result.judged, result.missing) == (4, 1)
    assert done.json == {
        "schema": 1, "series": "nightly", "id": result.id, "recorded": True, "results": 1, "run": "bm25",
        "qrels": result.qrels, "means": dict(result.means), "alerts": [],
    }  # fmt: skip
    scored = ranklens(
        "score", "--qrels", "qrels.txt", "--run", "bm25.run", "--missing", "exclude", "--format", "json"
    ).json
    assert result.means["nDCG@10"] == scored["means"]["bm25"]["nDCG@10"]


def test_the_same_input_again_adds_nothing(ranklens: Ranklens, store: Folder) -> None:
    for at in ((), ("--at", "2026-05-01")):
        first = record(ranklens, *at)
        again = record(ranklens, *at)
        assert first.out.startswith('Recorded in "nightly": bm25, ')
        assert again.out.startswith('Was recorded already in "nightly": bm25, ')
    assert len(read_series(store, "nightly").results) == 2


def test_several_runs_are_refused_and_nothing_is_recorded(ranklens: Ranklens, folder: Path, store: Folder) -> None:
    done = record(ranklens, "--run", "two=bm25.run", "--format", "json")
    assert done.code == 2
    assert done.problems[0]["message"] == '2 runs were given: "bm25", "two"'
    assert not (folder / "kept").exists()
    assert store.entries("") == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--at", "yesterday"), '"yesterday" is not a time such as'),
        (("--baseline", "v0"), 'the series has no result "v0"'),
        (("--store", "gopher://x"), '"gopher://" is not a kind of store'),
        (("--measure", "x"), '"x" is not a measure'),
    ],
)
def test_what_cannot_be_recorded_is_told_before_anything_is_kept(
    ranklens: Ranklens, folder: Path, more: tuple[str, ...], said: str
) -> None:
    done = record(ranklens, *more, "--format", "json")
    assert done.code == 2
    assert said in done.err
    assert done.problems
    assert not (folder / "kept").exists()


def test_a_store_that_cannot_be_written_to_is_told(ranklens: Ranklens, folder: Path) -> None:
    (folder / "kept").write_text("a file is in the way")
    done = record(ranklens)
    assert done.code == 2
    assert f"the store in {folder / 'kept'}: not saved: " in done.err


def test_an_option_names_another_store(ranklens: Ranklens, folder: Path) -> None:
    assert record(ranklens, "--store", "elsewhere").code == 0
    assert len(read_series(Folder(folder / "elsewhere"), "nightly").results) == 1
    assert not (folder / "kept").exists()


def nights(ranklens: Ranklens, folder: Path, count: int, rank: int, start: int = 1, *more: str) -> list[Done]:
    """So many nights of sixty queries with their document at this rank."""
    (folder / "qrels.txt").write_text(qrels_of(60))
    (folder / "live.run").write_text(run_of([rank] * 60))
    return [record(ranklens, "--at", f"2026-05-{at:02}", *more, run="live.run") for at in range(start, start + count)]


def test_an_alert_is_told_by_the_result_it_begins_with_and_calls_the_command_once(
    ranklens: Ranklens, folder: Path
) -> None:
    script = "import sys, pathlib; pathlib.Path('told.jsonl').open('ab').write(sys.stdin.buffer.read() + b'\\n')"
    (folder / "tell.py").write_text(script)
    command = ("--on-alert", f"'{sys.executable}' tell.py")
    assert all("Alert" not in done.out for done in nights(ranklens, folder, 12, 1, 1, *command))
    first, second = nights(ranklens, folder, 2, 3, 13, *command)
    assert "Alert: nDCG@10 has been below its usual level since 13 May 2026" in first.out
    assert "Alert" not in second.out
    told = [json.loads(line) for line in (folder / "told.jsonl").read_text().splitlines()]
    assert {each["kind"] for each in told} == {"down", "worse"}
    assert {each["first"]["at"] for each in told} == {"2026-05-13T00:00:00+00:00"}


def test_a_command_that_fails_is_told_and_the_result_is_kept(ranklens: Ranklens, folder: Path, store: Folder) -> None:
    nights(ranklens, folder, 12, 1)
    [done] = nights(ranklens, folder, 1, 3, 13, "--on-alert", "/no/such/command")
    assert (done.code, "could not be started" in done.err) == (2, True)
    assert len(read_series(store, "nightly").results) == 13


def test_a_line_of_the_qrels_makes_no_difference_to_where_it_is_kept(ranklens: Ranklens, folder: Path) -> None:
    record(ranklens)
    (folder / "qrels.txt").write_text(QRELS + "q1 0 d9 1\n")
    record(ranklens)
    done = ranklens("history", "nightly", "--format", "json").json
    assert [each["segment"] for each in done["results"]] == [0, 1]
    assert done["results"][1]["changed"] == ["qrels"]


@pytest.mark.parametrize("how", ["option", "variable"])
def test_the_dashboard_looks_into_the_same_store_whichever_folder_it_runs_in(
    ranklens: Ranklens, folder: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    started: list[str] = []
    monkeypatch.setattr("os.execve", lambda _, __, variables: started.append(variables["RANKLENS_STORE"]))
    monkeypatch.setattr("subprocess.run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    monkeypatch.setenv("RANKLENS_STORE", "kept")
    here, variables = Path.cwd(), dict(os.environ)
    try:
        ranklens("app", *(("--store", "kept") if how == "option" else ()))
    finally:
        os.chdir(here)
    assert started == [str(folder / "kept")]
    assert dict(os.environ) == variables
