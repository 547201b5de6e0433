"""What a file costs that was made to cost much: seconds, memory here and in the child, and how long everybody else waits (R&S T10, T12).

    RANKLENS_LONG=1 python -m tests.bench.bombs [--rows 10000000]

Each file is read as the hosted app reads it, in a child with the hosted limits, while another thread does what a page does for
somebody else: it scores the sample comparison. Printed are the seconds until the outcome, how much this process grew and holds
afterwards, the highest resident memory of any child so far, and the 95th percentile of the other thread's times.
"""

import argparse
import gzip
import resource
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from core.errors import InputError
from core.model.limits import HOSTED
from core.model.measure import Measure
from core.readers import read_qrels, read_runs
from core.readers.child import Job, in_child
from core.readers.files import Given
from core.scoring.scores import score
from tests.conftest import REPOSITORY
from tests.readers import test_bombs as bombs

SAMPLE = REPOSITORY / "sample_data" / "support_search"
QRELS = Given("qrels.txt", data=b"".join(b"q%d 0 d0 1\n" % at for at in range(1000)))


def resident() -> float:
    """Megabytes that this process holds, where the system tells."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * resource.getpagesize() / 1e6 if status.exists() else float("nan")


def of_children() -> float:
    """Megabytes of the largest child so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


class Somebody(threading.Thread):
    """Somebody else's page: one score after the other, each one's seconds kept."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seconds: list[float] = []
        self.over = threading.Event()
        self.qrels = read_qrels(SAMPLE / "qrels.txt")
        (self.sample,) = read_runs(SAMPLE / "bm25.run", self.qrels)

    def run(self) -> None:
        """Score until it is over."""
        while not self.over.is_set():
            began = time.perf_counter()
            score(self.qrels, self.sample, [Measure("nDCG", 10), Measure("nDCG", 10, "exponential")])
            self.seconds.append(time.perf_counter() - began)
            time.sleep(0.01)


def rows(number: int) -> bytes:
    """A packed run of many rows: 1,000 queries with as many documents as it takes."""
    each = number // 1000
    return gzip.compress(
        b"".join(b"q%d Q0 d%d 1 %d m\n" % (query, at, -at) for query in range(1000) for at in range(each)), 1
    )


def measured(name: str, make: Callable[[], bytes], *, run: bool = False) -> None:
    """Read one file and print what it cost."""
    data = make()
    before = resident()
    somebody = Somebody()
    somebody.start()
    began = time.perf_counter()
    job = Job("run", (Given(name, data=data),)) if run else Job("qrels", (Given(name, data=data),))
    found = in_child([Job("qrels", (QRELS,)), job], limits=HOSTED)[1]
    seconds = time.perf_counter() - began
    somebody.over.set()
    somebody.join()
    said = found.problems[0].message if isinstance(found, InputError) else "read"
    del found
    slow = float(np.quantile(somebody.seconds, 0.95)) if somebody.seconds else float("nan")
    print(  # noqa: T201 (what a bench is for)
        f"{name}: {len(data) / 1e6:,.2f} MB packed, {seconds:.1f} s, here {resident() - before:+,.0f} MB, child at most {of_children():,.0f} MB, "
        f"others p95 {slow * 1000:,.0f} ms: {said}"
    )


def main() -> None:
    """Every bomb, a million runs, and a run of as many rows as asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    asked = parser.parse_args()
    for name, (make, _) in bombs.BOMBS.items():
        measured(name, make)
    measured("a footer that says few rows", bombs.of_a_footer_that_says_few_rows)
    measured("a footer that says small pages", bombs.of_a_footer_that_says_small_pages)
    measured("a million runs", lambda: bombs.of_runs(1_000_000), run=True)
    measured(f"{asked.rows:,} rows", lambda: rows(asked.rows), run=True)


if __name__ == "__main__":
    main()
