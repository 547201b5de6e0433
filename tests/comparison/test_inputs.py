"""Inputs: reading all files of a comparison, and everything that is wrong with any of them."""

from dataclasses import replace

import pytest

from core.comparison import Comparison, open_comparison
from core.comparison.inputs import Inputs, Piece, assemble, distinct_names
from core.errors import InputError
from core.model.limits import LOCAL
from core.model.measure import Measure
from core.model.reading import Choice
from core.readers import Given
from tests.scoring.collections import qrels_of, run_of

QRELS = "a 0 d1 2\na 0 d2 1\nb 0 d3 1\n"
RUN = "a Q0 d2 1 9 m\na Q0 d1 2 8 m\nb Q0 d3 1 7 m\n"
RR = Measure("RR")


def piece(name: str, text: str, title: str | None = None, **choice: object) -> Piece:
    return Piece(Given(name, data=text.encode()), Choice(**choice), title)  # type: ignore[arg-type]  # the fields are named below


def opened(qrels: str | list[str] = QRELS, runs: dict[str, str] | None = None, **more: object) -> Comparison:
    files = [qrels] if isinstance(qrels, str) else qrels
    inputs = Inputs(
        tuple(piece(f"qrels{at}.txt", text) for at, text in enumerate(files)),
        tuple(piece(name, text) for name, text in (runs or {"bm25.run": RUN}).items()),
    )
    return open_comparison(inputs, **more)  # type: ignore[arg-type]  # the options are named below


def test_files_become_a_comparison_in_the_order_given() -> None:
    found = opened(runs={"z.run": RUN, "a.run": RUN})
    assert found.names == ("z", "a")
    assert found.qrels.queries == ("a", "b")


def test_several_qrels_are_one_set_of_judgments() -> None:
    found = opened(["a 0 d1 2\n", "a 0 d2 1\nb 0 d3 1\n"])
    assert found.qrels.judgments.equals(opened().qrels.judgments)
    assert [source.name for source in found.qrels.sources] == ["qrels0.txt", "qrels1.txt"]


def test_equal_names_are_told_apart_and_the_second_run_says_so() -> None:
    inputs = Inputs((piece("q", QRELS),), (piece("x.run", RUN), piece("y.run", RUN, "x"), piece("z.run", RUN, "x (2)")))
    found = open_comparison(inputs)
    assert found.names == ("x", "x (2)", "x (2) (2)")
    assert [[notice.code for notice in run.notices if notice.code == "renamed-run"] for run in found.runs] == [
        [], ["renamed-run"], ["renamed-run"],
    ]  # fmt: skip


def test_a_renamed_run_s_notices_are_about_its_new_name() -> None:
    inputs = Inputs((piece("q", QRELS),), (piece("x.run", RUN), piece("x.txt", RUN + RUN)))
    second = open_comparison(inputs).runs[1]
    assert {notice.about for notice in second.notices if notice.code == "duplicate-documents"} == {"x (2)"}


def test_names_that_differ_stay_as_they_are() -> None:
    grades = {"a": {"d1": 1.0}}
    runs = [run_of(grades, {"a": {"d1": 1.0}}, name) for name in ("one", "two")]
    assert distinct_names(runs) == runs


def test_the_problems_of_all_files_are_told_at_once() -> None:
    inputs = Inputs(
        (piece("q.txt", QRELS),),
        (
            piece("one.run", RUN.replace(" 9 ", " x ")),
            piece("good.run", RUN),
            piece("two.run", RUN.replace(" 7 ", " y ")),
        ),
        (piece("queries.csv", ""),),
    )
    with pytest.raises(InputError) as caught:
        open_comparison(inputs)
    assert {(problem.file, problem.line) for problem in caught.value.problems} == {
        ("one.run", 1), ("two.run", 3), ("queries.csv", None),
    }  # fmt: skip


def test_more_problems_than_are_shown_are_counted() -> None:
    broken = "".join(f"a Q0 d{at} 1 x m\n" for at in range(30))
    with pytest.raises(InputError) as caught:
        opened(runs={"one.run": RUN * 30 + broken, "two.run": RUN * 30 + broken})
    assert len(caught.value.problems) == 20
    assert caught.value.more == 40


