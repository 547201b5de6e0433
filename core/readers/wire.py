"""Wire: what was read, frozen to files (Parquet and one JSON manifest) and thawed to the same objects to the last bit."""

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from core.errors import InputError, Problem
from core.model.frames import ANSWERED, HITS, JUDGMENTS, TOP
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Qrels, Source
from core.model.run import Run
from core.notices import Effect, Notice

VERSION = 1
MANIFEST = "manifest.json"
Frozen = Qrels | Run | QueryMetadata | DocumentMetadata
FREE_TYPES = (pl.String, pl.Float64)


def freeze(what: Frozen, folder: Path) -> None:
    """Write an object to an empty folder, as `frozen` gives it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in frozen(what).items():
        (folder / name).write_bytes(data)


def frozen(what: Frozen) -> dict[str, bytes]:
    """An object as files by their names: `manifest.json` and one Parquet file a frame. The same object gives the same bytes."""
    kind, plain, frames = _taken_apart(what)
    files = {f"{name}.parquet": _as_parquet(frame) for name, frame in frames.items()}
    manifest = {"ranklens": VERSION, "kind": kind, "frames": sorted(frames), **plain}
    files[MANIFEST] = json.dumps(manifest, indent=1, sort_keys=True).encode()
    return dict(sorted(files.items()))


def thaw(folder: Path) -> Frozen:
    """Read back what `freeze` wrote; see `thawed`."""
    return thawed(folder.name, lambda name: (folder / name).read_bytes())


def thawed(called: str, read: Callable[[str], bytes]) -> Frozen:
    """The object of files.

    called  what it is called in errors
    read    the bytes of a file by its name; OSError or KeyError where there is none

    Nothing in the files is trusted: types and columns are checked. Raises InputError if one is missing or damaged, or was
    written by a later version.
    """
    try:
        manifest = json.loads(read(MANIFEST).decode())
        if not isinstance(manifest, dict):
            raise TypeError(type(manifest))
        if manifest["ranklens"] > VERSION:
            raise InputError(Problem(called, None, "was written by a later version of Ranklens", "update Ranklens"))
        return _BUILDERS[manifest["kind"]](manifest, _Frames(called, read, manifest["frames"]))
    except (OSError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise _damaged(called, MANIFEST) from error


def _as_parquet(frame: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.write_parquet(stream, compression="zstd", statistics=False)
    return stream.getvalue()


def _taken_apart(what: Frozen) -> tuple[str, dict[str, Any], dict[str, pl.DataFrame]]:
    plain: dict[str, Any] = {"rows": what.rows, "notices": [_plain_notice(notice) for notice in what.notices]}
    if isinstance(what, Run):
        plain |= {
            "name": what.name, "source": vars(what.source), "queries": what.queries, "extra": what.extra,
            "extra_examples": what.extra_examples, "rank_only": what.rank_only, "reversed": what.reversed,
            "metadata": what.metadata,
        }  # fmt: skip
        return "run", plain, {"hits": what.hits, "answered": what.answered, "top": what.top}
    plain["sources"] = [vars(source) for source in what.sources]
    if isinstance(what, Qrels):
        frames = {"judgments": what.judgments} | ({} if what.columns is None else {"columns": what.columns})
        return "qrels", plain | {"unrated": what.unrated}, frames
    return ("queries" if isinstance(what, QueryMetadata) else "documents"), plain, {"table": what.table}


class _Frames:
    """The Parquet files of an object, checked as they are read."""

    def __init__(self, called: str, read: Callable[[str], bytes], names: list[str]) -> None:
        self._called, self._read, self._names = called, read, names

    def read(self, name: str, schema: pl.Schema) -> pl.DataFrame:
        """A frame of exactly this schema."""
        frame = self._parquet(name)
        if frame.schema != schema:
            raise _damaged(self._called, f"{name}.parquet")
        return frame

    def free(self, name: str, key: str) -> pl.DataFrame:
        """A frame of String and Float64 columns, the first one a String named `key`."""
        frame = self._parquet(name)
        if (
            frame.columns[:1] != [key]
            or frame.schema[key] != pl.String
            or any(t not in FREE_TYPES for t in frame.dtypes)
        ):
            raise _damaged(self._called, f"{name}.parquet")
        return frame

    def has(self, name: str) -> bool:
        """Whether the object has this frame."""
        return name in self._names

    def _parquet(self, name: str) -> pl.DataFrame:
        try:
            return pl.read_parquet(io.BytesIO(self._read(f"{name}.parquet")))
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, KeyError) as error:
            raise _damaged(self._called, f"{name}.parquet") from error


def _run(plain: Mapping[str, Any], frames: _Frames) -> Run:
    return Run(
        name=plain["name"], source=Source(**plain["source"]), rows=plain["rows"], queries=plain["queries"],
        hits=frames.read("hits", HITS), answered=frames.read("answered", ANSWERED), top=frames.read("top", TOP),
        extra=plain["extra"], extra_examples=tuple(plain["extra_examples"]), rank_only=plain["rank_only"],
        reversed=plain["reversed"], metadata=tuple((key, value) for key, value in plain["metadata"]),
        notices=_notices(plain),
    )  # fmt: skip


def _qrels(plain: Mapping[str, Any], frames: _Frames) -> Qrels:
    return Qrels(
        judgments=frames.read("judgments", JUDGMENTS), sources=_sources(plain), rows=plain["rows"],
        unrated=tuple(plain["unrated"]), columns=frames.free("columns", "query_id") if frames.has("columns") else None,
        notices=_notices(plain),
    )  # fmt: skip


def _queries(plain: Mapping[str, Any], frames: _Frames) -> QueryMetadata:
    return QueryMetadata(frames.free("table", "query_id"), _sources(plain), plain["rows"], _notices(plain))


def _documents(plain: Mapping[str, Any], frames: _Frames) -> DocumentMetadata:
    return DocumentMetadata(frames.free("table", "doc_id"), _sources(plain), plain["rows"], _notices(plain))


_BUILDERS: dict[str, Callable[[Mapping[str, Any], _Frames], Frozen]] = {
    "run": _run, "qrels": _qrels, "queries": _queries, "documents": _documents,
}  # fmt: skip


def _sources(plain: Mapping[str, Any]) -> tuple[Source, ...]:
    return tuple(Source(**source) for source in plain["sources"])


def _plain_notice(notice: Notice) -> dict[str, Any]:
    effect = None if notice.effect is None else [notice.effect.measure, notice.effect.readings]
    return {**vars(notice), "effect": effect}


def _notices(plain: Mapping[str, Any]) -> tuple[Notice, ...]:
    return tuple(_notice(row) for row in plain["notices"])


def _notice(row: Mapping[str, Any]) -> Notice:
    effect = None
    if row["effect"] is not None:
        measure, readings = row["effect"]
        effect = Effect(measure, tuple((name, value) for name, value in readings))
    lists = {name: tuple(value) for name, value in row.items() if isinstance(value, list) and name != "effect"}
    return Notice(**{**row, **lists, "effect": effect})


def _damaged(called: str, part: str) -> InputError:
    return InputError(Problem(called, None, f"is damaged: {part} is missing or not as it was written"))
