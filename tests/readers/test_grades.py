"""Grades: numbers, words, booleans and decimal commas, and what is told of all that is no grade."""

import polars as pl
import pytest

from core.model.reading import Choice, Column, Reading
from core.readers.grades import Grader, labels_in, offered
from core.readers.rows import Findings, Rows

COLUMNS = (Column("q", "query_id"), Column("d", "doc_id"), Column("g", "relevance"))


def graded(
    cells: list[str | None], *, choice: Choice | None = None, comma: bool = False
) -> tuple[list[float | None], Findings]:
    choice = choice or Choice()
    labels = labels_in((cell or "" for cell in cells), choice.labels, decimal_comma=comma)
    reading = Reading("qrels", "x", "delimited", columns=COLUMNS, decimal_comma=comma, labels=labels)
    findings = Findings("f", leave_out=choice.leave_out_broken_lines)
    grader = Grader(reading, choice, findings)
    frame = pl.DataFrame(
        {"query_id": ["q"] * len(cells), "doc_id": [f"d{at}" for at in range(len(cells))], "relevance": cells}
    )
    found = grader.graded(Rows(frame, line=5))
    grader.finish()
    return found["grade"].to_list(), findings


def test_whole_and_decimal_numbers_are_grades() -> None:
    assert graded(["2", "1.0", "0.5", "-1", "1e2", " 3 "])[0] == [2.0, 1.0, 0.5, -1.0, 100.0, 3.0]


def test_a_decimal_comma_counts_where_semicolons_divide() -> None:
    assert graded(["1,5", "0,25"], comma=True)[0] == [1.5, 0.25]


def test_booleans_are_mapped_and_told() -> None:
    found, findings = graded(["TRUE", "False", "yes", "no"])
    assert found == [1.0, 0.0, 1.0, 0.0]
    assert [(n.code, n.count, n.message) for n in findings.notices] == [
        ("labels-mapped", 4, 'Words were read as grades: "TRUE" as 1, "yes" as 1, "False" as 0, "no" as 0.')
    ]


def test_words_wait_for_a_map() -> None:
    found, findings = graded(["E", "S", "I", "E"])
    assert found == []
    assert [(p.message, p.hint) for p in findings.problems] == [
        (
            'the grades are words, 3 different ones: "E", "I", "S"',
            'say what grade each is, such as --labels "E=3,S=2,I=0"',
        )
    ]


def test_a_map_is_used_whatever_the_case() -> None:
    found, findings = graded(["E", "s", "0.5"], choice=Choice(labels=(("e", 3.0), ("S", 2.0))))
    assert found == [3.0, 2.0, 0.5]
    assert findings.notices[0].examples == ("E = 3", "s = 2")


def test_a_label_that_the_map_lacks_is_refused_with_its_line() -> None:
    _, findings = graded(["E", "X"], choice=Choice(labels=(("E", 3.0),)))
    assert [(p.line, p.message) for p in findings.problems] == [(6, 'grade "X" is not in the label map')]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("x", 'grade "x" is not a number'),
        ("", "the grade is empty"),
        ("nan", 'grade "nan" is not a finite number'),
        ("inf", 'grade "inf" is not a finite number'),
        ("-1001", 'grade "-1001" is outside −1,000 … 1,000,000'),
        ("1000001", 'grade "1000001" is outside −1,000 … 1,000,000'),
    ],
)
def test_what_is_no_grade_is_told_with_its_line(cell: str, message: str) -> None:
    found, findings = graded(["1", "2", cell, "0", "1"])
    assert found == [1.0, 2.0, 0.0, 1.0]
    assert [(p.line, p.message) for p in findings.problems] == [(7, message)]


def test_the_ends_of_the_range_are_grades() -> None:
    assert graded(["-1000", "1000000"])[0] == [-1000.0, 1e6]


def test_broken_lines_are_counted_where_they_may_be_left_out() -> None:
    found, findings = graded(["1", "x", "2"], choice=Choice(leave_out_broken_lines=True))
    assert found == [1.0, 2.0]
    assert (findings.left_out_count, findings.left_out, findings.problems) == (1, [6], [])


def test_other_words_than_esci_letters_are_offered_with_gaps() -> None:
    assert offered(["Good", "Bad"]) == "Good=…,Bad=…"
