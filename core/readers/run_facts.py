"""Facts: what the order of a run's rows shows, counted query by query and said in notices."""

import numpy as np
import numpy.typing as npt
import polars as pl

from core.model.conventions import Order
from core.model.frames import TOP_DEPTH
from core.model.qrels import Qrels
from core.model.ranking import Ranked
from core.notices import EXAMPLES, Notice
from core.readers.piece import Piece

# A query counts as read the wrong way round where three quarters of its steps down the scores go up the given ranks.
REVERSED = 0.75


class Facts:
    """Counts over the judged queries of one run; `merge` adds those of another part of it."""

    def __init__(self, qrels: Qrels) -> None:
        self._qrels = qrels
        self.documents = 0
        self.infinite = 0
        self.repeated = 0
        self.twice = 0
        self.repeated_examples: list[str] = []
        self.conflicts: list[int] = []
        self.reversed: list[int] = []
        self.ranked_queries = 0
        self.near = 0
        self.near_queries: list[int] = []
        self.several = 0
        self.constant = 0

    def merge(self, other: "Facts") -> None:
        """Add the counts of another part of the same run."""
        for name, value in vars(other).items():
            if name != "_qrels":
                setattr(self, name, getattr(self, name) + value)

    def add(self, piece: Piece, result: Ranked, order: Order, *, lower_is_better: bool) -> None:
        """Count what some whole queries show."""
        self.documents += len(piece)
        self._add_repeats(piece, result)
        if piece.score is None:
            return
        self.infinite += int(np.isinf(piece.score).sum())
        score = piece.score[result.row]
        query = piece.query[result.row]
        new = np.ones(len(query), bool)
        new[1:] = query[1:] != query[:-1]
        self._add_constants(score, new)
        if order == "score":
            self._add_near_ties(score, query, result)
        if piece.rank is not None:
            self._add_rank_conflicts(-piece.score if lower_is_better else piece.score, piece.rank, piece.query)

    def _add_repeats(self, piece: Piece, result: Ranked) -> None:
        if not len(result.repeated):
            return
        self.repeated += len(result.repeated)
        docs = piece.doc_id.gather(result.repeated)
        pairs = pl.DataFrame({"query": piece.query[result.repeated], "doc_id": docs})
        self.twice += int((pairs.group_by("query", "doc_id").len()["len"] == 1).sum())
        for query, doc in pairs.head(EXAMPLES - len(self.repeated_examples)).iter_rows():
            self.repeated_examples.append(f"{self._qrels.queries[query]}: {doc}")

    def _add_constants(self, score: npt.NDArray[np.floating], new: npt.NDArray[np.bool_]) -> None:
        starts = np.flatnonzero(new)
        sizes = np.diff(starts, append=len(new))
        change = np.zeros(len(new), bool)
        change[1:] = (score[1:] != score[:-1]) & ~new[1:]
        changes = np.add.reduceat(change, starts, dtype=np.int64)
        self.several += int((sizes > 1).sum())
        self.constant += int(((sizes > 1) & (changes == 0)).sum())

    def _add_near_ties(self, score: npt.NDArray[np.float64], query: npt.NDArray[np.int64], result: Ranked) -> None:
        tied = np.flatnonzero((result.tie_first[1:] == result.tie_first[:-1]) & (result.rank[1:] > result.rank[:-1]))
        tied = tied[(result.rank[tied + 1] <= TOP_DEPTH) & (score[tied + 1] != score[tied])]
        # Ranks of different queries may agree: a pair must be of one.
        tied = tied[query[tied] == query[tied + 1]]
        self.near += len(tied)
        self.near_queries += np.unique(query[tied]).tolist()

    def _add_rank_conflicts(
        self, score: npt.NDArray[np.float64], rank: npt.NDArray[np.float64], query: npt.NDArray[np.int64]
    ) -> None:
        """Compare the rank given with the score as written; equal scores and equal ranks never conflict."""
        new = np.ones(len(query), bool)
        new[1:] = query[1:] != query[:-1]
        starts = np.flatnonzero(new)
        sizes = np.diff(starts, append=len(query))
        self.ranked_queries += int((sizes > 1).sum())
        inside = ~new[1:]
        in_order = ((score[1:] <= score[:-1]) & (rank[1:] >= rank[:-1])) | ~inside
        if in_order.all():
            return
        group = np.cumsum(new) - 1
        suspect = np.isin(group, np.unique(group[1:][~in_order]))
        group, score, rank, query = group[suspect], score[suspect], rank[suspect], query[suspect]
        order = np.lexsort((rank, -score, group))
        group, score, rank, query = group[order], score[order], rank[order], query[order]
        inside = group[1:] == group[:-1]
        step = inside & (score[1:] < score[:-1])
        falls = inside & (rank[1:] < rank[:-1])
        down = np.bincount(group[1:][falls], minlength=len(starts))
        steps = np.bincount(group[1:][step], minlength=len(starts))
        query_of = np.zeros(len(starts), np.int64)
        query_of[group] = query
        wrong_way = (down > 0) & (down >= REVERSED * steps)
        self.conflicts += query_of[(down > 0) & ~wrong_way].tolist()
        self.reversed += query_of[wrong_way].tolist()

    def notices(
        self, about: str, order: Order, *, direction_known: bool, folded: bool, rank_only: bool
    ) -> list[Notice]:
        """What is worth saying of the run `about`.

        direction_known  a person decided whether lower is better: no warning about it
        folded           chunks were folded to documents on purpose: repeats are no news
        """
        found = [] if folded else self._repeats(about)
        if rank_only:
            message = "The run gives ranks and no scores: its ranks are the order."
            return [*found, Notice("rank-only-run", "info", about, message, 1)]
        if self.infinite:
            number = "1 score is" if self.infinite == 1 else f"{self.infinite:,} scores are"
            found.append(
                Notice(
                    "infinite-scores",
                    "warning",
                    about,
                    f"{number} infinite; the order is still defined.",
                    self.infinite,
                )
            )
        found += self._against_rank(about, order, direction_known=direction_known)
        if self.near:
            pairs = (
                "1 pair of documents in the top 100 has scores"
                if self.near == 1
                else f"{self.near:,} pairs of documents in the top 100 have scores"
            )
            message = f"{pairs} that differ only below single precision and count as tied."
            found.append(Notice("near-ties", "info", about, message, self.near, self._ids(self.near_queries)))
        if self.several and self.constant == self.several:
            message = "All scores are equal in every query: the order is by document id alone."
            found.append(Notice("constant-scores", "warning", about, message, self.constant))
        return found

    def _repeats(self, about: str) -> list[Notice]:
        if not self.repeated:
            return []
        times = "1 document is" if self.repeated == 1 else f"{self.repeated:,} documents are"
        message = f"{times} repeated in a query: the best-ranked is kept, the ranks close up."
        if self.twice * 2 == self.documents and self.twice == self.repeated:
            message += " Every pair occurs twice: was the file appended to itself?"
        return [Notice("duplicate-documents", "warning", about, message, self.repeated, tuple(self.repeated_examples))]

    def _against_rank(self, about: str, order: Order, *, direction_known: bool) -> list[Notice]:
        wrong_way, queries = len(self.reversed), self.ranked_queries
        if wrong_way * 2 > queries and not direction_known:
            message = (
                f"The rank rises with the score in {wrong_way:,} of {queries:,} queries: are these distances, "
                "where lower is better? They are read as higher is better."
            )
            return [Notice("score-direction", "warning", about, message, wrong_way, self._ids(self.reversed))]
        against = self.conflicts + self.reversed
        if not against:
            return []
        used = "the rank is used" if order == "rank" else "the score is used"
        of = f"{queries:,} {'query' if queries == 1 else 'queries'}"
        message = f"Rank and score disagree in {len(against):,} of {of}; {used}."
        return [Notice("rank-score-conflict", "warning", about, message, len(against), self._ids(against))]

    def _ids(self, queries: list[int]) -> tuple[str, ...]:
        return tuple(self._qrels.queries[query] for query in sorted(queries)[:EXAMPLES])
