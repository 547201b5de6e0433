"""Data: files dropped, recognised, asked about, corrected; broken ones told by line; what is good is compared meanwhile."""

import gzip
import io
import json
import zipfile
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.dashboard import (
    BM25,
    DENSE,
    FILES,
    QRELS,
    QUERIES,
    button,
    dropped,
    frames,
    opened,
    said,
    title,
    unescaped,
    whole,
)

RANKS = "q1\td1\t1\nq1\td2\t2\nq2\td6\t1\nq3\td7\t1\nq4\td8\t1\n"


def opened_files(at: AppTest) -> dict[str, str]:
    """File name → what the page says it is."""
    told = [unescaped(each.label).split("** — ") for each in at.expander if each.label.startswith("**")]
    return {name.removeprefix("**"): what for name, what in told}


def widget(at: AppTest, kind: str, label: str, at_file: str = "") -> Any:
    """A widget of the form that corrects a file: the first of that label, or the one inside a file's part."""
    inside: Any = at
    if at_file:
        inside = next(each for each in at.expander if unescaped(each.label).startswith(f"**{at_file}**"))
    return next(each for each in getattr(inside, kind) if unescaped(each.label).startswith(label))


def applied(at: AppTest, at_file: str) -> AppTest:
    """Send the form of a file."""
    widget(at, "button", "Apply", at_file).click().run()
    whole(at)
    return at


def test_before_there_is_a_file_the_page_says_what_to_bring() -> None:
    at = opened("data")
    assert title(at) == "Decide which ranking ships"
    assert len(at.file_uploader) == 1
    for word in ("Judgments", "Run", "Query metadata", "Document metadata"):
        assert word in [tab.label for tab in at.tabs]
    assert "for twelve hours at most" in said(at)


@pytest.mark.parametrize(
    ("tab", "role"), [(0, "Judgments (qrels)"), (1, "Run"), (2, "Query metadata"), (3, "Document metadata")]
)
def test_the_examples_to_copy_are_read_as_what_they_are_examples_of(tab: int, role: str) -> None:
    code = opened("data").tabs[tab].code[0].value
    at = dropped(opened("data"), {"copied.txt": code})
    assert opened_files(at)["copied.txt"].startswith(role)


def test_six_files_of_different_dialects_in_one_drop_are_recognised_by_content() -> None:
    beir = "query-id\tcorpus-id\tscore\nq1\td1\t12.31\nq1\td2\t11.2\nq2\td6\t9.75\nq2\td9\t8.5\n"
    ranx = json.dumps({"q1": {"d1": 14.25, "d2": 9.5}, "q2": {"d6": 11.75}})
    at = dropped(
        opened("data"),
        {
            "a.txt": QRELS,
            "b.txt": beir,
            "c.txt": gzip.compress(DENSE.encode(), mtime=0),
            "d.txt": ranx,
            "e.txt": QUERIES,
            "f.txt": "doc_id,title,source\nd1,Tea,wiki\nd6,Hat,wiki\n",
        },
    )
    files = opened_files(at)
    assert files["a.txt"] == "Judgments (qrels) · TREC qrels · 8 judgments"
    assert files["b.txt"].startswith("Run · ")
    assert files["c.txt"].startswith("Run · TREC run")
    assert files["c.txt"].endswith(" · gzip")
    assert files["d.txt"] == "fits two roles: please say which"
    assert files["e.txt"].startswith("Query metadata")
    assert files["f.txt"].startswith("Document metadata")
    assert title(at) == "d.txt: judgments or a run?"
    widget(at, "button", "Run", "d.txt").click().run()
    whole(at)
    assert title(at) == "3 runs and 4 judged queries, ready to compare"


def test_a_set_of_files_has_an_address_of_its_own_and_a_change_makes_a_new_one() -> None:
    at = dropped(opened("data"), {"qrels.txt": QRELS, "bm25.run": BM25})
    first = at.query_params["d"]
    dropped(at, {"dense.run": DENSE})
    assert at.query_params["d"] != first
    assert len(opened_files(at)) == 3
    again = opened("data", d=first)
    assert sorted(opened_files(again)) == ["bm25.run", "qrels.txt"]


def test_the_same_file_dropped_twice_is_there_once() -> None:
    at = dropped(opened("data", FILES), {"bm25.run": BM25})
    assert len(opened_files(at)) == len(FILES)


def test_a_file_that_fits_two_roles_is_asked_about_and_read_as_answered() -> None:
    at = opened("data", {"qrels.txt": QRELS, "ranks.tsv": RANKS})
    assert title(at) == "ranks.tsv: judgments or a run?"
    assert opened_files(at)["ranks.tsv"] == "fits two roles: please say which"
    assert not [each for each in at.button if each.label == "Open the overview"]
    widget(at, "button", "Run", "ranks.tsv").click().run()
    whole(at)
    assert title(at) == "1 run and 4 judged queries, ready to compare"
    assert opened_files(at)["ranks.tsv"].startswith("Run · ")


