"""Bundle: a comparison in one file, which opens again to the same numbers, to the last digit."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.comparison import Comparison, assemble
from core.errors import InputError, Problem
from core.model.conventions import Conventions
from core.model.limits import LOCAL, Limits
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Qrels
from core.model.run import Run
from core.model.version import version
from core.readers.files import Given
from core.readers.packed import Packed, is_packed, pack, unpack
from core.readers.wire import Frozen

ENDING = ".ranklens"
# What a screen showed, by the names of its settings: texts, numbers and lists of texts.
View = Mapping[str, Any]

__all__ = ["ENDING", "View", "comparison_of", "is_bundle", "open_bundle", "packed_of", "view_of", "write_bundle"]


def write_bundle(comparison: Comparison, view: View | None = None) -> bytes:
    """A comparison as one file: Parquet and a manifest with the SHA-256 of every part; equal comparisons give equal bytes.

    view  the settings of the screen it was saved from, to be opened there again
    """
    return pack(packed_of(comparison, view))


def packed_of(comparison: Comparison, view: View | None = None) -> Packed:
    """The parts of a comparison and what is told beside them: what a bundle and a saved comparison hold."""
    parts: dict[str, Frozen] = {"qrels": comparison.qrels}
    parts |= {f"run-{at}": run for at, run in enumerate(comparison.runs)}
    parts |= {"queries": comparison.queries} if comparison.queries is not None else {}
    parts |= {"documents": comparison.documents} if comparison.documents is not None else {}
    told = {"made_by": f"ranklens {version()}", "conventions": asdict(comparison.conventions)}
    return Packed(told | {"view": dict(view or {})}, parts)


def open_bundle(what: str | Path | bytes | Given, *, limits: Limits = LOCAL) -> Comparison:
    """The comparison in a bundle: a path, bytes, or a Given.

    Raises InputError where it is damaged, too large, no bundle, or was made by a later version.
    """
    given = Given.of(what)
    return comparison_of(unpack(given, limits), given.name, limits=limits)


def comparison_of(packed: Packed, name: str, *, limits: Limits = LOCAL) -> Comparison:
    """The comparison of what was unpacked. Raises InputError where parts are missing."""
    qrels = packed.parts.get("qrels")
    runs = [part for part in packed.parts.values() if isinstance(part, Run)]
    queries, documents = packed.parts.get("queries"), packed.parts.get("documents")
    known = isinstance(queries, QueryMetadata | None) and isinstance(documents, DocumentMetadata | None)
    if not isinstance(qrels, Qrels) or not runs or not known:
        raise InputError(
            Problem(name, None, "is damaged: judgments or runs are missing", "get a fresh copy of the bundle")
        )
    n = len(qrels.queries)
    if any(_highest(run) >= n for run in runs):
        raise InputError(
            Problem(name, None, "is damaged: a run does not fit the judgments", "get a fresh copy of the bundle")
        )
    conventions = _conventions(packed.told.get("conventions"), name)
    return assemble(qrels, runs, queries, documents, conventions, limits=limits)  # type: ignore[arg-type]  # checked above


def view_of(packed: Packed) -> dict[str, Any]:
    """The view that a bundle was saved with. It may come from anybody: who uses a value checks it first."""
    told = packed.told.get("view")
    return dict(told) if isinstance(told, dict) else {}


def is_bundle(what: str | Path | bytes | Given) -> bool:
    """Whether a file is a bundle, by its first bytes. Raises InputError if it cannot be opened."""
    return is_packed(Given.of(what))


def _highest(run: Run) -> int:
    frames = (run.hits, run.answered, run.top)
    return max((int(str(frame["query"].max() or 0)) for frame in frames if frame.height), default=0)


def _conventions(told: Any, name: str) -> Conventions:
    allowed = {
        "missing": ("zero", "exclude"), "undefined": ("zero", "exclude"), "order": ("score", "score64", "rank"),
        "conflicts": ("highest", "last", "mean", "refuse"), "own_ids": ("keep", "drop"),
    }  # fmt: skip
    good = isinstance(told, dict) and set(told) == {*allowed, "relevance_level"}
    if (
        not good
        or any(told[key] not in words for key, words in allowed.items())
        or type(told["relevance_level"]) is not int
        or told["relevance_level"] < 1
    ):
        raise InputError(
            Problem(name, None, "is damaged: its conventions cannot be read", "get a fresh copy of the bundle")
        )
    return Conventions(**told)
