"""Topics rows: TREC topics in SGML or XML → query metadata."""

import html
import re
from collections.abc import Iterator

import polars as pl

from core.model.limits import Limits
from core.model.reading import Choice, Reading
from core.readers.files import Given, whole
from core.readers.json_text import wrong_id
from core.readers.lines import decoder
from core.readers.rows import Findings, Rows

TOPIC = re.compile(r"<(top|topic|query)\b([^>]*)>(.*?)(?=<(?:top|topic)\b|</\1>|\Z)", re.DOTALL | re.IGNORECASE)
TAG = re.compile(r"<([A-Za-z][\w.-]*)\b[^>]*>([^<]*)", re.DOTALL)
ATTRIBUTE = re.compile(r"(\w+)\s*=\s*[\"']([^\"']*)[\"']")
IDS = ("num", "number", "id", "qid", "topic_id", "query_id")
TEXTS = ("title", "query", "text", "question", "utterance")
LABEL = re.compile(r"^\s*(number|topic|description|narrative|title|query)\s*:\s*", re.IGNORECASE)


def rows(given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings) -> Iterator[Rows]:
    """One row for each topic: its number, its title as the text, and its other parts under their tags' names."""
    data = whole(given, limits, findings)
    try:
        text = decoder(choice.encoding or reading.encoding, findings).decode(data, True)
    except UnicodeError as error:
        raise findings.refuse(f"the file is not {reading.encoding}", "say how it is written: --encoding") from error
    records = []
    for line, record in topics(text):
        query = record.pop("query_id", "")
        if problem := wrong_id(query):
            findings.broken(line, f"the topic's number {problem}")
            continue
        records.append({"query_id": query, **record, "line": line})
    findings.rows += len(records)
    names = list(dict.fromkeys(name for record in records for name in record)) or ["query_id", "line"]
    schema = {name: pl.UInt32 if name == "line" else pl.String for name in names}
    yield Rows(pl.DataFrame(records, schema=schema))


def topics(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The physical line and the parts of each topic, the number as query_id and the title as text."""
    for found in TOPIC.finditer(text):
        parts = {name.lower(): value for name, value in ATTRIBUTE.findall(found[2])}
        for name, value in TAG.findall(found[3]):
            clean = " ".join(LABEL.sub("", html.unescape(value)).split())
            if clean:
                parts.setdefault(name.lower(), clean)
        query = next((parts.pop(name) for name in IDS if name in parts), "")
        title = next((parts.pop(name) for name in TEXTS if name in parts), "")
        yield text.count("\n", 0, found.start()) + 1, {"query_id": query, "text": title, **parts}
