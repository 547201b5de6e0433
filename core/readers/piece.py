"""Piece: rows of a run as arrays."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl


class Piece:
    """Rows of a run.

    query   the judged query's number, per row; -1 where the query has no judgments
    system  the system's number, per row
    doc_id  ids
    score, rank  as given, or None where the run has none; a rank may be NaN beside a score
    own     whether the document's id is the query's
    """

    def __init__(
        self,
        query: npt.NDArray[np.int64],
        system: npt.NDArray[np.int64],
        doc_id: pl.Series,
        score: npt.NDArray[np.float64] | None,
        rank: npt.NDArray[np.float64] | None,
        own: npt.NDArray[np.bool_],
    ) -> None:
        self.query, self.system, self.doc_id = query, system, doc_id
        self.score, self.rank, self.own = score, rank, own

    def __len__(self) -> int:
        return len(self.query)

    def take(self, rows: npt.NDArray[np.int64]) -> "Piece":
        """Rows by place."""
        return Piece(
            self.query[rows],
            self.system[rows],
            self.doc_id.gather(rows),
            None if self.score is None else self.score[rows],
            None if self.rank is None else self.rank[rows],
            self.own[rows],
        )

    def between(self, begin: int, end: int) -> "Piece":
        """Rows from one place to before another; nothing is copied."""
        return Piece(
            self.query[begin:end],
            self.system[begin:end],
            self.doc_id[begin:end],
            None if self.score is None else self.score[begin:end],
            None if self.rank is None else self.rank[begin:end],
            self.own[begin:end],
        )


def joined_pieces(pieces: Sequence[Piece]) -> Piece:
    """The rows of all, one after the other."""
    if len(pieces) == 1:
        return pieces[0]
    score = [piece.score for piece in pieces if piece.score is not None]
    rank = [piece.rank for piece in pieces if piece.rank is not None]
    return Piece(
        np.concatenate([piece.query for piece in pieces]),
        np.concatenate([piece.system for piece in pieces]),
        pl.concat([piece.doc_id for piece in pieces], rechunk=True),
        np.concatenate(score) if score else None,
        np.concatenate(rank) if rank else None,
        np.concatenate([piece.own for piece in pieces]),
    )
