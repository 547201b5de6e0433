"""Grades: what the judgments' scale does to the numbers."""

import numpy as np
import polars as pl

from core.health.shown import counted
from core.model.measure_names import plain
from core.model.qrels import Qrels
from core.notices import Notice
from core.scoring.gains import LARGEST_EXPONENTIAL

LARGE = 30
OUTLIER_GAP = 5
FEW = 5


def grade_notices(qrels: Qrels) -> list[Notice]:
    """What the judgments alone show."""
    found = (large(qrels), outlier(qrels), negative(qrels), fractional(qrels), binary(qrels), few(qrels))
    return [notice for notice in found if notice is not None]


def examples(qrels: Qrels, condition: pl.Expr) -> tuple[str, ...]:
    """The first judgments that meet a condition, as `query: document (grade)`."""
    rows = qrels.judgments.lazy().filter(condition).head(5).collect().iter_rows()
    return tuple(f"{query}: {doc} ({plain(grade)})" for query, doc, grade in rows)


def large(qrels: Qrels) -> Notice | None:
    """Grades above 30 swamp the exponential gain; above 1,000 it cannot be computed."""
    beyond, count = int((qrels.grade > LARGEST_EXPONENTIAL).sum()), int((qrels.grade > LARGE).sum())
    if beyond:
        queries = len(np.unique(qrels.query[qrels.grade > LARGEST_EXPONENTIAL]))
        message = (
            f"{counted(beyond, 'grade')} above 1,000: the exponential nDCG of {counted(queries, 'query', 'queries')} "
            "cannot be computed and is left empty, and so is its mean; the linear one stands."
        )
        return Notice("large-grades", "error", qrels.name, message, beyond, examples(qrels, pl.col("grade") > 1000))
    if not count:
        return None
    message = (
        f"{counted(count, 'grade')} above {LARGE}: under the exponential gain one such document outweighs all the "
        "others; the linear gain is the safer one to read."
    )
    return Notice("large-grades", "warning", qrels.name, message, count, examples(qrels, pl.col("grade") > LARGE))


def outlier(qrels: Qrels) -> Notice | None:
    """A highest grade that occurs once and is far above the next may be a slip of the pen."""
    levels, counts = np.unique(qrels.grade, return_counts=True)
    if len(levels) < 2 or counts[-1] > 1 or levels[-1] - levels[-2] < OUTLIER_GAP:
        return None
    top, following = plain(float(levels[-1])), plain(float(levels[-2]))
    message = f"The highest grade, {top}, occurs once; the next is {following}. Check that it is not a slip."
    return Notice("outlier-grade", "warning", qrels.name, message, 1, examples(qrels, pl.col("grade") == levels[-1]))


def negative(qrels: Qrels) -> Notice | None:
    """Grades below 0 gain nothing."""
    count = int((qrels.grade < 0).sum())
    if not count:
        return None
    message = f"{counted(count, 'judgment')} below 0: they count as judged and gain nothing, like a 0."
    return Notice("negative-grades", "info", qrels.name, message, count, examples(qrels, pl.col("grade") < 0))


def fractional(qrels: Qrels) -> Notice | None:
    """Fractional grades are used as they are, where other tools cut them off."""
    count = int((qrels.grade != np.floor(qrels.grade)).sum())
    if not count:
        return None
    message = (
        f"{counted(count, 'grade')} with a fraction: used as they are, while trec_eval cuts the fraction off, "
        "so its numbers differ."
    )
    broken = pl.col("grade") != pl.col("grade").floor()
    return Notice("fractional-grades", "info", qrels.name, message, count, examples(qrels, broken))


def binary(qrels: Qrels) -> Notice | None:
    """With one positive grade, 1, both gains give the same number."""
    positive = qrels.grade[qrels.grade > 0]
    if not len(positive) or not np.all(positive == 1):
        return None
    message = "Documents are relevant or not, with no grades between: linear and exponential nDCG are the same here."
    return Notice("binary-grades", "info", qrels.name, message, len(positive))


def few(qrels: Qrels) -> Notice | None:
    """Where many queries have hardly any judgments, good documents are likely to be unjudged."""
    per_query = np.bincount(qrels.query)
    low = per_query < FEW
    if 3 * low.sum() < len(per_query):
        return None
    message = (
        f"{int(low.sum()):,} of {counted(len(per_query), 'query', 'queries')} have fewer than {FEW} judgments: "
        "a good document that nobody judged counts as not relevant."
    )
    named = tuple(f"{qrels.queries[at]} ({per_query[at]})" for at in np.flatnonzero(low)[:5])
    return Notice("few-judgments", "warning", qrels.name, message, int(low.sum()), named)