def test_a_broken_file_is_told_by_line_and_nothing_is_scored_until_it_is_decided() -> None:
    broken = BM25.replace("8.5", "n/a") + "q2 Q0\n"
    at = opened("data", {"qrels.txt": QRELS, "bm25.run": broken})
    assert title(at) == "bm25.run cannot be read as it is"
    problems = unescaped(at.error[0].value)
    assert 'line 2: score "n/a" is not a number' in problems
    assert "line 9: " in problems
    assert "Leaderboard" not in said(at)
    assert not [each for each in at.button if each.label == "Open the overview"]
    widget(at, "toggle", "Leave broken lines out", "bm25.run").set_value(True)
    applied(at, "bm25.run")
    assert title(at) == "1 run and 4 judged queries, ready to compare"
    assert "2 broken lines were left out, as chosen (lines 2, 9)." in said(at)


def test_a_repaired_file_takes_the_place_of_the_broken_one_of_its_name() -> None:
    at = opened("data", {"qrels.txt": QRELS, "bm25.run": BM25.replace("8.5", "n/a"), "dense.run": DENSE})
    dropped(at, {"bm25.run": BM25})
    assert title(at) == "2 runs and 4 judged queries, ready to compare"
    assert list(opened_files(at)) == ["qrels.txt", "bm25.run", "dense.run"]
    assert next(each for each in at.sidebar.selectbox if each.label == "Baseline").options == ["bm25", "dense"]


def test_a_refused_run_does_not_stop_the_others() -> None:
    at = opened(
        "data", {"qrels.txt": QRELS, "bm25.run": BM25, "bad.run": DENSE.replace("0.8", "x"), "dense.run": DENSE}
    )
    assert title(at) == "bad.run cannot be read as it is"
    button(at, "Open the overview").click().run()
    whole(at)
    assert set(frames(at)["Runs by their mean nDCG@10, with differences to bm25"]["run"]) == {"bm25", "dense"}


def test_broken_judgments_compare_nothing_and_say_so_on_every_page() -> None:
    at = opened("data", {"qrels.txt": QRELS.replace("d8 1", "d8 many"), "bm25.run": BM25})
    assert title(at) == "qrels.txt cannot be read as it is"
    at.switch_page("pages/overview.py").run()
    whole(at)
    assert "The files that are here do not make a comparison yet." in said(at)


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({"bm25.run": BM25}, "Judgments are still missing"),
        ({"qrels.txt": QRELS}, "Runs are still missing"),
        ({"queries.csv": QUERIES}, "Judgments are still missing"),
    ],
)
def test_what_is_still_missing_is_the_title(files: dict[str, str], wanted: str) -> None:
    assert title(opened("data", files)) == wanted


def test_letters_in_place_of_grades_are_given_their_numbers() -> None:
    letters = {"3": "Exact", "2": "Substitute", "1": "Complement", "0": "Irrelevant"}
    words = "query_id,doc_id,label\n" + "".join(
        f"{query},{doc},{letters[grade]}\n" for query, _, doc, grade in map(str.split, QRELS.splitlines())
    )
    at = opened("data", {"qrels.csv": words, "bm25.run": BM25})
    inputs = {unescaped(each.label): each for each in at.number_input}
    for grade, label in letters.items():
        inputs[label].set_value(float(grade))
    applied(at, "qrels.csv")
    assert title(at) == "1 run and 4 judged queries, ready to compare"
    at.switch_page("pages/overview.py").run()
    numbers = opened("overview", {"qrels.txt": QRELS, "bm25.run": BM25})
    assert [each.value for each in at.metric] == [each.value for each in numbers.metric]


def test_a_wrong_role_can_be_corrected_and_corrected_back() -> None:
    at = opened("data", FILES)
    widget(at, "selectbox", "Role", "queries.csv").set_value("documents")
    applied(at, "queries.csv")
    assert opened_files(at)["queries.csv"].startswith("Document metadata")
    widget(at, "selectbox", "Role", "queries.csv").set_value("queries")
    applied(at, "queries.csv")
    assert opened_files(at)["queries.csv"].startswith("Query metadata")


def test_a_column_read_as_the_wrong_field_can_be_corrected() -> None:
    run = "query_id,doc_id,score,other\nq1,d3,9.5,0.1\nq1,d1,8.5,0.9\n"
    files = {"qrels.txt": "q1 0 d1 1\n", "run.csv": run}
    before = opened("overview", files).metric[0].value
    at = opened("data", files)
    widget(at, "selectbox", "Column 3", "run.csv").set_value("ignored")
    widget(at, "selectbox", "Column 4", "run.csv").set_value("score")
    applied(at, "run.csv")
    at.switch_page("pages/overview.py").run()
    whole(at)
    assert (before, at.metric[0].value) == ("0.631", "1.000")


