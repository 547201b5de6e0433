"""Pages opened on small files made by the tests, as if somebody had brought them."""

from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element

from pages.shared.shelf import shelf
from tests.conftest import REPOSITORY


def brought(files: dict[str, str]) -> str:
    """Put files on the server's shelf; the token of the set."""
    return shelf().put(tuple(shelf().keep(name, text.encode()) for name, text in files.items()))


def opened(page: str, token: str | None = None, after_another: Any = False, **parameters: Any) -> AppTest:
    """A page at an address with parameters: the first thing that a new visitor asks for, or after the start page."""
    at = AppTest.from_file(str(REPOSITORY / "app.py"), default_timeout=60)
    if token is not None:
        at.query_params["d"] = token
    for name, value in parameters.items():
        at.query_params[name] = value
    if after_another:
        at.run()
    at.switch_page(f"pages/{page}.py")
    at.run()
    assert not at.exception, at.exception
    return at


def words(at: AppTest) -> str:
    """Everything that a page says in Markdown, with its escapes taken away."""
    said = [
        str(element.value)
        for kind in ("title", "header", "markdown", "info", "warning")
        for element in at.get(kind)
        if isinstance(element, Element)
    ]
    return "\n".join(said).replace("\\", "")


def button(at: AppTest, label: str) -> Any:
    """The button with a label."""
    return next(each for each in at.button if each.label == label)


def frame(at: AppTest, alt: str) -> Any:
    """The table whose text alternative starts with a text, as pandas."""
    return next(each.value for each in at.dataframe if each.proto.alt.startswith(alt))


def run_text(name: str, queries: dict[str, list[str]], scores: dict[str, list[float]] | None = None) -> str:
    """A TREC run that ranks each query's documents in the order given, or by the scores given."""
    lines = []
    for query, documents in queries.items():
        given = (scores or {}).get(query) or [float(len(documents) - at) for at in range(len(documents))]
        lines += [f"{query} Q0 {doc} {at + 1} {given[at]} {name}" for at, doc in enumerate(documents)]
    return "\n".join(lines) + "\n"


def qrels_text(queries: dict[str, dict[str, int]]) -> str:
    """Judgments in TREC's form."""
    return "".join(f"{query} 0 {doc} {grade}\n" for query, docs in queries.items() for doc, grade in docs.items())
