"""Opening a page without a browser: from app.py, with an address, on the sample or on small files made here."""

from collections.abc import Mapping
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.shared.shelf import shelf
from tests.conftest import REPOSITORY
from tests.scoring.collections import Grades, Scored

PATIENCE = 90


def opened(page: str, address: Mapping[str, str | list[str]] | None = None, **state: object) -> AppTest:
    """The page as the first thing that a new session asks for, with what stands in the address."""
    app = AppTest.from_file(str(REPOSITORY / "app.py"), default_timeout=PATIENCE)
    for name, value in (address or {}).items():
        app.query_params[name] = value
    for key, kept in state.items():
        app.session_state[key] = kept
    app.switch_page(page)
    app.run()
    assert not app.exception, [each.message for each in app.exception]
    return app


def brought(grades: Grades, scored: dict[str, Scored], **more: str) -> str:
    """Keep files made of dicts on the shelf, with further files by name; the token of the set."""
    texts = (
        {"qrels.txt": qrels_text(grades)} | {f"{name}.run": run_text(name, run) for name, run in scored.items()} | more
    )
    return shelf().put(tuple(shelf().keep(name, text.encode()) for name, text in texts.items()))


def qrels_text(grades: Grades) -> str:
    return "".join(f"{query} 0 {doc} {grade:g}\n" for query, docs in grades.items() for doc, grade in docs.items())


def run_text(name: str, run: Scored) -> str:
    return "".join(
        f"{query} Q0 {doc} {rank} {score!r} {name}\n"
        for query, docs in run.items()
        for rank, (doc, score) in enumerate(sorted(docs.items(), key=lambda pair: -pair[1]), 1)
    )


def metrics(app: AppTest) -> dict[str, str]:
    return {each.label: str(each.value) for each in app.metric}


def words(app: AppTest) -> str:
    """All Markdown of the page in one text, without its escapes."""
    return "\n".join(each.value for each in app.markdown).replace("\\", "")


def headings(app: AppTest) -> list[str]:
    """The page's second headings, without escapes."""
    return [each.value.replace("\\", "") for each in app.header]


def sample(name: str) -> Path:
    return REPOSITORY / "sample_data" / "support_search" / name
