"""Coverage: which queries a run answers, how deep, and which queries no run can answer well."""

import numpy as np

from core.health.shown import Shown, counted
from core.model.measure import Measure
from core.model.run import Run
from core.notices import Notice, Severity
from core.scoring.scores import Scores, mean

PLAIN_NDCG = Measure("nDCG", 10)


def coverage_notices(look: Shown) -> list[Notice]:
    """Missing, extra and undefined queries, and runs that end above the deepest cutoff."""
    found = [undefined(look)]
    for run, scores in zip(look.runs, look.scores, strict=True):
        found += [missing(look, run, scores), extra(run), shallow(look, run)]
    return [notice for notice in found if notice is not None]


def missing(look: Shown, run: Run, scores: Scores) -> Notice | None:
    """Judged queries that a run does not answer."""
    count = int(scores.missing.sum())
    if not count:
        return None
    rest = ~scores.undefined if look.conventions.undefined == "exclude" else np.ones(look.n, bool)
    zero, exclude = mean(scores.values[rest]), mean(scores.values[rest & ~scores.missing])
    treated = (
        "each scores 0 and stays in its mean" if look.conventions.missing == "zero" else "they are left out of its mean"
    )
    message = f"{run.name} does not answer {count:,} of {counted(look.n, 'judged query', 'judged queries')}; {treated}."
    effect = look.effect(zero=zero, exclude=exclude)
    return Notice("missing-queries", "warning", run.name, message, count, look.ids(scores.missing), effect)


def extra(run: Run) -> Notice | None:
    """Queries of a run that nobody judged."""
    if not run.extra:
        return None
    one = run.extra == 1
    message = (
        f"{run.name} answers {counted(run.extra, 'query', 'queries')} without judgments; "
        f"{'it is' if one else 'they are'} left out."
    )
    return Notice("extra-queries", "info", run.name, message, run.extra, run.extra_examples)


def undefined(look: Shown) -> Notice | None:
    """Queries without anything relevant, where every run scores 0. The effect is told for the first run."""
    level = look.conventions.relevance_level
    mask = look.facts.undefined(look.measure, level)
    if look.measure.name not in ("nDCG", "R", "AP", "RR"):
        mask = look.facts.undefined(PLAIN_NDCG, level)
    count = int(mask.sum())
    if not count:
        return None
    lacking = (
        f"a grade of {look.measure.rel or level} or more" if look.measure.uses_relevance_level else "a positive grade"
    )
    treated = "they stay in the mean as 0" if look.conventions.undefined == "zero" else "they are left out of the mean"
    if count == 1:
        treated = treated.replace("they stay", "it stays").replace("they are", "it is")
    message = f"{counted(count, 'query has', 'queries have')} no document with {lacking}, so every run scores 0 there; {treated}"
    effect = None
    if look.runs:
        scores = look.scores[0]
        rest = ~scores.missing if look.conventions.missing == "exclude" else np.ones(look.n, bool)
        effect = look.effect(zero=mean(scores.values[rest]), exclude=mean(scores.values[rest & ~mask]))
        message += f" (effect shown for {look.runs[0].name})" if len(look.runs) > 1 else ""
    return Notice("undefined-queries", "warning", look.qrels.name, f"{message}.", count, look.ids(mask), effect)


def shallow(look: Shown, run: Run) -> Notice | None:
    """A run whose usual list ends above the deepest cutoff shown."""
    retrieved = run.answered["retrieved"].to_numpy()
    if not len(retrieved) or np.median(retrieved) >= look.deepest:
        return None
    depth, short = float(np.median(retrieved)), retrieved < look.deepest
    message = (
        f"{run.name} returns {depth:,.0f} documents for a typical query, while measures look down to rank "
        f"{look.deepest:,}: the ranks below stay empty and gain nothing."
    )
    severity: Severity = "warning" if depth < look.k else "info"
    named = run.answered["query"].to_numpy()[short][:5]
    ids = tuple(look.qrels.queries[at] for at in named)
    return Notice("shallow-run", severity, run.name, message, int(short.sum()), ids)
