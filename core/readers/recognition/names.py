"""Names: what a column's header says it holds, whatever the tool that wrote it."""

import re
from collections.abc import Sequence

from core.model.reading import Field, Role

# Folded: lower case, without blanks, underscores, hyphens, dots, brackets. Earlier names are preferred to later ones.
QUERY_IDS = (
    "queryid", "qid", "topicid", "topicno", "topicnumber", "topicnum", "querynumber", "queryno", "querynum",
    "questionid", "searchid", "searchqueryid", "questionnumber", "qryid", "qno", "qnum",
)  # fmt: skip
# These hold a query's text where there is an id beside them, and serve as the id where there is none.
QUERY_KEYS = (
    "query", "topic", "querytext", "queryterm", "querystring", "rawquery", "question", "userinput", "searchquery",
    "searchterm", "searchphrase", "searchterms", "keyword", "keywords", "prompt", "utterance", "input", "q",
)  # fmt: skip
DOC_IDS = (
    "docno", "docid", "documentid", "documentno", "corpusid", "passageid", "pid", "productid", "asin", "chunkid",
    "itemid", "articleid", "entityid", "contextid", "nodeid", "paragraphid", "segmentid", "sectionid", "resultid",
    "hitid", "sku", "fileid", "pageid", "docidentifier", "externaldocid", "externalid", "doc", "document", "did", "iid", "cid", "item",
    "product",
)  # fmt: skip
# These name the document only where a query stands beside them and nothing else can be its id.
DOC_PLACES = ("url", "uri", "docurl", "documenturl", "link", "filename", "file", "path")
RELEVANCE = (
    "relevance", "rel", "grade", "rating", "label", "judgment", "judgement", "gain", "relevancegrade", "relevancelabel",
    "gradedrelevance", "relevancejudgment", "relevancejudgement", "relevancerating", "relevancy", "escilabel",
    "isrelevant", "isselected", "relevant", "qrel", "annotation", "usefulness", "humanrating", "llmrating",
    "assessment", "relevancelevel", "ispositive", "isgold", "ytrue",
)  # fmt: skip
# A grade in judgments (BEIR), the system's own number in a run.
SCORES = (
    "score", "sim", "similarity", "rsv", "bm25", "bm25score", "similarityscore", "retrievalscore", "rankingscore",
    "relevancescore", "rerankscore", "rerankerscore", "cosine", "cosinesimilarity", "cosinescore", "dotproduct",
    "dotscore", "probability", "prob", "logit", "confidence", "finalscore", "hybridscore", "vectorscore", "searchscore",
    "docscore",
)  # fmt: skip
DISTANCES = (
    "distance",
    "dist",
    "l2",
    "l2distance",
    "l2dist",
    "cosinedistance",
    "euclidean",
    "euclideandistance",
    "vectordistance",
)
RANKS = (
    "rank",
    "position",
    "docposition",
    "ranking",
    "resultposition",
    "rankposition",
    "resultrank",
    "docrank",
    "pos",
    "place",
)
SYSTEMS = (
    "system", "run", "runid", "runname", "runtag", "systemid", "systemname", "tag", "model", "modelname", "engine",
    "searchengine", "retriever", "method", "algorithm",
)  # fmt: skip
ITERATIONS = ("iteration", "iter", "q0", "subtopic", "subtopicid", "round")
ASSESSORS = (
    "assessor", "annotator", "judge", "rater", "assessorid", "annotatorid", "judgeid", "raterid", "worker", "workerid",
    "reviewer", "labeler", "labeller",
)  # fmt: skip
TEXTS = (
    "text",
    "body",
    "content",
    "contents",
    "passage",
    "abstract",
    "description",
    "snippet",
    "segment",
    "chunk",
    "chunktext",
    "passagetext",
)
TITLES = ("title", "doctitle", "documenttitle", "producttitle", "headline", "name")

POSITIVE = re.compile(
    r"(pos|positives?|relevant|rel|gold|golden|references?|expected|groundtruth|truth|correct|supporting|target)"
    r"(\w*(ids?|docs?|documents?|chunks?|passages?|docnos?|pids?|asins?|urls?|ctxs))?"
)
RETRIEVED = re.compile(
    r"(retrieved|returned|ranked|predicted|results?|hits?|top\d*|recommended|found)\w*(ids?|docs?|documents?|chunks?|passages?|docnos?|pids?|asins?|urls?|list)"
    r"|retrieved|rankedlist|rankings|results|hits|ctxs|ranking"
)
NEEDS_TAIL = (
    "pos",
    "rel",
    "relevant",
    "target",
    "truth",
    "correct",
    "expected",
    "reference",
    "references",
    "gold",
    "golden",
    "groundtruth",
    "supporting",
)

ONE_FIELD: tuple[tuple[Field, tuple[str, ...]], ...] = (
    ("relevance", RELEVANCE), ("score", SCORES), ("distance", DISTANCES), ("rank", RANKS), ("system", SYSTEMS),
    ("iteration", ITERATIONS), ("assessor", ASSESSORS),
)  # fmt: skip
KNOWN = frozenset(
    name
    for names in (
        QUERY_IDS, QUERY_KEYS, DOC_IDS, DOC_PLACES, RELEVANCE, SCORES, DISTANCES, RANKS, SYSTEMS, ITERATIONS, ASSESSORS,
        TEXTS, TITLES, ("id",),
    )
    for name in names
)  # fmt: skip