def test_with_broken_judgments_every_run_is_still_looked_at() -> None:
    with pytest.raises(InputError) as caught:
        opened(
            qrels="a 0 d1 x\na 0 d2 1\na 0 d3 1\n",
            runs={"good.run": RUN, "bad.run": RUN * 9 + "a Q0 d9 1 n/a m\n", "none.run": "# nothing\n"},
        )
    told = [str(problem) for problem in caught.value.problems]
    assert told[:2] == ['qrels0.txt:1: grade "x" is not a number', 'bad.run:28: score "n/a" is not a number']
    assert len(told) == 3
    assert told[2].startswith("none.run:1: ")


def test_broken_judgments_are_refused_with_the_metadata_s_problems() -> None:
    inputs = Inputs(
        (piece("q.txt", "a 0 d1 1\na 0 d2 1\nb 0 d3 x\n"),), (piece("one.run", RUN),), (piece("queries.csv", ""),)
    )
    with pytest.raises(InputError) as caught:
        open_comparison(inputs)
    assert {problem.file for problem in caught.value.problems} == {"q.txt", "queries.csv"}


def test_a_run_is_turned_by_the_name_that_it_has_once_read() -> None:
    both = "a Q0 d9 1 0.9 near\na Q0 d1 2 0.1 near\na Q0 d1 1 0.9 far\na Q0 d9 2 0.1 far\n"
    as_read = opened("a 0 d1 1\n", {"both.run": both})
    turned = opened("a 0 d1 1\n", {"both.run": both}, lower_is_better=frozenset({"near"}))
    assert {name: as_read.mean(name, RR) for name in as_read.names} == {"near": 0.5, "far": 1.0}
    assert {name: turned.mean(name, RR) for name in turned.names} == {"near": 1.0, "far": 1.0}
    assert [run.reversed for run in turned.runs] == [True, False]


def test_a_run_to_turn_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match='there is no run called "dense"'):
        opened(lower_is_better=frozenset({"dense"}))


def test_what_a_person_decided_of_a_file_is_obeyed() -> None:
    inputs = Inputs(
        (piece("q", "a 0 d1 good\na 0 d2 bad\n", labels=(("good", 2.0), ("bad", 0.0))),), (piece("r", RUN),)
    )
    found = open_comparison(inputs)
    assert found.qrels.judgments["grade"].to_list() == [2.0, 0.0]


def test_metadata_of_queries_and_documents_go_with_the_comparison() -> None:
    inputs = Inputs(
        (piece("q", QRELS),),
        (piece("r", RUN),),
        (piece("m.csv", "query_id,text\na,red tea\n"),),
        (piece("d.csv", "doc_id,title\nd1,Tea\n"),),
    )
    found = open_comparison(inputs)
    assert found.query_text("a") == "red tea"
    assert found.documents is not None
    assert found.documents.table["title"].to_list() == ["Tea"]


def test_progress_names_the_file_and_reaches_its_end() -> None:
    told: list[tuple[str, int, int]] = []
    opened(runs={"bm25.run": RUN, "other.run": RUN}, progress=lambda *each: told.append(each))
    assert {name for name, _, _ in told} == {"bm25.run", "other.run"}
    assert (len(RUN), len(RUN)) in {(done, total) for _, done, total in told}
    assert all(0 <= done <= total for _, done, total in told)


def test_more_runs_or_queries_than_the_limits_allow_are_refused_with_the_limit() -> None:
    grades = {"a": {"d1": 1.0}, "b": {"d1": 1.0}}
    runs = [run_of(grades, {"a": {"d1": 1.0}}, name) for name in ("one", "two", "three")]
    with pytest.raises(InputError, match="3 runs were given, the limit is 2"):
        assemble(qrels_of(grades), runs, limits=replace(LOCAL, runs=2))
    with pytest.raises(InputError, match="2 queries are judged, the limit is 1"):
        assemble(qrels_of(grades), runs, limits=replace(LOCAL, queries=1))
    assert len(assemble(qrels_of(grades), runs, limits=replace(LOCAL, runs=3, queries=2)).runs) == 3
