"""Repairs: found where ids would meet, told with the overlap, never done unasked."""

import polars as pl
import pytest

from core.errors import InputError
from core.model.reading import Choice, Repair
from core.readers import read_qrels, read_runs
from core.readers.repairs import apply, find, parsed, written

CASES: list[tuple[str, list[str], list[str], tuple[str, ...]]] = [
    ("decimal", ["1.0", "2.0"], ["1", "2"], ("qrels:query:decimal",)),
    ("decimal of the run", ["1", "2"], ["1.0", "2.0"], ("run:query:decimal",)),
    ("zeros", ["001", "002"], ["1", "2"], ("qrels:query:zeros",)),
    ("zeros on both sides", ["01", "02"], ["001", "0002"], ("run:query:zeros", "qrels:query:zeros")),
    ("case", ["Q1", "Q2"], ["q1", "q2"], ("qrels:query:case",)),
    ("case of the run", ["q1", "q2"], ["Q1", "q2x"], ("run:query:case",)),
    ("case on both sides", ["Qa", "qB"], ["qA", "Qb"], ("run:query:case", "qrels:query:case")),
    ("blanks", ["q1 ", "q2"], ["q1", "q3"], ("qrels:query:blanks",)),
    ("unicode", ["cafe\u0301"], ["caf\u00e9"], ("qrels:query:unicode",)),
    ("prefix of the run", ["1", "2"], ["topic-1", "topic-2"], ("run:query:prefix=topic-",)),
    ("prefix of the judgments", ["msmarco_1", "msmarco_2"], ["1", "2"], ("qrels:query:prefix=msmarco_",)),
    ("suffix", ["1", "2"], ["1_title", "2_title"], ("run:query:suffix=_title",)),
]


@pytest.mark.parametrize(("judged", "retrieved", "expected"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_a_repair_that_makes_query_ids_meet_is_found(
    judged: list[str], retrieved: list[str], expected: tuple[str, ...]
) -> None:
    best = find(pl.Series(judged), pl.Series(retrieved), "query")[0]
    assert tuple(written(repair) for repair in best.repairs) == expected


@pytest.mark.parametrize(
    ("judged", "retrieved"),
    [
        (["101"], ["201"]),
        (["1", "2"], ["101", "102"]),  # no prefix is cut inside a number
        (["a", "b"], ["xa", "xb"]),  # nor inside a word
        (["q1", "q2"], ["q1", "q2"]),  # they meet already
        (
            [str(at) for at in range(100)],
            [f"{at}.0" if at < 10 else f"{at}z{at}" for at in range(100)],
        ),  # too few would
    ],
)
def test_no_repair_is_offered_without_reason(judged: list[str], retrieved: list[str]) -> None:
    assert find(pl.Series(judged), pl.Series(retrieved), "query") == []


@pytest.mark.parametrize(("chunk", "value"), [("d{0}#2", "#"), ("d{0}_3", "_"), ("d{0}-p3", "-p"), ("d{0}::0", "::")])
def test_chunks_of_judged_documents_are_found(chunk: str, value: str) -> None:
    judged = pl.Series([f"d{at}" for at in range(20)])
    retrieved = pl.Series([chunk.format(at) for at in range(30)])
    best = find(judged, retrieved, "document")[0]
    assert best.repairs == (Repair("chunk", "document", "run", value),)
    assert (best.before, best.after, best.of) == (0, 20, 20)


REPAIRS = [
    (Repair("prefix", "query", "run", "a."), ["a.1", "1", "xa.1"], ["1", "1", "xa.1"]),
    (Repair("suffix", "query", "run", ".x"), ["1.x", "1.xx"], ["1", "1.xx"]),
    (Repair("case", "query", "run"), ["ÄB"], ["äb"]),
    (Repair("decimal", "query", "run"), ["1.0", "1.00", ".0", "v1.0.0"], ["1", "1.00", ".0", "v1.0"]),
    (Repair("zeros", "query", "run"), ["007", "000", "0a", "10"], ["7", "0", "0a", "10"]),
    (Repair("unicode", "query", "run"), ["e\u0301"], ["\u00e9"]),
    (Repair("blanks", "query", "run"), [" a b "], ["a b"]),
    (Repair("chunk", "document", "run", "#"), ["a#1#2", "a", "#1", "a\n#3"], ["a#1", "a", "#1", "a\n"]),
    (Repair("chunk", "document", "run", "."), ["a.b.c", "abc"], ["a.b", "abc"]),
]


@pytest.mark.parametrize(("repair", "before", "after"), REPAIRS, ids=[written(repair) for repair, *_ in REPAIRS])
def test_a_repair_changes_ids_as_it_says(repair: Repair, before: list[str], after: list[str]) -> None:
    assert pl.DataFrame({"id": before}).select(apply(pl.col("id"), repair))["id"].to_list() == after


@pytest.mark.parametrize("repair", [repair for repair, *_ in REPAIRS], ids=written)
def test_a_repair_is_written_and_read_again(repair: Repair) -> None:
    assert parsed(written(repair)) == repair


@pytest.mark.parametrize(
    "text", ["", "query:case", "qrels:query:magic", "run:query:prefix", "run:query:case=x", "both:query:case"]
)
def test_what_is_no_repair_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a repair"):
        parsed(text)


def test_no_query_in_common_names_both_sides() -> None:
    qrels = read_qrels(b"101 0 d1 1\n102 0 d1 1\n103 0 d1 1\n104 0 d1 1\n")
    with pytest.raises(InputError) as caught:
        read_runs(b"201 Q0 d1 1 1 m\n", qrels)
    problem = caught.value.problems[0]
    assert problem.message == 'no query in common: the judgments have "101", "102", "103" … (4), the run has "201"'
    assert (problem.hint, problem.offered) == ("are these judgments and this run of the same queries?", ())


def test_no_query_in_common_offers_what_would_help_and_it_does() -> None:
    data, run = b"query_id,doc_id,rel\n1.0,10.0,1\n2.0,11.0,1\n", b"query_id,doc_id,score\n1,10,1\n2,12,2\n2,11,1\n"
    with pytest.raises(InputError) as caught:
        read_runs(run, read_qrels(data))
    offered = caught.value.problems[0].offered
    assert offered == ("qrels:query:decimal", "qrels:document:decimal")
    repaired = read_qrels(data, choices=[Choice(repairs=tuple(map(parsed, offered)))])
    assert read_runs(run, repaired)[0].hits.height == 2


def test_documents_that_hardly_meet_are_told_with_the_overlap() -> None:
    qrels = read_qrels("".join(f"q{at} 0 doc{at} 1\n" for at in range(30)).encode())
    run = "".join(f"q{at} Q0 doc{at}#{chunk} {chunk} {9 - chunk} m\n" for at in range(30) for chunk in range(1, 4))
    found = read_runs(run.encode(), qrels)[0]
    notice = next(notice for notice in found.notices if notice.code == "id-mismatch")
    assert notice.offered == ("run:document:chunk=#",)
    assert "30 of 30 would meet, 0 do now" in notice.message
    accepted = read_runs(run.encode(), qrels, choice=Choice(repairs=tuple(map(parsed, notice.offered))))[0]
    assert accepted.hits["rank"].to_list() == [1] * 30
    assert "id-mismatch" not in {notice.code for notice in accepted.notices}


def test_documents_that_meet_are_no_notice() -> None:
    qrels = read_qrels(b"q1 0 d1 1\n")
    assert "id-mismatch" not in {notice.code for notice in read_runs(b"q1 Q0 d1 1 1 m\n", qrels)[0].notices}
