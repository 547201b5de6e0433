"""Named: what a table can be by the names of its columns, and by its values where the names leave it open."""

import re
from collections.abc import Sequence

from core.model.reading import Field, Role
from core.readers.recognition.names import DOC_IDS, NEEDS_TAIL, RANKS, RELEVANCE, fields_of, fold
from core.readers.recognition.profile import counts_up, falls, profile
from core.readers.recognition.senses import Sense

MEASURE = re.compile(
    r"(e?x?p?ndcg|dcg|map|mrr|err|rr|ap|p|r|recall|precision|hitrate|hits?|success|mapcut|rprec|bpref)(@|cut)?\d*"
)
# Lists under these names are relevant or retrieved documents by the role of the file.
LISTED = (
    *DOC_IDS, *RANKS, "ids", "docids", "docnos", "documentids", "pids", "chunkids", "passageids", "productids", "itemids",
    "asins", "docs", "documents", "chunks", "passages", "items", "products", "urls", "contexts",
)  # fmt: skip
COUNTS = ("hits", "results", "retrieved", "rankings", "ranking", "ctxs")
SCORE_TABLE = "this is a table of scores, one for each query; such tables are not read"

# What a field becomes in a file of this role where the role has no use for it.
UNUSED: dict[Role, dict[Field, Field]] = {
    "qrels": {
        "score": "ignored", "distance": "ignored", "rank": "ignored", "system": "metadata", "title": "ignored",
        "retrieved_docs": "ignored",
    },
    "run": {
        "relevance": "ignored", "metadata": "ignored", "text": "ignored", "title": "ignored", "iteration": "ignored",
        "assessor": "ignored", "positive_docs": "ignored",
    },
    "queries": {"doc_id": "ignored"},
    "documents": {"query_id": "ignored"},
}  # fmt: skip


def sense_of_names(
    names: Sequence[str], rows: Sequence[Sequence[str]], role: Role | None, *, kind: str
) -> Sense | None:
    """What a table with these column names can be; None where the names say nothing.

    `rows` are data rows of the table's width, `kind` its format for people ("CSV", "TSV", "JSON", "Parquet").
    """
    fields = _with_lists(names, _without_counts(names, fields_of(names, role), rows), rows, role)
    have = set(fields)
    if role == "queries" and "query_id" in have:
        return Sense(fields, _query_words(fields, kind), ("queries",), clear=3)
    if role == "documents" and "doc_id" in have:
        return Sense(fields, f"document metadata ({kind})", ("documents",), clear=3)
    if "query_id" in have and have & {"doc_id", "positive_docs", "retrieved_docs"}:
        possible, words, fits = _ranked_or_judged(names, fields, rows)
        final = role if role in (*possible, *fits) else possible[0]
        return Sense(_used(fields, final), f"{words[final]} ({kind})", possible, fits, clear=3)
    if "query_id" in have:
        return _about_queries(names, fields, rows, kind)
    if "doc_id" in have:
        likely: tuple[Role, ...] = ("documents",)
        return Sense(
            fields, f"document metadata ({kind})", likely, ("queries",) if "id" in map(fold, names) else (), clear=3
        )
    if role in ("queries", "documents") and names:
        first: Field = "query_id" if role == "queries" else "doc_id"
        return Sense((first, *fields[1:]), f"metadata ({kind})", (role,), clear=1)
    return None


def _without_counts(
    names: Sequence[str], fields: tuple[Field, ...], rows: Sequence[Sequence[str]]
) -> tuple[Field, ...]:
    """A column called just `hits` or `results` that holds one number in each row counts them, and lists none."""
    counted = {
        at
        for at, name in enumerate(names)
        if fields[at] == "retrieved_docs" and fold(name) in COUNTS and profile([row[at] for row in rows]).numbers == 1
    }
    if not counted:
        return fields
    return fields_of([f"{name} count" if at in counted else name for at, name in enumerate(names)])


