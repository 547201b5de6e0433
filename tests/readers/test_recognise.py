"""Recognition: what decides, piece by piece, and that no row of data is ever taken for a header."""

import json

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from core.errors import InputError
from core.model.reading import Choice, Field
from core.readers import Given, recognise
from core.readers.recognition.names import fields_of, fold
from core.readers.recognition.profile import counts_up, falls, profile
from core.readers.recognition.tables import tables

IDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="#{[<\"',;|"), min_size=1, max_size=8
)


@pytest.mark.parametrize(
    "cell", ["query-id", "Query ID", " query_id", "queryId", "QUERY.ID", "\ufeffquery_id", "#query_id"]
)
def test_header_cells_are_folded(cell: str) -> None:
    assert fold(cell) == "queryid"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["qid", "docid", "docno", "rank", "score"], ["query_id", "metadata", "doc_id", "rank", "score"]),
        (["query", "id", "rating"], ["query_id", "doc_id", "relevance"]),
        (["id", "query", "source"], ["query_id", "text", "metadata"]),
        (["id", "title", "text"], ["doc_id", "title", "text"]),
        (["_id", "text"], ["query_id", "text"]),
        (["query_id", "topic", "turn"], ["query_id", "metadata", "metadata"]),
        (["topic", "asin", "esci_label"], ["query_id", "doc_id", "relevance"]),
        (["query", "url", "grade"], ["query_id", "doc_id", "relevance"]),
        (["query_id", "model", "domain"], ["query_id", "metadata", "metadata"]),
        (["question", "gold_doc_ids"], ["query_id", "positive_docs"]),
        (["qid", "results"], ["query_id", "retrieved_docs"]),
        (["search_id", "doc", "dist", "annotator"], ["query_id", "doc_id", "distance", "assessor"]),
    ],
)
def test_names_say_what_a_column_holds(names: list[str], expected: list[Field]) -> None:
    assert list(fields_of(names)) == expected


def test_a_bare_id_is_the_documents_in_a_file_about_documents() -> None:
    assert fields_of(["id", "text"], "documents") == ("doc_id", "text")


def test_ranks_count_up_from_one_or_nought_inside_each_query() -> None:
    assert counts_up(["a", "a", "b"], ["1", "2", "1"])
    assert counts_up(["a", "a", "b", "b"], ["0", "1", "0", "1"])
    assert not counts_up(["a", "a", "b"], ["1", "2", "0"])
    assert not counts_up(["a", "b"], ["1", "1"]), "grades of 1, one document a query"
    assert not counts_up(["a", "a"], ["1", "3"])


def test_scores_fall_inside_each_query() -> None:
    assert falls(["a", "a", "b"], ["2.5", "1", "7"])
    assert not falls(["a", "a"], ["1", "1"])
    assert not falls(["a", "b"], ["3", "1"]), "one document a query says nothing"


def test_a_profile_tells_numbers_words_and_running_text() -> None:
    look = profile(["0", "1.0", "2", " ", "x"])
    assert (look.numbers, look.whole, look.low, look.high, look.distinct, look.filled) == (0.75, True, 0.0, 2.0, 4, 4)
    assert profile(["what is tea", "rope"]).wordy == 0.5


@examples(st.lists(st.tuples(IDS, IDS, st.integers(0, 3)), min_size=1, max_size=20))
def test_a_row_of_judgments_is_never_taken_for_a_header(rows: list[tuple[str, str, int]]) -> None:
    text = "".join(f"{query} 0 {doc} {grade}\n" for query, doc, grade in rows)
    found = next(table for table in tables(text) if table.delimiter == " ")
    assert found.names == ()
    assert len(found.rows) == len(rows)


@examples(st.lists(st.tuples(IDS, IDS, st.sampled_from(["1", "2", "x", "n/a", "good"])), min_size=1, max_size=20))
def test_a_row_with_a_word_as_grade_is_no_header(rows: list[tuple[str, str, str]]) -> None:
    text = "".join(f"q{query}1\td{doc}2\t{grade}\n" for query, doc, grade in rows)
    assert next(table for table in tables(text) if table.delimiter == "\t").names == ()


