"""Child: files that nobody vouches for are read in a process of their own, with limits on memory and time."""

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import core
from core.errors import InputError, Problem
from core.model.conventions import Conventions
from core.model.limits import HOSTED, Limits, in_words
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Qrels
from core.model.reading import Reading
from core.model.run import Run
from core.readers.files import Given
from core.readers.jobs import CROWDED, JUDGMENTS, OUT_OF_MEMORY, OUTCOME, Job, error_from, reading_from, write_job
from core.readers.packed import Packed
from core.readers.wire import freeze, thaw

__all__ = ["Job", "Outcome", "in_child"]

Outcome = list[Given] | Reading | Qrels | list[Run] | QueryMetadata | DocumentMetadata | Packed | InputError
# Called with (job, bytes done, bytes in all) while a job's file is read.
JobProgress = Callable[[int, int, int], None]
ROOT = Path(core.__file__).parent.parent
WAY_OUT = "cut the run to the top 100 of each query, split the file, or use the command line (higher limits)"
# Threads of polars in a child: it parses one block while the one before is ranked.
THREADS = "2"


def in_child(
    jobs: Sequence[Job],
    *,
    conventions: Conventions | None = None,
    limits: Limits = HOSTED,
    progress: JobProgress | None = None,
) -> list[Outcome]:
    """Do the jobs in a child process, one after the other.

    Returns one outcome a job, in their order: what the job reads, or the InputError that says why its file cannot be
    used. A job that exceeds `limits.memory` or `limits.seconds` ends its child, and one that leaves much memory held is the
    last of its child; the jobs after it get a new one. A run
    without `qrels` uses the judgments that the latest job before it read. `progress` is called in this thread.
    Raises RuntimeError where the child fails for a reason that is no fault of a file: that is a bug.
    """
    with tempfile.TemporaryDirectory(prefix="ranklens-") as name:
        folders = [Path(name) / str(at) for at in range(len(jobs))]
        for job, folder in zip(jobs, folders, strict=True):
            folder.mkdir()
            write_job(job, folder, conventions or Conventions(), limits)
        _freeze_judgments(jobs, folders)
        outcomes: list[Outcome] = []
        while len(outcomes) < len(jobs):
            at = len(outcomes)
            ended = _run_child(folders[at:], limits, _from(progress, at))
            while len(outcomes) < len(jobs) and (folders[len(outcomes)] / OUTCOME).exists():
                outcomes.append(_outcome(jobs[len(outcomes)], folders[len(outcomes)]))
            if len(outcomes) < len(jobs):
                if ended.status != CROWDED or len(outcomes) == at:
                    outcomes.append(_exceeded(jobs[len(outcomes)], ended, limits))
                _pass_judgments(outcomes, jobs, folders)
        return outcomes


@dataclass(frozen=True)
class _Ended:
    """How a child ended: its exit status (negative: a signal), whether it was killed for its time, what it said."""

    status: int
    too_long: bool
    said: str


def _run_child(folders: list[Path], limits: Limits, progress: JobProgress | None) -> _Ended:
    """Run one child over some jobs; each may take `limits.seconds` of wall clock."""
    command = [sys.executable, "-E", "-s", "-m", "core.readers.child_process", *map(str, folders)]
    environment = {"PATH": os.defpath, "POLARS_MAX_THREADS": THREADS, "LANG": "C.UTF-8"}
    if sys.platform == "win32":
        environment["SYSTEMROOT"] = os.environ.get("SYSTEMROOT", "")
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, cwd=ROOT, env=environment,
            start_new_session=True, text=True,
        )  # fmt: skip
        try:
            too_long = _watched(child, limits.seconds, progress)
        finally:
            _kill(child)
        errors.seek(0)
        return _Ended(child.returncode, too_long, errors.read().decode(errors="replace"))


def _watched(child: "subprocess.Popen[str]", seconds: float, progress: JobProgress | None) -> bool:
    """Follow what the child says until it ends; True where a job took longer than it may."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_lines, args=(child.stdout, lines), daemon=True).start()
    until = time.monotonic() + seconds
    while True:
        try:
            line = lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return True
        if line is None:
            try:
                child.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                return True
            return False
        word, *numbers = line.split()
        if word == "done":
            until = time.monotonic() + seconds
        elif progress is not None:
            job, done, total = map(int, numbers)
            progress(job, done, total)


def _lines(stream: IO[str], lines: "queue.SimpleQueue[str | None]") -> None:
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(None)


def _kill(child: "subprocess.Popen[str]") -> None:
    """End the child and whatever it started."""
    if child.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(child.pid, signal.SIGKILL)
            else:
                child.kill()
    child.wait()


def _from(progress: JobProgress | None, first: int) -> JobProgress | None:
    if progress is None:
        return None
    return lambda job, done, total: progress(first + job, done, total)


def _outcome(job: Job, folder: Path) -> Outcome:
    told = json.loads((folder / OUTCOME).read_text(encoding="utf-8"))
    if "error" in told:
        return error_from(told["error"])
    result = told["result"]
    if job.what == "members":
        return [replace(job.files[0], name=row["name"], member=row["member"]) for row in result]
    if job.what == "recognise":
        return reading_from(result)
    if job.what == "bundle":
        return Packed(result["told"], {part: thaw(folder / f"bundle-{part}") for part in result["parts"]})
    if job.what == "run":
        runs = [thaw(folder / f"run-{at}") for at in range(result)]
        return [run for run in runs if isinstance(run, Run)]
    frozen = thaw(folder / job.what)
    if isinstance(frozen, Run):
        raise TypeError(job.what)
    return frozen


def _exceeded(job: Job, ended: _Ended, limits: Limits) -> InputError:
    """The error for a job that its child did not survive."""
    name = " + ".join(given.name for given in job.files)
    memory = ended.status in (OUT_OF_MEMORY, -signal.SIGABRT, -signal.SIGSEGV, -9)
    if ended.too_long or ended.status == -getattr(signal, "SIGXCPU", 0):
        message = f"takes longer to read than the limit of {limits.seconds:,} seconds"
    elif memory or "MemoryError" in ended.said or "memory allocation" in ended.said:
        message = f"needs more memory to read than the limit of {in_words(limits.memory)}"
    else:
        raise RuntimeError(f"the parsing child failed with status {ended.status}:\n{ended.said[-4000:]}")
    return InputError(Problem(name, None, message, WAY_OUT))


def _freeze_judgments(jobs: Sequence[Job], folders: Sequence[Path]) -> None:
    """Write judgments given with runs once, and beside each run where they are."""
    written: dict[int, Path] = {}
    for job, folder in zip(jobs, folders, strict=True):
        if job.qrels is not None:
            if id(job.qrels) not in written:
                written[id(job.qrels)] = folder / "given"
                freeze(job.qrels, folder / "given")
            (folder / JUDGMENTS).write_text(str(written[id(job.qrels)]), encoding="utf-8")


def _pass_judgments(outcomes: Sequence[Outcome], jobs: Sequence[Job], folders: Sequence[Path]) -> None:
    """Tell the runs that a next child will read where the judgments are that the last one read."""
    read = next((at for at in reversed(range(len(outcomes))) if jobs[at].what == "qrels"), None)
    if read is None or not isinstance(outcomes[read], Qrels):
        return
    for job, folder in zip(jobs[len(outcomes) :], folders[len(outcomes) :], strict=True):
        if job.what == "qrels":
            return
        if job.what == "run" and job.qrels is None:
            (folder / JUDGMENTS).write_text(str(folders[read] / "qrels"), encoding="utf-8")
