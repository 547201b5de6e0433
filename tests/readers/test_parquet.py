"""Parquet: ids of any column type as text, limits by the footer, damage as a message."""

import datetime
import gzip
import io
import os
import random
from collections.abc import Callable, Iterator

import polars as pl
import pyarrow.parquet as pq
import pytest
import zstandard

from core.errors import InputError
from core.model.limits import LOCAL, Limits
from core.model.reading import Choice, Role
from core.readers import Given, read_documents, read_qrels, recognise
from core.readers.files import whole
from core.readers.formats import rows
from core.readers.rows import Findings


def parquet(columns: dict[str, object]) -> bytes:
    target = io.BytesIO()
    pl.DataFrame(columns).write_parquet(target)
    return target.getvalue()


def read(data: bytes, role: Role, limits: Limits = LOCAL) -> tuple[pl.DataFrame, Findings]:
    given, findings = Given("f", data=data), Findings("f")
    reading = recognise(given, role=role, limits=limits)
    return pl.concat([batch.frame for batch in rows(given, reading, Choice(), limits, findings)]), findings


def test_a_long_table_is_a_run() -> None:
    data = parquet({"q_id": ["q1", "q1"], "doc_id": ["d1", "d2"], "score": [12.5, 11.25]})
    reading = recognise(data)
    assert (reading.role, reading.format, reading.shape, reading.possible) == (
        "run",
        "parquet",
        "run (Parquet)",
        ("run",),
    )
    frame, findings = read(data, "run")
    assert frame.rows() == [("q1", "d1", 12.5, 1), ("q1", "d2", 11.25, 2)]
    assert (findings.rows, len(findings.sha256)) == (2, 64)


@pytest.mark.parametrize(
    "ids",
    [
        pl.Series(["1", "2"]),
        pl.Series([1, 2], dtype=pl.Int64),
        pl.Series([1, 2], dtype=pl.UInt8),
        pl.Series(["1", "2"], dtype=pl.Categorical),
        pl.Series(["1", "2"], dtype=pl.Enum(["1", "2"])),
        pl.Series([b"1", b"2"], dtype=pl.Binary),
        pl.Series([1.0, 2.0]),
    ],
)
def test_ids_of_any_type_are_text(ids: pl.Series) -> None:
    frame, findings = read(parquet({"query_id": ids, "doc_id": ids, "score": [1, 2]}), "run")
    assert frame.select("query_id", "doc_id", "score").rows() == [("1", "1", 1.0), ("2", "2", 2.0)]
    assert {notice.code for notice in findings.notices} == ({"id-damage"} if ids.dtype.is_float() else set())


def test_ids_that_are_no_whole_numbers_are_refused() -> None:
    with pytest.raises(InputError, match='the ids in column "doc_id" are decimal numbers'):
        read(parquet({"query_id": ["q"], "doc_id": [1.5], "score": [1.0]}), "run")


def test_letters_as_grades_are_shown_and_mapped() -> None:
    data = parquet(
        {
            "query_id": [1, 1, 1],
            "product_id": ["B1", "B2", "B3"],
            "product_locale": ["us"] * 3,
            "esci_label": ["E", "S", "I"],
        }
    )
    assert recognise(data).labels == (("E", None), ("I", None), ("S", None))
    qrels = read_qrels(data, choices=[Choice(labels=(("E", 3.0), ("S", 2.0), ("I", 0.0)))])
    assert qrels.judgments["grade"].to_list() == [3.0, 2.0, 0.0]
    assert qrels.columns is not None
    assert qrels.columns.rows() == [("1", "us")]


def test_a_missing_score_is_told_with_its_row() -> None:
    _, findings = read(parquet({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [1.0, None]}), "run")
    assert [(problem.line, problem.message) for problem in findings.problems] == [(2, "the score is empty")]


def test_lists_of_ids_are_taken_apart() -> None:
    frame, _ = read(parquet({"user_input": ["x"], "retrieved_context_ids": [["c2", "c1"]]}), "run")
    assert frame.select("query_id", "doc_id", "rank").rows() == [("x", "c2", 1.0), ("x", "c1", 2.0)]


def test_other_types_of_metadata_become_text() -> None:
    data = parquet({"doc_id": ["d1"], "day": [datetime.date(2020, 1, 2)], "tags": [["a", "b"]], "n": [3], "ok": [True]})
    assert read_documents(data).table.rows() == [("d1", "2020-01-02", '["a", "b"]', "3", "true")]


