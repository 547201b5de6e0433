"""Causes: why a query scores what it scores with a run, by fixed rules, so that each query has exactly one cause."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from core.comparison.comparison import Comparison, Floats, Mask
from core.health.order import tied_in_top
from core.model.measure import Measure
from core.scoring.discounts import LOG2
from core.scoring.gains import gain_of
from core.scoring.hits import Hits, hits_of, per_query
from core.scoring.judged import judged, place_in_group, sum_by_query
from core.statistics.wording import queries

NEAR_IDEAL = 0.95
FEW_JUDGMENTS = 5
FIRST_RANKS = 5

Code = Literal[
    "nothing-returned", "below-k", "never-returned", "wrong-order", "unjudged-on-top", "few-judgments", "near-ideal", "missing", "undefined",
]  # fmt: skip
Mark = Literal["undefined", "missing", "tied", "unjudged-on-top", "few-judgments"]


@dataclass(frozen=True)
class Cause:
    """A cause: its code, its name for people, and the rule in one sentence (`{k}` stands for the cutoff)."""

    code: Code
    label: str
    rule: str

    def said(self, k: int) -> str:
        """The rule at a cutoff."""
        return self.rule.format(k=k)


# In the order of a bar: what the run can mend, the worst first, what the judgments leave open, and what is well.
CAUSES: tuple[Cause, ...] = (
    Cause("missing", "Missing", "The run does not answer the query."),
    Cause(
        "nothing-returned",
        "Nothing relevant returned",
        "No document judged relevant stands anywhere in the run's list.",
    ),
    Cause("below-k", "Relevant only below k", "Documents judged relevant are returned, all of them below rank {k}."),
    Cause(
        "never-returned",
        "Some relevant never returned",
        "Even in the best order, what the run returned would reach less than 0.95 in the top {k}.",
    ),
    Cause(
        "wrong-order",
        "Right documents, wrong order",
        "What the run returned would reach 0.95 in the top {k}, were it in the best order.",
    ),
    Cause(
        "unjudged-on-top",
        "Unjudged on top",
        "As for the wrong order, while half or more of the first five documents are unjudged and may be relevant.",
    ),
    Cause(
        "few-judgments",
        "Few judgments",
        "As for the wrong order, while the query has fewer than 5 judgments in all.",
    ),
    Cause("undefined", "Undefined", "No document of the query has a positive gain, so every run scores 0."),
    Cause("near-ideal", "Near ideal", "The score is 0.95 or more."),
)
# The first rule that holds decides. A score near the ideal needs no explanation; what a run did not bring is certain
# whatever the judgments lack; whether the order is wrong is not, where the documents on top were never judged.
PRECEDENCE: tuple[Code, ...] = (
    "undefined", "missing", "near-ideal", "nothing-returned", "below-k", "never-returned", "unjudged-on-top", "few-judgments", "wrong-order",
)  # fmt: skip
PLACE: dict[Code, int] = {cause.code: at for at, cause in enumerate(CAUSES)}

# One row per run and cause, runs in their order, causes in that of CAUSES, those without a query too; the counts of a
# run add up to its n.
CAUSE_COUNTS = pl.Schema({"run": pl.String, "code": pl.String, "cause": pl.String, "count": pl.Int64, "n": pl.Int64})


def causes(comparison: Comparison, name: str, measure: Measure) -> npt.NDArray[np.uint8]:
    """The cause of every query of a run, as places in CAUSES: shape (judged queries,).

    measure  an nDCG: its gain says what is relevant, its k where the top ends

    Relevant is what has a positive gain. A query whose exponential value cannot be computed is read by the linear gain.
    """
    n = len(comparison.qrels.queries)
    found, reach = _by_measure(comparison, name, measure)
    hits = hits_of(comparison.run(name))
    relevant = hits.where(np.nan_to_num(gain_of(hits.grade, measure), nan=np.inf) > 0)
    anywhere, in_top = _has(relevant, n), _has(relevant.upto(measure.k), n)
    scores = comparison.scores(name, measure)
    noted = marks(comparison, name, measure)
    rules: dict[Code, Mask] = {
        "undefined": scores.undefined,
        "missing": scores.missing,
        "near-ideal": found >= NEAR_IDEAL,
        "nothing-returned": ~anywhere,
        "below-k": ~in_top,
        "never-returned": reach < NEAR_IDEAL,
        "unjudged-on-top": noted["unjudged-on-top"],
        "few-judgments": noted["few-judgments"],
        "wrong-order": np.ones(n, bool),
    }
    return np.select([rules[code] for code in PRECEDENCE], [PLACE[code] for code in PRECEDENCE]).astype(np.uint8)


def marks(comparison: Comparison, name: str, measure: Measure) -> dict[Mark, Mask]:
    """What a reader of each query's score must know, each by itself: shape (judged queries,) each.

    tied             a judged document shares its score with another one, and the tie reaches the top k
    unjudged-on-top  half or more of the first five documents returned (of the first k, where k is smaller) are unjudged
    few-judgments    fewer than 5 judgments in all
    """
    n, run = len(comparison.qrels.queries), comparison.run(name)
    scores = comparison.scores(name, measure)
    first = min(FIRST_RANKS, measure.k or FIRST_RANKS)
    returned = np.minimum(per_query(run, "retrieved", n), first)
    unjudged = returned - np.bincount(hits_of(run).upto(first).query, minlength=n)
    return {
        "undefined": scores.undefined,
        "missing": scores.missing,
        "tied": tied_in_top(run, measure.k, n),
        "unjudged-on-top": (unjudged > 0) & (2 * unjudged >= returned),
        "few-judgments": np.bincount(comparison.qrels.query, minlength=n) < FEW_JUDGMENTS,
    }


def cause_counts(found: dict[str, npt.NDArray[np.uint8]], where: Mask | None = None) -> pl.DataFrame:
    """CAUSE_COUNTS of the causes of several runs, on all judged queries or those in `where`."""
    rows: list[tuple[str, str, str, int, int]] = []
    for name, places in found.items():
        inside = places if where is None else places[where]
        counts = np.bincount(inside, minlength=len(CAUSES)).tolist()
        rows += [(name, cause.code, cause.label, counts[at], len(inside)) for at, cause in enumerate(CAUSES)]
    return pl.DataFrame(rows, schema=CAUSE_COUNTS, orient="row")


# What a run does most often, as a headline: `{run}`, `{n}`, `{of}` and `{k}` are filled in.
HEADLINES: dict[Code, str] = {
    "missing": "{run} does not answer {n} of {of}",
    "nothing-returned": "{run} returns nothing relevant for {n} of {of}",
    "below-k": "{run} puts all that is relevant below rank {k} for {n} of {of}",
    "never-returned": "{run} never returns some relevant documents for {n} of {of}",
    "wrong-order": "{run} has the right documents in the wrong order for {n} of {of}",
    "unjudged-on-top": "{run} puts unjudged documents on top for {n} of {of}",
    "few-judgments": "{run} cannot be told right from wrong for {n} of {of}: they have few judgments",
}


def headline(counts: pl.DataFrame, run: str, k: int) -> str:
    """What most often keeps a run from the ideal, in one line. counts: CAUSE_COUNTS."""
    failing = counts.filter((pl.col("run") == run) & pl.col("code").is_in(list(HEADLINES)) & (pl.col("count") > 0))
    if failing.is_empty():
        return f"No query of {run} fails"
    most = failing.sort("count", descending=True, maintain_order=True).row(0, named=True)
    return HEADLINES[most["code"]].format(run=run, n=f"{most['count']:,}", of=queries(most["n"]), k=k)


def _by_measure(comparison: Comparison, name: str, measure: Measure) -> tuple[Floats, Floats]:
    """Every query's score, and what it would be were all that the run returned in its best order."""
    values = comparison.scores(name, measure).values
    reach = _best_order(comparison, name, measure)
    odd = np.isnan(values)
    if odd.any():
        linear = measure.with_gain("linear")
        values = np.where(odd, comparison.scores(name, linear).values, values)
        reach = np.where(odd, _best_order(comparison, name, linear), reach)
    return values, reach


def _best_order(comparison: Comparison, name: str, measure: Measure) -> Floats:
    """The nDCG of a run with all its documents, those below k too, in the best order: shape (judged queries,)."""
    facts = judged(comparison.qrels)
    hits = hits_of(comparison.run(name))
    gains = np.nan_to_num(gain_of(hits.grade, measure), nan=0.0)
    order = np.lexsort((-gains, hits.query))
    query, gains = hits.query[order], gains[order]
    place = place_in_group(query)
    top = place <= (measure.k or len(LOG2) - 1)
    best = sum_by_query(query[top], gains[top] / LOG2[place[top]], facts.n)
    ideal = facts.ideal(measure)
    return np.divide(best, ideal, out=np.zeros(facts.n), where=ideal > 0)


def _has(hits: Hits, n: int) -> Mask:
    mask: Mask = np.zeros(n, bool)
    mask[hits.query] = True
    return mask
