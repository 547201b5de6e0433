"""Perform: do a job in this process. The parsing child does it behind limits; a file that comes with the product needs none."""

from core.errors import InputError, Problem
from core.model.conventions import Conventions
from core.model.limits import Limits
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Qrels
from core.model.reading import Choice, Reading
from core.model.run import Run
from core.readers import Progress, members, read_documents, read_qrels, read_queries, read_runs, recognise
from core.readers.files import Given
from core.readers.jobs import Job
from core.readers.packed import Packed, unpack

Result = list[Given] | Reading | Qrels | list[Run] | QueryMetadata | DocumentMetadata | Packed


def perform(
    job: Job,
    conventions: Conventions,
    limits: Limits,
    progress: Progress | None = None,
    *,
    qrels: Qrels | None = None,
) -> Result:
    """What the job reads; see `Job.what`. A run is ranked against `job.qrels`, or against `qrels` where the job has none.

    Raises InputError.
    """
    file, choice = job.files[0], job.choices[0] if job.choices else Choice()
    if job.what == "members":
        return members(file)
    if job.what == "recognise":
        return recognise(file, role=job.role, choice=choice, limits=limits)
    if job.what == "bundle":
        return unpack(file, limits)
    if job.what == "qrels":
        return read_qrels(job.files, choices=job.choices, conventions=conventions, limits=limits, progress=progress)
    if job.what == "queries":
        return read_queries(job.files, choices=job.choices, limits=limits, progress=progress)
    if job.what == "documents":
        return read_documents(job.files, choices=job.choices, limits=limits, progress=progress)
    judged = job.qrels or qrels
    if judged is None:
        raise InputError(Problem(file.name, None, "was not read, because the judgments were not"))
    return read_runs(
        file, judged, name=job.name, choice=choice, conventions=conventions, limits=limits, progress=progress
    )