def test_the_footer_is_held_to_the_limits() -> None:
    data = parquet({"query_id": ["q"] * 9, "doc_id": [f"d{at}" for at in range(9)], "score": [1.0] * 9})
    with pytest.raises(InputError, match="holds 9 rows, more than the limit of 5"):
        read(data, "run", Limits(rows=5))
    with pytest.raises(InputError, match="more than the limit of 10 bytes"):
        read(data, "run", Limits(unpacked=10, packed=100_000))


def test_a_table_without_rows_or_known_names_is_refused() -> None:
    with pytest.raises(InputError, match="the file holds no rows"):
        recognise(parquet({"query_id": pl.Series([], dtype=pl.String), "doc_id": pl.Series([], dtype=pl.String)}))
    with pytest.raises(InputError, match='the columns cannot be told by their names: "a", "b"'):
        recognise(parquet({"a": [1], "b": [2]}))


def test_a_damaged_file_is_a_message_or_reads_and_never_more() -> None:
    """400 files with one damaged place each: what a library may throw at them, a panic included, ends in InputError."""
    draw = random.Random(11)
    good = parquet(
        {"query_id": ["q1", "q2"] * 20, "doc_id": [f"d{at}" for at in range(40)], "score": [at / 7 for at in range(40)]}
    )
    refused = 0
    for _ in range(400):
        data = bytearray(good)
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(4, len(data))] = draw.randrange(256)
        try:
            read(bytes(data), "run")
        except InputError:
            refused += 1
    assert refused > 100
    with pytest.raises(InputError, match="the Parquet file is cut off or damaged"):
        read(good[:-20], "run")


FLIPS = 2000 if os.environ.get("RANKLENS_LONG") == "1" else 250


def with_checksums() -> bytes:
    """A run of 400 rows whose pages carry checksums."""
    target = io.BytesIO()
    columns = {
        "query_id": [f"q{at // 20}" for at in range(400)],
        "doc_id": [f"d{at}" for at in range(400)],
        "score": [at / 7 for at in range(400)],
    }
    pq.write_table(pl.DataFrame(columns).to_arrow(), target, write_page_checksum=True)
    return target.getvalue()


def flipped(good: bytes, end: int) -> Iterator[bytes]:
    """The file with one bit turned, at places drawn before `end`."""
    draw = random.Random(7)
    for _ in range(FLIPS):
        data = bytearray(good)
        data[draw.randrange(4, end)] ^= 1 << draw.randrange(8)
        yield bytes(data)


def test_a_flipped_bit_in_a_page_with_a_checksum_never_becomes_another_number() -> None:
    good = with_checksums()
    expected, _ = read(good, "run")
    footer = int.from_bytes(good[-8:-4], "little")
    refused = 0
    for data in flipped(good, len(good) - 8 - footer):
        try:
            assert read(data, "run")[0].equals(expected)
        except InputError:
            refused += 1
    assert refused > 0.8 * FLIPS


@pytest.mark.parametrize(
    "pack", [gzip.compress, lambda data: zstandard.ZstdCompressor(write_checksum=True).compress(data)]
)
def test_a_flipped_bit_in_a_packed_file_with_a_checksum_is_found(pack: Callable[[bytes], bytes]) -> None:
    text = b"".join(b"q%d Q0 d%d 1 %d.25 m\n" % (at // 20, at, 400 - at) for at in range(400))
    good = pack(text)
    expected = whole(Given("f", data=good), LOCAL, Findings("f"))
    for data in flipped(good, len(good)):
        try:
            found = whole(Given("f", data=data), LOCAL, Findings("f"))
        except InputError:
            continue
        assert found == expected


@pytest.mark.parametrize("part", range(2))
def test_a_footer_that_lies_gives_no_more_rows_than_it_says_and_is_never_a_crash(part: int) -> None:
    """Every byte of the footer set to something else: what it promises is held to the limits, whatever the pages hold."""
    good = with_checksums()
    footer = int.from_bytes(good[-8:-4], "little")
    draw, limits = random.Random(part), Limits(rows=500, unpacked=1_000_000)
    step = 1 if FLIPS > 1000 else 5
    for at in range(len(good) - 8 - footer + part, len(good) - 4, 2 * step):
        data = bytearray(good)
        data[at] = draw.randrange(256)
        try:
            assert read(bytes(data), "run", limits)[0].height <= limits.rows
        except InputError:
            continue
