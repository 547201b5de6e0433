"""Slices: the judged queries grouped by what is known of them (intent, source, length, …)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from core.model.measure_names import plain
from core.model.metadata import QueryMetadata
from core.model.qrels import Qrels

NONE = "(none)"
OTHERS = "(all others)"
MOST_VALUES = 60  # a column with more is an id or a text, not a way to slice
SPLIT = " (split)"
CROSSING = " × "
LENGTHS = ((1, "1 word"), (2, "2 words"), (4, "3–4 words"), (7, "5–7 words"), (12, "8–12 words"))
LONGER = "13 words or more"
LENGTH = "query length"
BINS = 4
# Chinese and Japanese are written without blanks: each of their characters counts as a word.
WORDS = r"[\p{Han}\p{Hiragana}\p{Katakana}]|[^\s\p{Han}\p{Hiragana}\p{Katakana}]+"
LIST = r"^\s*\[.*\]\s*$|\S\|\S"

Mask = npt.NDArray[np.bool_]
Kind = Literal["category", "number", "length", "split", "crossed"]


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
        members: Mask = self.members[self.values.index(value)]
        return members

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many queries each group has."""
        return tuple(int(size) for size in self.members.sum(axis=1))

    @property
    def overlaps(self) -> bool:
        """Whether a query can be in several groups, so that their sizes add up to more than the queries."""
        return bool((self.members.sum(axis=0) > 1).any())


def slice_columns(qrels: Qrels, metadata: QueryMetadata | None) -> tuple[SliceColumn, ...]:
    """Every way to group the judged queries: attributes of the query metadata, then of the qrels file, then query length.

    Numbers are cut into quarters of the queries; lists are a value of their own, and split in a further column; a query
    without a value is in the group `(none)`. A column with one value, or with more than 60, is no way to slice and is left out.
    """
    found: dict[str, SliceColumn] = {}
    tables = [table for table in (metadata.table if metadata is not None else None, qrels.columns) if table is not None]
    for table in tables:
        judged = pl.DataFrame({"query_id": qrels.queries}, schema={"query_id": pl.String})
        of_judged = judged.join(table, on="query_id", how="left", maintain_order="left")
        for name in of_judged.columns[1:]:
            ways = [] if name == "text" else _ways(name, of_judged[name])
            found |= {column.name: column for column in ways if column.name not in found and _worth(column)}
        if "text" in of_judged.columns and LENGTH not in found:
            column = _lengths(of_judged["text"])
            found |= {LENGTH: column} if _worth(column) else {}
    return tuple(sorted(found.values(), key=lambda column: column.kind == "length"))


def column_named(columns: Sequence[SliceColumn], name: str | None) -> SliceColumn | None:
    """The column of a name, or two of them crossed (`intent × source`); None where there is none."""
    known = {column.name: column for column in columns}
    if not name or name in known:
        return known.get(name or "")
    for at in range(len(name)):
        if name.startswith(CROSSING, at):
            one, other = known.get(name[:at]), known.get(name[at + len(CROSSING) :])
            if one is not None and other is not None and one is not other:
                return cross(one, other)
    return None


def by_value(
    name: str, values: pl.Series, *, kind: Kind = "category", order: Sequence[str] | None = None
) -> SliceColumn:
    """Group by equal text, the largest group first (or in `order`); nothing and blanks are `(none)`.

    values  one text a query, in the order of Qrels.queries
    """
    told = values.cast(pl.String).str.strip_chars()
    told = told.set(told == "", None).fill_null(NONE)
    sizes = dict(told.value_counts().iter_rows())
    if order is not None:
        groups = [value for value in order if value in sizes]
    else:
        groups = sorted((value for value in sizes if value != NONE), key=lambda value: (-sizes[value], value))
    groups += [NONE] if NONE in sizes and NONE not in groups else []
    place = {value: at for at, value in enumerate(groups)}
    at = told.replace_strict(place, return_dtype=pl.Int64).to_numpy() if groups else np.zeros(0, np.int64)
    members: Mask = at == np.arange(len(groups))[:, None]
    return SliceColumn(name, kind, tuple(groups), members)


def split_lists(column: SliceColumn) -> SliceColumn:
    """The same column with lists taken apart: a query of `web|app`, or of `["web", "app"]`, is in both groups."""
    parts: dict[str, Mask] = {}
    for value, members in zip(column.values, column.members, strict=True):
        for part in dict.fromkeys(parts_of(value)):
            parts[part] = parts.get(part, np.zeros(members.shape, bool)) | members
    groups = sorted(parts, key=lambda value: (value == NONE, -int(parts[value].sum()), value))
    return SliceColumn(column.name + SPLIT, "split", tuple(groups), np.array([parts[value] for value in groups]))


