"""What saving, opening and deleting a comparison costs, and whether an answer's time tells one token from another (R&S T9).

    python -m tests.bench.saving [FOLDER] [--queries 2000] [--runs 4] [--times 10]

Prints, for the sample and for a generated comparison of so many queries with 100 documents each, the bytes kept, the memory that
saving adds at its peak and the median milliseconds of each call; then the median time of `find` for tokens of every kind.
FOLDER is where the store is made: a disk, not memory, if the figures are to say anything about syncing.
"""

import argparse
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from core.comparison import Comparison, Inputs, Piece, open_comparison
from core.exports.bundle import comparison_of
from core.model.limits import in_words
from core.readers.files import Given
from core.saved import Found, Link, delete, find, listed, open_saved, read, save, tidy
from core.saved.records import new_token
from core.store import Folder

SAMPLE = Path(__file__).parents[2] / "sample_data" / "support_search"
Result = TypeVar("Result")


def timed(name: str, times: int, call: Callable[[], Result]) -> list[Result]:
    """Print what a call takes, called so often."""
    took, results = [], []
    for _ in range(times):
        started = time.perf_counter()
        results.append(call())
        took.append((time.perf_counter() - started) * 1000)
    print(f"    {name:<34} median {statistics.median(took):8.2f} ms, most {max(took):8.2f} ms")  # noqa: T201
    return results


def peak() -> float:
    """The most memory that this process ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def sample() -> Comparison:
    """The sample collection with all of its runs and texts."""
    runs = tuple(Piece(Given.of(path)) for path in sorted(SAMPLE.glob("*.run")))
    files = {name: (Piece(Given.of(SAMPLE / f"{name}.{end}")),) for name, end in FILES.items()}
    return open_comparison(Inputs(runs=runs, **files))


FILES = {"qrels": "txt", "queries": "csv", "documents": "csv"}


def generated(queries: int, runs: int) -> Comparison:
    """So many queries with 40 judged documents, of which each run returns some among 100."""
    chance = random.Random(1)
    judged = {f"query-{at}": [f"document-{chance.randrange(10**7)}" for _ in range(40)] for at in range(queries)}
    qrels = "".join(f"{query} 0 {doc} {chance.randrange(4)}\n" for query, docs in judged.items() for doc in docs)

    def run(number: int) -> str:
        return "".join(
            f"{query} Q0 {doc} {rank} {200 - rank + chance.random():.6f} run-{number}\n"
            for query, docs in judged.items()
            for rank, doc in enumerate(
                [*chance.sample(docs, 30), *(f"other-{chance.randrange(10**7)}" for _ in range(70))], 1
            )
        )

    pieces = tuple(Piece(Given(f"run-{number}", data=run(number).encode())) for number in range(runs))
    return open_comparison(Inputs(qrels=(Piece(Given("qrels", data=qrels.encode())),), runs=pieces))


def measured(store: Folder, name: str, comparison: Comparison, times: int) -> Link:
    """Print what it costs to save a comparison, to open it and to delete it."""
    before = peak()
    first = save(store, comparison, owner="bench")
    print(  # noqa: T201
        f"{name}: {len(comparison.names)} runs, {len(comparison.qrels.queries):,} queries, "
        f"{in_words(first.saved.bytes)} in {len(first.saved.parts)} parts, saving adds {peak() - before:,.0f} MB"
    )
    links = timed("save (parts there already)", times, lambda: save(store, comparison, owner="bench"))

    def new() -> Link:
        for entry in store.entries("blobs/"):
            (store.root / entry.key).unlink()
        return save(store, comparison, owner="bench")

    links += timed("save (parts new, with taking away)", times, new)
    timed("find and read", times, lambda: read(store, found(store, first)))
    timed("open", times, lambda: comparison_of(open_saved(store, first.saved), "bench"))
    timed("list", times, lambda: listed(store, "bench"))
    tokens = iter(link.delete_token for link in links)
    timed("delete", len(links), lambda: delete(store, next(tokens)))
    timed("tidy", 1, lambda: tidy(store))
    return first


def found(store: Folder, link: Link) -> Found:
    """What a link leads to that was just saved."""
    known = find(store, link.token)
    if known is None:
        raise LookupError(link.saved.id)
    return known


def answers(store: Folder, token: str) -> None:
    """Print how long it takes to say what tokens of every kind lead to."""
    print("find, by kind of token")  # noqa: T201
    kinds = {
        "known": token, "unknown": new_token(), "other case": token.swapcase(), "empty": "", "..": "../..", "NUL": "\0", "1 MB": "x" * 10**6,
    }  # fmt: skip
    for kind, text in kinds.items():
        timed(kind, 1000, lambda text=text: find(store, text))  # type: ignore[misc]  # mypy cannot infer a lambda's default


def main() -> None:
    """Measure the sample and a generated comparison in a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--times", type=int, default=10)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        measured(Folder(Path(folder) / "sample"), "the sample", sample(), asked.times)
        store = Folder(Path(folder) / "generated")
        link = measured(store, "generated", generated(asked.queries, asked.runs), asked.times)
        answers(store, link.token)


if __name__ == "__main__":
    main()
