"""Conventions: the choices behind every number, and the one line that states them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.model.measure import Measure
from core.model.measure_names import plain

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


DEFAULT_CONVENTIONS = Conventions()


def convention_line(
    measures: Measure | Sequence[Measure],
    conventions: Conventions,
    *,
    queries: int,
    qrels_sha256: str,
    undefined: int = 0,
) -> str:
    """The one line that every table, chart and export of scores carries.

    queries    how many judged queries there are
    undefined  how many of them are undefined for the first measure

    What is not the default is always said; what cannot touch the measures named is left out.
    """
    asked = (measures,) if isinstance(measures, Measure) else tuple(measures)
    name = f"{asked[0].name}{asked[0].at}" if len(asked) == 1 and asked[0].rel is None else ", ".join(map(str, asked))
    parts = [name, *dict.fromkeys(gain_said(measure) for measure in asked if measure.uses_gain)]
    if any(measure.name in ("nDCG", "IDCG") for measure in asked):
        parts.append("ideal from all judged documents")
    if any(measure.uses_relevance_level and measure.rel is None for measure in asked):
        parts.append(f"relevant from grade {conventions.relevance_level}")
    treated = {"zero": "0", "exclude": "left out"}
    parts += [
        f"{queries:,} {'query' if queries == 1 else 'queries'}",
        f"missing = {treated[conventions.missing]}",
        f"undefined = {treated[conventions.undefined]}" + (f" ({undefined:,})" if undefined else ""),
        ORDER_SAID[conventions.order],
    ]
    if conventions.own_ids == "drop":
        parts.append("queries' own ids dropped")
    if conventions.conflicts != "highest":
        parts.append(f"judged twice: {conventions.conflicts}")
    return " · ".join([*parts, f"qrels {qrels_sha256[:7]}"])


ORDER_SAID: dict[Order, str] = {
    "score": "ties: trec_eval",
    "score64": "ties: trec_eval, 64-bit scores",
    "rank": "order: the file's ranks",
}


def gain_said(measure: Measure) -> str:
    """A measure's gain in words: `exponential gain (2^grade − 1)`."""
    if measure.gain == "custom":
        return f"own gains ({', '.join(f'{plain(grade)} → {plain(gain)}' for grade, gain in measure.gains)})"
    return {"linear": "linear gain (the grade)", "exponential": "exponential gain (2^grade − 1)"}[measure.gain]
