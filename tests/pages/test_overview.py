"""Overview: the numbers on the page are those of `ranklens score`, under the conventions that the sidebar asks for."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.model.measure import Measure
from tests.pages.dashboard import (
    BM25,
    DENSE,
    FILES,
    QRELS,
    button,
    frames,
    opened,
    said,
    title,
    token_of,
    unescaped,
    whole,
)

CUTOFFS = (1, 3, 5, 10, 20, 50, 100)
EXPONENTIAL = "nDCG(dcg='exp-log2')"
COMPANIONS = ("R@100", "RR@10", "Success@10", "P@10", "AP@100", "Judged@10")


@pytest.fixture(scope="module")
def token() -> str:
    return token_of(FILES)


def scored(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> Any:
    """What the command line says of the same files."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    files = ["--qrels", "qrels.txt", "--run", "bm25.run", "--run", "dense.run", "--queries", "queries.csv"]
    measures = [f"{name}@{k}" for name in ("nDCG", EXPONENTIAL) for k in CUTOFFS] + list(COMPANIONS)
    capsys.readouterr()
    arguments = [
        "score",
        *files,
        *(part for measure in measures for part in ("-m", measure)),
        "--per-query",
        "--format",
        "json",
        *options,
    ]
    assert main(arguments) == 0
    return json.loads(capsys.readouterr().out)


SETTINGS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "the defaults": ({}, ()),
    "missing left out": ({"missing": "Leave out"}, ("--missing", "exclude")),
    "undefined left out": ({"undefined": "Leave out"}, ("--undefined", "exclude")),
    "relevant from 2": ({"level": "2"}, ("--relevance-level", "2")),
    "by the rank column": ({"order": "The file's rank column"}, ("--order", "rank")),
}


