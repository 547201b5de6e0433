"""Worst: the queries of a run in the order in which they deserve a look."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from core.comparison.comparison import Comparison, Floats, Mask
from core.model.measure import Measure

By = Literal["score", "difference", "lost", "disagreement"]


@dataclass(frozen=True, eq=False)
class Standing:
    """How every judged query stands with a run: shape (judged queries,) each, NaN where a value cannot be computed.

    score         the run's value
    difference    minus the baseline's; all NaN where the run is the baseline
    lost          ideal DCG − DCG, in units of the gain
    disagreement  the highest value of the runs shown minus the lowest; 0 with one run
    undefined     no run can score: such a query is never a worst one
    """

    score: Floats
    difference: Floats
    lost: Floats
    disagreement: Floats
    undefined: Mask


def standing(comparison: Comparison, name: str, baseline: str, runs: Sequence[str], measure: Measure) -> Standing:
    """How the queries stand with a run by an nDCG, beside the baseline and the other runs shown."""
    found = comparison.scores(name, measure)
    dcg, ideal = (Measure(part, measure.k, measure.gain, measure.gains) for part in ("DCG", "IDCG"))
    parts = comparison.all_scores(name, [dcg, ideal])
    every = np.array([comparison.scores(run, measure).values for run in dict.fromkeys([name, *runs])])
    other = comparison.scores(baseline, measure).values if name != baseline else np.full(len(found.values), np.nan)
    return Standing(
        score=found.values,
        difference=found.values - other,
        lost=parts[ideal].values - parts[dcg].values,
        disagreement=every.max(axis=0) - every.min(axis=0),
        undefined=found.undefined,
    )


def worst(found: Standing, by: By, among: Mask | None = None) -> npt.NDArray[np.int64]:
    """The places in Qrels.queries of the queries, the worst first: the lowest score or difference, the most lost gain or disagreement.

    among  the queries looked at; all where None

    Undefined queries are left out. Equal ones stand in the order of their ids; those without a value stand last.
    """
    keys = {
        "score": found.score,
        "difference": found.difference,
        "lost": -found.lost,
        "disagreement": -found.disagreement,
    }[by]
    rows = np.flatnonzero(~found.undefined if among is None else ~found.undefined & among)
    # Values that differ by less than a rounding error are equal: their ids decide.
    return rows[np.lexsort((rows, np.round(keys[rows], 12)))]


def containing(comparison: Comparison, needle: str) -> Mask:
    """The judged queries whose id or text contains a text, in any case; all where it is blank: shape (judged queries,)."""
    wanted = needle.strip().lower()
    queries = pl.DataFrame({"query_id": comparison.qrels.queries}, schema={"query_id": pl.String})
    if not wanted:
        return np.ones(queries.height, bool)
    if comparison.queries is not None and "text" in comparison.queries.table.columns:
        texts = comparison.queries.table.select("query_id", "text")
        queries = queries.join(texts, on="query_id", how="left", maintain_order="left")
    hit = [
        pl.col(name).str.to_lowercase().str.contains(wanted, literal=True).fill_null(value=False)
        for name in queries.columns
    ]
    return queries.select(pl.any_horizontal(hit)).to_series().to_numpy()
