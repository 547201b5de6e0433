"""`ranklens explain`: one score, followed to its last digit."""

import math
from pathlib import Path

import pytest

from tests.cli.conftest import QRELS, Ranklens

EXPLAIN = ("explain", "--qrels", "qrels.txt", "--run", "bm25.run", "--query", "q1")
EXPONENTIAL = "nDCG(dcg='exp-log2')@4"
log = math.log2


def test_the_json_has_a_part_for_each_run_and_measure(ranklens: Ranklens) -> None:
    told = ranklens(
        *EXPLAIN, "--run", "again=bm25.run", "--queries", "queries.csv", "-m", "nDCG@4", "-m", "P@4", "--format", "json"
    ).json
    assert list(told) == ["schema", "conventions", "inputs", "query", "explanations"]
    assert told["query"] == {"id": "q1", "text": "red tea"}
    assert [(each["run"], each["measure"]) for each in told["explanations"]] == [
        ("bm25", "nDCG@4"), ("bm25", "P@4"), ("again", "nDCG@4"), ("again", "P@4"),
    ]  # fmt: skip
    assert list(told["explanations"][0]) == [
        "run", "measure", "value", "dcg", "ideal_dcg", "retrieved", "missing", "undefined", "ranking", "ideal", "not_returned",
        "cause", "would_fix", "moves",
    ]  # fmt: skip
    assert "cause" not in told["explanations"][1]


@pytest.mark.parametrize(
    ("measure", "returned", "ideal", "value"),
    [("nDCG@4", [3, 1, 0, 2], [3, 3, 2, 1], 0.7104), (EXPONENTIAL, [7, 1, 0, 3], [7, 7, 3, 1], 0.6685)],
)
def test_the_seed_example_is_explained_as_it_is_worked_out_by_hand(
    ranklens: Ranklens, measure: str, returned: list[float], ideal: list[float], value: float
) -> None:
    each = ranklens(*EXPLAIN, "-m", measure, "--format", "json").json["explanations"][0]
    assert each["value"] == pytest.approx(value, abs=5e-5)
    assert each["value"] == each["dcg"] / each["ideal_dcg"]
    assert [row["doc_id"] for row in each["ranking"]] == ["d1", "d2", "d3", "d4"]
    assert [row["gain"] for row in each["ranking"]] == returned
    assert [row["gain"] for row in each["ideal"]] == ideal
    for rows, total in ((each["ranking"], each["dcg"]), (each["ideal"], each["ideal_dcg"])):
        so_far = 0.0
        for place, row in enumerate(rows, 1):
            so_far += row["gain"] / log(place + 1)
            assert row["dcg"] == pytest.approx(so_far, abs=1e-12)
        assert total == pytest.approx(so_far, abs=1e-12)
    assert [row["doc_id"] for row in each["not_returned"]] == ["d5"]


def test_the_value_is_the_one_that_score_prints(ranklens: Ranklens) -> None:
    score = ranklens("score", *EXPLAIN[1:5], "--per-query", "--format", "json").json["per_query"]["bm25"]
    for query, values in score.items():
        arguments = [part for measure in values for part in ("-m", measure)]
        told = ranklens("explain", *EXPLAIN[1:5], "--query", query, *arguments, "--format", "json").json
        assert {each["measure"]: each["value"] for each in told["explanations"]} == values


def test_unjudged_documents_are_said_to_be_unjudged_and_gain_nothing(ranklens: Ranklens) -> None:
    arguments = ("explain", *EXPLAIN[1:5], "--query", "q2", "-m", "nDCG@10")
    first = ranklens(*arguments, "--format", "json").json["explanations"][0]["ranking"][0]
    assert (first["doc_id"], first["grade"], first["gain"]) == ("d9", None, 0.0)
    assert next(line for line in ranklens(*arguments).out.splitlines() if " d9 " in line).split()[2] == "unjudged"


def test_a_missing_and_an_undefined_query_say_so(ranklens: Ranklens) -> None:
    missing = ranklens("explain", *EXPLAIN[1:5], "--query", "q4", "-m", "nDCG@10")
    undefined = ranklens("explain", *EXPLAIN[1:5], "--query", "q3", "-m", "nDCG@10")
    assert "nDCG@10 = 0.000" in missing.out
    assert "missing: the run does not answer this query" in missing.out
    assert "undefined: no document is relevant" in undefined.out


def test_a_gain_that_cannot_be_computed_is_a_dash_not_a_zero(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text(QRELS.replace("d1 3", "d1 2000"))
    out = ranklens(*EXPLAIN, "-m", EXPONENTIAL).out
    assert f"{EXPONENTIAL} = –" in out
    first = next(line for line in out.splitlines() if " d1 " in line)
    assert first.split() == ["1", "d1", "2000", "–", "1.0000", "–", "–"]
    assert "ideal ranking" not in out


def test_the_table_adds_up_for_people(ranklens: Ranklens) -> None:
    out = ranklens(*EXPLAIN, "-m", "nDCG@4").out
    assert "bm25: nDCG@4 = 0.710 = DCG 4.4923 / ideal DCG 6.3235" in out
    assert next(line for line in out.splitlines() if line.split()[:2] == ["4", "d4"]).split()[-1] == "4.4923"
    assert out.splitlines()[-1].startswith("nDCG@4 · linear gain (the grade)")


def test_what_would_fix_it_and_what_moved_are_told_as_the_page_tells_them(ranklens: Ranklens, folder: Path) -> None:
    (folder / "new.run").write_text("q1 Q0 d5 1 9 new\nq1 Q0 d1 2 8 new\nq1 Q0 d3 3 7 new\nq1 Q0 d2 4 7 new\n")
    arguments = (
        "explain",
        "--qrels",
        "qrels.txt",
        "--run",
        "bm25.run",
        "--run",
        "new.run",
        "--query",
        "q1",
        "-m",
        "nDCG@4",
    )
    first, second = ranklens(*arguments, "--format", "json").json["explanations"]
    assert first["cause"] == "never-returned"
    assert first["moves"] is None
    assert first["would_fix"][0]["doc_id"] == "d5"
    # 3 at rank 1, then 3, 1, 0: the 2 falls out of the top.
    ideal = 3 + 3 / log(3) + 2 / 2 + 1 / log(5)
    assert first["would_fix"][0]["value"] == pytest.approx((3 + 3 / log(3) + 1 / 2) / ideal)
    assert {row["doc_id"]: (row["rank_baseline"], row["rank"]) for row in second["moves"]} == {
        "d5": (None, 1), "d1": (1, 2), "d3": (3, 3), "d2": (2, 4), "d4": (4, None),
    }  # fmt: skip
    assert [row["tie"] for row in second["ranking"]] == [None, None, "3–4", "3–4"]
    out = ranklens(*arguments).out
    assert "Cause: Some relevant never returned. Even in the best order" in out
    assert "What would fix it, one document moved to rank 1:" in out
    assert "What moved against bm25:" in out
    assert next(line for line in out.splitlines() if line.split()[:2] == ["3", "d3"] and "3–4" in line)
