"""JSON shapes: which layout a JSON document has, told by its keys and by what its values are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.model.reading import Column, Field, Role
from core.readers import json_entries
from core.readers.json_entries import LISTS, Entry, holds_numbers, named
from core.readers.json_text import cell_text, flat
from core.readers.recognition.named import sense_of_names
from core.readers.recognition.names import DOC_IDS
from core.readers.recognition.profile import FEW, LARGEST_USUAL_GRADE

IDS_NEEDED = "the retrieved documents are texts without ids; a score needs the id of each document"
IDS_ADVICE = "write ids beside the texts, such as retrieved_context_ids, or an id for each document"
TEXT_LISTS = ("retrieved_contexts", "reference_contexts", "contexts", "documents", "retrieved_documents")
LOOKED_AT = 200


@dataclass(frozen=True)
class Shape:
    """The layout of a JSON document.

    entries  how (query, document, value) are taken out of it, or of each record where `by_record`; None for records
             whose keys are columns
    columns  what an entry's three values, or a record's keys, are
    """

    words: str
    possible: tuple[Role, ...]
    columns: tuple[Column, ...] = ()
    entries: Callable[[Any], Iterator[Entry]] | None = None
    by_record: bool = False
    fits: tuple[Role, ...] = ()
    refused: str = ""
    advice: str = IDS_ADVICE

    def allows(self, role: Role) -> bool:
        """Whether the content can have this role."""
        return role in self.possible or role in self.fits


def shape_of(document: Any, role: Role | None) -> Shape | None:
    """The layout of a document, the same for a file's head and for the whole; None where it is none that is read."""
    if isinstance(document, list):
        return _of_records(document, role)
    if not isinstance(document, dict) or not document:
        return None
    for key, words, roles, entries in KEYED:
        if isinstance(document.get(key), list | dict):
            return _triples(words, roles, entries, "relevance" if roles == ("qrels",) else "score", role)
    values = list(document.values())[:LOOKED_AT]
    return _by_query_shape(values, role) or _systems(values)


def _by_query_shape(values: Sequence[Any], role: Role | None) -> Shape | None:
    """The layout of a document whose keys are queries, told by what they hold."""
    if all(isinstance(value, dict) for value in values):
        if all(_passages(value) is not None for value in values):
            return _triples("retrieved passages (DPR)", ("run",), _by_query, _number_of(_passages(values[0])), role)
        if all(_is_value(one) for value in values for one in list(value.values())[:5]):
            return _mapping(values, role)
    if all(isinstance(value, list) for value in values):
        return _rankings(values, role)
    return None


def _systems(values: Sequence[Any]) -> Shape | None:
    """{system: {query: …}}: several runs in one document."""
    parts = [list(value.values())[:LOOKED_AT] if isinstance(value, dict) else [] for value in values[:20]]
    inner = [_by_query_shape(part, "run") if part else None for part in parts]
    first = inner[0]
    if first is None or first.entries not in (json_entries.mapping, json_entries.ranking):
        return None
    if any(shape is None or shape.entries is not first.entries for shape in inner):
        return None
    entries = json_entries.systems(first.entries)
    return Shape("JSON (system → query → documents)", ("run",), (*first.columns, Column("system", "system")), entries)


def _mapping(values: Sequence[dict[str, Any]], role: Role | None) -> Shape:
    numbers = [json_entries.number_of(one) for value in values for one in list(value.values())[:LOOKED_AT]]
    whole = [one for one in numbers if isinstance(one, int)]
    grades = len(whole) == len(numbers) and all(-10 <= one <= LARGEST_USUAL_GRADE for one in whole)
    words_as_grades = any(isinstance(one, str) and not is_number(one) for one in numbers)
    few = len({str(one) for one in numbers}) <= FEW
    if words_as_grades or (grades and few):
        roles: tuple[Role, ...] = ("qrels",) if words_as_grades else ("qrels", "run")
    else:
        roles = ("run", "qrels") if few else ("run",)
    return _triples(
        "JSON (query → document → number)", roles, json_entries.mapping, "score", role, fits=("qrels", "run")
    )


def _rankings(values: Sequence[list[Any]], role: Role | None) -> Shape | None:
    first: list[Any] = next((value for value in values if value), [])
    if first and not isinstance(first[0], dict | list | str | int | float):
        return None
    if first and isinstance(first[0], dict) and named(first[0], ("id", *DOC_IDS)) is None:
        return None
    words = "JSON (query → list of documents)"
    return _triples(words, ("run", "qrels"), json_entries.ranking, _number_of(first), role)


def _of_records(document: list[Any], role: Role | None) -> Shape | None:
    records = [record for record in document[:LOOKED_AT] if isinstance(record, dict)]
    if not records:
        return None
    if any("run_type" in record or ("inputs" in record and "outputs" in record) for record in records):
        return _traces(records, role)
    lists = [_passages(record) for record in records]
    if all(found is not None for found in lists):
        first = next((found for found in lists if found), None)
        shape = _triples("retrieved passages (DPR)", ("run",), json_entries.contexts, _number_of(first), role)
        return _by_record(shape)
    if (of_parts := _of_parts(records, role)) is not None:
        return of_parts
    if all(all(isinstance(one, dict) for one in record.values()) for record in records if record):
        inner = [one for record in records for one in record.values()]
        if inner and all(is_number(one) for value in inner for one in value.values()):
            return _by_record(_mapping(inner, role))
    return _table(records, role)


