"""The hand-written source of the sample: documents, queries and judgments as their authors typed them."""

import re
from pathlib import Path
from typing import NamedTuple

# What a document's id says about where it lives.
SOURCES = {"DOC": "docs", "TKT": "tickets", "CRM": "crm", "INV": "billing", "BIL": "billing", "WIKI": "wiki"}
INTENTS = ("lookup", "how-to", "troubleshoot", "compare")


class Document(NamedTuple):
    """One text of the company, with the topics its author gave it."""

    doc_id: str
    source: str
    title: str
    text: str
    topics: tuple[str, ...]


class Query(NamedTuple):
    """One search, with the positive judgments that its author wrote beside it."""

    query_id: str
    text: str
    intent: str
    source: str
    grades: dict[str, int]


def blocks(folder: Path, pattern: str) -> list[list[str]]:
    """The paragraphs of all files of a pattern, file by file in name order."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob(pattern))]
    return [block.strip().split("\n") for text in texts for block in text.strip().split("\n\n")]


def read_documents(folder: Path) -> list[Document]:
    """Read `@ ID | topics | title` and the text below it; sorted by id."""
    documents = []
    for head, *lines in blocks(folder, "documents_*.txt"):
        doc_id, topics, title = head.removeprefix("@ ").split(" | ")
        source = SOURCES[doc_id.split("-")[0]]
        documents.append(Document(doc_id, source, title, " ".join(lines), tuple(topics.split(","))))
    return sorted(documents)


def read_queries(folder: Path) -> list[Query]:
    """Read `id | intent | source | text` and `grade: ids; grade: ids` below it; sorted by id.

    What the judges found when they looked through the pool is added; nobody grades the same pair twice.
    """
    later = read_second_look(folder / "judgments_second_look.txt")
    queries = []
    for head, *lines in blocks(folder, "queries_*.txt"):
        query_id, intent, source, text = head.split(" | ")
        grades = read_grades("; ".join([*lines, later.get(query_id, "")]))
        queries.append(Query(query_id, text, intent, source, grades))
    return sorted(queries)


def read_second_look(path: Path) -> dict[str, str]:
    """Read `query: grade: ids; grade: ids` lines."""
    return dict(line.split(": ", 1) for line in path.read_text(encoding="utf-8").splitlines())


def read_grades(line: str) -> dict[str, int]:
    """Turn `3: A B; 1: C` into {A: 3, B: 3, C: 1}."""
    grades: dict[str, int] = {}
    for part in filter(None, re.split(r";\s*", line)):
        grade, ids = part.split(": ")
        for doc_id in ids.split():
            if doc_id in grades:
                raise ValueError(f"{doc_id} is judged twice in {line!r}")
            grades[doc_id] = int(grade)
    return grades


def read_pool(path: Path) -> dict[str, list[str]]:
    """Read the documents that were put before the judge: `query: id id id`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {query_id: ids.split() for query_id, ids in (line.split(": ") for line in lines)}
