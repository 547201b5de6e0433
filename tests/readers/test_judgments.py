"""Judgments: pairs once, conflicts by rule, several files joined, and every notice by a planted file."""

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from core.errors import InputError
from core.model.conventions import Conflicts, Conventions
from core.model.frames import JUDGMENTS
from core.model.limits import Limits
from core.model.qrels import Qrels
from core.model.reading import Choice, Repair
from core.readers import Given, read_qrels


def read(*texts: str, conflicts: Conflicts = "highest") -> Qrels:
    files = [Given(f"f{at}", data=text.encode()) for at, text in enumerate(texts, 1)]
    return read_qrels(files, conventions=Conventions(conflicts=conflicts))


def codes(qrels: Qrels) -> dict[str, tuple[int, str]]:
    return {notice.code: (notice.count, notice.message) for notice in qrels.notices}


def test_judgments_are_sorted_by_bytes_and_unique() -> None:
    qrels = read("b 0 é 1\nb 0 z 0\na 0 B 2\na 0 a 1\n")
    assert qrels.judgments.schema == JUDGMENTS
    assert qrels.judgments.rows() == [("a", "B", 2.0), ("a", "a", 1.0), ("b", "z", 0.0), ("b", "é", 1.0)]
    assert (qrels.queries, qrels.rows, qrels.notices) == (("a", "b"), 4, ())


def test_a_pair_judged_twice_alike_counts_once() -> None:
    qrels = read("a1 0 d1 2\na1 0 d1 2\na1 0 d1 2\na1 0 d2 1\n")
    assert qrels.judgments.height == 2
    assert codes(qrels) == {"duplicate-judgments": (2, "2 repeated judgments with the same grade were merged.")}


@pytest.mark.parametrize(("rule", "grade"), [("highest", 3.0), ("last", 1.0), ("mean", 2.0)])
def test_the_rule_decides_between_grades(rule: Conflicts, grade: float) -> None:
    qrels = read("a1 0 d1 3\na1 0 d1 1\n", conflicts=rule)
    assert qrels.judgments["grade"].to_list() == [grade]
    assert codes(qrels)["conflicting-judgments"][0] == 1
    assert qrels.notices[0].examples == ("a1 / d1: 3, 1",)


def test_the_rule_refuse_names_the_pair_and_its_last_line() -> None:
    with pytest.raises(InputError) as caught:
        read("a1 0 d1 3\na1 0 d2 1\na1 0 d1 1\n", conflicts="refuse")
    assert str(caught.value) == 'f1:3: query "a1", document "d1" is judged 3 and 1'


def test_judges_are_counted_with_how_often_they_agree() -> None:
    qrels = read("query_id,doc_id,assessor,rel\na,d1,x,3\na,d1,y,1\na,d2,x,1\na,d2,y,1\n")
    assert codes(qrels)["conflicting-judgments"][1] == (
        "1 pair has several different grades; the highest counts. 2 judges; of 2 pairs judged more than once they agree on 1."
    )


def test_subtopics_in_the_second_column_are_told() -> None:
    found = codes(read("a1 1 d1 2\na1 2 d1 0\na1 1 d2 0\na1 2 d2 1\n"))
    assert set(found) == {"second-column"}
    assert found["second-column"][0] == 2


def test_rounds_in_the_second_column_are_no_notice_where_pairs_are_unique() -> None:
    assert codes(read("1 1.5 a 0\n1 2 b 2\n1 0.5 c 1\n")) == {}


def test_pairs_without_grades_are_relevant() -> None:
    qrels = read("a1\td1\na1\td2\na2\td3\n")
    assert qrels.judgments["grade"].to_list() == [1.0, 1.0, 1.0]
    assert codes(qrels)["grades-absent"][0] == 3


def test_unrated_queries_are_left_out_and_listed() -> None:
    qrels = read("query,docid,rating\nred shoes,11,3.0\ngreen sock\nwool cap,,\nred shoes,,\n")
    assert qrels.queries == ("red shoes",)
    assert qrels.unrated == ("green sock", "wool cap")
    assert codes(qrels)["unrated-queries"] == (2, "2 queries have no judgments and are left out.")


