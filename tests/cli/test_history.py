"""`ranklens history`: a series with its limits, what changed, and its alerts."""

import csv
import io
import json
from pathlib import Path

import pytest

from sample_data import make_history
from tests.cli.conftest import Done, Ranklens

SERIES = make_history.SERIES


@pytest.fixture(autouse=True)
def _sample(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert folder
    monkeypatch.setenv("RANKLENS_STORE", str(make_history.STORE))


def history(ranklens: Ranklens, *more: str, series: str = SERIES, form: str = "json") -> Done:
    return ranklens("history", series, "--format", form, *more)


def test_the_json_tells_the_finding_every_result_and_every_alert(ranklens: Ranklens) -> None:
    done = history(ranklens)
    found = done.json
    assert (done.code, done.err) == (0, "")
    assert (found["schema"], found["series"], found["measure"]) == (1, SERIES, "nDCG@10")
    assert found["finding"]["title"].startswith('"billing" (source) fell by 0.073')
    assert len(found["results"]) == 30
    assert [each["at"] for each in found["results"]] == sorted(each["at"] for each in found["results"])
    first, last = found["results"][0], found["results"][-1]
    assert (first["difference"], first["low"], first["crossed"]) == (0.0, None, [])
    assert last["low"] <= last["ewma"] <= last["high"]
    assert last["baseline"] == found["results"][8]["id"]
    assert found["conventions"]["line"].startswith("nDCG@10 · linear gain (the grade)")
    assert {(each["slice"] or {}).get("value") for each in found["alerts"] if each["open"]} >= {"billing"}
    assert found["slices"] == []


def test_slices_come_where_they_are_asked(ranklens: Ranklens) -> None:
    found = history(ranklens, "--slice", "source").json
    assert [each["value"] for each in found["slices"]] == ["docs", "tickets", "billing", "wiki", "crm"]
    assert all(each["column"] == "source" for each in found["slices"])
    billing = found["slices"][2]["results"]
    assert billing[-1]["n"] == 37
    assert billing[-1]["crossed"] == ["ewma-low", "cusum-low"]


def test_the_table_begins_with_the_finding_and_marks_segments_and_ends_with_the_conventions(ranklens: Ranklens) -> None:
    lines = history(ranklens, form="table").out.splitlines()
    assert lines[0].startswith('"billing" (source) fell')
    assert sum("new segment: query set, qrels" in line for line in lines) == 1
    assert lines[-1].startswith("nDCG@10 · linear gain")


def test_csv_has_a_row_a_result_with_its_conventions(ranklens: Ranklens) -> None:
    rows = list(csv.DictReader(io.StringIO(history(ranklens, "--slice", "source", form="csv").out)))
    assert len(rows) == 30 * 6
    assert {row["conventions"][:7] for row in rows} == {"nDCG@10"}
    assert {row["value"] for row in rows} == {"", "docs", "tickets", "billing", "wiki", "crm"}


def test_markdown_has_a_table(ranklens: Ranklens) -> None:
    assert "| when " in history(ranklens, form="md").out


def test_the_same_store_gives_the_same_bytes(ranklens: Ranklens) -> None:
    for form in ("json", "table", "csv", "md"):
        assert history(ranklens, form=form).out == history(ranklens, form=form).out


def test_a_result_is_pinned_by_its_label_or_the_beginning_of_its_id(ranklens: Ranklens) -> None:
    by_label = history(ranklens, "--baseline", "night 12").json
    pinned = by_label["results"][11]["id"]
    assert {each["baseline"] for each in by_label["results"][8:]} == {pinned}
    assert by_label["results"][11]["difference"] == 0.0
    assert history(ranklens, "--baseline", pinned[:8]).json == by_label


@pytest.mark.parametrize(
    ("more", "said", "hint"),
    [
        (("--baseline", "v9"), 'the series has no result "v9"', "shows ids and labels"),
        (("--measure", "P@5"), 'no result of the series has "P@5"', "recorded are nDCG@10"),
        (("--slice", "colour"), 'the latest result has no attribute "colour"', '"intent"'),
    ],
)
def test_what_the_series_does_not_have_is_told(ranklens: Ranklens, more: tuple[str, ...], said: str, hint: str) -> None:
    done = history(ranklens, *more)
    assert done.code == 2
    assert said in done.problems[0]["message"]
    assert hint in done.problems[0]["hint"]


def test_an_unknown_series_is_told_with_those_there_are(ranklens: Ranklens, folder: Path) -> None:
    done = history(ranklens, series="nightly")
    assert (done.code, done.problems[0]["hint"]) == (2, f'there are "{SERIES}"')
    empty = history(ranklens, "--store", str(folder / "none"), series="nightly")
    assert (empty.code, empty.problems[0]["hint"]) == (2, "`ranklens record` begins one")
    assert not (folder / "none").exists()


def test_damage_is_told_and_nothing_is_shown(ranklens: Ranklens, folder: Path) -> None:
    ranklens("record", "nightly", "--qrels", "qrels.txt", "--run", "bm25.run", "--store", "kept")
    path = next((folder / "kept" / "series").rglob("*.json"))
    path.write_bytes(path.read_bytes().replace(b"bm25", b"bm26"))
    done = history(ranklens, "--store", "kept", series="nightly")
    assert done.code == 2
    assert done.problems[0]["message"] == "is damaged: it is not as it was written"
    assert json.loads(done.out).keys() == {"schema", "error"}
