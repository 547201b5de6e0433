"""Delimited text: TREC, TSV and CSV files in blocks of about 8 MiB, strict blocks straight into polars."""

from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import polars as pl

from core.model.limits import Limits
from core.model.reading import Choice, Reading
from core.notices import Notice
from core.readers.blanks import collapsed, same_width, separator, without_empty_lines
from core.readers.careful import careful
from core.readers.cells import LONGEST_ID
from core.readers.comments import Comments
from core.readers.files import Given
from core.readers.lines import Block, bad_utf8, blocks
from core.readers.plan import BLANKS, Plan
from core.readers.quoted import quoted_rows
from core.readers.rows import Findings, Rows


def rows(given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings) -> Iterator[Rows]:
    """The data rows of a delimited file, a block at a time.

    reading.delimiter " " means runs of blanks and tabs; a tab file's line of the wrong width is read by blanks where
    that gives the width. Text after a TREC run's tag is passed over. A line that begins with "#" and lacks the width is
    a comment. In judgments (role "qrels") by tab, comma or semicolon an unrated query passes: a row of which only the
    query is filled, however short; its doc_id and relevance are null or empty. A rank that is no number is null where
    the run has scores. Notices: encoding, header (info). Broken lines go to `findings.broken`, each with its physical
    line; the caller calls `findings.finish()` after the last batch.
    Raises InputError if the file cannot be read on.
    """
    plan = Plan.of(reading)
    if not reading.header and not any(column.field == "iteration" for column in reading.columns):
        findings.notices.append(_no_header(reading, findings))
    empty = True
    source = blocks(given, choice.encoding or reading.encoding, limits, findings)
    for batch in _one_ahead(_batches(source, plan, reading, findings)):
        empty = False
        findings.rows += batch.frame.height
        if findings.rows > limits.rows:
            raise findings.refuse(
                f"the file holds more than the limit of {limits.rows:,} rows",
                "cut the run to the top 100 of each query, or split the file",
            )
        if batch.frame.height:
            yield batch
    if empty:
        findings.problem(None, "the file is empty")


def _no_header(reading: Reading, findings: Findings) -> Notice:
    read_as = ", ".join(
        f"column {at} as {column.field.replace('_', ' ')}"
        for at, column in enumerate(reading.columns, 1)
        if column.field != "ignored"
    )
    return Notice("header", "info", findings.file, f"The file has no header: {read_as}.", 1)


def _batches(source: Iterator[Block], plan: Plan, reading: Reading, findings: Findings) -> Generator[Rows, None, None]:
    comments = Comments(reading, findings)
    header_due = reading.header
    for block in source:
        if reading.quoted and b'"' in block.data:
            yield from quoted_rows(block, source, plan, comments, findings, header=header_due)
            return
        data_block = comments.emptied(block)
        if header_due:
            data_block, header_due = _without_header(data_block)
        frame = _strict(data_block, plan)
        if frame is None:
            yield Rows(careful(data_block, plan, findings))
        else:
            yield Rows(frame, None if "line" in frame.columns else block.line)


def _one_ahead(batches: Generator[Rows, None, None]) -> Iterator[Rows]:
    """Read and parse one batch ahead, in a thread, while the caller works on the one before."""
    with closing(batches), ThreadPoolExecutor(1) as pool:
        following = pool.submit(next, batches, None)
        while (batch := following.result()) is not None:
            following = pool.submit(next, batches, None)
            yield batch


def _without_header(block: Block) -> tuple[Block, bool]:
    """The block with its first line that is not empty made so, and whether the header is still to come."""
    body = block.data.lstrip(b"\n")
    feeds = len(block.data) - len(body)
    if not body:
        return block, True
    return Block(b"\n" * feeds + body[body.index(b"\n") :], block.line), False


def _strict(block: Block, plan: Plan) -> pl.DataFrame | None:
    """A block's rows where all of them are right, else None: then it is looked at line by line."""
    data = block.data
    if bad_utf8(data) is not None or b"\0" in data:
        return None
    between = separator(data) if plan.delimiter == BLANKS else plan.delimiter
    if between is None:
        data, lines = collapsed(data)
        between = " "
    else:
        data, lines = without_empty_lines(data)
    if not data:
        return None
    frame = plan.parse(data, between, as_text=False)
    if not _all_right(frame, data, between, plan):
        return None
    frame = frame.drop("last\0")
    return frame if lines is None else frame.with_columns(pl.Series("line", lines + block.line, pl.UInt32))


def _all_right(frame: pl.DataFrame, data: bytes, between: str, plan: Plan) -> bool:
    if plan.decimal_comma and plan.numbers:
        return False
    numbers = [name for name in plan.numbers if name not in plan.optional]
    if any(frame[name].null_count() for name in (*plan.ids, *numbers)):
        return False
    if any(frame[name].is_nan().any() for name in numbers):
        return False
    if any((frame[name].str.len_bytes().max() or 0) > LONGEST_ID for name in plan.ids):  # type: ignore[operator]  # an integer
        return False
    if frame["last\0"].null_count():
        return same_width(data, between, plan.width)
    # A tab line that is wider may hold text after the tag, or a doubled tab: only a closer look tells.
    passed_over = plan.more_allowed and plan.delimiter != "\t"
    return passed_over or data.count(between.encode()) == frame.height * (plan.width - 1)
