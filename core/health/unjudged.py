"""Unjudged documents in the top k: they count as not relevant, which can favour one run."""

import polars as pl

from core.health.shown import Shown, counted
from core.model.run import Run
from core.notices import Notice

LEAST_JUDGED = 0.6
LARGEST_GAP = 0.1


def judged_in_top(run: Run, k: int) -> tuple[int, int]:
    """How many documents of a run's top k are judged, and how many it returned there, over all judged queries."""
    judged = run.hits.filter(pl.col("rank") <= k).height
    return judged, int(run.answered["retrieved"].clip(upper_bound=k).sum())


def unjudged_notices(look: Shown) -> list[Notice]:
    """One notice for each run whose top is hardly judged, or clearly less than another's.

    The share is of the documents returned, not of k: a run that returns few documents lacks answers, not judgments.
    """
    shares = {}
    for run in look.runs:
        judged, returned = judged_in_top(run, look.k)
        if returned:
            shares[run.name] = judged / returned
    if not shares:
        return []
    most = max(shares, key=lambda name: shares[name])
    return [
        notice_of(look, run, shares[run.name], most, shares[most])
        for run in look.runs
        if run.name in shares
        and (shares[run.name] < LEAST_JUDGED or round(shares[most] - shares[run.name], 9) >= LARGEST_GAP)
    ]


def notice_of(look: Shown, run: Run, share: float, most: str, largest: float) -> Notice:
    """The notice for one run, beside the run that is judged most."""
    judged, returned = judged_in_top(run, look.k)
    count = returned - judged
    message = (
        f"{counted(count, 'document')} in the top {look.k} of {run.name} ({1 - share:.0%}) nobody judged; "
        "they count as not relevant"
    )
    if round(largest - share, 9) >= LARGEST_GAP:
        message += f", while {most} has {1 - largest:.0%}, so the comparison may be unfair to {run.name}"
    rows = run.top.lazy().filter((pl.col("rank") <= look.k) & pl.col("grade").is_null()).head(5).collect()
    named = tuple(f"{look.qrels.queries[at]}: {doc}" for at, doc in rows.select("query", "doc_id").iter_rows())
    return Notice("unjudged", "warning", run.name, f"{message}.", count, named)
