"""Scores: a run's values for a measure, which queries they are for, and their mean under the conventions."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from core.errors import InputError, Problem
from core.model.conventions import DEFAULT_CONVENTIONS, Conventions
from core.model.frames import SCORES
from core.model.measure import Measure
from core.model.qrels import Qrels
from core.model.run import Run
from core.scoring.engine import values_of
from core.scoring.gains import Floats
from core.scoring.hits import Hits, answered_queries, hits_of
from core.scoring.judged import Judged, Mask, judged


@dataclass(frozen=True, eq=False)
class Scores:
    """One run's values of one measure, in the order of Qrels.queries: shape (queries,) each.

    values     0 for a missing query and for an undefined one; NaN, null outside, where it cannot be computed
    missing    judged queries that the run does not answer
    undefined  queries for which the measure is undefined
    counted    queries in the mean under the conventions asked
    """

    measure: Measure
    values: Floats
    missing: Mask
    undefined: Mask
    counted: Mask

    @cached_property
    def mean(self) -> float | None:
        """The mean over the queries counted; None where there are none, or where one cannot be computed."""
        return mean(self.values[self.counted])

    @cached_property
    def mean_excluding_undefined(self) -> float | None:
        """The mean with undefined queries left out, whatever the conventions say of them."""
        return mean(self.values[self.counted & ~self.undefined])

    def frame(self, qrels: Qrels) -> pl.DataFrame:
        """SCORES: one row per judged query, sorted by query_id."""
        columns = {
            "query_id": pl.Series(qrels.queries, dtype=pl.String),
            "score": pl.Series(self.values).fill_nan(None),
            "missing": self.missing,
            "undefined": self.undefined,
            "counted": self.counted,
        }
        return pl.DataFrame(columns, schema=SCORES)


def mean(values: Floats) -> float | None:
    """The mean, correctly rounded whatever the order of the values; None for none, or where one is NaN."""
    if not len(values) or np.isnan(values).any():
        return None
    # Exponential DCGs of grades near 1,000 are finite, while their sum over many queries need not be.
    scale = 2.0 ** -math.ceil(math.log2(len(values))) if values.max() > 1e290 else 1.0
    return math.fsum((values * scale).tolist()) / (len(values) * scale)


def score(
    qrels: Qrels, run: Run, measures: Iterable[Measure], conventions: Conventions = DEFAULT_CONVENTIONS
) -> dict[Measure, Scores]:
    """Score every judged query of a run by every measure asked.

    Unjudged documents gain 0; missing and undefined queries score 0 and are marked, or are left out of the mean,
    as the conventions say. All cutoffs of linear nDCG cost one call.

    Returns measure → Scores, in the order asked.
    Raises InputError if the run shares no query with the judgments, or if custom gains lack a grade.
    """
    if not run.answered.height:
        raise InputError(
            Problem(
                run.name, None, "no query in common with the judgments", "check that both files use the same query ids"
            )
        )
    missing = ~answered_queries(run, len(qrels.queries))
    return score_hits(hits_of(run), missing, judged(qrels), measures, conventions)


def score_hits(
    hits: Hits, missing: Mask, facts: Judged, measures: Iterable[Measure], conventions: Conventions
) -> dict[Measure, Scores]:
    """Score hits that need not be a run's own: it may have been ranked in another way."""
    scored = {}
    for measure, values in values_of(hits, facts, measures, conventions.relevance_level).items():
        undefined = facts.undefined(measure, conventions.relevance_level)
        counted = np.ones(facts.n, bool)
        if conventions.missing == "exclude":
            counted &= ~missing
        if conventions.undefined == "exclude":
            counted &= ~undefined
        scored[measure] = Scores(measure, values, missing, undefined, counted)
    return scored


def score_queries(
    qrels: Qrels, run: Run, measure: Measure, conventions: Conventions = DEFAULT_CONVENTIONS
) -> pl.DataFrame:
    """Score each judged query of a run by one measure.

    Returns SCORES: one row per judged query, sorted by query_id; 0 … 1 but for DCG and IDCG; null where a value
    cannot be computed. Raises InputError if the run shares no query with the judgments, or custom gains lack a grade.
    """
    return score(qrels, run, [measure], conventions)[measure].frame(qrels)
