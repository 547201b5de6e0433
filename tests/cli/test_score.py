"""`ranklens score`: every field of its JSON, and the same numbers in the other formats."""

import csv
import hashlib
import io
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import QRELS, QUERIES, RUN, Ranklens
from tests.conftest import REPOSITORY

SCORE = ("score", "--qrels", "qrels.txt", "--run", "bm25.run")
EXPONENTIAL = "nDCG(dcg='exp-log2')@10"
DEFAULTS = ["nDCG@10", EXPONENTIAL, "R@100", "RR@10", "Success@10", "P@10", "AP@100", "Judged@10"]

log = math.log2
LINEAR = {
    "q1": (3 + 1 / log(3) + 0 + 2 / log(5)) / (3 + 3 / log(3) + 2 / log(4) + 1 / log(5)),
    "q2": (1 / log(3)) / 1,
    "q3": 0.0,
    "q4": 0.0,
}
POWERS = {
    "q1": (7 + 1 / log(3) + 0 + 3 / log(5)) / (7 + 7 / log(3) + 3 / log(4) + 1 / log(5)),
    "q2": 1 / log(3),
    "q3": 0.0,
    "q4": 0.0,
}
# By hand: q1 returns d1, d2, d4 of the relevant d1, d2, d4, d5 at ranks 1, 2 and 4; q2 its one at rank 2.
BY_QUERY = {
    "nDCG@10": LINEAR,
    EXPONENTIAL: POWERS,
    "R@100": {"q1": 3 / 4, "q2": 1.0, "q3": 0.0, "q4": 0.0},
    "RR@10": {"q1": 1.0, "q2": 1 / 2, "q3": 0.0, "q4": 0.0},
    "Success@10": {"q1": 1.0, "q2": 1.0, "q3": 0.0, "q4": 0.0},
    "P@10": {"q1": 3 / 10, "q2": 1 / 10, "q3": 0.0, "q4": 0.0},
    "AP@100": {"q1": (1 / 1 + 2 / 2 + 3 / 4) / 4, "q2": (1 / 2) / 1, "q3": 0.0, "q4": 0.0},
    "Judged@10": {"q1": 4 / 10, "q2": 1 / 10, "q3": 1 / 10, "q4": 0.0},
}


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_json_has_the_fields_of_the_contract_and_no_others(ranklens: Ranklens) -> None:
    done = ranklens(*SCORE, "--format", "json")
    assert done.code == 0
    assert list(done.json) == [
        "schema", "ranklens", "conventions", "inputs", "queries", "notices", "measures", "means", "means_excluding_undefined",
    ]  # fmt: skip
    assert done.json["schema"] == 1
    assert done.json["ranklens"] == "0.1.0"
    assert done.json["measures"] == DEFAULTS


def test_the_conventions_are_the_defaults_and_their_line_names_the_qrels(ranklens: Ranklens) -> None:
    told = ranklens(*SCORE, "-m", "nDCG@10", "--format", "json").json["conventions"]
    assert told == {
        "line": "nDCG@10 · linear gain (the grade) · ideal from all judged documents · 4 queries · missing = 0 · undefined = 0 (1) · "
        f"ties: trec_eval · qrels {digest(QRELS)[:7]}",
        "missing": "zero",
        "undefined": "zero",
        "order": "score",
        "conflicts": "highest",
        "own_ids": "keep",
        "relevance_level": 1,
    }


def test_the_inputs_are_told_by_name_digest_and_counts(ranklens: Ranklens) -> None:
    told = ranklens(*SCORE, "--queries", "queries.csv", "--format", "json").json["inputs"]
    assert told == {
        "qrels": {"name": "qrels.txt", "sha256": digest(QRELS), "judgments": 8, "queries": 4},
        "runs": [
            {"name": "bm25", "sha256": digest(RUN), "rows": 8, "queries": 4, "missing": 1, "extra": 1, "scored": 4}
        ],
        "queries": {
            "files": [{"name": "queries.csv", "sha256": digest(QUERIES)}],
            "rows": 3,
            "columns": ["text", "intent"],
        },
    }


