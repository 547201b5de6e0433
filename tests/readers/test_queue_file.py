"""Label queue files: what is graded joins, what is not is counted, and every id comes back as it was."""

import polars as pl
import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from core.comparison.label_queue import QUEUE
from core.errors import InputError
from core.exports.table import to_csv
from core.model.formulas import GUARDED
from core.model.qrels import Qrels
from core.readers import Given, read_qrels
from core.readers.queue_file import COLUMNS

ODD = ["=1+1", "+x", "-x", "@SUM(A1)", "'=x", "''+y", "'-5", "-5", "+5", "'plain", "d,1", 'd"2', "é"]


def queue(rows: list[tuple[str, str, str]]) -> pl.DataFrame:
    """A queue as the page gives it to be downloaded, of (query, document, grade)."""
    return pl.DataFrame(
        [(query, f"text {query}", doc, f"title {doc}", 1, None, 0.25, grade) for query, doc, grade in rows],
        schema=QUEUE, orient="row",
    )  # fmt: skip


def read(text: str) -> Qrels:
    return read_qrels(Given("label-queue.csv", data=text.encode()))


def test_the_columns_that_tell_the_file_are_those_that_are_written() -> None:
    assert set(COLUMNS) <= set(QUEUE.names())


def test_of_a_partly_filled_queue_the_graded_lines_join_and_the_others_are_counted() -> None:
    found = read(to_csv(queue([("q1", "d1", ""), ("q1", "d2", "2"), ("q2", "d1", "  "), ("q2", "d3", "0")])))
    assert found.judgments.rows() == [("q1", "d2", 2.0), ("q2", "d3", 0.0)]
    (told,) = [notice for notice in found.notices if notice.code == "grades-absent"]
    assert (told.count, told.severity) == (2, "info")
    assert told.message == "2 documents of the label queue have no grade yet and stay unjudged; 2 have one."


def test_a_grade_far_down_is_found_too() -> None:
    rows = [("q", f"d{at:04}", "") for at in range(3000)]
    found = read(to_csv(queue([*rows, ("q", "last", "1")])))
    assert found.judgments.rows() == [("q", "last", 1.0)]
    assert [notice.count for notice in found.notices if notice.code == "grades-absent"] == [3000]


def test_a_full_queue_says_nothing_of_grades_and_an_empty_one_is_refused() -> None:
    assert not [notice for notice in read(to_csv(queue([("q", "d", "1")]))).notices if notice.code == "grades-absent"]
    with pytest.raises(InputError, match="no document of the label queue has a grade yet"):
        read(to_csv(queue([("q", "d", ""), ("q", "e", "")])))


def test_a_word_in_place_of_a_grade_is_still_told_by_its_line() -> None:
    rows = [("q", f"d{at}", "1") for at in range(9)]
    with pytest.raises(InputError, match=r'label-queue.csv:11: grade "often" is not a number'):
        read(to_csv(queue([*rows, ("q", "x", "often"), ("q", "y", "")])))


def test_ids_that_begin_like_formulas_come_back_as_they_were() -> None:
    found = read(to_csv(queue([(text, text, "1") for text in ODD])))
    assert sorted(found.judgments["query_id"].to_list()) == sorted(ODD)
    assert sorted(found.judgments["doc_id"].to_list()) == sorted(ODD)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_queue_that_a_spreadsheet_saved_again_is_known_by_its_columns(separator: str) -> None:
    rows = queue([("=q", "@d", "1"), ("=q", "e", "")]).drop("query_text", "title").select(pl.all().reverse())
    text = "\n".join(separator.join(line.split(",")) for line in to_csv(rows).replace('""', "").splitlines()) + "\n"
    assert read(text).judgments.rows() == [("=q", "@d", 1.0)]


def test_in_any_other_file_an_apostrophe_belongs_to_the_id_and_an_empty_grade_is_refused() -> None:
    assert read("query_id,doc_id,relevance\nq,'=x,1\n").judgments["doc_id"].to_list() == ["'=x"]
    with pytest.raises(InputError, match="the grade is empty"):
        read("query_id,doc_id,relevance\nq,d,1\nq,e,\n")


@examples(st.lists(st.text("'=+-@a1.", min_size=1, max_size=6), min_size=1, max_size=8, unique=True))
def test_guarding_loses_no_id(ids: list[str]) -> None:
    found = read(to_csv(queue([("q", text, "1") for text in ids])))
    assert sorted(found.judgments["doc_id"].to_list()) == sorted(ids)
    written = pl.Series(to_csv(pl.DataFrame({"id": ids})).splitlines()[1:])
    assert not written.str.contains(r"^[=@]").any()
    assert GUARDED.startswith("^'+")
