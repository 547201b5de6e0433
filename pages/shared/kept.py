"""What was computed and is kept on this server, by content digests and settings; the work for what is absent shows its progress."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

MOST = 2000
MOST_BYTES = 3_000_000_000
WORKERS = 2  # children that parse at the same time; each is a process of its own
SHOW_AFTER_SECONDS = 0.6

Progress = Callable[[int, int], None]
Work = Callable[[Progress], Any]


@dataclass
class Kept:
    """Results by key; the one asked for longest ago goes first, by count and by weight (bytes, where a result tells its own).

    asked  by key: when somebody last asked for it
    """

    results: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    asked: dict[str, float] = field(default_factory=dict)
    weight: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    workers: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(WORKERS, thread_name_prefix="reading")
    )

    def get(self, key: str) -> Any:
        """The result under a key; None where there is none."""
        with self.lock:
            if key in self.results:
                self.results.move_to_end(key)
                self.asked[key] = time.monotonic()
            return self.results.get(key)

    def put(self, key: str, result: Any) -> None:
        """Keep a result."""
        with self.lock:
            self._drop(key)
            self.results[key] = result
            self.asked[key] = time.monotonic()
            self.weight += _weight(result)
            while len(self.results) > 1 and (len(self.results) > MOST or self.weight > MOST_BYTES):
                self._drop(next(iter(self.results)))

    def forget(self, asked_before: float) -> None:
        """Forget every result that nobody has asked for since a moment of time.monotonic()."""
        with self.lock:
            for key in [key for key, at in self.asked.items() if at <= asked_before]:
                self._drop(key)

    def _drop(self, key: str) -> None:
        self.weight -= _weight(self.results.pop(key, None))
        self.asked.pop(key, None)

    def drop(self, word: str) -> list[Any]:
        """Forget every result that has a word (an id) in its key, and return them."""
        with self.lock:
            dropped = {key: result for key, result in self.results.items() if word in key.split()}
            for key in dropped:
                self._drop(key)
        return list(dropped.values())


def _weight(result: Any) -> int:
    return getattr(result, "weight", 0)


@st.cache_resource(show_spinner=False)
def kept() -> Kept:
    """The one store of results of this server."""
    return Kept()


def computed(work: Mapping[str, tuple[str, Work]]) -> dict[str, Any]:
    """The result of every piece of work, by its key: kept ones at once, the others side by side with their progress shown.

    work  key → (what people see while it runs, the work, which reports bytes done of all)
    """
    found = {key: kept().get(key) for key in work}
    absent = {key: work[key] for key, result in found.items() if result is None}
    if absent:
        done: dict[str, float] = dict.fromkeys(absent, 0.0)
        futures = {key: kept().workers.submit(task, _teller(done, key)) for key, (_, task) in absent.items()}
        _watch({absent[key][0]: (futures[key], key) for key in absent}, done)
        for key, future in futures.items():
            found[key] = future.result()
            kept().put(key, found[key])
    return found


def _teller(done: dict[str, float], key: str) -> Progress:
    def tell(bytes_done: int, bytes_total: int) -> None:
        done[key] = bytes_done / max(bytes_total, 1)

    return tell


def _watch(running: dict[str, tuple[Future[Any], str]], done: dict[str, float]) -> None:
    """Wait for all, with a bar that says what is being read; quick work shows nothing."""
    started = time.monotonic()
    bar = st.empty()
    while open_tasks := [(label, key) for label, (future, key) in running.items() if not future.done()]:
        if time.monotonic() - started > SHOW_AFTER_SECONDS:
            share = sum(1.0 if future.done() else done[key] for future, key in running.values()) / len(running)
            label, key = open_tasks[0]
            bar.progress(min(share, 1.0), text=f"{label}: {done[key]:.0%}" if done[key] else f"{label} …")
        time.sleep(0.03)
    bar.empty()
