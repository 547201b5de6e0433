"""Formats: the one place that knows which reader takes which file."""

from collections.abc import Iterator

from core.model.limits import Limits
from core.model.reading import Choice, Reading
from core.readers import delimited, json_rows, lists, parquet_rows, svmlight_rows, topics_rows
from core.readers.files import Given
from core.readers.order import as_listed
from core.readers.rows import Findings, Rows


def rows(given: Given, reading: Reading, choice: Choice, limits: Limits, findings: Findings) -> Iterator[Rows]:
    """The data rows of a file as it was recognised.

    Lists of document ids in one cell are taken apart; a run without ranks and scores is ranked as it is listed. No batch is empty.

    Raises InputError if the file cannot be read on; broken lines and notices go to `findings`.
    """
    batches = _READERS[reading.format](given, reading, choice, limits, findings)
    return (batch for batch in as_listed(lists.taken_apart(batches, reading, findings), reading) if batch.frame.height)


_READERS = {
    "delimited": delimited.rows,
    "json": json_rows.rows,
    "jsonl": json_rows.rows,
    "parquet": parquet_rows.rows,
    "svmlight": svmlight_rows.rows,
    "topics": topics_rows.rows,
}
