"""Run: one system's results, ranked once when read, reduced to what scores need."""

from dataclasses import dataclass

import polars as pl

from core.model.qrels import Source
from core.notices import Notice


@dataclass(frozen=True, eq=False)
class Run:
    """One system's results against one set of judgments.

    Ranks are final: the order rule, repeated documents, own ids and repairs were applied when the file was read.

    hits      HITS: the judged documents it retrieved, with their ranks
    answered  ANSWERED: the judged queries it answered
    top       TOP: its first 100 documents of each, for display and label queues
    rows      data rows read
    queries   queries in the file, judged or not
    extra     queries in the file without judgments: left out, counted; `extra_examples` names five
    rank_only whether the file gave ranks and no scores
    reversed  whether lower scores were read as better
    metadata  what its ir_metadata comment block says, as (key, value) pairs
    notices   what reading found
    """

    name: str
    source: Source
    rows: int
    queries: int
    hits: pl.DataFrame
    answered: pl.DataFrame
    top: pl.DataFrame
    extra: int = 0
    extra_examples: tuple[str, ...] = ()
    rank_only: bool = False
    reversed: bool = False
    metadata: tuple[tuple[str, str], ...] = ()
    notices: tuple[Notice, ...] = ()
