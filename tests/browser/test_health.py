"""Data health on the screen: what in the files touches the numbers, and a repair taken with one click."""

import json
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from core.notices import TITLES
from tests.browser.conftest import Opens, settled
from tests.browser.screen import drop, grid, titled
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.browser


def test_the_planted_faults_are_told_as_check_tells_them(server: str, visit: Opens) -> None:
    page = visit(f"{server}/data?d=faults")
    titled(page, "ready to compare")
    folder = REPOSITORY / "sample_data" / "planted_faults"
    runs = [part for name in ("catalogue.run", "meaning.csv", "rules.csv") for part in ("--run", str(folder / name))]
    command = [
        sys.executable,
        "-m",
        "core.cli",
        "check",
        "--qrels",
        str(folder / "qrels.csv"),
        *runs,
        "--queries",
        str(folder / "queries.csv"),
    ]
    command += ["--format", "json"]
    checked = json.loads(subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=True).stdout)
    told = checked["notices"]
    shown = page.locator('[data-testid="stMain"]').inner_text()
    assert len({notice["code"] for notice in told}) > 25
    for notice in told:
        assert TITLES[notice["code"]] in shown, notice["code"]
        assert " ".join(notice["message"].split()) in " ".join(shown.split()), notice["message"]
    rows = grid(page, "How each run covers the judged queries")
    assert {row["Run"] for row in rows} == {run["name"] for run in checked["inputs"]["runs"]}


def test_ids_that_do_not_meet_are_repaired_with_one_click(server: str, visit: Opens) -> None:
    page = visit(server)
    drop(
        page,
        {
            "qrels.csv": "query_id,doc_id,relevance\n1.0,d1,2\n1.0,d2,1\n2.0,d3,1\n",
            "dense.run": "1 Q0 d2 1 9.5 m\n1 Q0 d1 2 8.5 m\n2 Q0 d9 1 4.5 m\n2 Q0 d3 2 3.5 m\n",
        },
    )
    titled(page, "dense.run cannot be read as it is")
    expect(page.get_by_role("alert")).to_contain_text("no query in common")
    page.get_by_role("button", name='Repair by taking ".0" off the query ids of the judgments').click()
    settled(page)
    titled(page, "1 run and 2 judged queries, ready to compare")
    page.get_by_role("button", name="Open the overview").click()
    titled(page, "dense scores 0.745 nDCG@10")