def test_a_long_json_document_is_recognised_from_its_head() -> None:
    document = {f"q{query}": {f"d{doc}": doc / 7 for doc in range(300)} for query in range(100)}
    reading = recognise(json.dumps(document).encode())
    assert (reading.role, reading.format, reading.possible) == ("run", "json", ("run",))
    assert reading.preview[0] == ("q0", "d0", "0.0")


def test_the_head_of_a_long_file_ends_with_a_whole_line() -> None:
    reading = recognise(b"".join(f"q{row} 0 d{row} {row % 3}\n".encode() for row in range(60_000)))
    assert reading.shape == "TREC qrels"


def test_the_first_five_rows_are_the_preview() -> None:
    reading = recognise(b"".join(f"q 0 d{row} 1\n".encode() for row in range(9)))
    assert reading.preview == tuple(("q", "0", f"d{row}", "1") for row in range(5))


def test_words_as_grades_are_listed_with_the_grade_that_each_is_read_as() -> None:
    data = b"query_id,doc_id,label\na,d1,Good\na,d2,Bad\nb,d3,Good\n"
    assert recognise(data).labels == (("Bad", None), ("Good", None))
    assert recognise(data, choice=Choice(labels=(("good", 2.0),))).labels == (("Bad", None), ("Good", 2.0))
    assert recognise(b"query_id,doc_id,relevant\na,d1,TRUE\na,d2,no\n").labels == (("TRUE", 1.0), ("no", 0.0))


def test_the_systems_of_a_file_are_listed() -> None:
    assert recognise(b"system,query_id,doc_id,score\nA,q,d,1\nB,q,d,2\nA,q,e,0\n").runs == ("A", "B")


def test_the_comment_block_of_a_run_is_kept() -> None:
    data = b"# ir_metadata.start\n# tag: base\n# actor:\n#   team: us\n# ir_metadata.end\n31 Q0 d1 1 9.1 base\n"
    assert recognise(data).metadata == (("tag", "base"), ("actor.team", "us"))


def test_distances_are_better_when_lower() -> None:
    assert recognise(b"query_id,doc_id,distance\nq,d,0.1\n").lower_is_better
    assert not recognise(b"query_id,doc_id,score\nq,d,0.1\n").lower_is_better
    assert recognise(b"query_id,doc_id,score\nq,d,0.1\n", choice=Choice(lower_is_better=True)).lower_is_better


def test_a_person_names_the_columns_of_metadata() -> None:
    data = b"12\twhat is tea\tdescription\n15\tcost of rope\tquantity\n"
    reading = recognise(data, role="queries", choice=Choice(columns=("query_id", "text", "kind")))
    assert [(column.name, column.field) for column in reading.columns] == [
        ("query_id", "query_id"),
        ("text", "text"),
        ("kind", "metadata"),
    ]


def test_the_wrong_number_of_names_is_refused() -> None:
    with pytest.raises(InputError, match="2 column names were given, but the file has 3 columns"):
        recognise(b"12\twhat is tea\tdescription\n", role="queries", choice=Choice(columns=("a", "b")))


def test_names_are_for_tables_of_text() -> None:
    with pytest.raises(InputError, match="columns can be named in tables of text only"):
        recognise(b'[{"_id":"q1","text":"tea"}]', role="queries", choice=Choice(columns=("query_id", "text")))


def test_a_person_says_what_the_columns_hold() -> None:
    reading = recognise(
        b"d1\tq1\t3\nd2\tq1\t1\n", role="qrels", choice=Choice(fields=("doc_id", "query_id", "relevance"))
    )
    assert [column.field for column in reading.columns] == ["doc_id", "query_id", "relevance"]


def test_a_chosen_role_wins_over_the_slot() -> None:
    data = b"1,404,3\n1,377,2\n2,512,2\n"
    assert recognise(data, role="qrels", choice=Choice(role="run")).role == "run"


def test_an_empty_and_a_repeated_column_name_are_told_apart() -> None:
    reading = recognise(b"query_id,,source,source\nq1,x,web,app\n", role="queries")
    assert [column.name for column in reading.columns] == ["query_id", "column_2", "source", "source (2)"]


def test_packed_files_say_how_they_are_packed() -> None:
    import gzip

    assert recognise(Given("x.txt", data=gzip.compress(b"a1 0 d1 2\n", mtime=0))).container == "gzip"
