"""Journeys from files to numbers: six dialects in one drop, a broken file and the repaired one, the same numbers as the command line's."""

import gzip
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import IN_FULL, Opens, picture, running_server, settled, tall
from tests.browser.screen import drop, file_part, grid, heading, titled
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.browser

QRELS = "q1 0 d1 3\nq1 0 d2 1\nq1 0 d3 0\nq1 0 d4 2\nq1 0 d5 3\nq2 0 d6 1\n"
SEED = "q1 Q0 d1 1 9.5 seed\nq1 Q0 d2 2 8.5 seed\nq1 Q0 d3 3 7.5 seed\nq1 Q0 d4 4 6.5 seed\nq2 Q0 d9 1 5.5 seed\nq2 Q0 d6 2 4.5 seed\n"
log = math.log2
SEED_LINEAR = ((3 + 1 / log(3) + 2 / log(5)) / (3 + 3 / log(3) + 2 / log(4) + 1 / log(5)) + 1 / log(3)) / 2
SEED_EXPONENTIAL = ((7 + 1 / log(3) + 3 / log(5)) / (7 + 7 / log(3) + 3 / log(4) + 1 / log(5)) + 1 / log(3)) / 2


def test_six_files_of_different_dialects_become_the_right_means(server: str, visit: Opens) -> None:
    page = visit(server)
    drop(
        page,
        {
            "judgments.txt": QRELS,
            "beir.tsv": "query-id\tcorpus-id\tscore\nq1\td5\t12.75\nq1\td1\t11.5\nq2\td9\t8.25\nq2\td8\t7.5\n",
            "seed.run.gz": gzip.compress(SEED.encode(), mtime=0),
            "json.json": json.dumps({"q1": {"d4": 14.25, "d3": 9.5}, "q2": {"d6": 11.75}}),
            "marco.tsv": "q1\td1\t1\nq1\td5\t2\nq1\td4\t3\nq1\td2\t4\nq2\td6\t1\nq2\td7\t2\n",
            "queries.tsv": "q1\tred tea\tbuy\nq2\tblue hat\tlook\n",
        },
    )
    titled(page, "2 files need an answer")
    for name in ("json.json", "marco.tsv"):
        file_part(page, name).get_by_role("button", name="Run", exact=True).click()
        settled(page)
    titled(page, "4 runs and 2 judged queries, ready to compare")
    part = file_part(page, "queries.tsv")
    part.locator("summary").click()
    part.get_by_label("Column names, by commas").fill("query_id,text,intent")
    part.get_by_role("button", name="Apply").click()
    settled(page)
    expect(page.get_by_text("Slice", exact=True)).to_be_visible()
    picture(page, "data-six-files")
    page.get_by_role("button", name="Open the overview").click()
    titled(page, "marco")
    rows = {row["Run"]: row for row in grid(page, "Runs by their mean nDCG@10")}
    # marco: d1, d5, d4, d2 is the ideal order. beir: both documents of grade 3 for q1, nothing for q2. json: grades 2 and 0 for q1.
    ideal = 3 + 3 / log(3) + 2 / log(4) + 1 / log(5)
    means = {"marco": 1.0, "seed": SEED_LINEAR, "beir": (3 + 3 / log(3)) / ideal / 2, "json": (2 / ideal + 1) / 2}
    assert {name: float(row["nDCG@10"]) for name, row in rows.items()} == {
        name: pytest.approx(mean, abs=1e-12) for name, mean in means.items()
    }
    assert float(rows["seed"]["nDCG@10, exponential"]) == pytest.approx(SEED_EXPONENTIAL, abs=1e-12)
    assert list(rows) == sorted(means, key=lambda name: -means[name])
    picture(page, "overview-six-files")


def test_a_broken_file_is_told_by_line_and_the_repaired_one_takes_its_place(server: str, visit: Opens) -> None:
    page = visit(server)
    drop(page, {"qrels.txt": QRELS, "seed.run": SEED.replace("8.5", "n/a").replace("q2 Q0 d6 2 4.5 seed", "q2 Q0 d6")})
    titled(page, "seed.run cannot be read as it is")
    told = page.get_by_role("alert")
    expect(told).to_contain_text('line 2: score "n/a" is not a number')
    expect(told).to_contain_text("line 6: ")
    expect(page.get_by_role("button", name="Open the overview")).to_have_count(0)
    picture(page, "data-broken-file")
    drop(page, {"seed.run": SEED})
    titled(page, "1 run and 2 judged queries, ready to compare")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Open the overview").click()
    titled(page, f"seed scores {SEED_LINEAR:.3f} nDCG@10")


