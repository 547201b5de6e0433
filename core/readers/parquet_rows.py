"""Parquet rows: a table in a Parquet file → rows, its footer looked at before anything is unpacked."""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import polars as pl

from core.errors import InputError
from core.model.limits import Limits, in_words
from core.model.reading import Choice, Reading
from core.notices import Notice
from core.readers.cells import typed
from core.readers.files import Given, opened, whole
from core.readers.plan import Plan
from core.readers.rows import Findings, Rows

BATCH = 200_000
MOST_COLUMNS = 1000


def rows(given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings) -> Iterator[Rows]:
    """The rows of a Parquet file, by row groups, ids as text; rows are numbered from 1 where a line would be named.

    Id columns of floats are read as whole numbers, with the notice id-damage.
    Raises InputError if the file is damaged, larger than the limits, or an id column holds no ids.
    """
    del choice
    plan = Plan.of(reading)
    wanted = [reading.columns[place].name for place in plan.at]
    floats: dict[str, int] = {}
    with parquet_file(given, limits, findings) as file:
        done = 0
        for batch in frames(file, wanted, findings):
            frame = _texts(batch, plan, wanted, floats, findings)
            numbered = pl.int_range(done + 1, done + frame.height + 1, dtype=pl.UInt32, eager=True).alias("line")
            done += frame.height
            good = typed(frame.with_columns(numbered), plan, findings)
            findings.rows += good.height
            yield Rows(good)
    findings.notices += [_float_ids(name, count, findings) for name, count in floats.items()]


@contextmanager
def parquet_file(given: Given, limits: Limits, findings: Findings) -> Iterator[Any]:
    """Open a Parquet file by its footer. Raises InputError if that is damaged or promises more than the limits.

    Checksums of pages are looked at where the file has any: without, two bits of five can change and still read as something.
    """
    import pyarrow.parquet as pq

    with opened(given, limits) as stream:
        plain = stream.container == "plain"
    # The bytes are read once anyway, for their digest; a packed one must be unpacked for a reader that seeks.
    source = io.BytesIO(whole(given, limits, findings)) if not plain or given.path is None else given.raw()
    if plain and given.path is not None:
        _digest(given, limits, findings)
    with source:
        with _guarded(findings):
            file = pq.ParquetFile(source, page_checksum_verification=True)
        _check_footer(file.metadata, limits, findings)
        yield file


@contextmanager
def _guarded(findings: Findings) -> Iterator[None]:
    """Turn what the libraries raise at damaged bytes into InputError; a panic of polars is no ordinary exception."""
    import pyarrow as pa

    try:
        yield
    except MemoryError as error:
        hint = "if it is not damaged, keep only the columns and rows that are needed"
        raise findings.refuse("the Parquet file needs more memory to read than there is", hint) from error
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise damaged(findings) from error
    except (pl.exceptions.PanicException, pl.exceptions.PolarsError) as error:
        raise damaged(findings) from error


def frames(file: Any, columns: Sequence[str] | None, findings: Findings, size: int = BATCH) -> Iterator[pl.DataFrame]:
    """The table batch by batch. Raises InputError if it is damaged: texts that are not UTF-8 are found here too."""
    with _guarded(findings):
        batches = file.iter_batches(batch_size=size, columns=columns)
    while True:
        with _guarded(findings):
            batch = next(batches, None)
            if batch is None:
                return
            batch.validate(full=True)
            frame = pl.from_arrow(batch)
        if not isinstance(frame, pl.DataFrame):
            raise damaged(findings)
        yield frame


def _digest(given: Given, limits: Limits, findings: Findings) -> None:
    with opened(given, limits, findings) as stream:
        while stream.read():
            pass


def damaged(findings: Findings) -> InputError:
    """The error for a Parquet file that cannot be read to its end."""
    return findings.refuse("the Parquet file is cut off or damaged", "copy or write it again; nothing of it was used")


def _check_footer(metadata: Any, limits: Limits, findings: Findings) -> None:
    unpacked = sum(metadata.row_group(at).total_byte_size for at in range(metadata.num_row_groups))
    if unpacked > limits.unpacked:
        message = f"unpacks to {in_words(unpacked)}, more than the limit of {in_words(limits.unpacked)}"
        raise findings.refuse(message, "keep only the columns and rows that are needed, or use the command line")
    if metadata.num_rows > limits.rows:
        message = f"holds {metadata.num_rows:,} rows, more than the limit of {limits.rows:,}"
        raise findings.refuse(message, "cut the run to the top 100 of each query, or split the file")
    if metadata.num_columns > MOST_COLUMNS:
        raise findings.refuse(f"holds {metadata.num_columns:,} columns, more than the limit of {MOST_COLUMNS:,}")


def _texts(
    batch: pl.DataFrame, plan: Plan, wanted: list[str], floats: dict[str, int], findings: Findings
) -> pl.DataFrame:
    """The wanted columns as text under the plan's names."""
    columns = []
    for name, field in zip(wanted, plan.names, strict=True):
        series = batch[name]
        if field in ("query_id", "doc_id") and series.dtype.is_float():
            floats[name] = floats.get(name, 0) + series.len() - series.null_count()
            series = _whole(series, name, findings)
        columns.append(as_text(series).alias(field))
    return pl.DataFrame(columns)


def _whole(series: pl.Series, name: str, findings: Findings) -> pl.Series:
    filled = series.drop_nulls()
    if not filled.is_finite().all() or not (filled == filled.round()).all() or (filled.abs() > 1e18).any():
        message = f'the ids in column "{name}" are decimal numbers, which cannot name anything'
        raise findings.refuse(message, "write the ids as text")
    return series.cast(pl.Int64)


def as_text(series: pl.Series) -> pl.Series:
    """Any column as text: numbers as they are written, lists and structs as JSON, categories as their names."""
    if series.dtype == pl.String:
        return series
    if series.dtype in (pl.List, pl.Array, pl.Struct):
        import json

        values = series.to_list()
        texts = [None if value is None else json.dumps(value, ensure_ascii=False, default=str) for value in values]
        return pl.Series(series.name, texts, dtype=pl.String)
    if series.dtype == pl.Binary:
        return series.cast(pl.String, strict=False)
    if series.dtype == pl.Null:
        return pl.Series(series.name, [None] * series.len(), dtype=pl.String)
    return series.cast(pl.String)


def _float_ids(name: str, count: int, findings: Findings) -> Notice:
    message = (
        f'Column "{name}" keeps its ids as decimal numbers; they are read as whole numbers (1.0 as "1"). Numbers above '
        "9,007,199,254,740,992 may have been changed when the file was written."
    )
    return Notice("id-damage", "warning", findings.file, message, count)
