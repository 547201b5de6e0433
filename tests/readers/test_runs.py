"""Runs: what comes of a run file, and what is said about it."""

import functools
import random
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.model.conventions import Conventions
from core.model.frames import ANSWERED, HITS, TOP
from core.model.qrels import Qrels, Source
from core.model.reading import Choice, Column, Field, Reading, Repair
from core.model.run import Run
from core.readers import delimited
from core.readers.files import Given
from core.readers.lines import blocks
from core.readers.runs import default_name, ranked_runs

TREC: tuple[Field, ...] = ("query_id", "iteration", "doc_id", "rank", "score", "system")


def qrels(judgments: dict[str, dict[str, float]]) -> Qrels:
    rows = sorted((q, d, float(g)) for q, docs in judgments.items() for d, g in docs.items())
    frame = pl.DataFrame(rows, {"query_id": pl.String, "doc_id": pl.String, "grade": pl.Float64}, orient="row")
    return Qrels(frame, (Source("qrels", "0" * 64),), len(rows))


JUDGED = qrels({"a1": {"d1": 2, "d2": 1}, "a2": {"d3": 1}})


def runs(
    text: str, judged: Qrels = JUDGED, fields: tuple[Field, ...] = TREC, delimiter: str = " ", **more: Any
) -> list[Run]:
    columns = tuple(Column(field, field) for field in fields)
    how = Reading(
        "run", "", "delimited", delimiter=delimiter, columns=columns, lower_is_better=more.pop("lower", False)
    )
    conventions = more.pop("conventions", Conventions())
    given_name = more.pop("file", "run.txt")
    name = more.pop("name", None)
    return ranked_runs(
        Given(given_name, data=text.encode()),
        how,
        judged,
        delimited.rows,
        name=name,
        choice=Choice(**more),
        conventions=conventions,
    )


def codes(run: Run) -> list[str]:
    return [notice.code for notice in run.notices]


def hits(run: Run) -> list[tuple[Any, ...]]:
    return run.hits.select("query", "rank", "grade").rows()


GOOD = "a1 Q0 d2 1 9.5 m\na1 Q0 d1 2 8.0 m\na2 Q0 d9 1 4.0 m\na2 Q0 d3 2 3.0 m\n"


def test_a_run_becomes_hits_answered_queries_and_first_documents() -> None:
    (run,) = runs(GOOD + "zz Q0 d1 1 1 m\n")
    assert run.hits.schema == HITS
    assert hits(run) == [(0, 1, 1.0), (0, 2, 2.0), (1, 2, 1.0)]
    assert run.answered.schema == ANSWERED
    assert run.answered.rows() == [(0, 2, 0, 0), (1, 2, 0, 0)]
    assert run.top.schema == TOP
    assert run.top.rows()[2] == (1, 1, "d9", 4.0, None)
    assert (run.name, run.rows, run.queries, run.extra, run.extra_examples) == ("run", 5, 3, 1, ("zz",))
    assert codes(run) == []


def test_a_run_without_any_judged_query_has_no_answers() -> None:
    (run,) = runs("zz Q0 d1 1 1 m\n")
    assert (run.answered.height, run.hits.schema, run.top.schema, run.extra) == (0, HITS, TOP, 1)


@pytest.mark.parametrize(
    ("text", "code", "count", "words"),
    [
        ("a1 Q0 d1 1 3 m\na1 Q0 d1 2 2 m\na1 Q0 d2 3 1 m\n", "duplicate-documents", 1, "1 document is repeated"),
        (GOOD + GOOD, "duplicate-documents", 4, "was the file appended to itself?"),
        ("a1 Q0 d2 1 inf m\na1 Q0 d1 2 3.0 m\na1 Q0 d4 3 -inf m\n", "infinite-scores", 2, "2 scores are infinite"),
        ("a1 Q0 d1 1 0.975230281005876 m\na1 Q0 d9 2 0.975230281005871 m\n", "near-ties", 1, "below single precision"),
        ("a1 Q0 d1 1 0 c\na1 Q0 d2 2 0 c\na2 Q0 d3 1 7 c\na2 Q0 d2 2 7 c\n", "constant-scores", 2, "by document id alone"),
        ("a1 Q0 d1 1 0.2 m\na1 Q0 d2 2 0.9 m\na2 Q0 d3 1 0.8 m\na2 Q0 d4 2 0.1 m\n", "rank-score-conflict", 1, "1 of 2 queries; the score is used"),
        ("a1 Q0 d1 1 .1 m\na1 Q0 x 2 .3 m\na1 Q0 y 3 .5 m\n", "score-direction", 1, "where lower is better?"),
    ],
)  # fmt: skip
def test_what_only_the_file_shows_is_said_once_with_its_count(text: str, code: str, count: int, words: str) -> None:
    (run,) = runs(text)
    (notice,) = run.notices
    assert (notice.code, notice.count, notice.about) == (code, count, "run")
    assert words in notice.message