def test_undefined_and_missing_queries_are_listed_by_id(ranklens: Ranklens) -> None:
    told = ranklens(*SCORE, "--format", "json").json["queries"]
    assert told == {"judged": 4, "undefined": ["q3"], "undefined_binary": ["q3"], "missing": {"bm25": ["q4"]}}


def test_undefined_for_binary_measures_follows_the_relevance_level(ranklens: Ranklens) -> None:
    told = ranklens(*SCORE, "--relevance-level", "2", "--format", "json").json["queries"]
    assert told["undefined"] == ["q3"]
    assert told["undefined_binary"] == ["q2", "q3", "q4"]


def test_a_notice_has_the_fields_of_the_contract(ranklens: Ranklens) -> None:
    notices = ranklens(*SCORE, "--format", "json").json["notices"]
    missing = next(notice for notice in notices if notice["code"] == "missing-queries")
    linear = math.fsum(LINEAR.values())
    assert list(missing) == ["code", "severity", "about", "count", "examples", "message", "effect"]
    assert (missing["severity"], missing["about"], missing["count"], missing["examples"]) == (
        "warning",
        "bm25",
        1,
        ["q4"],
    )
    assert missing["effect"]["measure"] == "nDCG@10"
    assert missing["effect"]["zero"] == pytest.approx(linear / 4, abs=1e-15)
    assert missing["effect"]["exclude"] == pytest.approx(linear / 3, abs=1e-15)
    for notice in notices:
        assert set(notice) - {"effect"} == {"code", "severity", "about", "count", "examples", "message"}


def test_means_and_per_query_values_are_those_worked_out_by_hand(ranklens: Ranklens) -> None:
    told = ranklens(*SCORE, "--per-query", "--format", "json").json
    assert list(told["per_query"]) == ["bm25"]
    assert list(told["per_query"]["bm25"]) == ["q1", "q2", "q3", "q4"]
    for measure, values in BY_QUERY.items():
        for query, value in values.items():
            assert told["per_query"]["bm25"][query][measure] == pytest.approx(value, abs=1e-15), (measure, query)
        assert told["means"]["bm25"][measure] == pytest.approx(math.fsum(values.values()) / 4, abs=1e-15), measure
    assert list(told["means"]["bm25"]) == list(told["means_excluding_undefined"]["bm25"]) == DEFAULTS


def test_the_mean_without_undefined_queries_leaves_out_only_where_the_measure_is_undefined(ranklens: Ranklens) -> None:
    without = ranklens(*SCORE, "--format", "json").json["means_excluding_undefined"]["bm25"]
    for measure in ("nDCG@10", EXPONENTIAL, "R@100", "RR@10", "AP@100"):
        assert without[measure] == pytest.approx(math.fsum(BY_QUERY[measure].values()) / 3, abs=1e-15), measure
    for measure in ("Success@10", "P@10", "Judged@10"):
        assert without[measure] == pytest.approx(math.fsum(BY_QUERY[measure].values()) / 4, abs=1e-15), measure


