"""Results of a made-up nightly evaluation: every query has one relevant document, at a rank of our choice."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from core.comparison import Comparison
from core.history import Result, result_of
from core.model.conventions import Conventions
from core.model.frames import ANSWERED, HITS, JUDGMENTS, TOP
from core.model.measure import Measure
from core.model.metadata import QueryMetadata
from core.model.qrels import Qrels, Source
from core.model.run import Run

NDCG = Measure("nDCG", 10)
START = datetime(2026, 5, 1, 2, tzinfo=UTC)
Ranks = Sequence[int] | npt.NDArray[np.int64]
# nDCG@10 of a query whose one relevant document stands at each rank, from rank 1 on; 0 beyond the tenth.
VALUES = np.r_[1 / np.log2(np.arange(2, 12)), 0.0]


def comparison_of(
    ranks: Ranks,
    sides: Sequence[str] | None = None,
    *,
    qrels: str = "0" * 64,
    conventions: Conventions | None = None,
    run: str = "live",
) -> Comparison:
    """One run over as many queries as there are ranks (11 is beyond the cutoff), with their sides as an attribute."""
    n = len(ranks)
    ids = [f"q{at:03}" for at in range(n)]
    judgments = pl.DataFrame({"query_id": ids, "doc_id": "good", "grade": 1.0}, schema=JUDGMENTS)
    known = (
        QueryMetadata(pl.DataFrame({"query_id": ids, "side": sides}), (Source("queries.csv", "2" * 64),), n)
        if sides
        else None
    )
    places = pl.Series(np.asarray(ranks)).cast(pl.UInt32)
    hits = pl.DataFrame(
        {"query": range(n), "rank": places, "grade": 1.0, "tie_first": places, "tie_last": places},
        schema=HITS,
        strict=False,
    )
    answered = pl.DataFrame(
        {"query": range(n), "retrieved": 20, "own_rank": 0, "tied": 0}, schema=ANSWERED, strict=False
    )
    made = Run(run, Source(f"{run}.run", "1" * 64), n, n, hits, answered, TOP.to_frame())
    return Comparison(
        Qrels(judgments, (Source("qrels.txt", qrels),), n), (made,), known, conventions=conventions or Conventions()
    )


def night(at: int, ranks: Ranks, sides: Sequence[str] | None = None, *, series: str = "nightly", **more: Any) -> Result:
    """The result of one night."""
    kept = {name: more.pop(name) for name in ("label", "commit") if name in more}
    kept.setdefault("label", f"night {at}")
    return result_of(comparison_of(ranks, sides, **more), (NDCG,), series, at=START + timedelta(days=at), **kept)


def shaken(seed: int, n: int = 60, share: float = 0.2) -> npt.NDArray[np.int64]:
    """Every document second, but for a share of the queries, in which it is first or third by chance."""
    rng = np.random.default_rng(seed)
    return rng.choice([1, 2, 3], n, p=[share / 2, 1 - share, share / 2])