def test_several_files_are_joined_and_their_repeated_pairs_told() -> None:
    qrels = read("a1 0 d1 2\n", "a1 0 d1 2\na2 0 d3 1\n")
    assert qrels.judgments.height == 2
    assert qrels.rows == 3
    assert [source.name for source in qrels.sources] == ["f1", "f2"]
    assert codes(qrels)["duplicate-judgments"][0] == 1


def test_the_problems_of_all_files_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        read("a1 0 d1 x\na1 0 d2 1\na1 0 d3 1\n", "a2 0 d3 y\na2 0 d4 1\na2 0 d5 1\n")
    assert str(caught.value) == 'f1:1: grade "x" is not a number\nf2:1: grade "y" is not a number'


def test_files_on_different_scales_are_told() -> None:
    binary = "".join(f"a{at} 0 d 1\n" for at in range(6))
    percent = "".join(f"b{at} 0 d {at * 10}\n" for at in range(6))
    assert codes(read(binary, percent))["mixed-scales"][0] == 2
    assert "mixed-scales" not in codes(read(binary, binary.replace("a", "c")))


def test_sources_on_different_scales_are_told() -> None:
    rows = "".join(f"q{at}\td\t{1 if at % 2 else 5}\t{'click' if at % 2 else 'human'}\n" for at in range(50))
    assert "mixed-scales" in codes(read("qid\tdoc_id\tgrade\tsource\n" + rows))


def test_no_positive_grade_is_refused() -> None:
    with pytest.raises(InputError, match="f1: no judgment of 2 has a grade above 0"):
        read("a1 0 d1 0\na1 0 d2 -1\n")


def test_a_column_with_one_value_for_each_query_is_kept() -> None:
    qrels = read("qid\tdoc_id\tgrade\tsource\tby\nk1\td1\t3\tweb\tA\nk1\td2\t2\tweb\tB\nk2\td1\t1\tapp\tA\n")
    assert qrels.columns is not None
    assert qrels.columns.rows() == [("k1", "web"), ("k2", "app")]


def test_ids_that_nearly_agree_are_told_and_kept_apart() -> None:
    qrels = read("query_id,doc_id,rel\nq,Doc,1\nq,doc,0\nq,caf\u00e9,1\nq,cafe\u0301,0\n")
    assert qrels.judgments.height == 4
    assert codes(qrels)["id-variants"][0] == 4


@pytest.mark.parametrize("ids", [("1.23E+15", "d2"), ("1-Jan", "d2"), ("1.0", "2.0"), ("#N/A", "d2")])
def test_ids_that_a_spreadsheet_damaged_are_told(ids: tuple[str, str]) -> None:
    found = codes(read(f"query_id,doc_id,rel\nq,{ids[0]},1\nq,{ids[1]},0\n"))
    assert "id-damage" in found


@pytest.mark.parametrize("ids", [("1E-3", "0.001"), ("12e4", "3/4"), ("007", "1.0"), ("NA", "null")])
def test_ids_that_only_look_odd_are_left_alone(ids: tuple[str, str]) -> None:
    assert codes(read(f"query_id,doc_id,rel\nq,{ids[0]},1\nq,{ids[1]},0\n")) == {}


def test_too_many_queries_are_refused() -> None:
    with pytest.raises(InputError, match="3 queries are judged, more than the limit of 2"):
        read_qrels(b"a 0 d 1\nb 0 d 1\nc 0 d 1\n", limits=Limits(queries=2))


def test_an_accepted_repair_is_done_before_pairs_are_merged() -> None:
    repair = Repair("decimal", "query", "qrels")
    qrels = read_qrels(b"query_id,doc_id,rel\n1.0,d,1\n1,d,1\n", choices=[Choice(repairs=(repair,))])
    assert qrels.judgments.rows() == [("1", "d", 1.0)]


@examples(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(-2, 4)), min_size=1, max_size=40))
def test_the_highest_grade_of_each_pair_counts_in_any_order(rows: list[tuple[int, int, int]]) -> None:
    rows = [*rows, (0, 9, 1)]
    expected: dict[tuple[str, str], float] = {}
    for query, doc, grade in rows:
        pair = (f"q{query}", f"d{doc}")
        expected[pair] = max(expected.get(pair, -99.0), float(grade))
    text = "".join(f"q{query} 0 d{doc} {grade}\n" for query, doc, grade in rows)
    found = read(text).judgments
    assert found.rows() == [(*pair, grade) for pair, grade in sorted(expected.items())]
