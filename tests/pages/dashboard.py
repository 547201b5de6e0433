"""Driving the dashboard without a browser: open a page on files of our own, and read what it says."""

from collections.abc import Iterator, Mapping
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


def token_of(files: Mapping[str, str | bytes]) -> str:
    """Put files on the server's shelf and return the token of their set."""
    kept = (shelf().keep(name, data.encode() if isinstance(data, str) else data) for name, data in files.items())
    return shelf().put(tuple(kept))


def opened(page: str = "data", files: Any = None, user: Mapping[str, Any] | None = None, **address: Any) -> AppTest:
    """A page as the first thing that a visitor asks for, with parameters in the address; user: what Streamlit knows of them."""
    at = AppTest.from_file(str(REPOSITORY / "app.py"), default_timeout=PATIENCE)
    at.user = dict(user or {})
    if files is not None:
        at.query_params["d"] = token_of(files)
    for name, value in address.items():
        at.query_params[name] = value
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
