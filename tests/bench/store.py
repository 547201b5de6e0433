"""What a put and a get cost in a folder and in an object store, here a server of S3 on this machine.

    python -m tests.bench.store [FOLDER] [--times 50] [--store s3://…]

Prints the median and the 95th percentile in milliseconds of each call for 1 KB and 1 MB, a whole save (a part, what names it, the
part again), the time a bucket takes to be opened, and a collection. FOLDER is where the folder is made: a disk, not memory, if
the figures are to say anything about syncing. With --store a bucket elsewhere is measured, which the environment gives access to.
"""

import argparse
import hashlib
import os
import secrets
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.store import Folder, Store, collect, get_blob, open_store, put_blob
from tests.store.services import make_bucket, point_at, s3


def timed(name: str, times: int, call: Callable[[int], object]) -> None:
    """Print what a call takes, called so often with 0, 1, 2 …"""
    took = []
    for at in range(times):
        started = time.perf_counter()
        call(at)
        took.append((time.perf_counter() - started) * 1000)
    print(f"    {name:<28} p50 {statistics.median(took):8.2f} ms   p95 {statistics.quantiles(took, n=20)[-1]:8.2f} ms")  # noqa: T201


def save(store: Store, data: bytes, name: str) -> None:
    """A save of one part, as `keep` does it."""
    digest = put_blob(store, data)
    store.put_new(f"saved/{name}.json", digest.encode())
    put_blob(store, data)


def measured(store: Store, times: int) -> None:
    """Print what every call takes, and leave nothing behind."""
    for size, words in ((1_000, "1 KB"), (1_000_000, "1 MB")):
        sized(store, times, size, words)
    timed("entries of all", 5, lambda _: store.entries(""))
    started = time.perf_counter()
    count = collect(store, older_than=0)
    print(f"    a collection of {count} parts: {(time.perf_counter() - started) * 1000:.0f} ms")  # noqa: T201
    for entry in store.entries(""):
        store.delete(entry.key)


def sized(store: Store, times: int, size: int, words: str) -> None:
    """Print what the calls take that move so many bytes."""
    parts = [os.urandom(size) for _ in range(times)]
    digests = [hashlib.sha256(part).hexdigest() for part in parts]
    timed(f"put_new {words}", times, lambda at: store.put_new(f"bench/{size}-{at}", parts[at]))
    timed(f"get {words}", times, lambda at: store.get(f"bench/{size}-{at}"))
    timed(f"put_blob {words}, new", times, lambda at: put_blob(store, parts[at]))
    timed(f"put_blob {words}, there", times, lambda at: put_blob(store, parts[at]))
    timed(f"get_blob {words}", times, lambda at: get_blob(store, digests[at], what="a part"))
    timed(f"save {words}", times, lambda at: save(store, os.urandom(size), f"{size}-{at}"))


@contextmanager
def bucket() -> Iterator[str]:
    """A bucket on this machine, by its address."""
    with s3() as endpoint, pytest.MonkeyPatch.context() as patch:
        point_at(patch, endpoint)
        make_bucket(endpoint, "bench")
        yield "s3://bench"


def main() -> None:
    """Measure a folder, and the bucket named or one on this machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--store")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        print("a folder")  # noqa: T201
        measured(Folder(Path(folder) / "store"), asked.times)
    if asked.store:
        opened(f"{asked.store.rstrip('/')}/bench-{secrets.token_hex(8)}", asked.times)
    else:
        with bucket() as address:
            opened(address, asked.times)


def opened(address: str, times: int) -> None:
    """Measure a bucket."""
    started = time.perf_counter()
    store = open_store(address)
    print(f"{address.partition('://')[0]}://…, opened in {(time.perf_counter() - started) * 1000:.0f} ms")  # noqa: T201
    measured(store, times)


if __name__ == "__main__":
    main()