def test_distances_can_be_turned_and_the_run_given_a_name() -> None:
    files = {"qrels.txt": "q1 0 d1 1\n", "run.csv": "query_id,doc_id,score\nq1,d3,12.5\nq1,d1,3.25\n"}
    at = opened("data", files)
    widget(at, "toggle", "Lower scores are better", "run.csv").set_value(True)
    widget(at, "text_input", "Name of the run", "run.csv").set_value("near")
    applied(at, "run.csv")
    assert "run near" in opened_files(at)["run.csv"]
    at.switch_page("pages/overview.py").run()
    assert unescaped(at.metric[0].label) == "nDCG@10 of near"
    assert at.metric[0].value == "1.000"


def test_only_the_runs_that_are_picked_are_compared() -> None:
    both = BM25.replace(" bm25\n", " one\n") + BM25.replace(" bm25\n", " two\n")
    at = opened("data", {"qrels.txt": QRELS, "both.run": both})
    assert title(at).startswith("2 runs")
    widget(at, "multiselect", "Runs of this file", "both.run").set_value(["two"])
    applied(at, "both.run")
    assert title(at).startswith("1 run ")


def test_metadata_without_a_header_can_be_given_column_names() -> None:
    rows = "q1\tred tea\tbuy\nq2\tblue hat\tlook\nq3\tgreen\tlook\n"
    at = opened("data", {"qrels.txt": QRELS, "bm25.run": BM25, "queries.tsv": rows})
    widget(at, "text_input", "Column names", "queries.tsv").set_value("query_id,text,intent")
    applied(at, "queries.tsv")
    assert "intent" in next(each for each in at.sidebar.selectbox if each.label == "Slice").options


def test_ids_that_do_not_meet_are_repaired_when_the_offer_is_taken() -> None:
    other = "".join(f"{line.replace(' ', '.0 ', 1)}\n" for line in QRELS.replace("q", "").splitlines())
    run = BM25.replace("\nq", "\n").removeprefix("q")
    at = opened("data", {"qrels.txt": other, "bm25.run": run})
    assert title(at) == "bm25.run cannot be read as it is"
    assert "no query in common" in unescaped(at.error[0].value)
    button(at, 'Repair by taking ".0" off the query ids of the judgments').click().run()
    whole(at)
    assert title(at) == "1 run and 4 judged queries, ready to compare"
    numbers = opened("overview", {"qrels.txt": QRELS, "bm25.run": BM25})
    at.switch_page("pages/overview.py").run()
    assert at.metric[0].value == numbers.metric[0].value


def test_a_file_can_be_taken_out_and_taking_out_all_leads_back_to_the_start() -> None:
    at = opened("data", {"qrels.txt": QRELS, "bm25.run": BM25})
    widget(at, "button", "Take this file out", "bm25.run").click().run()
    whole(at)
    assert title(at) == "Runs are still missing"
    widget(at, "button", "Take this file out", "qrels.txt").click().run()
    whole(at)
    assert title(at) == "Decide which ranking ships"
    assert "d" not in at.query_params


def test_a_zip_of_several_files_is_taken_apart() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(f"night/{name}", text)
    at = dropped(opened("data"), {"all.zip": packed.getvalue()})
    assert title(at) == "2 runs and 4 judged queries, ready to compare"
    assert sorted(opened_files(at)) == sorted(f"night/{name}" for name in FILES)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\x01\x02\x03" * 50,
        b"\x1f\x8b\x08broken",
        b"PK\x03\x04broken",
        b"PAR1broken",
        b"%PDF-1.7",
        b"{",
        b"\xff\xfe",
    ],
)
def test_a_file_that_cannot_be_read_gets_a_sentence(data: bytes) -> None:
    at = dropped(opened("data"), {"x": data})
    assert title(at) == "x cannot be read as it is"
    assert len(unescaped(at.error[0].value)) > 10


def test_a_file_beyond_a_limit_is_told_the_limit_and_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from core.model.limits import LOCAL
    from pages.shared import loading

    monkeypatch.setattr(loading, "limits", lambda: replace(LOCAL, packed=2_000_000))
    at = opened("data", {"big.run": BM25 * 20_000})
    assert title(at) == "big.run cannot be read as it is"
    problem = unescaped(at.error[0].value)
    assert "is 3.2 MB, more than the limit of 2 MB" in problem
    for way_out in (".gz", "top 100"):
        assert way_out in problem


def test_two_files_of_one_name_are_kept_apart() -> None:
    at = dropped(opened("data", {"qrels.txt": QRELS, "bm25.run": BM25}), {"bm25.run": DENSE})
    assert title(at) == "2 runs and 4 judged queries, ready to compare"
    assert 'Two runs are called "bm25": this one is shown as "bm25 (2)".' in said(at)


def test_the_overview_opens_from_an_address_that_holds_a_view() -> None:
    at = opened("data", FILES, k="1", base="dense")
    button(at, "Open the overview").click().run()
    whole(at)
    assert title(at).startswith("bm25 is 0.250 behind dense")
