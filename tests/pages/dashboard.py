"""Driving the dashboard without a browser: open a page on files of our own, and read what it says."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from pages.shared.shelf import shelf
from tests.conftest import REPOSITORY

PATIENCE = 240
PAGES = sorted(path.stem for path in (REPOSITORY / "pages").glob("*.py") if path.stem != "__init__")

# The collection of tests/cli: the seed example, a query whose relevant document is second, an undefined and a missing query.
QRELS = "q1 0 d1 3\nq1 0 d2 1\nq1 0 d3 0\nq1 0 d4 2\nq1 0 d5 3\nq2 0 d6 1\nq3 0 d7 0\nq4 0 d8 1\n"
BM25 = (
    "q1 Q0 d1 1 9.5 bm25\nq1 Q0 d2 2 8.5 bm25\nq1 Q0 d3 3 7.5 bm25\nq1 Q0 d4 4 6.5 bm25\n"
    "q2 Q0 d9 1 5.5 bm25\nq2 Q0 d6 2 4.5 bm25\nq3 Q0 d7 1 3.5 bm25\nqx Q0 d1 1 2.5 bm25\n"
)
DENSE = "q1 Q0 d5 1 0.9 dense\nq1 Q0 d1 2 0.8 dense\nq2 Q0 d6 1 0.7 dense\nq3 Q0 d7 1 0.6 dense\nq4 Q0 d9 1 0.5 dense\n"
QUERIES = "query_id,text,intent\nq1,red tea,buy\nq2,blue hat,look\nq3,green,look\nq4,black coat,buy\n"
FILES = {"qrels.txt": QRELS, "bm25.run": BM25, "dense.run": DENSE, "queries.csv": QUERIES}


def qrels_text(judged: Mapping[str, Mapping[str, float]]) -> str:
    """Judgments, query → document → grade, in TREC's form."""
    return "".join(f"{query} 0 {doc} {grade:g}\n" for query, docs in judged.items() for doc, grade in docs.items())


def run_text(name: str, scored: Mapping[str, Mapping[str, float]]) -> str:
    """A run, query → document → score, in TREC's form."""
    return "".join(
        f"{query} Q0 {doc} {rank} {score!r} {name}\n"
        for query, docs in scored.items()
        for rank, (doc, score) in enumerate(sorted(docs.items(), key=lambda pair: -pair[1]), 1)
    )


def in_order(
    ranked: Mapping[str, Sequence[str]], scores: Mapping[str, Sequence[float]] | None = None
) -> dict[str, dict[str, float]]:
    """A run as query → document → score, of documents in their order: with the scores given, else falling by 1."""
    falling = {query: [float(len(docs) - at) for at in range(len(docs))] for query, docs in ranked.items()}
    given = falling | {query: list(values) for query, values in (scores or {}).items()}
    return {query: dict(zip(docs, given[query], strict=True)) for query, docs in ranked.items()}


def brought(
    judged: Mapping[str, Mapping[str, float]], runs: Mapping[str, Mapping[str, Mapping[str, float]]], **more: str
) -> str:
    """Keep judgments and runs on the shelf, with further files by name; the token of the set."""
    texts = {f"{name}.run": run_text(name, run) for name, run in runs.items()}
    return token_of({"qrels.txt": qrels_text(judged)} | texts | more)


def token_of(files: Mapping[str, str | bytes]) -> str:
    """Put files on the server's shelf and return the token of their set."""
    kept = (shelf().keep(name, data.encode() if isinstance(data, str) else data) for name, data in files.items())
    return shelf().put(tuple(kept))


def opened(
    page: str = "data",
    files: Any = None,
    user: Any = None,
    state: Any = None,
    after_another: Any = False,
    address: Any = None,
    **more: Any,
) -> AppTest:
    """A page as the first thing that a visitor asks for, with parameters in the address, together or by name.

    files    by name, or the token of a set
    user     what Streamlit knows of the visitor
    state    what the session holds already
    after_another  whether the start page is looked at first
    address  parameters of the address by name
    """
    at = AppTest.from_file(str(REPOSITORY / "app.py"), default_timeout=PATIENCE)
    at.user = dict(user or {})
    for key, kept in (state or {}).items():
        at.session_state[key] = kept
    if files is not None:
        at.query_params["d"] = files if isinstance(files, str) else token_of(files)
    for name, value in {**(address or {}), **more}.items():
        at.query_params[name] = value
    if after_another:
        at.run()
    at.switch_page(f"pages/{page}.py")
    at.run()
    whole(at)
    return at


def dropped(at: AppTest, files: Mapping[str, str | bytes]) -> AppTest:
    """Drop files in the drop area of the Data page."""
    data = [(name, text.encode() if isinstance(text, str) else text, "text/plain") for name, text in files.items()]
    at.file_uploader[0].set_value(data)
    at.run()
    whole(at)
    return at


def whole(at: AppTest) -> None:
    """Fail where the page ended in an exception."""
    assert [(each.proto.type, each.message, list(each.proto.stack_trace)[-2:]) for each in at.exception] == []


def title(at: AppTest) -> str:
    """The page's title as people read it."""
    assert len(at.title) == 1, [each.value for each in at.title]
    return unescaped(at.title[0].value)


def unescaped(markdown: str) -> str:
    """Text that was escaped for Markdown, as it is shown."""
    return (
        "".join(markdown.split("\\"))
        if "\\\\" not in markdown
        else markdown.replace("\\\\", "\0").replace("\\", "").replace("\0", "\\")
    )


def said(at: AppTest) -> str:
    """Everything that a page says in words, as people read it."""
    groups = (
        at.sidebar.markdown,
        at.title,
        at.header,
        at.subheader,
        at.markdown,
        at.caption,
        at.error,
        at.warning,
        at.info,
        at.success,
    )
    return "\n".join(unescaped(each.value) for group in groups for each in group)


def button(at: AppTest, label: str) -> Any:
    """The first button whose label begins so."""
    return next(each for each in at.button if unescaped(each.label).startswith(label))


def frames(at: AppTest) -> dict[str, Any]:
    """The tables of a page by the name that screen readers say."""
    return {each.proto.alt: each.value for each in at.dataframe}


def frame(at: AppTest, alt: str) -> Any:
    """The first table whose text alternative begins so, as pandas."""
    return next(each.value for each in at.dataframe if each.proto.alt.startswith(alt))


def metrics(at: AppTest) -> dict[str, str]:
    """The tiles of a page: label → value."""
    return {each.label: str(each.value) for each in at.metric}


def headings(at: AppTest) -> list[str]:
    """The page's second headings as people read them."""
    return [unescaped(each.value) for each in at.header]


def strings(message: Message, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a message that goes to the browser, with the place where it stands."""
    for field, value in message.ListFields():
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            continue
        for each in value if field.is_repeated else [value]:
            if field.type == FieldDescriptor.TYPE_MESSAGE:
                yield from strings(each, f"{path}.{field.name}")
            elif field.type == FieldDescriptor.TYPE_STRING:
                yield f"{path}.{field.name}", each


def sent(at: AppTest) -> Iterator[tuple[str, str, str]]:
    """(kind of element, place, text) of everything that a page sends to the browser."""
    waiting: list[Any] = [at.main, at.sidebar]
    while waiting:
        node = waiting.pop()
        waiting += getattr(node, "children", {}).values()
        proto = getattr(node, "proto", None)
        if isinstance(proto, Message):
            yield from ((type(proto).__name__, place, text) for place, text in strings(proto))
