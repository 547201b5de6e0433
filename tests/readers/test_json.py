"""JSON: ids as text, every fault with its place, nothing lost without a word."""

import json
from typing import Any

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from core.errors import InputError
from core.model.limits import LOCAL, Limits
from core.model.reading import Choice, Role
from core.readers import Given, read_qrels, recognise
from core.readers.formats import rows
from core.readers.json_text import closed, flat, id_text
from core.readers.rows import Findings


def read(
    text: str | bytes, role: Role, *, leave_out: bool = False, limits: Limits = LOCAL
) -> tuple[list[tuple[Any, ...]], Findings]:
    """The rows without lines, and what was found."""
    given = Given("f.json", data=text.encode() if isinstance(text, str) else text)
    findings = Findings("f.json", leave_out=leave_out)
    reading = recognise(given, role=role)
    batches = rows(given, reading, Choice(), limits, findings)
    return [row for batch in batches for row in batch.frame.drop("line").rows()], findings


def problems(text: str | bytes, role: Role) -> list[tuple[int | None, str]]:
    try:
        _, findings = read(text, role)
    except InputError as error:
        return [(problem.line, problem.message) for problem in error.problems]
    return [(problem.line, problem.message) for problem in findings.problems]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1", "1"),
        (1, "1"),
        (1.0, "1"),
        (2**63, "9223372036854775808"),
        ("01", "01"),
        (1.5, None),
        (True, None),
        (None, None),
        ([], None),
    ],
)
def test_an_id_is_canonical_text(value: Any, text: str | None) -> None:
    assert id_text(value) == text


def test_numbers_and_texts_name_the_same_query() -> None:
    found, _ = read('{"query_id":1,"doc_id":10,"score":1.0}\n{"query_id":"1","doc_id":"10","score":2}\n', "run")
    assert found == [("1", "10", 1.0), ("1", "10", 2.0)]


def test_nan_is_refused_with_its_place() -> None:
    assert problems('{"a1":{"d2":NaN,"d1":8.0}}', "run") == [(None, '"a1/d2": score "nan" is not a number')]


def test_infinite_scores_pass() -> None:
    assert read('{"a1":{"d2":Infinity,"d1":-Infinity}}', "run")[0] == [
        ("a1", "d2", float("inf")),
        ("a1", "d1", float("-inf")),
    ]


def test_a_broken_last_line_is_told() -> None:
    text = '{"query_id":"a1","doc_id":"d2","score":9.5}\n{"query_id":"a2","doc_id":"d9","sco'
    assert problems(text, "run") == [(2, "not valid JSON: file cut off?")]


def test_a_broken_line_in_between_is_told_with_its_column() -> None:
    text = '{"query_id":"a","doc_id":"d","score":1}\n{"query_id":"b" "doc_id":"d"}\n{"query_id":"c","doc_id":"d","score":1}\n'
    assert problems(text, "run") == [(2, "not valid JSON: expecting ',' delimiter at column 17")]


def test_a_broken_document_is_told_with_its_line() -> None:
    assert problems('{"a1":\n {"d2": 1,,}\n}', "run") == [
        (2, "not valid JSON: expecting property name enclosed in double quotes at column 11")
    ]


@pytest.mark.parametrize("depth", [600, 100_000])
def test_deep_nesting_is_a_message(depth: int) -> None:
    found = problems('{"a":' * depth + "1" + "}" * depth, "run")
    assert found in ([(None, "the JSON is nested too deeply")], [(None, "the JSON has no layout that is read")])


def test_half_a_surrogate_pair_is_refused() -> None:
    assert problems('{"a1":{"\\ud800":1.5,"d":1.0}}', "run")[0][1].endswith(
        "the document id holds half of a surrogate pair, which is no character"
    )


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert read('{"a1":{"\\ud83c\\udf75":1.5}}', "run")[0] == [("a1", "🍵", 1.5)]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('{"query_id":"","doc_id":"d","score":1}', "the query id is empty"),
        ('{"query_id":"q","doc_id":"d\\u0000","score":1}', "the document id holds a NUL character"),
        ('{"query_id":"q","score":1}', "the document id is missing"),
        ('{"query_id":"q","doc_id":["d"],"score":1}', 'the document id is "["d"]", not text or a whole number'),
        ('{"query_id":"q","doc_id":"d","score":"n/a"}', 'score "n/a" is not a number'),
        ('{"query_id":"q","doc_id":"d","score":true}', 'score "true" is not a number'),
        ('{"query_id":"q","doc_id":"d"}', "the score is missing"),
        ('{"query_id":"q","doc_id":"d","score":1,"score":2}', '"score" is given twice'),
        ("[1]", "is no JSON object"),
    ],
)
def test_a_broken_entry_is_told_with_its_line_and_the_others_are_read(entry: str, message: str) -> None:
    good = '{"query_id":"q1","doc_id":"d1","score":1.5}'
    found, findings = read(f"{good}\n{entry}\n{good}\n", "run")
    assert found == [("q1", "d1", 1.5)] * 2
    assert [(problem.line, problem.message) for problem in findings.problems] == [(2, message)]