def test_without_undefined_queries_there_is_no_second_mean(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text(QRELS.replace("q3 0 d7 0\n", ""))
    assert "means_excluding_undefined" not in ranklens(*SCORE, "--format", "json").json


def test_per_query_values_are_printed_only_when_asked_for(ranklens: Ranklens) -> None:
    assert "per_query" not in ranklens(*SCORE, "--format", "json").json


def test_an_undefined_query_is_left_out_or_scores_zero_and_is_listed_either_way(ranklens: Ranklens) -> None:
    zero = ranklens(*SCORE, "--per-query", "--format", "json").json
    out = ranklens(*SCORE, "--per-query", "--format", "json", "--undefined", "exclude").json
    assert zero["per_query"]["bm25"]["q3"]["nDCG@10"] == 0.0
    assert "nDCG@10" not in out["per_query"]["bm25"]["q3"]
    assert out["per_query"]["bm25"]["q3"]["P@10"] == 0.0
    assert zero["queries"]["undefined"] == out["queries"]["undefined"] == ["q3"]
    assert out["means"]["bm25"]["nDCG@10"] == pytest.approx(math.fsum(LINEAR.values()) / 3, abs=1e-15)
    assert out["conventions"]["undefined"] == "exclude"


def test_missing_queries_can_be_left_out(ranklens: Ranklens) -> None:
    told = ranklens(*SCORE, "--per-query", "--format", "json", "--missing", "exclude").json
    assert "q4" not in told["per_query"]["bm25"]
    assert told["means"]["bm25"]["nDCG@10"] == pytest.approx(math.fsum(LINEAR.values()) / 3, abs=1e-15)
    assert told["queries"]["missing"] == {"bm25": ["q4"]}


@pytest.mark.parametrize(
    ("options", "scored"),
    [
        ((), 4),
        (("--missing", "exclude"), 3),
        (("--undefined", "exclude"), 3),
        (("--missing", "exclude", "--undefined", "exclude"), 2),
    ],
)
def test_scored_counts_the_queries_in_the_mean(ranklens: Ranklens, options: tuple[str, ...], scored: int) -> None:
    told = ranklens(*SCORE, *options, "--per-query", "--format", "json").json
    assert told["inputs"]["runs"][0]["scored"] == scored
    assert sum("nDCG@10" in values for values in told["per_query"]["bm25"].values()) == scored


def test_own_gains_are_added_at_every_ndcg_cutoff_asked(ranklens: Ranklens) -> None:
    told = ranklens(
        *SCORE, "-m", "nDCG@1", "-m", "nDCG@10", "-m", "P@1", "--gains", "1=1,2=10,3=100", "--format", "json"
    ).json
    custom = "nDCG(gains={1:1,2:10,3:100})"
    assert told["measures"] == ["nDCG@1", "nDCG@10", "P@1", f"{custom}@1", f"{custom}@10"]
    assert told["means"]["bm25"][f"{custom}@1"] == pytest.approx((1 + 0 + 0 + 0) / 4)
    q1 = (100 + 1 / log(3) + 10 / log(5)) / (100 + 100 / log(3) + 10 / log(4) + 1 / log(5))
    assert told["means"]["bm25"][f"{custom}@10"] == pytest.approx((q1 + 1 / log(3)) / 4)


def test_a_measure_is_named_canonically_however_it_was_asked_for(ranklens: Ranklens) -> None:
    told = ranklens(*SCORE, "-m", "ndcg_cut_10", "-m", "MRR@10", "-m", "map", "-m", "nDCG@10", "--format", "json").json
    assert told["measures"] == ["nDCG@10", "RR@10", "AP"]


def test_a_value_that_cannot_be_computed_is_null_and_so_is_its_mean(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text(QRELS.replace("d8 1", "d8 2000"))
    (folder / "bm25.run").write_text(RUN + "q4 Q0 d8 1 1 bm25\n")
    done = ranklens(*SCORE, "--per-query", "--format", "json")
    assert done.code == 0
    assert "NaN" not in done.out
    assert done.json["per_query"]["bm25"]["q4"][EXPONENTIAL] is None
    assert done.json["per_query"]["bm25"]["q4"]["nDCG@10"] == 1.0
    assert done.json["means"]["bm25"][EXPONENTIAL] is None
    assert done.json["means_excluding_undefined"]["bm25"][EXPONENTIAL] is None
    assert done.json["means"]["bm25"]["nDCG@10"] is not None
    error = next(notice for notice in done.json["notices"] if notice["code"] == "large-grades")
    assert error["severity"] == "error"
    assert "nan" not in ranklens(*SCORE, "--per-query").out.lower()
    assert "nan" not in ranklens(*SCORE, "--format", "csv").out.lower()


def test_csv_has_a_row_for_each_run_query_and_measure_with_the_conventions_beside_it(ranklens: Ranklens) -> None:
    told = ranklens(*SCORE, "--run", "other=bm25.run", "--per-query", "--format", "json").json
    rows = list(csv.DictReader(io.StringIO(ranklens(*SCORE, "--run", "other=bm25.run", "--format", "csv").out)))
    assert list(rows[0]) == ["run", "query_id", "measure", "score", "missing", "undefined", "counted", "conventions"]
    assert len(rows) == 2 * 4 * len(DEFAULTS)
    assert {row["conventions"] for row in rows} == {told["conventions"]["line"]}
    for row in rows:
        assert float(row["score"]) == told["per_query"][row["run"]][row["query_id"]][row["measure"]]
        assert row["missing"] == str(row["query_id"] == "q4").lower()
        never = row["measure"] in ("P@10", "Success@10", "Judged@10")
        assert row["undefined"] == str(row["query_id"] == "q3" and not never).lower()


def test_the_table_shows_three_digits_both_means_the_conventions_and_the_notices(ranklens: Ranklens) -> None:
    lines = ranklens(*SCORE, "-m", "nDCG@10").out.splitlines()
    assert lines[0].split() == ["run", "nDCG@10", "queries", "missing"]
    assert lines[2].split() == ["bm25", f"{math.fsum(LINEAR.values()) / 4:.3f}", "4", "1"]
    assert lines[3].split() == ["bm25,", "without", "undefined", f"{math.fsum(LINEAR.values()) / 3:.3f}"]
    assert lines[5].startswith("nDCG@10 · linear gain (the grade)")
    assert any(line.startswith("warning: bm25: ") and "1 of 4 judged queries" in line for line in lines[7:])


def test_names_in_markdown_are_text(ranklens: Ranklens, folder: Path) -> None:
    (folder / "a*b_|_<i>.run").write_text(RUN)
    out = ranklens("score", "--qrels", "qrels.txt", "--run", "a*b_|_<i>.run", "-m", "nDCG@10", "--format", "md").out
    assert r"a\*b\_\|\_\<i\>" in out
    assert "a*b" not in out
    assert out.splitlines()[1].startswith("|--")


def test_out_writes_the_same_bytes_to_a_file_and_nothing_to_standard_output(ranklens: Ranklens, folder: Path) -> None:
    printed = ranklens(*SCORE, "--format", "json")
    written = ranklens(*SCORE, "--format", "json", "--out", "told.json")
    assert (written.code, written.out) == (0, "")
    assert (folder / "told.json").read_text(encoding="utf-8") == printed.out


def test_the_order_of_the_rows_in_the_files_changes_no_byte_of_the_scores(ranklens: Ranklens, folder: Path) -> None:
    first = ranklens(*SCORE, "--per-query", "--format", "json").json
    for name, text in (("qrels.txt", QRELS), ("bm25.run", RUN)):
        (folder / name).write_text("".join(reversed(text.splitlines(keepends=True))))
    again = ranklens(*SCORE, "--per-query", "--format", "json").json
    for part in ("queries", "measures", "means", "means_excluding_undefined", "per_query"):
        assert again[part] == first[part]


def test_the_same_input_gives_the_same_bytes_in_another_folder_and_process(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("qrels.txt", "bm25.run"):
        (elsewhere / name).write_bytes((folder / name).read_bytes())
    said = []
    for place, seed in ((folder, "1"), (elsewhere, "2")):
        variables = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(REPOSITORY)}
        command = [sys.executable, "-m", "core.cli", *SCORE, "--per-query", "--format", "json"]
        done = subprocess.run(command, cwd=place, env=variables, capture_output=True, check=True)
        assert done.stderr == b""
        said.append(done.stdout)
    assert said[0] == said[1]
    assert not re.search(rb"\d\d:\d\d", said[0])
    assert str(tmp_path).encode() not in said[0]