def parts_of(value: str) -> list[str]:
    """The items of a list as it stands in a cell, `(none)` for an empty one; a value that is no list is its own item."""
    text = value.strip()
    if text.startswith("[") and text.endswith("]"):
        try:
            items = json.loads(text)
        except ValueError:
            items = [item.strip().strip("'\"") for item in text[1:-1].split(",")]
        parts = ["" if item is None else str(item) for item in items]
    else:
        parts = text.split("|")
    return [part.strip() for part in parts if part.strip()] or [NONE]


def cross(one: SliceColumn, other: SliceColumn) -> SliceColumn:
    """Two columns crossed: every pair of groups that has a query, in the columns' own orders.

    Of more than 60 pairs the largest stay, and the rest is one group, `(all others)`.
    """
    pairs = [
        (f"{first}{CROSSING}{second}", members)
        for first, of_first in zip(one.values, one.members, strict=True)
        for second, of_second in zip(other.values, other.members, strict=True)
        if (members := of_first & of_second).any()
    ]
    if len(pairs) > MOST_VALUES:
        by_size = sorted(range(len(pairs)), key=lambda at: (-int(pairs[at][1].sum()), at))
        kept = sorted(by_size[: MOST_VALUES - 1])
        rest = np.any([pairs[at][1] for at in by_size[MOST_VALUES - 1 :]], axis=0)
        pairs = [*(pairs[at] for at in kept), (OTHERS, rest)]
    names = tuple(name for name, _ in pairs)
    return SliceColumn(f"{one.name}{CROSSING}{other.name}", "crossed", names, np.array([each for _, each in pairs]))


def _ways(name: str, values: pl.Series) -> list[SliceColumn]:
    """A column as it is, and with its lists taken apart where it has some."""
    if values.dtype.is_numeric():
        return [_numbers(name, values)]
    if values.n_unique() > 20 * MOST_VALUES:
        return []
    column = by_value(name, values)
    lists = values.cast(pl.String).str.contains(LIST).any()
    return [column, split_lists(column)] if lists else [column]


def _worth(column: SliceColumn) -> bool:
    named = [value for value in column.values if value != NONE]
    return len(column.values) > 1 and 1 <= len(named) <= MOST_VALUES


def _lengths(texts: pl.Series) -> SliceColumn:
    words = texts.str.count_matches(WORDS)
    label = pl.lit(LONGER)
    for most, name in reversed(LENGTHS):
        label = pl.when(pl.col("words") <= most).then(pl.lit(name)).otherwise(label)
    label = pl.when(pl.col("words") > 0).then(label)
    told = pl.DataFrame({"words": words}).select(label=label)["label"]
    return by_value(LENGTH, told, kind="length", order=[*(name for _, name in LENGTHS), LONGER])


def _numbers(name: str, values: pl.Series) -> SliceColumn:
    """Quarters of the queries by value; whole groups where there are few distinct values.

    A bin is named by the lowest and the highest number in it, so that no number seems to be in two.
    """
    numbers = values.cast(pl.Float64).fill_nan(None)
    known = numbers.drop_nulls()
    if known.n_unique() <= 2 * BINS:
        order = [plain(value) for value in known.unique().sort().to_list()]
        told = pl.Series([None if value is None else plain(value) for value in numbers.to_list()], dtype=pl.String)
        return by_value(name, told, kind="number", order=order)
    edges = np.unique([known.quantile(at / BINS, "lower") for at in range(1, BINS)])
    ordered = np.sort(known.to_numpy())
    ends = np.searchsorted(ordered, edges, side="right").tolist()
    bins = [ordered[low:high] for low, high in zip([0, *ends], [*ends, len(ordered)], strict=True) if high > low]
    labels = [_between(float(inside[0]), float(inside[-1])) for inside in bins]
    place = np.searchsorted([inside[-1] for inside in bins], numbers.fill_null(float(ordered[0])).to_numpy())
    told = pl.Series([labels[at] for at in np.minimum(place, len(bins) - 1).tolist()], dtype=pl.String)
    return by_value(name, told.set(numbers.is_null(), None), kind="number", order=labels)


def _between(low: float, high: float) -> str:
    return plain(low) if low == high else f"{plain(low)} to {plain(high)}"
