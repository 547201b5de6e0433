"""Order: what ties, a query's own id and the direction of scores do to a run's mean."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from core.health.shown import Shown, counted
from core.model.run import Run
from core.notices import Notice, Severity
from core.scoring.hits import per_query, whole
from core.scoring.judged import Mask
from core.scoring.readings import turned_around, without_own_ids
from core.scoring.scores import Scores
from core.scoring.ties import tie_orders


def order_notices(look: Shown) -> list[Notice]:
    """Ties that reach the top and own ids that were retrieved."""
    found = []
    for run, scores in zip(look.runs, look.scores, strict=True):
        found += [ties(look, run, scores), own_ids(look, run, scores)]
    return [notice for notice in found if notice is not None]


def tied_in_top(run: Run, k: int | None, queries: int) -> Mask:
    """The queries in which a judged document shares its score with another one and the tie reaches the top k."""
    first = whole(run, "tie_first")
    tied = whole(run, "tie_last") > first
    reached: Mask = np.zeros(queries, bool)
    reached[whole(run, "query")[tied & (first <= k if k is not None else True)]] = True
    return reached


def ties(look: Shown, run: Run, scores: Scores) -> Notice | None:
    """Equal scores in the top: the order among them is by document id, and another one may score otherwise."""
    reached = tied_in_top(run, look.measure.k, look.n)
    if not reached.any():
        return None
    orders = tie_orders(run, look.measure, look.conventions.relevance_level)
    low, high = look.score(orders.worst, scores.missing), look.score(orders.best, scores.missing)
    moved = high.values > low.values
    where = f"in the top {look.measure.k}" if look.measure.k else "among its documents"
    if not moved.any():
        message = (
            f"{run.name} has equal scores {where} in {counted(int(reached.sum()), 'query', 'queries')}; "
            "their order, by document id, does not change the score."
        )
        return Notice("ties", "info", run.name, message, int(reached.sum()), look.ids(reached))
    count = int(moved.sum())
    message = (
        f"{run.name} has equal scores {where}: their order is by document id, and in "
        f"{counted(count, 'query', 'queries')} another order would give another score."
    )
    effect = look.effect(low=low.mean, high=high.mean)
    return Notice("ties", "warning", run.name, message, count, look.ids(moved), effect)


def own_ids(look: Shown, run: Run, scores: Scores) -> Notice | None:
    """Documents whose id is the query's own: the query itself, where queries are documents of the collection."""
    own = per_query(run, "own_rank", look.n) > 0
    if not own.any():
        return None
    otherwise = look.score(*without_own_ids(run, look.n))
    message = (
        f"{run.name} returns a document with the query's own id for {counted(int(own.sum()), 'query', 'queries')}; "
        "where the queries are documents of the collection, these should be dropped."
    )
    effect = look.effect(as_read=scores.mean, otherwise=otherwise.mean)
    severity: Severity = "warning" if scores.mean != otherwise.mean else "info"
    return Notice("own-id-retrieved", severity, run.name, message, int(own.sum()), look.ids(own), effect)


def with_effects(look: Shown, read: Iterable[Notice]) -> list[Notice]:
    """The notices that reading raised, those about the direction of scores with what the other direction would give."""
    runs = {run.name: (run, scores) for run, scores in zip(look.runs, look.scores, strict=True)}
    found = []
    for notice in read:
        if notice.code == "score-direction" and notice.about in runs and notice.effect is None:
            run, scores = runs[notice.about]
            otherwise = look.score(*turned_around(run, look.n))
            found.append(replace(notice, effect=look.effect(as_read=scores.mean, otherwise=otherwise.mean)))
        else:
            found.append(notice)
    return found