@pytest.mark.parametrize(
    "text",
    [
        "a1 Q0 x 1 -5.21 ql\na1 Q0 d1 2 -5.22 ql\n",
        "a1 Q0 d1 3 1.0 m\na1 Q0 d7 1 3.0 m\na1 Q0 d8 2 2.0 m\n",
        "a1 Q0 d1 0 2 m\na1 Q0 d2 0 1 m\n",
        "a1 Q0 d1 2 1 m\na1 Q0 d2 1 1 m\na1 Q0 d3 3 0 m\n",
        "a1 Q0 d1 1 0 m\na2 Q0 d2 1 0 m\n",
    ],
)  # fmt: skip
def test_an_order_that_its_ranks_agree_with_is_not_remarked_on(text: str) -> None:
    assert codes(runs(text)[0]) == []


def test_lower_is_better_by_choice_or_by_a_distance_column_with_a_notice() -> None:
    text = "a1 Q0 d1 1 .1 m\na1 Q0 x 2 .3 m\n"
    (run,) = runs(text, lower_is_better=True)
    assert hits(run) == [(0, 1, 2.0)]
    assert (run.reversed, codes(run), run.top["score"].to_list()) == (True, ["score-direction"], [0.1, 0.3])
    (run,) = runs("a1,x,.3\na1,d1,.1\n", fields=("query_id", "doc_id", "distance"), delimiter=",")
    assert hits(run) == [(0, 1, 2.0)]
    assert run.notices[-1].message == 'Lower scores are read as better: the column is headed "distance".'
    (run,) = runs(text, lower_is_better=False)
    assert "score-direction" not in codes(run)


def test_ranks_alone_are_the_order_and_no_ties() -> None:
    (run,) = runs("a1\td2\t0\na1\td1\t1\n", fields=("query_id", "doc_id", "rank"), delimiter="\t")
    assert hits(run) == [(0, 1, 1.0), (0, 2, 2.0)]
    assert run.rank_only
    assert codes(run) == ["header", "rank-only-run"]
    assert run.answered["tied"].to_list() == [0]
    assert run.top["score"].null_count() == 2


def test_the_rank_column_decides_where_asked_and_must_be_there() -> None:
    by_rank = Conventions(order="rank")
    (run,) = runs("a1 Q0 d1 1 0.2 m\na1 Q0 d2 2 0.9 m\n", conventions=by_rank)
    assert hits(run) == [(0, 1, 2.0), (0, 2, 1.0)]
    with pytest.raises(InputError, match="the order cannot be by rank"):
        runs("a1,d1,1\n", fields=("query_id", "doc_id", "score"), delimiter=",", conventions=by_rank)


def test_the_query_s_own_document_is_marked_or_dropped_before_ranking() -> None:
    judged, text = qrels({"x1": {"x7": 1}}), "x1 Q0 x1 1 1.0 m\nx1 Q0 x7 2 0.8 m\n"
    (kept,) = runs(text, judged)
    assert (hits(kept), kept.answered["own_rank"].to_list()) == ([(0, 2, 1.0)], [1])
    (dropped,) = runs(text, judged, conventions=Conventions(own_ids="drop"))
    assert (hits(dropped), dropped.answered.rows()) == ([(0, 1, 1.0)], [(0, 1, 0, 0)])


def test_systems_make_several_runs_only_where_two_answer_the_same_query() -> None:
    both = "a1 Q0 d1 1 2 A\na1 Q0 d2 2 1 A\na2 Q0 d3 1 1 A\na1 Q0 d2 1 2 B\na1 Q0 d1 2 1 B\n"
    a, b = runs(both)
    assert (a.name, a.rows, a.queries, hits(a)) == ("A", 3, 2, [(0, 1, 2.0), (0, 2, 1.0), (1, 1, 1.0)])
    assert (b.name, b.rows, b.queries, hits(b)) == ("B", 2, 1, [(0, 1, 1.0), (0, 2, 2.0)])
    assert codes(a) == ["several-runs"]
    assert [run.name for run in runs(both, name="x")] == ["x/A", "x/B"]
    assert [run.name for run in runs(both, runs=("B",))] == ["B"]
    (one,) = runs("a1 Q0 d1 1 2 A\na2 Q0 d3 1 1 B\n")
    assert (one.name, one.rows, hits(one), codes(one)) == ("run", 2, [(0, 1, 2.0), (1, 1, 1.0)], [])
    with pytest.raises(InputError, match='holds none of the runs chosen; it holds "A", "B"'):
        runs(both, runs=("C",))