def _with_lists(
    names: Sequence[str], fields: tuple[Field, ...], rows: Sequence[Sequence[str]], role: Role | None
) -> tuple[Field, ...]:
    """A column of lists names many documents, whatever one document's column of that name would be.

    `relevant` or `gold` with lists are relevant documents, `doc_ids` or `ranking` what the role makes of them.
    """
    if role in ("queries", "documents") or "query_id" not in fields_of(names):
        return fields
    found = list(fields)
    for at, name in enumerate(map(fold, names)):
        cells = [row[at].strip() for row in rows if row[at].strip()]
        if not cells or sum(cell.startswith("[") for cell in cells) < len(cells) / 2:
            continue
        if name in NEEDS_TAIL or name in RELEVANCE:
            found[at] = "positive_docs"
        elif name in LISTED:
            found[at] = "positive_docs" if role == "qrels" else "retrieved_docs"
    if found == list(fields):
        return fields
    found[fields_of(names).index("query_id")] = "query_id"
    return tuple(
        "metadata" if field in ("doc_id", "score", "rank") and _is_list(rows, at) else field
        for at, field in enumerate(found)
    )


def _is_list(rows: Sequence[Sequence[str]], at: int) -> bool:
    return any(row[at].strip().startswith("[") for row in rows)


def _used(fields: Sequence[Field], role: Role) -> tuple[Field, ...]:
    """The fields as a file of this role uses them: in judgments a lone score is the grade."""
    used = list(fields)
    if role == "qrels" and "relevance" not in used and "score" in used:
        used[used.index("score")] = "relevance"
    if role == "run" and "score" in used and "distance" in used:
        used[used.index("distance")] = "ignored"
    return tuple(UNUSED[role].get(field, field) for field in used)


def _ranked_or_judged(
    names: Sequence[str], fields: Sequence[Field], rows: Sequence[Sequence[str]]
) -> tuple[tuple[Role, ...], dict[Role, str], tuple[Role, ...]]:
    """The likely roles of a table of queries and documents, words for each, and further roles that it allows."""
    have = set(fields)
    words: dict[Role, str] = {
        "qrels": "judgments",
        "run": "run",
        "queries": "query metadata",
        "documents": "document metadata",
    }
    extra: tuple[Role, ...] = ("queries",) if "text" in have else ()
    judged = bool(have & {"relevance", "positive_docs"})
    ranked = bool(have & {"rank", "distance", "retrieved_docs"}) or (
        "score" in have and bool(have & {"rank", "system"})
    )
    if judged and (ranked or "score" in have):
        return ("qrels", "run"), words, extra
    if judged:
        return ("qrels",), words, extra
    if ranked:
        words["run"] = "run (ranks)" if "rank" in have and not have & {"score", "distance"} else "run"
        return ("run",), words, extra
    if "score" in have:
        likely = _grade_or_score(fields, rows)
        if {"queryid", "corpusid"} <= {fold(name) for name in names}:
            words["qrels"] = "BEIR qrels"
            likely = likely[:1]
        return likely, words, ("qrels", "run", *extra)
    words["qrels"], words["run"] = "relevant documents", "ranked documents"
    return ("qrels",), words, ("run", *extra)


def _grade_or_score(fields: Sequence[Field], rows: Sequence[Sequence[str]]) -> tuple[Role, ...]:
    """Whose number a column called "score" is: few small whole numbers are grades, others a system's."""
    queries, cells = ([row[fields.index(field)] for row in rows] for field in ("query_id", "score"))
    look = profile(cells)
    if look.grades or look.labels:
        return ("qrels", "run") if falls(queries, cells) and not counts_up(queries, cells) else ("qrels",)
    return ("run", "qrels") if look.numeric and look.distinct <= 5 and look.low >= 0 and look.high <= 1 else ("run",)


def _about_queries(names: Sequence[str], fields: tuple[Field, ...], rows: Sequence[Sequence[str]], kind: str) -> Sense:
    for at, name in enumerate(names):
        column = profile([row[at] for row in rows])
        if fields[at] == "metadata" and MEASURE.fullmatch(fold(name)) and column.numeric and column.high <= 1:
            return Sense(fields, "table of scores", ("queries",), refused=SCORE_TABLE, clear=3)
    bare = [fold(name) for name in names]
    unsure = "id" in bare and fields[bare.index("id")] == "query_id"
    return Sense(fields, _query_words(fields, kind), ("queries", "documents") if unsure else ("queries",), clear=3)


def _query_words(fields: Sequence[Field], kind: str) -> str:
    return f"{'queries' if 'text' in fields else 'query metadata'} ({kind})"
