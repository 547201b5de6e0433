"""JSON wrapped: documents inside documents, tables by column, texts by id: what is inside, in the layouts that are read."""

from typing import Any

from core.model.reading import ROLES, Role
from core.readers.json_shapes import KEYED, is_number
from core.readers.json_text import items
from core.readers.recognition.names import fields_of, is_known

WRAPPERS: dict[str, tuple[Role, ...]] = {
    "run": ("run",), "runs": ("run",), "results": ("run",), "rankings": ("run",), "result": ("run",),
    "qrels": ("qrels",), "qrel": ("qrels",), "judgments": ("qrels",), "judgements": ("qrels",), "ratings": ("qrels",),
    "relevance": ("qrels",), "data": (), "rows": (), "records": (), "items": (), "examples": (), "samples": (),
    "relevant_docs": ("qrels",), "relevant_documents": ("qrels",), "retrieved": ("run",), "retrieval_results": ("run",),
    "queries": ("queries",), "topics": ("queries",), "documents": ("documents",), "corpus": ("documents",),
}  # fmt: skip


def unwrapped(document: Any, role: Role | None) -> tuple[Any, tuple[Role, ...]]:
    """What a wrapper such as {"name": …, "results": {…}} holds, and the roles that its keys name, the one taken first.

    Of several wrapped parts the one of the role asked for is taken, else judgments, a run, queries, documents in this
    order. Tables by column, as pandas writes them, and texts by id become records.
    """
    roles: tuple[Role, ...] = ()
    while isinstance(document, dict):
        if (records := _by_column(document)) is not None:
            return records, roles
        if any(key in document for key, *_ in KEYED):
            break
        inner = [key for key, value in document.items() if isinstance(value, dict | list)]
        wrapping = [key for key in inner if key.casefold() in WRAPPERS]
        if not wrapping or (len(inner) > len(wrapping) and len(inner) == len(document)):
            break
        wrapping.sort(key=lambda key: _preferred(WRAPPERS[key.casefold()], role))
        found = [one for key in wrapping for one in WRAPPERS[key.casefold()]]
        roles = tuple(dict.fromkeys(found)) or roles
        document = document[wrapping[0]]
    return _texts_by_id(document, role or next(iter(roles), None)), roles


def _preferred(named_roles: tuple[Role, ...], role: Role | None) -> int:
    if not named_roles:
        return len(ROLES)
    return -1 if role in named_roles else ROLES.index(named_roles[0])


def _texts_by_id(document: Any, role: Role | None) -> Any:
    """{id: text} as records, or as lists of one document where it is judgments or a run; anything else as it is."""
    if not isinstance(document, dict) or not document:
        return document
    if not all(isinstance(value, str) and not is_number(value) for value in document.values()):
        return document
    if role in ("qrels", "run"):
        return {query: [doc] for query, doc in items(document)}
    key = "doc_id" if role == "documents" else "query_id"
    return [{key: one, "text": text} for one, text in items(document)]


def _by_column(document: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Records of a table that is written column by column; None where the document is no such table."""
    if len(document) < 2 or not {"query_id"} <= set(fields_of(list(document))):
        return None
    values = list(document.values())
    if sum(is_known(key) for key in document) < 2:
        return None
    if all(isinstance(value, list) for value in values) and len({len(value) for value in values}) == 1:
        return [dict(zip(document, row, strict=True)) for row in zip(*values, strict=True)]
    if all(isinstance(value, dict) and all(key.isdigit() for key in value) for value in values):
        keys = list(values[0])
        return [{name: column.get(key) for name, column in document.items()} for key in keys]
    return None
