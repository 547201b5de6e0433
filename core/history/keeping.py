"""Keeping: results put into a store and read back: two Parquet parts by their digests, then the record that names them.

series/<SHA-256 of the series' name>/<id>.json     sealed JSON: everything but the two parts
blobs/<aa>/<SHA-256>                               Parquet: the scores of every query; the groups of queries
"""

import hashlib
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import polars as pl

from core.errors import InputError, Problem
from core.history.result import GROUPS, Result, checked_name
from core.model.version import version
from core.store import Entry, Store, get_blob, put_blob, seal, unseal

SCHEMA = 1
STALE_SECONDS = 3600.0


def keep(store: Store, result: Result) -> bool:
    """Append a result to its series, durably. False where it was there already.

    Raises InputError where the store cannot be written to; then it is to be appended again.
    """
    store.sweep(STALE_SECONDS)
    frames = {"scores": result.scores, "groups": result.groups}
    parts = {name: _parquet(frame) for name, frame in frames.items()}
    about = {
        name: {"sha256": put_blob(store, data), "bytes": len(data), "rows": frames[name].height}
        for name, data in parts.items()
    }
    key = _key(result.series, result.id)
    new = store.put_new(key, seal(_document(result, about)))
    try:
        for data in parts.values():
            put_blob(store, data)  # once more, now that they are named: see core.store.garbage
    except InputError:
        if new:
            store.delete(key)
        raise
    return new


class Series(NamedTuple):
    """A series' results, oldest first, and what is wrong with those that cannot be read."""

    name: str
    results: tuple[Result, ...]
    problems: tuple[Problem, ...] = ()


def series_names(store: Store) -> list[str]:
    """The names of all series in a store, sorted. A series none of whose records can be read has no name, and is left out."""
    return sorted({name for entries in _by_series(store).values() if (name := _name(store, entries)) is not None})


def read_series(store: Store, name: str) -> Series:
    """All results of a series; those of damaged or newer records are told in `problems`. None at all for an unknown name."""
    results: list[Result] = []
    problems: list[Problem] = []
    read = _Reader(store)
    for entry in store.entries(f"series/{_hashed(checked_name(name))}/"):
        try:
            results.append(read.result(entry.key))
        except InputError as error:
            problems += error.problems
    results.sort(key=lambda result: (result.at, result.id))
    return Series(checked_name(name), tuple(results), tuple(problems))


def state_of(store: Store, name: str) -> str:
    """A text that changes when a result is added to a series or taken away: what caches of it are keyed by."""
    keys = "\n".join(entry.key for entry in store.entries(f"series/{_hashed(checked_name(name))}/"))
    return hashlib.sha256(keys.encode()).hexdigest()


@dataclass
class _Reader:
    """Reads records, each part once."""

    store: Store

    def __post_init__(self) -> None:
        self._groups: dict[str, pl.DataFrame] = {}

    def result(self, key: str) -> Result:
        what = f"the result {_id(key)[:12]}"
        found = unseal(self.store.get(key) or b"", schema=SCHEMA, what=what)
        try:
            parts = {name: str(part["sha256"]) for name, part in found["parts"].items()}
            if parts["groups"] not in self._groups:
                self._groups[parts["groups"]] = _frame(get_blob(self.store, parts["groups"], what=what), what)
            scores = _frame(get_blob(self.store, parts["scores"], what=what), what)
            return _result(_id(key), found, scores, self._groups[parts["groups"]])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(Problem(what, None, "is damaged: something is missing from its record")) from error


def _document(result: Result, parts: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        "schema": SCHEMA, "kind": "result", "ranklens": version(), "series": result.series,
        "at": result.at.isoformat(), "label": result.label, "commit": result.commit,
        "run": {"name": result.run, "sha256": result.run_sha256, "rows": result.rows, "missing": result.missing},
        "qrels": {
            "name": result.qrels_name, "sha256": result.qrels, "judgments": result.judgments,
            "query_set": result.queries, "queries": result.judged,
        },
        "conventions": dict(result.conventions), "lines": dict(result.lines), "measures": list(result.measures),
        "means": dict(result.means),
        "slices": [
            {"column": column, "value": value, "n": n, "means": dict(means)}
            for column, value, n, means in result.slices
        ],
        "parts": parts,
    }  # fmt: skip


def _result(identity: str, found: dict[str, Any], scores: pl.DataFrame, groups: pl.DataFrame) -> Result:
    run, qrels, measures = found["run"], found["qrels"], tuple(found["measures"])
    if scores.columns != ["query_id", *measures] or groups.schema != GROUPS or scores.height != qrels["queries"]:
        raise ValueError("other columns than the record says")
    return Result(
        id=identity, series=found["series"], at=datetime.fromisoformat(found["at"]), label=found["label"],
        commit=found["commit"], run=run["name"], run_sha256=run["sha256"], rows=run["rows"], missing=run["missing"],
        qrels_name=qrels["name"], qrels=qrels["sha256"], judgments=qrels["judgments"], queries=qrels["query_set"],
        judged=qrels["queries"], conventions=found["conventions"], lines=found["lines"], measures=measures,
        means=found["means"],
        slices=tuple((one["column"], one["value"], one["n"], one["means"]) for one in found["slices"]),
        scores=scores, groups=groups,
    )  # fmt: skip


def _parquet(frame: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.write_parquet(stream, compression="zstd", statistics=False)
    return stream.getvalue()


def _frame(data: bytes, what: str) -> pl.DataFrame:
    try:
        return pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise InputError(Problem(what, None, "is damaged: one of its tables cannot be read")) from error


def _by_series(store: Store) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in store.entries("series/"):
        found.setdefault(entry.key.split("/")[1], []).append(entry)
    return found


def _name(store: Store, entries: Iterable[Entry]) -> str | None:
    for entry in entries:
        try:
            return str(unseal(store.get(entry.key) or b"", schema=SCHEMA, what="a result")["series"])
        except (InputError, KeyError):
            continue
    return None


def _key(series: str, identity: str) -> str:
    return f"series/{_hashed(series)}/{identity}.json"


def _id(key: str) -> str:
    return key.rpartition("/")[2].removesuffix(".json")


def _hashed(series: str) -> str:
    return hashlib.sha256(series.encode()).hexdigest()
