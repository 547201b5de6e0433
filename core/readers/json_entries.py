"""JSON entries: (query, document, value) out of the JSON layouts of the tools, one generator for each."""

from collections.abc import Callable, Iterator
from typing import Any

from core.readers.json_text import items
from core.readers.recognition.names import DOC_IDS, QUERY_IDS, QUERY_KEYS, RELEVANCE, SCORES, fold

# A query, a document (None: the query has none) and its grade, score or rank, as the JSON holds them; then the system,
# where the document holds several.
Entry = tuple[Any, Any, Any] | tuple[Any, Any, Any, Any]
LISTS = ("ctxs", "contexts", "passages", "results", "hits", "documents", "docs", "candidates", "ranking", "retrieved")
# Names under which a query's row keeps rated documents, and retrieved ones.
JUDGED = (
    "qrels",
    "ratings",
    "judgments",
    "judgements",
    "relevantdocs",
    "relevantdocuments",
    "relevance",
    "relevant",
    "grades",
    "labels",
)
FOUND = ("run", "results", "scores", "docs", "documents", "hits", "retrieved", "retrieveddocs", "ranking")
ID_NAMES = ("id", *DOC_IDS)
NUMBERS = (*SCORES, *RELEVANCE, "rank")


def named(record: dict[str, Any], names: tuple[str, ...]) -> Any:
    """The value of the first of these names that a record has, by folded names; None where it has none."""
    folded = {fold(key): value for key, value in reversed(record.items())}
    return next((folded[name] for name in names if folded.get(name) is not None), None)


def mapping(document: dict[str, Any]) -> Iterator[Entry]:
    """{query: {document: number}}: pytrec_eval, ranx, BEIR."""
    for query, documents in items(document):
        if not documents:
            yield query, None, None
        for doc, value in items(documents):
            yield query, doc, number_of(value)


def number_of(value: Any) -> Any:
    """The grade or score in an object that says more, such as {"relevance": 2, "by": "us"}; anything else as it is."""
    found = named(value, NUMBERS) if isinstance(value, dict) else None
    return value if found is None else found


def ranking(document: dict[str, Any]) -> Iterator[Entry]:
    """{query: [document, …]}, best first, or with scores: [[document, score], …], [{"id": …, "score": …}, …]."""
    for query, documents in items(document):
        yield from listed(query, documents)


def systems(entries: Callable[[Any], Iterator[Entry]]) -> Callable[[Any], Iterator[Entry]]:
    """{system: document}: the entries of each system's document, with its name."""

    def every(document: dict[str, Any]) -> Iterator[Entry]:
        for system, part in items(document):
            for query, doc, value, *_ in entries(part):
                yield query, doc, value, system

    return every


def listed(query: Any, documents: list[Any]) -> Iterator[Entry]:
    """The entries of one query's list of documents; where it holds no numbers the value is the rank."""
    if not documents:
        yield query, None, None
    for rank, one in enumerate(documents, 1):
        if isinstance(one, dict):
            value = named(one, NUMBERS)
            yield query, named(one, ID_NAMES), rank if value is None else value
        elif isinstance(one, list | tuple) and len(one) == 2:
            yield query, one[0], one[1]
        else:
            yield query, one, rank


def holds_numbers(documents: list[Any]) -> bool:
    """Whether a list of documents says a number for each."""
    first = documents[0] if documents else None
    if isinstance(first, dict):
        return named(first, (*SCORES, *RELEVANCE)) is not None
    return isinstance(first, list) and len(first) == 2


def opensearch(document: dict[str, Any]) -> Iterator[Entry]:
    """An OpenSearch judgment list: {"judgmentRatings": [{"query", "ratings": [{"docId", "rating"}]}]}, or by query."""
    found = document["judgmentRatings"]
    pairs = items(found) if isinstance(found, dict) else ((one.get("query"), one.get("ratings")) for one in found)
    for query, ratings in pairs:
        if not ratings:
            yield query, None, None
        for one in ratings or ():
            yield query, named(one, ID_NAMES), named(one, RELEVANCE)


def rank_eval(document: dict[str, Any]) -> Iterator[Entry]:
    """An Elasticsearch _rank_eval request: {"requests": [{"id", "ratings": [{"_id", "rating"}]}]}."""
    for request in document["requests"]:
        ratings = request.get("ratings") or ()
        if not ratings:
            yield request.get("id"), None, None
        for one in ratings:
            yield request.get("id"), named(one, ID_NAMES), named(one, RELEVANCE)


