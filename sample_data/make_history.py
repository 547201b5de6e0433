"""Remake the sample history: thirty nights of the sample's reranked hybrid, recorded as `ranklens record` would.

`python -m sample_data.make_history` writes the store `sample_data/history`; `--check` writes nothing and exits 1 where a
recorded number would change. What is perturbed, and by how much, is decided by hashes, so it is the same everywhere.

What happens in the thirty nights (November 2026, 2 o'clock):
  - every night some tickets, customer notes and wiki pages are not in the index yet, and close scores swap
  - from the 9th on all 176 queries are judged; before, 160 were
  - from the 14th on another commit is live, which changes nothing that matters
  - from the 26th on the billing connector leaves out one record in eight
"""

import csv
import hashlib
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from core.comparison.inputs import assemble
from core.history import Result, keep, read_series, result_of
from core.model.measure import Measure
from core.readers import Given, read_qrels, read_queries, read_runs
from core.store import Folder
from sample_data.collection import FOLDER

STORE = Path(__file__).parent / "history"
SERIES = "Support search, nightly"
MEASURES = (Measure("nDCG", 10), Measure("nDCG", 10, "exponential"), Measure("R", 50))
NIGHTS = range(1, 31)
ALL_JUDGED_FROM, SECOND_COMMIT_FROM, BROKEN_FROM = 9, 14, 26
FIRST_JUDGED = 160
# The share of a source's documents that are late on a night.
LATE = {"tickets": 0.15, "wiki": 0.12, "crm": 0.05, "docs": 0.05}
LOST = 0.13
JITTER = 0.01


def chance(*what: object) -> float:
    """A number from 0 to 1 that depends on nothing but what it is for."""
    digest = hashlib.sha256("/".join(map(str, what)).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def in_index(night: int, doc_id: str, source: str) -> bool:
    """Whether a document can be found on a night."""
    if source == "billing" and night >= BROKEN_FROM and chance("lost", doc_id) < LOST:
        return False
    return chance("late", night, doc_id) >= LATE.get(source, 0.0)


def run_of(night: int) -> str:
    """The run of a night, in TREC's form."""
    with (FOLDER / "documents.csv").open(encoding="utf-8", newline="") as file:
        sources = {row["doc_id"]: row["source"] for row in csv.DictReader(file)}
    lines = []
    for line in (FOLDER / "hybrid-rerank.run").read_text().splitlines():
        query, _, doc_id, _, score, _ = line.split()
        if in_index(night, doc_id, sources[doc_id]):
            moved = float(score) * (1 + JITTER * (chance("jitter", night, query, doc_id) - 0.5))
            lines.append((query, -moved, doc_id))
    lines.sort()
    return "".join(f"{query} Q0 {doc_id} 0 {-score:.5f} support-search\n" for query, score, doc_id in lines)


def qrels_of(night: int) -> bytes:
    """The judgments there are on a night."""
    lines = (FOLDER / "qrels.txt").read_text().splitlines(keepends=True)
    queries = sorted({line.split()[0] for line in lines})
    judged = set(queries if night >= ALL_JUDGED_FROM else queries[:FIRST_JUDGED])
    return "".join(line for line in lines if line.split()[0] in judged).encode()


def results(nights: Iterable[int] = NIGHTS) -> Iterator[Result]:
    """The results of the thirty nights, or of some, as they are recorded."""
    for night in nights:
        qrels = read_qrels(Given("qrels.txt", data=qrels_of(night)))
        [run] = read_runs(Given("support-search.run", data=run_of(night).encode()), qrels)
        comparison = assemble(qrels, [run], read_queries(FOLDER / "queries.csv"))
        commit = hashlib.sha256(b"2" if night >= SECOND_COMMIT_FROM else b"1").hexdigest()[:12]
        at = datetime(2026, 11, night, 2, tzinfo=UTC)
        yield result_of(comparison, MEASURES, SERIES, at=at, label=f"night {night}", commit=commit)


def main(arguments: Sequence[str]) -> int:
    """Write the store, or check it."""
    made = list(results())
    if "--check" in arguments:
        kept = read_series(Folder(STORE), SERIES)
        same = [result.id for result in kept.results] == [result.id for result in made]
        sys.stdout.write("" if same else "the recorded history would change\n")
        return 0 if same else 1
    for part in ("blobs", "series"):
        shutil.rmtree(STORE / part, ignore_errors=True)
    for result in made:
        keep(Folder(STORE), result)
    shutil.rmtree(STORE / "tmp", ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
