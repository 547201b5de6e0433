"""What people do with odd files on the command line: a large run, formulas in ids, files in each other's place, features, score tables."""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Ranklens
from tests.conftest import REPOSITORY


def test_a_run_of_a_million_rows_is_scored_in_little_memory(folder: Path) -> None:
    (folder / "qrels.txt").write_text("".join(f"q{i} 0 q{i}_r{i % 10 + 1} 1\n" for i in range(1000)))
    with (folder / "big.run").open("w") as run:
        for i in range(1000):
            run.writelines(f"q{i} Q0 q{i}_r{rank} {rank} {1000 - rank} big\n" for rank in range(1, 1001))
    size = (folder / "big.run").stat().st_size
    command = [
        sys.executable,
        "-m",
        "core.cli",
        "score",
        "--qrels",
        "qrels.txt",
        "--run",
        "big.run",
        "-m",
        "nDCG@10",
        "--out",
        "told.txt",
    ]
    # A process's peak counts what its parent held when it began: a small parent in between keeps ours out of it.
    measured = "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:]).returncode; "
    measured += "print(done, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    variables = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    asked = [sys.executable, "-c", measured, *command]
    told = subprocess.run(asked, cwd=folder, env=variables, capture_output=True, text=True, check=True).stdout
    status, peak = map(int, told.split())
    assert status == 0
    assert (folder / "told.txt").read_text().splitlines()[2].split() == ["big", "0.454", "1,000", "0"]
    peak *= 1 if sys.platform == "darwin" else 1024
    assert peak < 10 * size, f"{peak / size:.1f} times the file's size"


def test_ids_that_look_like_formulas_are_scored_as_they_are_and_exported_as_text(
    ranklens: Ranklens, folder: Path
) -> None:
    (folder / "qrels.csv").write_text("query_id,doc_id,rel\n=1+1,d1,1\n<b>x</b>,d2,1\n")
    (folder / "run.csv").write_text("query_id,doc_id,score\n=1+1,d1,1\n<b>x</b>,d9,2\n<b>x</b>,d2,1\n")
    arguments = ("score", "--qrels", "qrels.csv", "--run", "run.csv", "-m", "nDCG@10")
    told = ranklens(*arguments, "--per-query", "--format", "json").json
    assert {query: round(row["nDCG@10"], 5) for query, row in told["per_query"]["run"].items()} == {
        "=1+1": 1.0,
        "<b>x</b>": 0.63093,
    }
    assert told["means"]["run"]["nDCG@10"] == pytest.approx(0.815465, abs=1e-6)
    rows = list(csv.DictReader(io.StringIO(ranklens(*arguments, "--format", "csv").out)))
    assert {row["query_id"] for row in rows} == {"'=1+1", "<b>x</b>"}
    assert "\\<b\\>x\\</b\\>" in ranklens(*arguments, "--per-query", "--format", "md").out


