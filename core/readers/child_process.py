"""The parsing child: `python -m core.readers.child_process FOLDER …` does the job in each folder, in turn.

A folder holds `job.json` and gets `outcome.json` and frozen results. Lines on standard output tell how far it is:
`progress JOB DONE TOTAL` and `done JOB`.
"""

import contextlib
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import polars as pl

from core.errors import InputError, Problem
from core.model.conventions import Conventions
from core.model.limits import Limits
from core.model.qrels import Qrels
from core.model.reading import Reading
from core.model.run import Run
from core.readers import Progress
from core.readers.files import Given
from core.readers.jobs import CROWDED, JUDGMENTS, OUT_OF_MEMORY, OUTCOME, Job, plain_error, read_job
from core.readers.packed import Packed
from core.readers.perform import perform
from core.readers.wire import freeze, thaw

LARGEST_RESULT = 2 << 30
OPEN_FILES = 256
SAID_EVERY = 0.05


def limited(limits: Limits, jobs: int) -> None:
    """Put the limits on this process, where the system has them. Private memory (RLIMIT_DATA), not address space: polars
    reserves a gigabyte of that it never uses.
    """
    with contextlib.suppress(ImportError):
        import resource

        processor = 2 * limits.seconds * jobs
        for what, most in (
            (resource.RLIMIT_DATA, limits.memory), (resource.RLIMIT_CPU, processor), (resource.RLIMIT_FSIZE, LARGEST_RESULT),
            (resource.RLIMIT_NOFILE, OPEN_FILES), (resource.RLIMIT_CORE, 0),
        ):  # fmt: skip
            _, hard = resource.getrlimit(what)
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (least, least))


def done(
    job: Job, folder: Path, qrels: Qrels | None, conventions: Conventions, limits: Limits, progress: Progress
) -> Any:
    """Do a job, freeze what it gives, and return what `outcome.json` says of it. Raises InputError."""
    found = perform(job, conventions, limits, progress, qrels=qrels)
    if isinstance(found, Reading):
        return asdict(found)
    if isinstance(found, Packed):
        for part, what in found.parts.items():
            freeze(what, folder / f"bundle-{part}")
        return {"told": found.told, "parts": list(found.parts)}
    if not isinstance(found, list):
        freeze(found, folder / job.what)
        return True
    if job.what == "members":
        return [{"name": given.name, "member": given.member} for given in found if isinstance(given, Given)]
    for at, run in enumerate(found):
        if isinstance(run, Run):
            freeze(run, folder / f"run-{at}")
    return len(found)


def outcome(job: Job, folder: Path, qrels: Qrels | None, conventions: Conventions, limits: Limits, at: int) -> None:
    """Do a job and write `outcome.json`: its result, or what was wrong with its files."""
    said = 0.0

    def progress(so_far: int, total: int) -> None:
        nonlocal said
        now = time.monotonic()
        if now - said > SAID_EVERY or so_far == total:
            said = now
            print("progress", at, so_far, total, flush=True)  # noqa: T201 (the parent reads it)

    try:
        told = {"result": done(job, folder, qrels, conventions, limits, progress)}
    except InputError as error:
        told = {"error": plain_error(error)}
    except pl.exceptions.PanicException as error:
        # A panic of polars is no Exception; what it cannot allocate ends in one too.
        if "alloc" in str(error) or "capacity" in str(error):
            raise MemoryError from error
        told = {"error": plain_error(InputError(Problem(job.files[0].name, None, "cannot be read: is it damaged?")))}
    part = folder / f"{OUTCOME}.part"
    part.write_text(json.dumps(told), encoding="utf-8")
    part.replace(folder / OUTCOME)
    print("done", at, flush=True)  # noqa: T201 (the parent reads it)


def judgments(folders: list[Path]) -> Iterator[Qrels | None]:
    """For each job the judgments it is to use: given with it, or read by the latest job before it."""
    latest: Qrels | None = None
    thawed: dict[str, Qrels] = {}
    for folder in folders:
        mine = latest
        if (folder / JUDGMENTS).exists():
            where = (folder / JUDGMENTS).read_text(encoding="utf-8")
            mine = thawed[where] = thawed.get(where) or _qrels(Path(where))
        yield mine
        if (folder / "qrels").is_dir():
            latest = _qrels(folder / "qrels")


def _qrels(folder: Path) -> Qrels:
    found = thaw(folder)
    if not isinstance(found, Qrels):
        raise TypeError(folder.name)
    return found


def crowded(limits: Limits) -> bool:
    """Whether more than half of the memory allowed is held by now, where the system tells: a library that meets the limit may hang."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    held = next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmData:")), 0)
    return held > limits.memory / 2


def main(folders: list[Path]) -> int:
    """Do the jobs in their order. Exit status 3: out of memory; 4: what is left is for another child, this one holds too much."""
    limited(read_job(folders[0])[2], len(folders))
    try:
        for at, (folder, qrels) in enumerate(zip(folders, judgments(folders), strict=True)):
            job, conventions, limits = read_job(folder)
            outcome(replace(job, qrels=None), folder, qrels, conventions, limits, at)
            if crowded(limits):
                return CROWDED
    except MemoryError:
        return OUT_OF_MEMORY
    return 0


if __name__ == "__main__":
    sys.exit(main([Path(argument) for argument in sys.argv[1:]]))
