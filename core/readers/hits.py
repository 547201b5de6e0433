"""Hits: the ranked rows of one system against the judgments, gathered query by query."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from core.model.conventions import Conventions
from core.model.frames import ANSWERED, HITS, TOP_DEPTH
from core.model.qrels import Qrels
from core.model.ranking import Ranked, order_values, pair_keys, ranked
from core.readers.piece import Piece
from core.readers.run_facts import Facts

_SIEVE_BITS = 18
_SIEVE = np.uint64((1 << _SIEVE_BITS) - 1)


@dataclass
class Judgments:
    """The judgments by pair key, for looking up rows of a run."""

    qrels: Qrels
    keys: npt.NDArray[np.uint64] = field(init=False)
    starts: npt.NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        """Make the keys once for all runs of a file."""
        self.keys = pair_keys(self.qrels.query.astype(np.int64), self.qrels.judgments["doc_id"])
        self.starts = np.searchsorted(self.qrels.query, np.arange(len(self.qrels.queries) + 1))

    def grades(
        self, queries: npt.NDArray[np.int64], keys: npt.NDArray[np.uint64], doc_id: pl.Series
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Which rows are judged, ascending, and their grades.

        queries  the queries that the rows belong to, each once

        A sieve over the keys' low bits passes the judged rows and few others; keys are then compared, and at last the
        ids themselves.
        """
        sizes = self.starts[queries + 1] - self.starts[queries]
        offsets = np.cumsum(sizes) - sizes
        judged = np.arange(sizes.sum()) + np.repeat(self.starts[queries] - offsets, sizes)
        wanted = self.keys[judged]
        judged = judged[np.argsort(wanted)]
        wanted = self.keys[judged]
        sieve = np.zeros(1 << _SIEVE_BITS, bool)
        sieve[wanted & _SIEVE] = True
        maybe = np.flatnonzero(sieve[keys & _SIEVE])
        at = np.searchsorted(wanted, keys[maybe])
        at[at == len(wanted)] = 0
        found = wanted[at] == keys[maybe]
        maybe, place = maybe[found], judged[at[found]]
        ids = self.qrels.judgments["doc_id"].gather(place)
        same = (ids == doc_id.gather(maybe)).to_numpy()
        return maybe[same], self.qrels.grade[place[same]]


class Collected:
    """What one system's rows come to: hits, answered queries, first documents, and facts for notices."""

    def __init__(self, judgments: Judgments, conventions: Conventions, *, lower_is_better: bool) -> None:
        self._judgments, self._conventions, self._lower = judgments, conventions, lower_is_better
        self.hits: list[pl.DataFrame] = []
        self.answered: list[pl.DataFrame] = []
        self.top: list[pl.DataFrame] = []
        self.facts = Facts(judgments.qrels)
        self.rows = 0
        self.seen: set[int] = set()
        self.extra: dict[str, None] = {}

    def add(self, piece: Piece) -> None:
        """Rank some whole queries and keep what scores and people need of them."""
        if self._conventions.own_ids == "drop" and piece.own.any():
            piece = piece.take(np.flatnonzero(~piece.own))
        if not len(piece):
            return
        order = "rank" if piece.score is None else self._conventions.order
        values = order_values(piece.score, piece.rank, order, lower_is_better=self._lower)
        keys = pair_keys(piece.query, piece.doc_id)
        result = ranked(piece.query, piece.doc_id, keys, values, ties_by_id=order != "rank")
        self.facts.add(piece, result, order, lower_is_better=self._lower)
        query = piece.query[result.row]
        starts = np.flatnonzero(np.diff(query, prepend=-1))
        self.seen.update(query[starts].tolist())
        rows, grades = self._judgments.grades(query[starts], keys, piece.doc_id)
        grade = np.full(len(piece), np.nan)
        grade[rows] = grades
        grade = grade[result.row]
        self._keep(piece, result, query, starts, grade)

    def take(self, other: "Collected") -> None:
        """Add what another part of the same run came to."""
        self.hits += other.hits
        self.answered += other.answered
        self.top += other.top
        self.facts.merge(other.facts)
        self.rows += other.rows
        self.seen |= other.seen
        self.extra |= other.extra

    def _keep(
        self,
        piece: Piece,
        result: Ranked,
        query: npt.NDArray[np.int64],
        starts: npt.NDArray[np.int64],
        grade: npt.NDArray[np.float64],
    ) -> None:
        hit = np.flatnonzero(~np.isnan(grade))
        columns: list[npt.NDArray[Any]] = [query, result.rank, grade, result.tie_first, result.tie_last]
        self.hits.append(pl.DataFrame(dict(zip(HITS, [values[hit] for values in columns], strict=True))))
        own_rank = np.zeros(len(starts), np.uint32)
        own = np.flatnonzero(piece.own[result.row])
        own_rank[np.searchsorted(starts, own, side="right") - 1] = result.rank[own]
        retrieved = np.diff(starts, append=len(query)).astype(np.uint32)
        tied = np.add.reduceat(result.tie_last > result.tie_first, starts, dtype=np.uint32)
        answered = (query[starts], retrieved, own_rank, tied)
        self.answered.append(pl.DataFrame(dict(zip(ANSWERED, answered, strict=True))))
        first = np.flatnonzero(result.rank <= TOP_DEPTH)
        rows = result.row[first]
        score = (
            pl.Series(piece.score[rows])
            if piece.score is not None
            else pl.repeat(None, len(rows), dtype=pl.Float64, eager=True)
        )
        self.top.append(pl.DataFrame({
            "query": query[first], "rank": result.rank[first], "doc_id": piece.doc_id.gather(rows), "score": score,
            "grade": pl.Series(grade[first]).fill_nan(None),
        }))  # fmt: skip


def joined(parts: list[pl.DataFrame], schema: pl.Schema) -> pl.DataFrame:
    """The parts as one frame of a schema, sorted by query, then rank where there is one."""
    if not parts:
        return schema.to_frame()
    return pl.concat(parts).cast(schema).sort([name for name in ("query", "rank") if name in schema])
