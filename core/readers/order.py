"""Order: the ranks of a run that gives neither ranks nor scores, by the order in which its documents stand."""

from collections.abc import Iterator

import polars as pl

from core.model.reading import Reading
from core.readers.rows import Rows

NUMBERS = {"score", "distance", "rank", "retrieved_docs"}


def as_listed(batches: Iterator[Rows], reading: Reading) -> Iterator[Rows]:
    """The rows of a run with the rank at which each document stands in its query's list, where no number says more."""
    if reading.role != "run" or NUMBERS & {column.field for column in reading.columns}:
        yield from batches
        return
    keys = ["system", "query_id"] if any(column.field == "system" for column in reading.columns) else ["query_id"]
    before: dict[object, float] = {}
    for batch in batches:
        frame = batch.frame
        key = pl.concat_str(keys, separator="\0")
        frame = frame.with_columns(key.alias("key\0"))
        met = frame["key\0"].unique().to_list()
        offsets = {one: before.get(one, 0.0) for one in met}
        rank = pl.int_range(1, pl.len() + 1).over("key\0") + pl.col("key\0").replace_strict(offsets, default=0.0)
        frame = frame.with_columns(rank.cast(pl.Float64).alias("rank"))
        for one, count in frame["key\0"].value_counts().iter_rows():
            before[one] = before.get(one, 0.0) + count
        yield Rows(frame.drop("key\0"), batch.line)
