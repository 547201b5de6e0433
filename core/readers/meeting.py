"""Meeting: whether a run and the judgments speak of the same queries and documents."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from core.errors import InputError, Problem
from core.model.limits import Limits
from core.model.qrels import Qrels
from core.model.reading import Choice, Reading
from core.model.run import Run
from core.notices import Notice
from core.readers.cells import shown
from core.readers.files import Given
from core.readers.formats import rows
from core.readers.repairs import Offer, apply, find, written
from core.readers.rows import Findings

# Fewer hits than this part of what could be hit make one ask whether the document ids meet at all.
HARDLY = 0.05
MOST_PAIRS = 1_000_000


def no_query_in_common(given: Given, reading: Reading, choice: Choice, qrels: Qrels, limits: Limits) -> InputError:
    """The error for a run that answers no judged query: ids of both sides, and the repair that would make them meet."""
    ids = _ids_of(given, reading, choice, limits)
    judged, retrieved = pl.Series(qrels.queries), ids["query_id"].unique()
    message = f"no query in common: the judgments have {_named(judged)}, the run has {_named(retrieved)}"
    offers = find(judged, retrieved, "query")
    if not offers:
        return InputError(Problem(given.name, None, message, "are these judgments and this run of the same queries?"))
    offered, told = _written(offers[0]), f"offered: {offers[0]}"
    if documents := find(qrels.judgments["doc_id"], ids["doc_id"], "document"):
        offered, told = (*offered, *_written(documents[0])), f"{told}; {documents[0]}"
    return InputError(Problem(given.name, None, message, f"{told} ({_option(offered)})", offered))


def _ids_of(given: Given, reading: Reading, choice: Choice, limits: Limits) -> pl.DataFrame:
    """The query and document ids of a run file, read once more for the message; at most about a million pairs."""
    parts: list[pl.DataFrame] = []
    for batch in rows(given, reading, choice, limits, Findings(given.name, leave_out=True)):
        parts.append(batch.frame.select("query_id", "doc_id"))
        if sum(part.height for part in parts) > MOST_PAIRS:
            break
    found = pl.concat(parts).unique()
    for repair in choice.repairs:
        if repair.side == "run":
            column = "query_id" if repair.ids == "query" else "doc_id"
            found = found.with_columns(apply(pl.col(column), repair).alias(column))
    return found


def with_mismatch(run: Run, qrels: Qrels) -> Run:
    """The run with the notice id-mismatch where its queries meet the judgments and its documents hardly do.

    The message states how many judged documents a repair would make meet, if one is found.
    """
    answered = qrels.judgments.filter(pl.Series(qrels.query).is_in(run.answered["query"].implode()))
    could = min(answered.height, run.top.height)
    if not could or run.hits.height >= HARDLY * could:
        return run
    judged, retrieved = answered["doc_id"].unique(), run.top["doc_id"].unique()
    offers = find(judged, retrieved, "document")
    if not offers and run.hits.height:
        return run
    met = "None" if not run.hits.height else f"Only {run.hits.height:,}"
    message = f"{met} of the {answered.height:,} documents judged for these queries was retrieved"
    examples = [f"judged {shown(one)}" for one in judged.sort().head(2)]
    examples += [f"retrieved {shown(one)}" for one in retrieved.sort().head(2)]
    offered = _written(offers[0]) if offers else ()
    message += f"; offered: {offers[0]} ({_option(offered)})." if offers else ": do the document ids meet?"
    count = answered.height - run.hits.height
    notice = Notice("id-mismatch", "warning", run.name, message, count, tuple(examples), offered=offered)
    return replace(run, notices=(*run.notices, notice))


def _written(offer: Offer) -> tuple[str, ...]:
    return tuple(written(repair) for repair in offer.repairs)


def _option(repairs: Sequence[str]) -> str:
    return " ".join(f'--repair "{repair}"' for repair in repairs)


def _named(ids: pl.Series) -> str:
    names = ids.drop_nulls().unique().sort()
    more = f" … ({names.len():,})" if names.len() > 3 else ""
    return ", ".join(shown(one) for one in names.head(3).to_list()) + more
