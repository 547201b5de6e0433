"""The sample's files as text: two tables, the judgments and the runs, each the same bytes from the same source."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sample_data.authored import Query, read_documents, read_pool, read_queries

FOLDER = Path(__file__).parent / "support_search"
DEPTH = 50
# Fused scores lie between 0.01 and 0.03 and need more digits than the others.
DIGITS = {"hybrid-rrf": 6}

# query id -> documents with scores, best first
Run = dict[str, list[tuple[str, float]]]


def authored_files() -> dict[str, str]:
    """The files that need no retriever, by name."""
    source = FOLDER / "source"
    documents, queries = read_documents(source), read_queries(source)
    return {
        "documents.csv": as_csv(("doc_id", "source", "title", "text"), [document[:4] for document in documents]),
        "queries.csv": as_csv(("query_id", "query", "intent", "source"), [query[:4] for query in queries]),
        "qrels.txt": as_qrels(queries, read_pool(source / "pool.txt")),
    }


def as_csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A CSV text with Unix line ends."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def as_qrels(queries: Sequence[Query], pool: Mapping[str, Sequence[str]]) -> str:
    """TREC qrels: the authored grades, and 0 for what stood in the pool without being found relevant."""
    lines = []
    for query in queries:
        grades = dict.fromkeys(pool[query.query_id], 0) | query.grades
        lines += [f"{query.query_id} 0 {doc_id} {grade}\n" for doc_id, grade in sorted(grades.items())]
    return "".join(lines)


def as_run(name: str, run: Run) -> str:
    """A TREC run of depth 50, rounded as a search engine prints its scores, so that some of them tie."""
    digits = DIGITS.get(name, 4)
    return "".join(
        f"{query_id} Q0 {doc_id} {rank} {score:.{digits}f} {name}\n"
        for query_id in sorted(run)
        for rank, (doc_id, score) in enumerate(run[query_id][:DEPTH], start=1)
    )