def test_systems_row_by_row_are_told_apart() -> None:
    a, b = runs("a1 Q0 d1 1 2 A\na1 Q0 d2 1 2 B\na1 Q0 d2 2 1 A\na1 Q0 d1 2 1 B\n")
    assert (hits(a), hits(b)) == ([(0, 1, 2.0), (0, 2, 1.0)], [(0, 1, 1.0), (0, 2, 2.0)])


def test_a_tag_on_every_row_is_refused_as_no_system() -> None:
    with pytest.raises(InputError, match="more than 1,000 different tags"):
        runs("".join(f"a1 Q0 d{at} {at} {-at} t{at}\n" for at in range(1, 1500)))


def test_strict_refuses_repeated_documents() -> None:
    with pytest.raises(InputError, match="which --strict refuses"):
        runs("a1 Q0 d1 1 3 m\na1 Q0 d1 2 2 m\n", strict=True)


def test_chunks_fold_to_their_document_without_a_word_about_repeats() -> None:
    text = "a1 Q0 x#1 1 9 m\na1 Q0 d1#4 2 8 m\na1 Q0 d1#2 3 7 m\na1 Q0 d2#1 4 6 m\n"
    (run,) = runs(text, repairs=(Repair("chunk", "document", "run", "#"),))
    assert hits(run) == [(0, 2, 2.0), (0, 3, 1.0)]
    assert codes(run) == []


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a/b.trec.gz", "b"),
        ("bm25.run", "bm25"),
        ("x.tar.zip", "x"),
        ("run", "run"),
        (".run", ".run"),
        ("input.A.gz", "input"),
    ],
)
def test_a_run_is_named_by_its_file_without_packing_and_last_ending(file: str, name: str) -> None:
    assert default_name(file) == name


ROW = st.tuples(
    st.sampled_from(["a1", "a2", "zz"]), st.sampled_from([f"d{at}" for at in range(6)] + ["a1"]), st.integers(0, 4)
)


@given(st.lists(ROW, min_size=1, max_size=30), st.integers(1, 60), st.randoms(use_true_random=False))
def test_neither_blocks_nor_the_order_of_rows_change_a_run(
    rows: list[tuple[str, str, int]], size: int, chance: random.Random
) -> None:
    grouped = sorted(rows, key=lambda row: row[0])
    shuffled = rows[:]
    chance.shuffle(shuffled)
    found = []
    for order in (grouped, shuffled):
        text = "".join(f"{query} Q0 {doc} 1 {score} m\n" for query, doc, score in order)
        (plain,) = runs(text)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(delimited, "blocks", functools.partial(blocks, size=size))
            (cut,) = runs(text)
        found += [plain, cut]
    for other in found[1:]:
        assert other.hits.equals(found[0].hits)
        assert other.answered.equals(found[0].answered)
        assert other.top.equals(found[0].top)
        assert (other.rows, other.queries, other.extra) == (found[0].rows, found[0].queries, found[0].extra)
        assert {notice.code: notice.count for notice in other.notices} == {
            notice.code: notice.count for notice in found[0].notices
        }


def test_a_hundred_thousand_queries_all_tied_are_read() -> None:
    judged = qrels({f"q{at}": {"d2": 1.0} for at in range(100_000)})
    text = "".join(f"q{at} Q0 d{doc} 1 0 m\n" for at in range(100_000) for doc in (1, 2))
    (run,) = runs(text, judged)
    assert (run.queries, run.hits.height, run.hits["rank"].max(), run.answered["tied"].sum()) == (
        100_000,
        100_000,
        1,
        200_000,
    )


def test_real_runs_come_to_the_hits_of_a_plain_sort(shared: Path) -> None:
    from core.readers import read_qrels, read_runs

    for folder in ("dlhard_passage", "trec_eval_test"):
        judged = read_qrels(shared / "data" / folder / "qrels.txt")
        grade = {(query, doc): value for query, doc, value in judged.judgments.rows()}
        for path in sorted((shared / "data" / folder / "runs").iterdir())[:6]:
            rows: dict[str, list[tuple[float, bytes]]] = {}
            for line in path.read_bytes().splitlines():
                query, _, doc, _, score, *_ = line.split()
                rows.setdefault(query.decode(), []).append((float(np.float32(score)), doc))
            expected = [
                (at, rank, grade[query, doc.decode()])
                for at, query in enumerate(judged.queries)
                for rank, (_, doc) in enumerate(sorted(rows.get(query, []), reverse=True), 1)
                if (query, doc.decode()) in grade
            ]
            (run,) = read_runs(path, judged)
            assert hits(run) == expected
