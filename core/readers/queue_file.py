"""Label queue files: the judgments to come, as Ranklens writes them, with some of the grades filled in."""

from typing import Final

import polars as pl

from core.model.formulas import unguarded
from core.model.reading import Reading

# The columns that tell such a file from any other; whoever fills it in may take out the texts, and turn lines and columns round.
COLUMNS: Final = ("query_id", "doc_id", "rank_baseline", "rank_candidate", "change", "relevance")


def is_queue(reading: Reading) -> bool:
    """Whether Ranklens wrote the file, by its header: then an empty grade means that nobody has judged the document yet."""
    return reading.header and set(COLUMNS) <= {column.name for column in reading.columns}


def as_they_were(frame: pl.DataFrame) -> pl.DataFrame:
    """The texts of such a file without the apostrophes that keep spreadsheets from running them."""
    texts = [name for name, kind in frame.schema.items() if kind == pl.String and name != "relevance"]
    return frame.with_columns(map(unguarded, texts))
