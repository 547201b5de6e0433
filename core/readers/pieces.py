"""Pieces: batches of a run's rows cut where queries end, by system, without holding more than one query back."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from core.model.qrels import Qrels
from core.model.reading import Repair
from core.readers.piece import Piece, joined_pieces
from core.readers.rows import Findings, Rows

MOST_SYSTEMS = 1000
# Rows ranked at once where the whole file had to be sorted first.
CHUNK = 500_000


class UngroupedError(Exception):
    """A query's rows do not stand together: the file must be read as a whole."""


class Systems:
    """The systems met in a file, numbered as they come; of one that was not asked for, no row is kept."""

    def __init__(self, chosen: tuple[str, ...] | None, findings: Findings) -> None:
        self._chosen, self._findings = chosen, findings
        self.number: dict[str, int] = {}
        self._wanted: set[int] = set()
        self.rows: list[int] = []
        self.extra: list[dict[str, None]] = []

    def of(self, name: str | None) -> int:
        """The number of a system. Raises InputError at the 1,001st: these are no systems."""
        known = self.number.get(name or "")
        if known is None:
            known = self.number[name or ""] = len(self.number)
            if self._chosen is None or (name or "") in self._chosen:
                self._wanted.add(known)
            self.rows.append(0)
            self.extra.append({})
            if known >= MOST_SYSTEMS:
                raise self._findings.refuse(
                    f"more than {MOST_SYSTEMS:,} different tags or systems: runs are told apart by them",
                    "read that column as ignored",
                )
        return known

    def wanted_number(self, number: int) -> bool:
        """Whether the system of this number is one of those asked for."""
        return number in self._wanted


class Cutter:
    """Turns batches of rows into pieces of whole judged queries of one system."""

    def __init__(self, qrels: Qrels, repairs: tuple[Repair, ...], systems: Systems) -> None:
        self._index, self._queries, self._systems = qrels.index, len(qrels.queries), systems
        self._repairs = [repair for repair in repairs if repair.side == "run"]

    def cut(self, batches: Iterator[Rows]) -> Iterator[Piece]:
        """Pieces as they come; the last query of a batch is held back until it is known to have ended.

        Raises UngroupedError where a query that had ended goes on.
        """
        seen: set[tuple[int, int]] = set()
        held: list[Piece] = []
        last: tuple[str, int] | None = None
        for batch in batches:
            piece, starts, names = self._piece(batch.frame)
            groups = list(zip(names, piece.system[starts].tolist(), strict=True))
            new = starts[1:] if groups[0] == last else starts
            _note(seen, piece, new)
            last = groups[-1]
            if not len(new):
                held.append(piece)
                continue
            cut = int(starts[-1])
            yield from self._by_system(joined_pieces([*held, piece.between(0, cut)]))
            held = [piece.between(cut, len(piece))]
        if held:
            yield from self._by_system(joined_pieces(held))

    def whole(self, batches: Iterator[Rows]) -> Iterator[Piece]:
        """Pieces of a file whose queries' rows stand anywhere: all judged rows are held and sorted.

        Rows of a query keep the order of the file.
        """
        parts: list[Piece] = []
        for batch in batches:
            piece, _, _ = self._piece(batch.frame)
            parts.append(piece.take(np.flatnonzero(piece.query >= 0)))
        if not parts:
            return
        held = joined_pieces(parts)
        parts.clear()
        group = held.system * self._queries + held.query
        order = np.argsort(group, kind="stable")
        ends = np.flatnonzero(np.diff(group[order], append=-1)) + 1
        begin = 0
        while begin < len(order):
            end = int(ends[min(int(np.searchsorted(ends, begin + CHUNK)), len(ends) - 1)])
            yield from self._by_system(held.take(order[begin:end]))
            begin = end

    def _by_system(self, piece: Piece) -> Iterator[Piece]:
        if not len(piece):
            return
        judged = piece.query >= 0
        if judged.all() and (piece.system == piece.system[0]).all():
            yield piece
            return
        for number in np.unique(piece.system[judged]).tolist():
            yield piece.take(np.flatnonzero(judged & (piece.system == number)))

    def _piece(self, frame: pl.DataFrame) -> tuple[Piece, npt.NDArray[np.int64], list[str]]:
        """A batch as arrays, where its groups of one query and system begin, and their queries; rows are counted."""
        if self._repairs:
            frame = self._repaired(frame)
        query_id, doc_id = frame["query_id"], frame["doc_id"]
        columns = frame.columns
        tags = frame["system"] if "system" in columns else None
        if tags is not None and not (tags.null_count() or (tags != tags[0]).any()):
            tags = tags[:1]
        starts = _starts(query_id, tags)
        sizes = np.diff(starts, append=frame.height)
        names = query_id.gather(starts).to_list()
        query = np.fromiter((self._index.get(name, -1) for name in names), np.int64, len(names))
        system = self._numbered(tags, starts, sizes, names, query)
        score = next((frame[name].to_numpy() for name in ("score", "distance") if name in columns), None)
        rank = frame["rank"].cast(pl.Float64).fill_null(float("nan")).to_numpy() if "rank" in columns else None
        own = (query_id == doc_id).to_numpy()
        return Piece(np.repeat(query, sizes), np.repeat(system, sizes), doc_id, score, rank, own), starts, names

    def _numbered(
        self,
        tags: pl.Series | None,
        starts: npt.NDArray[np.int64],
        sizes: npt.NDArray[np.int64],
        names: list[str],
        query: npt.NDArray[np.int64],
    ) -> npt.NDArray[np.int64]:
        """The system of each group; its rows and its queries without judgments are counted."""
        systems = self._systems
        if tags is None or len(tags) == 1:
            system = np.full(len(names), systems.of(None if tags is None else tags[0]), np.int64)
        else:
            system = np.fromiter((systems.of(tag) for tag in tags.gather(starts).to_list()), np.int64, len(names))
        for number in np.unique(system).tolist():
            systems.rows[number] += int(sizes[system == number].sum())
            extra = np.flatnonzero((system == number) & (query < 0)).tolist()
            systems.extra[number].update(dict.fromkeys(names[at] for at in extra))
        return system

    def _repaired(self, frame: pl.DataFrame) -> pl.DataFrame:
        from core.readers.repairs import apply

        ids = {"query": pl.col("query_id"), "document": pl.col("doc_id")}
        for repair in self._repairs:
            ids[repair.ids] = apply(ids[repair.ids], repair)
        return frame.with_columns(query_id=ids["query"], doc_id=ids["document"])


def _note(seen: set[tuple[int, int]], piece: Piece, starts: npt.NDArray[np.int64]) -> None:
    for pair in zip(piece.system[starts].tolist(), piece.query[starts].tolist(), strict=True):
        if pair[1] >= 0:
            if pair in seen:
                raise UngroupedError
            seen.add(pair)


def _starts(query_id: pl.Series, tags: pl.Series | None) -> npt.NDArray[np.int64]:
    """Where the query or the system changes from one row to the next; tags of length 1 never change."""
    change = np.ones(len(query_id), bool)
    change[1:] = (query_id[1:] != query_id[:-1]).to_numpy()
    if tags is not None and len(tags) > 1:
        change[1:] |= tags[1:].ne_missing(tags[:-1]).to_numpy()
    return np.flatnonzero(change)
