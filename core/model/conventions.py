"""Conventions: the choices behind every number, and the one line that states them."""

from dataclasses import dataclass
from typing import Literal

Missing = Literal["zero", "exclude"]
Undefined = Literal["zero", "exclude"]
Order = Literal["score", "score64", "rank"]
Conflicts = Literal["highest", "last", "mean", "refuse"]
OwnIds = Literal["keep", "drop"]


@dataclass(frozen=True)
class Conventions:
    """What a score means where tools differ; the defaults are trec_eval's with `-c`.

    missing    a judged query that the run does not answer scores 0, or is left out of the run's mean
    undefined  a query with no positive gain scores 0, or is left out
    order      32-bit score, 64-bit score, or the file's rank column; ties by doc_id descending in UTF-8 bytes
    conflicts  which grade counts where a pair is judged twice
    own_ids    keep or drop a document whose id is the query's own
    relevance_level  the grade from which a document is relevant for P, R, AP, RR and Success; nDCG does not use it
    """

    missing: Missing = "zero"
    undefined: Undefined = "zero"
    order: Order = "score"
    conflicts: Conflicts = "highest"
    own_ids: OwnIds = "keep"
    relevance_level: int = 1
