"""Slices: the judged queries grouped by what is known of them (intent, source, length, …)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from core.model.metadata import QueryMetadata
from core.model.qrels import Qrels

NONE = "(none)"
MOST_VALUES = 60  # a column with more is an id or a text, not a way to slice
LENGTHS = (
    (1, 2, "1–2 words"),
    (3, 4, "3–4 words"),
    (5, 7, "5–7 words"),
    (8, 12, "8–12 words"),
    (13, 10**9, "13 words or more"),
)
LENGTH = "query length"
BINS = 4

Mask = npt.NDArray[np.bool_]
Kind = Literal["category", "number", "length", "crossed"]


@dataclass(frozen=True, eq=False)
class SliceColumn:
    """One way to group the judged queries.

    values   the groups in their order, `(none)` last where queries have no value
    members  which queries are in each group, in the order of Qrels.queries: shape (values, queries); every query is in one
             group, or in several where lists were split
    """

    name: str
    kind: Kind
    values: tuple[str, ...]
    members: Mask

    def mask(self, value: str) -> Mask:
        """The queries of one group: shape (queries,). Raises ValueError where there is no such group."""
        return self.members[self.values.index(value)]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many queries each group has."""
        return tuple(int(size) for size in self.members.sum(axis=1))


def slice_columns(qrels: Qrels, metadata: QueryMetadata | None) -> tuple[SliceColumn, ...]:
    """Every way to group the judged queries: attributes of the query metadata, then of the qrels file, then query length.

    Numbers are cut into quarters of the queries; a query without a value is in the group `(none)`. A column with one
    value, or with more than 60, is no way to slice and is left out.
    """
    found: dict[str, SliceColumn] = {}
    tables = [table for table in (metadata.table if metadata is not None else None, qrels.columns) if table is not None]
    for table in tables:
        of_judged = pl.DataFrame({"query_id": qrels.queries}, schema={"query_id": pl.String}).join(
            table, on="query_id", how="left", maintain_order="left"
        )
        for name in of_judged.columns[1:]:
            if name != "text" and name not in found:
                column = (
                    _numbers(name, of_judged[name])
                    if of_judged[name].dtype.is_numeric()
                    else by_value(name, of_judged[name].to_list())
                )
                found |= {name: column} if _worth(column) else {}
        if "text" in of_judged.columns and LENGTH not in found:
            column = _lengths(of_judged["text"])
            found |= {LENGTH: column} if _worth(column) else {}
    return tuple(sorted(found.values(), key=lambda column: column.kind == "length"))


def _worth(column: SliceColumn) -> bool:
    named = [value for value in column.values if value != NONE]
    return len(column.values) > 1 and 1 <= len(named) <= MOST_VALUES


def by_value(
    name: str, values: Sequence[str | None], *, kind: Kind = "category", order: Sequence[str] | None = None
) -> SliceColumn:
    """Group by equal text, the largest group first (or in `order`); nothing and blanks are `(none)`."""
    told = np.array([value.strip() if value and value.strip() else NONE for value in values], dtype=object)
    named, counts = np.unique(told.astype(str), return_counts=True)
    sizes = dict(zip(named.tolist(), counts.tolist(), strict=True))
    if order is not None:
        groups = [value for value in order if value in sizes]
    else:
        groups = sorted((value for value in sizes if value != NONE), key=lambda value: (-sizes[value], value))
    groups += [NONE] if NONE in sizes and NONE not in groups else []
    members = np.array([told == value for value in groups], dtype=bool).reshape(len(groups), len(told))
    return SliceColumn(name, kind, tuple(groups), members)


def split_lists(column: SliceColumn, separator: str = "|") -> SliceColumn:
    """The same column with lists taken apart: a query of `web|app` is in both groups."""
    parts: dict[str, Mask] = {}
    for value, members in zip(column.values, column.members, strict=True):
        for part in dict.fromkeys(piece.strip() or NONE for piece in value.split(separator)):
            parts[part] = parts.get(part, np.zeros(members.shape, bool)) | members
    groups = sorted(parts, key=lambda value: (value == NONE, -int(parts[value].sum()), value))
    return SliceColumn(column.name, column.kind, tuple(groups), np.array([parts[value] for value in groups]))


def cross(one: SliceColumn, other: SliceColumn) -> SliceColumn:
    """Two columns crossed: every pair of groups that has a query, in the columns' own orders."""
    pairs = [
        (f"{first} × {second}", members)
        for first, of_first in zip(one.values, one.members, strict=True)
        for second, of_second in zip(other.values, other.members, strict=True)
        if (members := of_first & of_second).any()
    ]
    return SliceColumn(
        f"{one.name} × {other.name}",
        "crossed",
        tuple(name for name, _ in pairs),
        np.array([members for _, members in pairs]),
    )


def _lengths(texts: pl.Series) -> SliceColumn:
    words = [None if text is None or not text.strip() else len(text.split()) for text in texts.to_list()]
    names = [
        None if count is None else next(name for low, high, name in LENGTHS if low <= count <= high) for count in words
    ]
    return by_value(LENGTH, names, kind="length", order=[name for _, _, name in LENGTHS])


def _numbers(name: str, values: pl.Series) -> SliceColumn:
    """Quarters of the queries by value; whole groups where there are few distinct values."""
    known = values.drop_nulls().cast(pl.Float64)
    distinct = sorted(known.unique().to_list())
    if len(distinct) <= 2 * BINS:
        texts = {value: f"{value:g}" for value in distinct}
        return by_value(
            name,
            [None if value is None else texts[value] for value in values.cast(pl.Float64).to_list()],
            kind="number",
            order=list(texts.values()),
        )
    edges = sorted({float(known.quantile(at / BINS, "lower") or 0.0) for at in range(1, BINS)})
    labels = [f"{low:g} to {high:g}" for low, high in zip([distinct[0], *edges], [*edges, distinct[-1]], strict=True)]
    place = np.searchsorted(np.array(edges), values.cast(pl.Float64).fill_null(distinct[0]).to_numpy(), side="left")
    told = [None if value is None else labels[at] for value, at in zip(values.to_list(), place.tolist(), strict=True)]
    return by_value(name, told, kind="number", order=labels)
