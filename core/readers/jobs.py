"""Jobs: what a parsing child is asked to do, written as JSON, and the plain values that cross over with it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from core.errors import InputError, Problem
from core.model.conventions import Conventions
from core.model.limits import Limits
from core.model.qrels import Qrels
from core.model.reading import Choice, Column, Reading, Repair, Role
from core.readers.files import Given

What = Literal["members", "recognise", "qrels", "run", "queries", "documents", "bundle"]
# Files in a job's folder: what to do, where its judgments are frozen (if given), how it went.
JOB, JUDGMENTS, OUTCOME = "job.json", "judgments.txt", "outcome.json"
OUT_OF_MEMORY = 3
CROWDED = 4


@dataclass(frozen=True)
class Job:
    """One thing to read.

    what     "members" of a zip → list[Given]; "recognise" → Reading; "qrels" → Qrels; "run" → list[Run]; "queries" →
             QueryMetadata; "documents" → DocumentMetadata; "bundle" → Packed
    files    several for qrels and metadata (they are joined), else one
    choices  in the order of the files; a file without one is read as recognised
    role     fixed for "recognise", or None
    name     a run's name instead of its file's
    qrels    a run's judgments; None: those that an earlier job of the same call read
    """

    what: What
    files: tuple[Given, ...]
    choices: tuple[Choice, ...] = ()
    role: Role | None = None
    name: str | None = None
    qrels: Qrels | None = None


def write_job(job: Job, folder: Path, conventions: Conventions, limits: Limits) -> None:
    """Write a job to its folder; bytes that stand in memory go to a file beside it. The judgments are frozen by the caller."""
    files = []
    for at, given in enumerate(job.files):
        path = given.path
        if path is None:
            path = folder / f"input-{at}"
            path.write_bytes(given.data or b"")
        files.append({"name": given.name, "path": str(path.absolute()), "member": given.member})
    plain = {
        "what": job.what, "files": files, "choices": [asdict(choice) for choice in job.choices], "role": job.role,
        "name": job.name, "conventions": asdict(conventions), "limits": asdict(limits),
    }  # fmt: skip
    (folder / JOB).write_text(json.dumps(plain), encoding="utf-8")


def read_job(folder: Path) -> tuple[Job, Conventions, Limits]:
    """What `write_job` wrote."""
    plain = json.loads((folder / JOB).read_text(encoding="utf-8"))
    files = tuple(Given(row["name"], path=Path(row["path"]), member=row["member"]) for row in plain["files"])
    choices = tuple(choice_from(row) for row in plain["choices"])
    job = Job(plain["what"], files, choices, plain["role"], plain["name"])
    return job, Conventions(**plain["conventions"]), Limits(**plain["limits"])


def choice_from(plain: Mapping[str, Any]) -> Choice:
    """A Choice from its `asdict`, where JSON turned tuples into lists."""
    values = {name: _tuples(value) for name, value in plain.items()}
    values["repairs"] = tuple(Repair(**repair) for repair in plain["repairs"])
    return Choice(**values)


def reading_from(plain: Mapping[str, Any]) -> Reading:
    """A Reading from its `asdict`, where JSON turned tuples into lists."""
    values = {name: _tuples(value) for name, value in plain.items()}
    values["columns"] = tuple(Column(**column) for column in plain["columns"])
    return Reading(**values)


def plain_error(error: InputError) -> dict[str, Any]:
    """An InputError as JSON."""
    return {"problems": [asdict(problem) for problem in error.problems], "more": error.more}


def error_from(plain: Mapping[str, Any]) -> InputError:
    """An InputError from `plain_error`."""
    problems = [Problem(**{**row, "offered": tuple(row["offered"])}) for row in plain["problems"]]
    return InputError(problems, plain["more"])


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
