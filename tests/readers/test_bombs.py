"""Bombs: small files that would become huge are refused in the child before they do, and the files after them are read."""

import gzip
import io
import os
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import polars as pl
import pyarrow.parquet as pq
import pytest
import zstandard

from core.errors import InputError
from core.model.limits import HOSTED, MB
from core.model.qrels import Qrels
from core.readers.child import Job, Outcome, in_child
from core.readers.files import Given

LONG = os.environ.get("RANKLENS_LONG") == "1"
# In full 1 GB unpacked and 60 million rows, as the hosted limits are meant for; in short a tenth, with limits to match.
UNPACKED = (1_000 if LONG else 100) * MB
ROWS = 60_000_000 if LONG else 2_500_000
LIMITS = HOSTED if LONG else replace(HOSTED, unpacked=90 * MB, rows=2_000_000)
GOOD = Given("qrels.txt", data=b"a1 0 d1 2\na1 0 d2 1\n")
LINE = b"q1 0 d1 1\n"
PIECE = LINE * 100_000


def of_gzip() -> bytes:
    return gzip.compress(PIECE, mtime=0) * (UNPACKED // len(PIECE) + 1)


def of_zstd() -> bytes:
    return zstandard.ZstdCompressor().compress(PIECE) * (UNPACKED // len(PIECE) + 1)


def of_zip() -> bytes:
    target = io.BytesIO()
    with (
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("a", "w") as member,
    ):
        for _ in range(UNPACKED // len(PIECE) + 1):
            member.write(PIECE)
    return target.getvalue()


def of_zip_that_says_it_is_small() -> bytes:
    """The same with a directory that lies of its sizes."""
    data = bytearray(of_zip())
    for mark, at in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        place = data.rfind(mark) + at
        data[place : place + 4] = (1000).to_bytes(4, "little")
    return bytes(data)


def of_gzip_in_gzip() -> bytes:
    return gzip.compress(of_gzip(), mtime=0)


@cache
def of_parquet(rows: int) -> bytes:
    """One judgment again and again: pages of a few bytes for each group of rows."""
    group = min(rows, 2_500_000)
    one = pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "relevance": [1]})
    table = (
        pl.concat([one] * 1000)
        .select(pl.all().repeat_by(group // 1000).explode(keep_nulls=False, empty_as_null=False))
        .to_arrow()
    )
    target = io.BytesIO()
    with pq.ParquetWriter(target, table.schema, compression="zstd") as writer:
        for _ in range(rows // group):
            writer.write_table(table)
    return target.getvalue()


def of_many_rows() -> bytes:
    return of_parquet(ROWS)


def zigzag(number: int, length: int = 0) -> bytes:
    """A number as a footer writes it; padded to a length, which readers take too."""
    number *= 2
    found = bytearray()
    while number > 127 or (length and len(found) < length - 1):
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def lying(data: bytes, said: dict[int, int]) -> bytes:
    """The file with numbers of its footer set to others."""
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    footer = data[start:]
    for true, told in said.items():
        assert zigzag(true) in footer
        footer = footer.replace(zigzag(true), zigzag(told, len(zigzag(true))))
    return data[:start] + footer


def of_a_footer_that_says_few_rows() -> bytes:
    return lying(of_parquet(2_500_000), {2_500_000: 9})


def of_a_footer_that_says_small_pages() -> bytes:
    """One id of many megabytes, said to be a kilobyte."""
    long = UNPACKED // 2
    target = io.BytesIO()
    frame = pl.DataFrame({"query_id": ["q"], "doc_id": ["x" * long], "relevance": [1]})
    pq.write_table(frame.to_arrow(), target, compression="zstd", use_dictionary=False, write_statistics=False)
    data = target.getvalue()
    sizes = pq.read_metadata(io.BytesIO(data)).row_group(0)
    return lying(data, {sizes.column(1).total_uncompressed_size: 1000, sizes.total_byte_size: 3000})


OVER = r"more .*(?:than|which is) the limit"
BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "gzip": (of_gzip, OVER),
    "zstd": (of_zstd, OVER),
    "zip": (of_zip, OVER),
    "zip that lies": (of_zip_that_says_it_is_small, OVER + "|damaged"),
    "nested": (of_gzip_in_gzip, "holds another archive, which is not opened"),
    "parquet of many rows": (of_many_rows, "rows, more than the limit of"),
}


def read(data: bytes) -> Outcome:
    """What becomes of a file in a child; the file after it must be read, whatever the first one does."""
    limits = replace(LIMITS, memory=400 * MB)
    first, second = in_child([Job("qrels", (Given("bomb", data=data),)), Job("qrels", (GOOD,))], limits=limits)
    assert isinstance(second, Qrels)
    assert second.judgments.height == 2
    return first


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_with_a_sentence_and_the_next_file_is_read(bomb: str) -> None:
    make, said = BOMBS[bomb]
    found = read(make())
    assert isinstance(found, InputError)
    (problem,) = found.problems
    assert re.search(said, problem.message), problem


def test_a_footer_that_says_few_rows_gives_no_more_than_those() -> None:
    found = read(of_a_footer_that_says_few_rows())
    assert isinstance(found, InputError) or (isinstance(found, Qrels) and found.rows <= 9)


def test_a_footer_that_says_small_pages_is_refused_and_the_next_file_is_read() -> None:
    found = read(of_a_footer_that_says_small_pages())
    assert isinstance(found, InputError)


def of_runs(number: int) -> bytes:
    """A run file in which every line is another system's."""
    return b"".join(b"q%d Q0 d0 1 1 s%d\n" % (at % 100, at) for at in range(number))


def test_a_file_of_a_million_runs_is_refused() -> None:
    jobs = [Job("qrels", (GOOD,)), Job("run", (Given("runs", data=of_runs(1_000_000 if LONG else 5_000)),))]
    found = in_child(jobs, limits=HOSTED)[1]
    assert isinstance(found, InputError)
    assert found.problems[0].message == "more than 1,000 different tags or systems: runs are told apart by them"