def _of_parts(records: Sequence[dict[str, Any]], role: Role | None) -> Shape | None:
    """Records with the query beside a list of rated documents, or beside {document: number}."""
    parts = [part for record in records if (part := json_entries.rated_part(record)) is not None]
    if len(parts) < len(records) or not any(parts):
        return None
    judged = any(json_entries.is_judged(record) for record in records)
    number: Field = "score"
    if judged:
        rated = any(isinstance(part, dict) or holds_numbers(part) for part in parts)
        number = "relevance" if rated else "rank"
    return _by_record(
        _triples("JSON records with documents", ("qrels",) if judged else ("run",), json_entries.parts, number, role)
    )


def _table(records: Sequence[dict[str, Any]], role: Role | None) -> Shape | None:
    """Records whose keys are columns."""
    names = list(dict.fromkeys(name for record in records for name in flat(record)))
    rows = [[cell_text(flat(record).get(name)) or "" for name in names] for record in records]
    sense = sense_of_names(names, rows, role, kind="JSON")
    if sense is None or ("retrieved_docs" not in sense.fields and "doc_id" not in sense.fields):
        texts = [name for name in TEXT_LISTS if any(isinstance(record.get(name), list) for record in records)]
        if texts and role not in ("queries", "documents"):
            return Shape("texts without ids", ("run",), refused=IDS_NEEDED)
    if sense is None:
        return None
    columns = tuple(Column(name, field) for name, field in zip(names, sense.fields, strict=True))
    return Shape(sense.words, sense.possible, columns, None, True, sense.fits, sense.refused, sense.advice)


def _traces(records: Sequence[dict[str, Any]], role: Role | None) -> Shape:
    documents = [one for record in records for one in (record.get("outputs") or {}).get("documents") or ()]
    if not documents or any(json_entries.trace_id(one) is None for one in documents):
        return Shape("LangSmith rows", ("run",), refused=IDS_NEEDED)
    return _by_record(_triples("LangSmith retriever rows", ("run",), json_entries.trace, "rank", role))


def _by_record(shape: Shape) -> Shape:
    return Shape(shape.words, shape.possible, shape.columns, shape.entries, True, shape.fits)


def _triples(
    words: str,
    roles: tuple[Role, ...],
    entries: Callable[[Any], Iterator[Entry]],
    number: Field,
    role: Role | None,
    fits: tuple[Role, ...] = (),
) -> Shape:
    """A shape of (query, document, number), the number read as the role has it; a rank is no grade."""
    final = role if role in (*roles, *fits) else roles[0]
    field: Field = number
    if final == "qrels":
        field = "ignored" if number == "rank" else "relevance"
    elif number == "relevance":
        field = "score"
    value = {"relevance": "grade", "ignored": "rank"}.get(field, field)
    return Shape(
        words,
        roles,
        (Column("query", "query_id"), Column("document", "doc_id"), Column(value, field)),
        entries,
        fits=fits,
    )


def _by_query(document: dict[str, Any]) -> Iterator[Entry]:
    for query, record in document.items():
        yield from json_entries.contexts(record, query)


def _passages(record: dict[str, Any]) -> list[Any] | None:
    """The list of retrieved passages with ids in a query's row, or None."""
    lists = [found for name in LISTS if (found := json_entries.list_under(record, name)) is not None]
    return next((found for found in lists if all(_has_id(one) for one in found[:20])), None)


def _has_id(passage: Any) -> bool:
    return isinstance(passage, dict) and named(passage, ("id", *DOC_IDS)) is not None


def _number_of(documents: list[Any] | None) -> Field:
    return "score" if holds_numbers(documents or []) else "rank"


def _is_value(value: Any) -> bool:
    """A number, a word in its place, or an object that holds the number beside other things."""
    return (
        is_number(value)
        or isinstance(value, str)
        or (isinstance(value, dict) and json_entries.number_of(value) is not value)
    )


def is_number(value: Any) -> bool:
    """Whether a value is a number, or a text that is one."""
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return False
        return True
    return isinstance(value, int | float)


QRELS: tuple[Role, ...] = ("qrels",)
RUN: tuple[Role, ...] = ("run",)
KEYED: tuple[tuple[str, str, tuple[Role, ...], Callable[[Any], Iterator[Entry]]], ...] = (
    ("judgmentRatings", "OpenSearch judgment list", QRELS, json_entries.opensearch),
    ("requests", "Elasticsearch ranking evaluation", QRELS, json_entries.rank_eval),
    ("details", "Elasticsearch ranking evaluation, its answer", RUN, json_entries.rank_eval_answer),
    ("topics", "RRE ratings", QRELS, json_entries.rre),
    ("query_groups", "RRE ratings", QRELS, json_entries.rre),
)