def fold(name: str) -> str:
    """A header cell as the synonyms are written: `Query-ID `, `query_id` and `queryId` are all `queryid`."""
    return re.sub(r"[\s_\-.\[\]()$#\"'\ufeff]+", "", name).casefold()


def is_positive(folded: str) -> bool:
    """Whether a column so named lists the documents that are relevant."""
    return folded not in NEEDS_TAIL and POSITIVE.fullmatch(folded) is not None


def is_retrieved(folded: str) -> bool:
    """Whether a column so named lists the documents that a system returned, best first."""
    return RETRIEVED.fullmatch(folded) is not None


def is_id(name: str) -> bool:
    """Whether a header cell can be nothing but the name of an id column: no row of data holds it."""
    folded = fold(name)
    return folded in (*QUERY_IDS, *DOC_IDS) and folded.endswith(("id", "no")) and len(folded) > 2


def is_known(name: str) -> bool:
    """Whether a header cell is one of the names that tools give to a column of judgments, runs or metadata."""
    folded = fold(name)
    return folded in KNOWN or is_positive(folded) or is_retrieved(folded)


def fields_of(names: Sequence[str], role: Role | None = None) -> tuple[Field, ...]:
    """What each column holds by its name; a column that no name explains is "metadata".

    `docno` is preferred to `docid`, an explicit query id to the query's text. A bare `id` is the query's in a file
    about queries, the document's in a file about documents, and whichever of the two is lacking elsewhere.
    """
    folded = [fold(name) for name in names]
    fields: list[Field] = ["metadata"] * len(folded)
    query = None if role == "documents" else _query(folded)
    doc = None if role == "queries" else _first(folded, DOC_IDS)
    if "id" in folded:
        query, doc = _bare_id(folded, query, doc, role)
    if role not in ("queries", "documents"):
        if doc is None and query is not None and set(folded) & {*RELEVANCE, *SCORES, *DISTANCES, *RANKS}:
            doc = _first(folded, DOC_PLACES)
        for at, name in enumerate(folded):
            field = _list_field(name)
            fields[at] = field if field == "ignored" or field not in fields[:at] else "metadata"
        for field, synonyms in ONE_FIELD:
            place = _first(folded, synonyms)
            if place is not None and fields[place] == "metadata":
                fields[place] = field
    # A query's number is its key; without doc ids "topic", "system" or "score" are attributes like any other.
    if doc is None and not {"positive_docs", "retrieved_docs"} & set(fields):
        fields = ["metadata"] * len(folded)
    if query is not None:
        fields[query] = "query_id"
    if doc is not None:
        fields[doc] = "doc_id"
    _texts(folded, fields, about_documents=query is None)
    return tuple(fields)


def _list_field(name: str) -> Field:
    """A column that lists documents: relevant ones, retrieved ones, or such as only training needs."""
    if is_positive(name):
        return "positive_docs"
    if is_retrieved(name) and name not in RANKS:
        return "retrieved_docs"
    return (
        "ignored" if name.startswith("neg") and name[3:].startswith(("ative", "s", "doc", "pid", "id")) else "metadata"
    )


def _first(folded: Sequence[str], synonyms: Sequence[str]) -> int | None:
    return next((folded.index(name) for name in synonyms if name in folded), None)


def _query(folded: Sequence[str]) -> int | None:
    explicit = _first(folded, QUERY_IDS)
    return _first(folded, QUERY_KEYS) if explicit is None else explicit


def _bare_id(
    folded: Sequence[str], query: int | None, doc: int | None, role: Role | None
) -> tuple[int | None, int | None]:
    """Whose id a column called just `id` is."""
    place = folded.index("id")
    explicit = query is not None and folded[query] in QUERY_IDS
    if role == "documents" or (
        role is None and query is None and doc is None and any(name in folded for name in TITLES)
    ):
        return query, place if doc is None else doc
    if explicit:
        return query, place if doc is None and role != "queries" else doc
    if doc is None and query is not None and role != "queries":
        others = {*RELEVANCE, *SCORES, *RANKS, *DISTANCES}
        return (query, place) if others & set(folded) else (place, None)
    return (place, doc) if query is None or doc is None else (query, doc)


def _texts(folded: Sequence[str], fields: list[Field], *, about_documents: bool) -> None:
    """Mark the text and the title among the columns that nothing else explained."""
    wanted = TEXTS if about_documents else (*QUERY_KEYS, *TEXTS)
    free = [name if field == "metadata" else "" for name, field in zip(folded, fields, strict=True)]
    place = _first(free, tuple(name for name in wanted if name != "topic"))
    if place is not None:
        fields[place] = "text"
    if about_documents or "doc_id" in fields:
        title = _first(
            [name if field == "metadata" else "" for name, field in zip(folded, fields, strict=True)], TITLES
        )
        if title is not None:
            fields[title] = "title"
