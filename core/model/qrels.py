"""Qrels: all judgments of a comparison, read once, checked, sorted."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from core.notices import Notice


@dataclass(frozen=True)
class Source:
    """A file as it was given: the name people know it by and the SHA-256 of its bytes."""

    name: str
    sha256: str


@dataclass(frozen=True, eq=False)
class Qrels:
    """All judgments (grades) of a comparison.

    judgments  JUDGMENTS: unique pairs, sorted, under the `conflicts` rule asked
    sources    the files; several are joined
    rows       data rows read, before repeated pairs were merged
    unrated    queries named without any judgment: not judged, left out
    columns    per-query values of further columns in the file (a source, say), usable as slices: query_id + String columns
    notices    what reading found
    """

    judgments: pl.DataFrame
    sources: tuple[Source, ...]
    rows: int
    unrated: tuple[str, ...] = ()
    columns: pl.DataFrame | None = None
    notices: tuple[Notice, ...] = ()

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The judged queries' ids, sorted by UTF-8 bytes. A query's place here is its index in every frame."""
        return tuple(self.judgments["query_id"].unique(maintain_order=True).to_list())

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Query id → its place in `queries`."""
        return {query: at for at, query in enumerate(self.queries)}

    @cached_property
    def query(self) -> npt.NDArray[np.uint32]:
        """For each row of `judgments`, the index of its query: shape (judgments,), ascending."""
        return (self.judgments["query_id"].rle_id()).to_numpy().astype(np.uint32)

    @cached_property
    def grade(self) -> npt.NDArray[np.float64]:
        """The grade of each row of `judgments`: shape (judgments,)."""
        return self.judgments["grade"].to_numpy()

    @property
    def name(self) -> str:
        """The files' names, joined by " + "."""
        return " + ".join(source.name for source in self.sources)

    @cached_property
    def sha256(self) -> str:
        """Of the file's bytes; of several files, of their sorted digests joined by newlines."""
        import hashlib

        digests = sorted(source.sha256 for source in self.sources)
        return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()