def rank_eval_answer(document: dict[str, Any]) -> Iterator[Entry]:
    """An Elasticsearch _rank_eval answer: {"details": {query: {"hits": [{"hit": {"_id", "_score"}}]}}}."""
    for query, detail in items(document["details"]):
        yield from listed(query, [one.get("hit", one) for one in detail.get("hits", ())])


def rre(document: dict[str, Any]) -> Iterator[Entry]:
    """Ratings of the Rated Ranking Evaluator; its queries are known by the text in their placeholders.

    relevant_documents is {document: {"gain": n}} or {n: [document, …]}.
    """
    groups = [group for topic in document.get("topics", [document]) for group in topic.get("query_groups", ())]
    for group in [*groups, *(document.get("query_groups", ()) if "topics" in document else ())]:
        judged = list(_rre_documents(group.get("relevant_documents") or {}))
        for query in _rre_queries(group):
            if not judged:
                yield query, None, None
            for doc, gain in judged:
                yield query, doc, gain


def _rre_documents(found: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    for key, value in items(found):
        if isinstance(value, list):
            for doc in value:
                yield doc, key
        else:
            yield key, value.get("gain") if isinstance(value, dict) else value


def _rre_queries(group: dict[str, Any]) -> list[Any]:
    texts = []
    for query in group.get("queries", ()):
        holders = query.get("placeholders") or {}
        texts.append(holders.get("$query", next(iter(holders.values()), group.get("name"))))
    return texts or [group.get("name")]


def contexts(record: dict[str, Any], query: Any = None) -> Iterator[Entry]:
    """One query's row with a list of retrieved passages: DPR, pyserini, and tools that copied them."""
    key = query if query is not None else named(record, (*QUERY_IDS, "id", *QUERY_KEYS))
    yield from listed(key, next(found for name in LISTS if (found := list_under(record, name)) is not None))


def list_under(record: dict[str, Any], name: str) -> list[Any] | None:
    """The list of documents under a name, also as a search engine answers: {"hits": {"hits": […]}}."""
    found = record.get(name)
    if isinstance(found, dict):
        found = found.get(name)
    return found if isinstance(found, list) else None


def parts(record: dict[str, Any]) -> Iterator[Entry]:
    """One query's row with rated documents: {"query", "ratings": [{"docId", "rating"}]}, {"query", "qrels": {doc: n}}."""
    query, found = named(record, (*QUERY_IDS, "id", *QUERY_KEYS)), rated_part(record)
    if isinstance(found, dict):
        yield from mapping({query: found})
    else:
        yield from listed(query, found or [])


def rated_part(record: dict[str, Any]) -> dict[str, Any] | list[Any] | None:
    """The rated or retrieved documents in a query's row, or None."""
    if named(record, (*QUERY_IDS, "id", *QUERY_KEYS)) is None:
        return None
    for name, found in record.items():
        if isinstance(found, list) and fold(name) in JUDGED and all(_names_one(one) for one in found[:20]):
            return found
        if isinstance(found, dict) and fold(name) in (*JUDGED, *FOUND) and _all_numbers(found):
            return found
    return None


def is_judged(record: dict[str, Any]) -> bool:
    """Whether the documents in a query's row are those of judgments, by the name that they stand under."""
    return any(fold(name) in JUDGED and isinstance(found, dict | list) for name, found in record.items())


def _names_one(document: Any) -> bool:
    return isinstance(document, dict) and named(document, ID_NAMES) is not None


def _all_numbers(found: dict[str, Any]) -> bool:
    return all(isinstance(one, int | float) for one in list(found.values())[:20])


def trace(record: dict[str, Any]) -> Iterator[Entry]:
    """One retriever's row of a LangSmith export: inputs.query and outputs.documents with ids."""
    query = named(record.get("inputs") or {}, (*QUERY_IDS, *QUERY_KEYS))
    documents = (record.get("outputs") or {}).get("documents") or []
    if not documents:
        yield query, None, None
    for rank, one in enumerate(documents, 1):
        yield query, trace_id(one), rank


def trace_id(document: Any) -> Any:
    """The id of a retrieved document in a trace: its own, or that in its metadata; None where it has none."""
    if not isinstance(document, dict):
        return None
    own = named(document, ID_NAMES)
    return own if own is not None else named(document.get("metadata") or {}, ID_NAMES)
