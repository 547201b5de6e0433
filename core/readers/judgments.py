"""Judgments: the rows of one or several files → Qrels, every pair once, with all that was found on the way."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from core.errors import InputError, Problem
from core.model.conventions import Conventions
from core.model.frames import JUDGMENTS
from core.model.limits import Limits
from core.model.qrels import Qrels, Source
from core.model.reading import Choice, Reading
from core.notices import Notice, in_reading_order
from core.readers.agreement import repeated
from core.readers.files import Given
from core.readers.formats import rows
from core.readers.grades import Grader
from core.readers.ids import damaged_ids, variants
from core.readers.queue_file import as_they_were, is_queue
from core.readers.repairs import apply
from core.readers.rows import Findings
from core.readers.scales import mixed_scales

OWN = ("query_id", "doc_id", "grade", "line", "iteration", "assessor")
PASSED_OVER = ("score", "distance", "rank", "title", "system", "positive_docs", "retrieved_docs", "relevance")


@dataclass(frozen=True)
class Judged:
    """One file of judgments, read: a row for each of its data rows.

    frame  query_id, doc_id and grade (both null for an unrated query), line, iteration and assessor where the file has
           them, and its further columns as String
    """

    frame: pl.DataFrame
    findings: Findings
    graded: bool


def judged(given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings) -> Judged:
    """Read one file of judgments. Raises InputError with all that is wrong in the file.

    Of a label queue that Ranklens wrote, the lines that have a grade by now; the notice grades-absent counts the others.
    """
    queue = is_queue(reading)
    grader = Grader(reading, choice, findings, partly=queue)
    batches = [grader.graded(batch) for batch in rows(given, reading, choice, limits, findings)]
    grader.finish()
    findings.finish()
    frame = pl.concat(batches, how="diagonal")
    if queue:
        frame = as_they_were(frame)
        findings.notices += _ungraded(grader.ungraded, frame.height, findings)
    frame = frame.drop(name for name in PASSED_OVER if name in frame.columns)
    for repair in choice.repairs:
        if repair.side == "qrels":
            column = "query_id" if repair.ids == "query" else "doc_id"
            frame = frame.with_columns(apply(pl.col(column), repair).alias(column))
    has_grades = any(column.field in ("relevance", "positive_docs") for column in reading.columns)
    return Judged(frame, findings, has_grades)


def _ungraded(number: int, graded: int, findings: Findings) -> list[Notice]:
    """The notice of documents of a label queue that have no grade yet. Raises InputError where none has one."""
    if not graded:
        raise findings.refuse(
            "no document of the label queue has a grade yet", "fill in the column relevance, and bring it again"
        )
    if not number:
        return []
    what = "1 document of the label queue has" if number == 1 else f"{number:,} documents of the label queue have"
    message = f"{what} no grade yet and {'stays' if number == 1 else 'stay'} unjudged; {graded:,} {'has' if graded == 1 else 'have'} one."
    return [Notice("grades-absent", "info", findings.file, message, number)]


def qrels_of(files: Sequence[Judged], conventions: Conventions, limits: Limits) -> Qrels:
    """Join the judgments of one or several files.

    A pair judged twice counts once: with its grade, or by the rule `conventions.conflicts` where the grades differ.
    Queries named without any judgment are left out and listed.

    Notices: what the files showed, and duplicate-judgments, conflicting-judgments, second-column, unrated-queries,
    mixed-scales (by file or by a column), grades-absent, id-variants, id-damage.
    Raises InputError if no grade is positive, pairs conflict under the rule "refuse", or there are too many queries.
    """
    name = " + ".join(file.findings.file for file in files)
    every = pl.concat(
        [file.frame.with_columns(pl.lit(at, dtype=pl.UInt32).alias("file\0")) for at, file in enumerate(files)],
        how="diagonal",
    )
    rated = every.filter(pl.col("doc_id").is_not_null() & pl.col("grade").is_not_null())
    if not rated.height:
        raise InputError(Problem(name, None, "no query has a judgment", "every row names a query and no document"))
    notices = [notice for file in files for notice in file.findings.notices]
    judgments, found = repeated(rated, conventions.conflicts, name, [file.findings.file for file in files])
    judgments = judgments.select(JUDGMENTS.names()).sort("query_id", "doc_id")
    if not (judgments["grade"] > 0).any():
        hint = "nDCG needs a document that is relevant: is the right column read as the grade?"
        raise InputError(Problem(name, None, f"no judgment of {judgments.height:,} has a grade above 0", hint))
    queries = judgments["query_id"].n_unique()
    if queries > limits.queries:
        message = f"{queries:,} queries are judged, more than the limit of {limits.queries:,}"
        raise InputError(Problem(name, None, message))
    unrated = _unrated(every, judgments)
    notices += [*found, *_absent(files), *mixed_scales(rated, [file.findings.file for file in files], name)]
    notices += [*_unrated_notice(unrated, name), *variants(judgments, name), *damaged_ids(judgments, name)]
    return Qrels(
        judgments=judgments,
        sources=tuple(Source(file.findings.file, file.findings.sha256) for file in files),
        rows=sum(file.findings.rows for file in files),
        unrated=unrated,
        columns=_columns(rated),
        notices=in_reading_order(notices),
    )


def _unrated(every: pl.DataFrame, judgments: pl.DataFrame) -> tuple[str, ...]:
    names = every.filter(pl.col("doc_id").is_null())["query_id"].unique()
    return tuple(sorted(set(names.to_list()) - set(judgments["query_id"].unique().to_list())))


def _unrated_notice(unrated: tuple[str, ...], name: str) -> list[Notice]:
    if not unrated:
        return []
    what = "1 query has" if len(unrated) == 1 else f"{len(unrated):,} queries have"
    message = f"{what} no judgments and {'is' if len(unrated) == 1 else 'are'} left out."
    return [Notice("unrated-queries", "info", name, message, len(unrated), unrated)]


def _absent(files: Sequence[Judged]) -> list[Notice]:
    return [
        Notice(
            "grades-absent", "info", file.findings.file,
            f"The file gives no grades: each of {file.frame.height:,} pairs is taken as relevant (grade 1).",
            file.frame.height,
        )
        for file in files
        if not file.graded
    ]  # fmt: skip


def _columns(rated: pl.DataFrame) -> pl.DataFrame | None:
    """Further columns with one value for each query: query_id, then String columns; None where there is none."""
    further = [name for name in rated.columns if name not in (*OWN, "file\0")]
    if not further:
        return None
    grouped = rated.group_by("query_id").agg(
        *(pl.col(name).drop_nulls().n_unique().alias(f"{name}\0") for name in further),
        *(pl.col(name).drop_nulls().first() for name in further),
    )
    kept = [name for name in further if (grouped[f"{name}\0"] <= 1).all() and _is_attribute(grouped[name])]
    return grouped.select("query_id", *kept).sort("query_id") if kept else None


def _is_attribute(values: pl.Series) -> bool:
    """Whether a column says something that people slice by or read: no lists and objects of a tool."""
    filled = values.drop_nulls()
    return filled.len() > 0 and not filled.str.contains(r"^\s*[\[{]").any()