def test_a_run_in_the_place_of_qrels_is_no_number(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text("a1 Q0 d2 1 9.5 m\na1 Q0 d1 2 8.0 m\na2 Q0 d9 1 4.0 m\na2 Q0 d3 2 3.0 m\n")
    (folder / "run.txt").write_text("a1 0 d1 2\na1 0 d2 1\na2 0 d3 1\n")
    done = ranklens("score", "--qrels", "qrels.txt", "--run", "run.txt", "--format", "json")
    assert done.code == 2
    assert "looks like a run (TREC run), not like judgments (qrels)" in done.problems[0]["message"]
    assert (
        done.problems[0]["hint"]
        == "the two files seem to be exchanged: give the judgments as --qrels and the run as --run"
    )


def test_features_with_labels_and_their_predictions_are_scored_or_refused_in_a_sentence(
    ranklens: Ranklens, folder: Path
) -> None:
    (folder / "test.svm").write_text(
        "2 qid:1 1:0.5 2:0.1 # docid=d1\n0 qid:1 1:0.9 2:0.2 # docid=d2\n1 qid:2 1:0.3 # docid=d3\n"
    )
    (folder / "pred.txt").write_text("0.2\n0.9\n0.4\n")
    done = ranklens(
        "score", "--qrels", "test.svm", "--run", "pred.txt", "-m", "nDCG@10", "--per-query", "--format", "json"
    )
    if done.code == 0:
        assert {query: round(row["nDCG@10"], 5) for query, row in done.json["per_query"]["pred"].items()} == {
            "1": 0.63093,
            "2": 1.0,
        }
    else:
        assert done.code == 2
        assert done.problems[0]["file"] == "pred.txt"
        assert len(done.problems[0]["message"]) > 20


def test_a_table_of_scores_is_no_judgments_and_never_a_nan(ranklens: Ranklens, folder: Path) -> None:
    (folder / "scores.csv").write_text("query_id,run,ndcg\na1,A,1.0\na2,A,\na3,A,0.5\n")
    done = ranklens("score", "--qrels", "scores.csv", "--run", "scores.csv", "--format", "json")
    assert done.code == 2
    assert done.problems[0]["file"] == "scores.csv"
    assert "nan" not in (done.out + done.err).lower()


def test_exported_per_query_values_read_back_as_numbers_and_gaps(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text("a1 0 d1 1001\na2 0 d1 1\n")
    (folder / "bm25.run").write_text("a1 Q0 d1 1 1 m\na2 Q0 d1 1 1 m\n")
    out = ranklens(
        "score", "--qrels", "qrels.txt", "--run", "bm25.run", "-m", "nDCG(dcg='exp-log2')@10", "--format", "csv"
    ).out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["score"] for row in rows] == ["", "1.0"]


def test_metadata_gaps_are_their_own_group_and_the_groups_add_up(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text("a1 0 d1 2\na1 0 d2 1\na2 0 d3 1\na3 0 d5 1\n")
    (folder / "run.txt").write_text(
        "a1 Q0 d2 1 9.5 m\na1 Q0 d1 2 8.0 m\na2 Q0 d9 1 4.0 m\na2 Q0 d3 2 3.0 m\na3 Q0 d5 1 1 m\n"
    )
    (folder / "meta.csv").write_text('query_id,query,source,intent\na1,red tea,web,buy\na2,"cup, large",app,\n')
    files = (
        "--qrels",
        "qrels.txt",
        "--run",
        "run.txt",
        "--run",
        "again=run.txt",
        "--queries",
        "meta.csv",
        "-m",
        "nDCG@10",
    )
    told = ranklens("compare", *files, "--slice", "source", "--slice", "intent", "--format", "json").json
    means = {(row["column"], row["value"]): (row["n"], round(row["mean_candidate"], 6)) for row in told["slices"]}
    assert means[("source", "web")] == (1, 0.859719)
    assert means[("source", "app")] == (1, 0.63093)
    assert means[("source", "(none)")] == (1, 1.0)
    assert means[("intent", "(none)")][0] == 2
    assert told["comparisons"][0]["n"] == 3
    gaps = [notice for notice in told["notices"] if notice["code"] == "metadata-gaps"]
    assert {example for notice in gaps for example in notice["examples"]} >= {"a3"}
    assert any("intent" in notice["message"] for notice in gaps)


def test_a_list_in_a_cell_is_a_value_of_its_own_and_told(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text("a1 0 d1 2\na1 0 d2 1\na2 0 d3 1\n")
    (folder / "run.txt").write_text("a1 Q0 d2 1 9.5 m\na1 Q0 d1 2 8.0 m\na2 Q0 d9 1 4.0 m\na2 Q0 d3 2 3.0 m\n")
    (folder / "meta.csv").write_text("query_id,source\na1,web|app\na2,app\n")
    files = (
        "--qrels",
        "qrels.txt",
        "--run",
        "run.txt",
        "--run",
        "again=run.txt",
        "--queries",
        "meta.csv",
        "-m",
        "nDCG@10",
        "--format",
        "json",
    )
    told = ranklens("compare", *files, "--slice", "source", "--slice", "source (split)").json
    sizes = {(row["column"], row["value"]): row["n"] for row in told["slices"]}
    assert sizes == {
        ("source", "web|app"): 1,
        ("source", "app"): 1,
        ("source (split)", "app"): 2,
        ("source (split)", "web"): 1,
    }
    assert "list-values" in {notice["code"] for notice in told["notices"]}


def test_an_odd_quote_in_a_query_text_joins_no_rows(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text("a1 0 d1 2\na1 0 d2 1\na2 0 d3 1\n")
    (folder / "run.txt").write_text("a1 Q0 d2 1 9.5 m\na2 Q0 d9 1 4.0 m\n")
    (folder / "topics.tsv").write_text('a1\t"red" tea, 5" cup\na2\tblue \'hat\n')
    explain = (
        "explain",
        "--qrels",
        "qrels.txt",
        "--run",
        "run.txt",
        "--queries",
        "topics.tsv",
        "-m",
        "nDCG@10",
        "--format",
        "json",
    )
    assert ranklens(*explain, "--query", "a1").json["query"]["text"] == '"red" tea, 5" cup'
    assert ranklens(*explain, "--query", "a2").json["query"]["text"] == "blue 'hat"


def test_nested_metadata_of_a_queries_file_give_texts_and_slices(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\na1\td1\t2\na1\td2\t1\na2\td3\t1\n")
    (folder / "queries.jsonl").write_text(
        '{"_id":"a1","text":"red tea","metadata":{"source":"web"}}\n{"_id":"a2","text":"hat","metadata":{}}\n'
    )
    (folder / "run.txt").write_text("a1 Q0 d2 1 9.5 m\na1 Q0 d1 2 8.0 m\na2 Q0 d9 1 4.0 m\na2 Q0 d3 2 3.0 m\n")
    files = (
        "--qrels",
        "qrels.tsv",
        "--run",
        "run.txt",
        "--run",
        "again=run.txt",
        "--queries",
        "queries.jsonl",
        "-m",
        "nDCG@10",
        "--format",
        "json",
    )
    told = ranklens("compare", *files, "--slice", "source").json
    assert told["inputs"]["queries"]["columns"] == ["text", "source"]
    assert {row["value"]: row["n"] for row in told["slices"]} == {"web": 1, "(none)": 1}
    assert told["slices"][0]["mean_candidate"] == pytest.approx(0.859719, abs=1e-6)
    text = ranklens("explain", *files[:4], *files[6:8], "--query", "a2", "-m", "nDCG@10", "--format", "json").json[
        "query"
    ]["text"]
    assert text == "hat"


def test_only_what_is_asked_for_is_written_to_standard_error(folder: Path) -> None:
    command = [sys.executable, "-m", "core.cli", "score", "--qrels", "qrels.txt", "--run", "bm25.run"]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"PYTHONPATH": str(REPOSITORY)}, capture_output=True, check=True
    )
    assert done.stderr == b""