def test_broken_entries_are_counted_where_they_may_be_left_out() -> None:
    found, findings = read('{"a":{"d1":"x","d2":1.0}}', "run", leave_out=True)
    assert (found, findings.left_out_count, findings.problems) == ([("a", "d2", 1.0)], 1, [])


def test_entries_of_a_list_are_counted_where_no_line_is_known() -> None:
    assert problems('[{"qid":"q","docno":"d","score":1},\n 7]', "run") == [(None, "entry 2: is no JSON object")]


def test_a_key_given_twice_is_not_lost() -> None:
    qrels = read_qrels(b'{"a1":{"d1":1,"d1":3},"a1":{"d2":2}}')
    assert qrels.judgments.rows() == [("a1", "d1", 3.0), ("a1", "d2", 2.0)]
    assert [notice.code for notice in qrels.notices] == ["conflicting-judgments"]


def test_an_empty_list_of_a_run_is_a_query_without_answer() -> None:
    found, findings = read('{"a1":{"d1":1.5},"a2":{},"a3":{}}', "run")
    assert found == [("a1", "d1", 1.5)]
    assert [(n.code, n.count, n.examples) for n in findings.notices] == [("empty-document-list", 2, ("a2", "a3"))]


def test_an_empty_list_in_judgments_is_an_unrated_query() -> None:
    qrels = read_qrels(b'{"a1":{"d1":1},"a2":{}}')
    assert (qrels.unrated, qrels.queries) == (("a2",), ("a1",))


def test_the_limit_on_rows_holds() -> None:
    with pytest.raises(InputError, match="more than the limit of 2 rows"):
        read('{"a":{"d1":1.5,"d2":1.0,"d3":0.5}}', "run", limits=Limits(rows=2))


def test_a_document_that_leaves_its_layout_is_refused() -> None:
    # The first 200 queries follow it, which is as far as recognition looks.
    document: dict[str, Any] = {f"q{at:03}": {"d": 0.5} for at in range(300)}
    document["q250"] = 7
    found = problems(json.dumps(document), "run")
    assert found == [(None, "the JSON is not laid out as JSON (query → document → number) throughout")]


def test_attributes_met_late_are_columns_of_their_own() -> None:
    lines = [{"_id": f"q{at}", "text": "t"} for at in range(600)] + [
        {"_id": "late", "text": "t", "metadata": {"source": "web"}}
    ]
    found, _ = read("\n".join(map(json.dumps, lines)), "queries")
    assert found[0] == ("q0", "t", None)
    assert found[-1] == ("late", "t", "web")


def test_nested_metadata_is_taken_apart() -> None:
    assert flat({"_id": 1, "metadata": {"source": "web", "_id": 2}, "a": {"b": 3}}) == {
        "_id": 1,
        "source": "web",
        "metadata._id": 2,
        "a.b": 3,
    }


DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@examples(st.dictionaries(st.text(max_size=5), DOCUMENTS, min_size=1, max_size=5), st.data())
def test_the_head_of_any_document_can_be_closed_and_parsed(document: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(document, ensure_ascii=data.draw(st.booleans()))
    cut = data.draw(st.integers(0, len(text)))
    found = closed(text[:cut])
    assert found == "" or isinstance(json.loads(found), dict)


NUMBERS = st.floats(allow_nan=False) | st.integers(-(2**60), 2**60)


@examples(
    st.dictionaries(
        st.text("abc#é ", min_size=1, max_size=4),
        st.dictionaries(st.text("xyz1", min_size=1, max_size=4), NUMBERS, min_size=1, max_size=4),
        min_size=1,
        max_size=5,
    )
)
def test_every_number_of_a_run_comes_through(document: dict[str, dict[str, float]]) -> None:
    expected = [(query, doc, float(value)) for query, docs in document.items() for doc, value in docs.items()]
    try:
        assert read(json.dumps(document), "run")[0] == expected
    except InputError as error:
        # One query that is called as a wrapper or as a tool's key may be taken for it; these texts never are.
        raise AssertionError(str(error)) from error
