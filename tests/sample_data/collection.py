"""The sample comparison as its files hold it, read without the product's readers: they are what is tested elsewhere."""

import csv
from collections import defaultdict
from pathlib import Path

SAMPLE = Path(__file__).parents[2] / "sample_data"
SUPPORT = SAMPLE / "support_search"
RUNS = ("bm25", "char-tfidf", "embeddings", "hybrid-rrf", "hybrid-rerank")


def table(name: str) -> list[dict[str, str]]:
    """The rows of a CSV file of the comparison."""
    with (SUPPORT / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def qrels() -> dict[str, dict[str, int]]:
    """Query → document → grade; a pair judged twice is an error."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (SUPPORT / "qrels.txt").read_text(encoding="utf-8").splitlines():
        query_id, _, doc_id, grade = line.split(" ")
        assert doc_id not in grades[query_id], line
        grades[query_id][doc_id] = int(grade)
    return dict(grades)


def run(name: str) -> dict[str, list[tuple[str, float]]]:
    """Query → documents with scores in the order of the file, whose ranks must count from 1."""
    ranking: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for line in (SUPPORT / f"{name}.run").read_text(encoding="utf-8").splitlines():
        query_id, q0, doc_id, rank, score, tag = line.split(" ")
        ranking[query_id].append((doc_id, float(score)))
        assert (q0, int(rank), tag) == ("Q0", len(ranking[query_id]), name), line
    return dict(ranking)
