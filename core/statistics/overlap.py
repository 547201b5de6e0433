"""Overlap: how much two rankings of documents agree, seen from the top."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

PERSISTENCE = 0.9
# A rank is a document, or the documents that are tied there.
Ranking = Sequence[str | frozenset[str]]


@dataclass(frozen=True)
class Overlap:
    """Rank-biased overlap, 0 to 1: `low` at least, `low + rest` at most, `extrapolated` if it goes on as seen."""

    low: float
    rest: float
    extrapolated: float


def rank_biased_overlap(x: Ranking, y: Ranking, p: float = PERSISTENCE) -> Overlap | None:
    """Agreement of two rankings for a reader who goes on to the next rank with probability p; None where one is empty.

    Both are cut at the depth of the shorter. The agreement of a depth is 2 |A and B| / (|A| + |B|), as ties need.
    Source: Webber, Moffat & Zobel 2010, equations 11, 23 and 30.
    """
    k = min(len(x), len(y))
    if k == 0:
        return None
    agreement = [_agreement(_documents(x[:depth]), _documents(y[:depth])) for depth in range(1, k + 1)]
    met = agreement[-1] * k
    scale, endless = (1 - p) / p, -math.log(1 - p)
    low = scale * (sum(p**d * (a - met / d) for d, a in enumerate(agreement, 1)) + met * endless)
    # The depth by which every document seen so far could still turn up in the other ranking.
    end = math.ceil(2 * k - met - 1e-9)
    beyond = sum(p**d / d for d in range(k + 1, end + 1))
    within = sum(p**d / d for d in range(1, end + 1))
    rest = 2 * p**k - p**end - scale * (2 * k * beyond + met * (endless - within))
    extrapolated = scale * sum(p**d * a for d, a in enumerate(agreement, 1)) + p**k * agreement[-1]
    return Overlap(low, rest, extrapolated)


def _documents(ranks: Ranking) -> set[str]:
    found: set[str] = set()
    for rank in ranks:
        found.update((rank,) if isinstance(rank, str) else rank)
    return found


def _agreement(a: Collection[str], b: Collection[str]) -> float:
    return 2 * len(set(a) & set(b)) / (len(a) + len(b))
