"""Pieces: batches of a run's rows cut where queries end, by system, without holding more than one query back."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from core.model.qrels import Qrels
from core.model.reading import Repair
from core.readers.hits import Piece
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
    """Turns batches of rows into pieces of whole queries with the queries' numbers."""

    def __init__(self, qrels: Qrels, repairs: tuple[Repair, ...], systems: Systems) -> None:
        self._qrels, self._systems = qrels, systems
        self._repairs = [repair for repair in repairs if repair.side == "run"]

    def cut(self, batches: Iterator[Rows]) -> Iterator[tuple[int, Piece]]:
        """(system, piece) as they come. Raises UngroupedError where a query that had ended goes on."""
        seen: set[tuple[int, int]] = set()
        held: list[pl.DataFrame] = []
        for batch in batches:
            frame = self.prepared(batch.frame)
            before = sum(part.height for part in held)
            starts = _group_starts(frame) + before
            if held:
                starts = np.concatenate(([0], starts[1:] if _goes_on(held[-1], frame) else starts))
            if len(starts) == 1:
                held.append(frame)
                continue
            cut = int(starts[-1]) - before
            yield from self._pieces(pl.concat([*held, frame[:cut]], rechunk=True), starts[:-1], seen)
            held = [frame[cut:]]
        if held:
            yield from self._pieces(pl.concat(held, rechunk=True), np.zeros(1, np.int64), seen)

    def prepared(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The columns a ranking needs, distances as scores, repairs applied to the ids."""
        names = set(frame.columns)
        wanted = [pl.col("query_id"), pl.col("doc_id")]
        if self._repairs:
            from core.readers.repairs import apply

            for repair in self._repairs:
                at = 0 if repair.ids == "query" else 1
                wanted[at] = apply(wanted[at], repair)
        if "score" in names or "distance" in names:
            wanted.append(pl.col("score" if "score" in names else "distance").alias("score"))
        wanted += [pl.col(name) for name in ("rank", "system") if name in names]
        return frame.select(wanted)

    def _pieces(
        self, frame: pl.DataFrame, starts: npt.NDArray[np.int64], seen: set[tuple[int, int]]
    ) -> Iterator[tuple[int, Piece]]:
        sizes = np.diff(starts, append=frame.height)
        names, query = self._numbers(frame, starts)
        system = self._count(frame, starts, sizes, names)
        for pair in zip(system.tolist(), query.tolist(), strict=True):
            if pair[1] >= 0:
                if pair in seen:
                    raise UngroupedError
                seen.add(pair)
        for number in np.unique(system).tolist():
            keep = (query >= 0) & (system == number)
            if keep.all():
                yield number, as_piece(frame, np.repeat(query, sizes).astype(np.uint32))
            elif keep.any():
                rows = np.repeat(keep, sizes)
                yield number, as_piece(frame.filter(pl.Series(rows)), np.repeat(query, sizes)[rows].astype(np.uint32))

    def _numbers(self, frame: pl.DataFrame, starts: npt.NDArray[np.int64]) -> tuple[list[str], npt.NDArray[np.int64]]:
        names = frame["query_id"].gather(starts).to_list()
        index = self._qrels.index
        return names, np.fromiter((index.get(name, -1) for name in names), np.int64, len(names))

    def _count(
        self, frame: pl.DataFrame, starts: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64], names: list[str]
    ) -> npt.NDArray[np.int64]:
        """The system of each group; its rows and its queries without judgments are counted."""
        systems = self._systems
        if "system" in frame.columns:
            tags = frame["system"].gather(starts).to_list()
            system = np.fromiter((systems.of(tag) for tag in tags), np.int64, len(tags))
        else:
            system = np.full(len(names), systems.of(None), np.int64)
        for number, size, name in zip(system.tolist(), sizes.tolist(), names, strict=True):
            systems.rows[number] += size
            if name not in self._qrels.index:
                systems.extra[number][name] = None
        return system

    def whole(self, batches: Iterator[Rows]) -> Iterator[tuple[int, Piece]]:
        """(system, piece) of a file whose queries' rows stand anywhere: all judged rows are held and sorted.

        Rows of a query keep the order of the file.
        """
        parts: list[pl.DataFrame] = []
        for batch in batches:
            frame = self.prepared(batch.frame)
            starts = _group_starts(frame)
            sizes = np.diff(starts, append=frame.height)
            names, query = self._numbers(frame, starts)
            system = self._count(frame, starts, sizes, names)
            own = frame["query_id"] == frame["doc_id"]
            rest = frame.drop("query_id", "system", strict=False).with_columns(
                own.alias("own"), pl.Series("query", np.repeat(query, sizes)), pl.Series("of", np.repeat(system, sizes))
            )
            parts.append(rest.filter(pl.col("query") >= 0))
        if not parts:
            return
        held = pl.concat(parts)
        parts.clear()
        query, system = held["query"].to_numpy(), held["of"].to_numpy()
        order = np.argsort(system * len(self._qrels.queries) + query, kind="stable")
        query, system = query[order], system[order]
        ends = np.flatnonzero(np.diff(query, append=-1) | np.diff(system, append=-1)) + 1
        begin = 0
        while begin < len(order):
            last = int(np.searchsorted(system, int(system[begin]), side="right"))
            end = int(min(last, ends[min(np.searchsorted(ends, begin + CHUNK), len(ends) - 1)]))
            rows = held[order[begin:end]]
            yield int(system[begin]), as_piece(rows, query[begin:end].astype(np.uint32))
            begin = end


def as_piece(frame: pl.DataFrame, query: npt.NDArray[np.uint32]) -> Piece:
    """Rows of judged queries with their queries' numbers."""
    own = frame["own"] if "own" in frame.columns else frame["query_id"] == frame["doc_id"]
    return Piece(
        query,
        frame["doc_id"],
        frame["score"].to_numpy() if "score" in frame.columns else None,
        frame["rank"].fill_null(float("nan")).to_numpy() if "rank" in frame.columns else None,
        own.to_numpy(),
    )


def _goes_on(held: pl.DataFrame, frame: pl.DataFrame) -> bool:
    """Whether the first row of a batch belongs to the query and the system held back."""
    names = [name for name in ("query_id", "system") if name in frame.columns]
    return held.select(names).row(-1) == frame.select(names).row(0)


def _group_starts(frame: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Where the query or the system changes from one row to the next."""
    query = frame["query_id"]
    change = (query != query.shift(1)).fill_null(value=True).to_numpy().copy()
    if "system" in frame.columns:
        system = frame["system"].fill_null("")
        if (system != system[0]).any():
            change |= (system != system.shift(1)).fill_null(value=True).to_numpy()
    return np.flatnonzero(change)