@IN_FULL
def test_files_in_each_other_s_place_are_read_by_content(server: str, visit: Opens) -> None:
    page = visit(server)
    drop(page, {"qrels.txt": SEED, "run.txt": QRELS})
    titled(page, "1 run and 2 judged queries, ready to compare")
    page.get_by_role("button", name="Open the overview").click()
    titled(page, f"qrels scores {SEED_LINEAR:.3f} nDCG@10")


def test_ids_that_look_like_formulas_or_markup_are_shown_as_text(server: str, visit: Opens) -> None:
    page = visit(server)
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    markup = "<img/src=x/onerror=alert(1)>"
    drop(
        page,
        {
            "qrels.csv": f"query_id,doc_id,rel\n=1+1,d1,1\n<b>x</b>,d2,1\n{markup},d2,1\n",
            f"{markup.replace('/', ' ')}.csv": f"query_id,doc_id,score\n=1+1,d1,1.5\n<b>x</b>,d9,2.5\n<b>x</b>,d2,1.25\n{markup},d2,1.5\n",
        },
    )
    titled(page, "1 run and 3 judged queries, ready to compare")
    page.get_by_role("button", name="Open the overview").click()
    titled(page, f"<img src=x onerror=alert(1)> scores {(1 + 1 / log(3) + 1) / 3:.3f} nDCG@10")
    assert {row["Query"] for row in grid(page, "Every query's nDCG@10")} == {"=1+1", "<b>x</b>", markup}
    assert page.locator('[data-testid="stMain"] img[src="x"], [data-testid="stMain"] b').count() == 0


def test_the_main_job_shows_the_numbers_that_the_command_line_prints(server: str, visit: Opens, shared: Path) -> None:
    folder = shared / "data" / "dlhard_passage"
    runs = sorted((folder / "runs").iterdir())
    page = visit(server)
    page.set_viewport_size({"width": 2600, "height": 1400})
    drop(page, [folder / "qrels.txt", *runs, folder / "query_metadata.tsv"])
    titled(page, "4 runs and 50 judged queries, ready to compare")
    page.get_by_role("button", name="Open the overview").click()
    titled(page, "bm25_t5 beats bm25 by 0.105")
    files = ["--qrels", str(folder / "qrels.txt"), *(part for run in runs for part in ("--run", str(run)))]
    measures = [f"{name}@{k}" for name in ("nDCG", "nDCG(dcg='exp-log2')") for k in (1, 3, 5, 10, 20, 50, 100)] + [
        "R@100",
        "RR@10",
        "P@10",
    ]
    command = [
        sys.executable,
        "-m",
        "core.cli",
        "score",
        *files,
        "--queries",
        str(folder / "query_metadata.tsv"),
        "--format",
        "json",
        "--per-query",
    ]
    command += [part for measure in measures for part in ("-m", measure)]
    told = json.loads(subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=True).stdout)
    tall(page)
    board = {row["Run"]: row for row in grid(page, "Runs by their mean nDCG@10")}
    assert set(board) == set(told["means"])
    for run, means in told["means"].items():
        assert float(board[run]["nDCG@10"]) == means["nDCG@10"]
        assert float(board[run]["nDCG@10, exponential"]) == means["nDCG(dcg='exp-log2')@10"]
        assert float(board[run]["Recall@100"]) == means["R@100"]
    for row in grid(page, "nDCG of every run at every cutoff, both gains"):
        for k in (1, 3, 5, 10, 20, 50, 100):
            assert float(row[f"@{k} lin"]) == told["means"][row["Run"]][f"nDCG@{k}"]
            assert float(row[f"@{k} exp"]) == told["means"][row["Run"]][f"nDCG(dcg='exp-log2')@{k}"]
    queries = grid(page, "Every query's nDCG@10")
    assert len(queries) > 5
    for row in queries:
        for run in told["means"]:
            assert float(row[run]) == told["per_query"][run][row["Query"]]["nDCG@10"]
    picture(page, "overview-dlhard")


def test_a_file_beyond_the_upload_limit_is_told_the_limit_and_the_way_out(
    visit: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMLIT_SERVER_MAX_UPLOAD_SIZE", "1")
    with running_server() as address:
        page = visit(address)
        drop(page, {"big.run": SEED * 20_000})
        expect(page.get_by_test_id("stFileUploader")).to_contain_text("File must be 1.0MB or smaller.")
        expect(
            page.get_by_text("Larger than 1 MB? Compress it (.gz, .zst), cut runs to the top 100 of each query")
        ).to_be_visible()
        expect(heading(page)).to_have_text("Decide which ranking ships")
        picture(page, "data-too-large")
