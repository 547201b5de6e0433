"""SVMlight: grade, query and the document that the comment names."""

import pytest

from core.errors import InputError
from core.readers import read_qrels, read_runs
from core.readers.svmlight_rows import svmlight_row


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("2 qid:1 1:0.5 2:0.1 # docid=d1", ("1", "d1", "2")),
        ("0 qid:10 1:3 #docid = GX1 inc = 0.1 prob = 0.2", ("10", "GX1", "0")),
        ("1 qid:q1 1:3 # d7", ("q1", "d7", "1")),
        ("1 qid:q1 1:3", ("q1", "", "1")),
        ("1.5 qid:q1 1:3 # about two words", ("q1", "", "1.5")),
    ],
)
def test_a_line_gives_query_document_and_grade(line: str, row: tuple[str, str, str]) -> None:
    assert svmlight_row(line) == row


def test_lines_of_another_kind_are_none() -> None:
    assert svmlight_row("a1 0 d1 2") is None


def test_a_file_is_read_with_its_comments_and_blank_lines() -> None:
    qrels = read_qrels(b"# made by hand\n2 qid:1 1:0.5 # docid=d1\n\n0 qid:1 1:0.9 # docid=d2\n")
    assert qrels.judgments.rows() == [("1", "d1", 2.0), ("1", "d2", 0.0)]
    assert [notice.code for notice in qrels.notices] == ["comments"]


def test_a_broken_grade_and_a_line_without_document_are_told_with_their_lines() -> None:
    with pytest.raises(InputError) as caught:
        read_qrels(
            b"2 qid:1 1:0.5 # docid=d1\n2 qid:1 1:0.5\nx qid:1 1:2 # docid=d3\n1 qid:1 1:5 # docid=d4\n0 qid:1 1:5 # docid=d5\n"
        )
    assert [(problem.line, problem.message.split(":")[0]) for problem in caught.value.problems] == [
        (2, "the line names no document (# docid=…)"),
        (3, 'grade "x" is not a number'),
    ]


def test_predictions_are_refused_with_what_to_bring() -> None:
    qrels = read_qrels(b"2 qid:1 1:0.5 # docid=d1\n")
    with pytest.raises(InputError) as caught:
        read_runs(b"0.2\n0.9\n", qrels)
    assert caught.value.problems[0].hint == "bring the run as a table: query_id, doc_id, score"