@pytest.mark.parametrize("case", SETTINGS)
def test_every_mean_on_the_page_is_the_command_line_s(
    case: str, token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    address, options = SETTINGS[case]
    means = scored(tmp_path, capsys, *options)["means"]
    at = opened("overview", d=token, **address)
    tables = frames(at)
    board = tables["Runs by their mean nDCG@10, with differences to bm25"].set_index("run")
    for run, row in board.iterrows():
        assert row["mean"] == means[run]["nDCG@10"], run
        assert row["other"] == means[run][f"{EXPONENTIAL}@10"], run
        for measure in COMPANIONS:
            assert row[measure] == means[run][measure], (run, measure)
    every = tables["nDCG of every run at every cutoff, both gains"].set_index("run")
    companions = tables["Companion measures of every run"].set_index("run")
    for run in means:
        for k in CUTOFFS:
            assert every.loc[run, f"@{k} lin"] == means[run][f"nDCG@{k}"]
            assert every.loc[run, f"@{k} exp"] == means[run][f"{EXPONENTIAL}@{k}"]
        for measure in COMPANIONS:
            assert companions.loc[run, Measure.parse(measure).label] == means[run][measure]


def test_every_query_s_score_is_the_command_line_s(
    token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    values = scored(tmp_path, capsys)["per_query"]
    for k in ("3", "10"):
        table = frames(opened("overview", d=token, k=k))[f"Every query's nDCG@{k} with every run"].set_index("query")
        for at, run in enumerate(("bm25", "dense")):
            assert table[f"run_{at}"].to_dict() == {query: row[f"nDCG@{k}"] for query, row in values[run].items()}


def test_undefined_and_missing_queries_are_marked_and_stand_behind_the_worst(token: str) -> None:
    table = frames(opened("overview", d=token))["Every query's nDCG@10 with every run"]
    notes = dict(zip(table["query"], table["note"], strict=True))
    assert notes == {"q1": "", "q2": "", "q3": "undefined", "q4": "missing in bm25"}
    assert list(table["query"])[-1] == "q3"


def test_the_title_is_the_finding_and_its_sentence_is_the_verdict_s(token: str) -> None:
    at = opened("overview", d=token)
    assert title(at) == "dense is 0.108 ahead of bm25, on too few queries to judge"
    assert "4 queries" in unescaped(at.markdown[0].value)


def test_no_p_value_and_no_colour_where_there_are_too_few_queries(token: str) -> None:
    at = opened("overview", d=token)
    assert "p-value" not in said(at)
    board = frames(at)["Runs by their mean nDCG@10, with differences to bm25"].set_index("run")
    assert list(board.loc["dense", "verdict"]) == ["Too few queries"]
    assert list(board.loc["bm25", "verdict"]) == ["Baseline"]


def test_every_table_of_scores_carries_the_convention_line(token: str) -> None:
    at = opened("overview", d=token, gain="Exponential", k="5", missing="Leave out")
    lines = [line for line in said(at).splitlines() if "ideal from all judged documents" in line]
    assert len(lines) >= 3
    for line in lines:
        assert "missing = left out" in line
        assert "4 queries" in line
        assert "undefined = 0 (1)" in line
    assert sum("nDCG@5 · exponential gain (2^grade − 1)" in line for line in lines) >= 2


def test_a_slice_changes_every_number_and_is_named_in_the_convention_line(token: str) -> None:
    at = opened("overview", d=token, slice="intent", **{"in": "look"})
    board = frames(at)["Runs by their mean nDCG@10, with differences to bm25"].set_index("run")
    # q2 and q3: d6 stands second with bm25 and first with dense; nothing is relevant for q3.
    assert board.loc["dense", "mean"] == 0.5
    assert board.loc["bm25", "mean"] == pytest.approx(0.63093 / 2, abs=1e-5)
    assert list(board["answered"]) == ["2 of 2", "2 of 2"]
    assert set(frames(at)["Every query's nDCG@10 with every run"]["query"]) == {"q2", "q3"}
    assert any("intent = look (2 queries)" in line for line in said(at).splitlines())


def test_the_table_of_queries_is_searched_in_ids_and_texts(token: str) -> None:
    at = opened("overview", d=token)
    for words, found in (("RED", {"q1"}), ("q4", {"q4"}), ("nothing like it", set()), (".*", set())):
        next(each for each in at.text_input if each.label.startswith("Search")).set_value(words).run()
        whole(at)
        assert set(frames(at)["Every query's nDCG@10 with every run"]["query"]) == found, words


def test_a_single_run_is_shown_without_differences() -> None:
    at = opened("overview", {"qrels.txt": QRELS, "bm25.run": BM25})
    assert title(at) == "bm25 scores 0.335 nDCG@10"
    assert "Bring a second run to compare." in said(at)
    assert [unescaped(each.label) for each in at.metric] == ["nDCG@10 of bm25", "Queries at 0"]


def test_a_run_whose_mean_cannot_be_computed_has_a_dash_and_stands_last() -> None:
    huge = {"qrels.txt": QRELS + "q4 0 d9 1001\n", "bm25.run": BM25, "dense.run": DENSE}
    at = opened("overview", huge, gain="Exponential")
    board = frames(at)[f"Runs by their mean {EXPONENTIAL}@10, with differences to bm25"]
    assert board["mean"].isna().all()
    assert board["other"].notna().all()
    assert at.metric[0].value == "–"


def test_the_sample_opens_in_one_click() -> None:
    at = opened("data")
    button(at, "Open the sample comparison").click().run()
    whole(at)
    assert len(frames(at)["Runs by their mean nDCG@10, with differences to bm25"]) == 5


def test_six_thousand_queries_of_three_runs_are_all_there() -> None:
    queries = range(6000)
    qrels = "".join(f"q{at} 0 good 1\n" for at in queries)
    run = "".join(
        f"q{at} Q0 {'good' if rank == at % 10 else f'x{rank}'} {rank + 1} {99 - rank} m\n"
        for at in queries
        for rank in range(10)
    )
    token = token_of({"qrels.txt": qrels, "one.run": run, "two.run": run, "three.run": run})
    at = opened("overview", d=token)
    assert title(at) == "two and one score the same"
    assert len(frames(at)["Every query's nDCG@10 with every run"]) == 6000
    opened("distributions", d=token)
