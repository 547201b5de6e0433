"""axe finds nothing to complain about on Data and Overview: empty, with files, with errors; light and dark; desk and phone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import LOOKS, Opens, picture, settled, tall
from tests.browser.screen import drop, titled

pytestmark = pytest.mark.browser
NAMES = [f"{'dark' if dark else 'light'}-{'phone' if phone else 'desk'}" for dark, phone in LOOKS]


def complaints(page: Page) -> list[str]:
    """What axe finds, in short."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
        for each in found
        for node in each["nodes"]
    ]


def seen(page: Page, name: str) -> None:
    """Look at all of a page, keep its picture, and let axe check it."""
    settled(page)
    tall(page)
    picture(page, name)
    assert complaints(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"the page is {wide} pixels wider than the window"


@pytest.mark.parametrize(("dark", "phone"), LOOKS, ids=NAMES)
def test_the_data_page_is_accessible_without_files(server: str, visit: Opens, dark: bool, phone: bool) -> None:
    page = visit(server, dark=dark, phone=phone)
    seen(page, f"data-empty-{NAMES[LOOKS.index((dark, phone))]}")


@pytest.mark.parametrize(("dark", "phone"), LOOKS, ids=NAMES)
def test_the_data_page_is_accessible_with_files_and_notices(server: str, visit: Opens, dark: bool, phone: bool) -> None:
    page = visit(f"{server}/data?d=faults", dark=dark, phone=phone)
    titled(page, "ready to compare")
    seen(page, f"data-faults-{NAMES[LOOKS.index((dark, phone))]}")


@pytest.mark.parametrize(("dark", "phone"), LOOKS, ids=NAMES)
def test_the_data_page_is_accessible_with_errors_and_questions(
    server: str, visit: Opens, dark: bool, phone: bool
) -> None:
    page = visit(server, dark=dark, phone=phone)
    broken = "q1 Q0 d1 1 9.5 a\nq1 Q0 d2 2 n/a a\nq1 Q0 d3 3\nq2 Q0 d3 1 7.5 a\nq2 Q0 d4 2 7.25 a\n"
    drop(
        page,
        {
            "qrels.txt": "q1 0 d1 3\nq2 0 d3 1\n",
            "bad.run": broken,
            "asked.tsv": "q1\td1\t1\nq1\td5\t2\nq1\td4\t3\nq2\td6\t1\n",
        },
    )
    titled(page, "bad.run cannot be read as it is")
    seen(page, f"data-errors-{NAMES[LOOKS.index((dark, phone))]}")


@pytest.mark.parametrize(("dark", "phone"), LOOKS, ids=NAMES)
def test_the_overview_is_accessible(server: str, visit: Opens, dark: bool, phone: bool) -> None:
    page = visit(f"{server}/overview?d=sample", dark=dark, phone=phone)
    titled(page, "beats bm25")
    seen(page, f"overview-{NAMES[LOOKS.index((dark, phone))]}")


def test_the_overview_without_files_is_accessible(server: str, visit: Opens) -> None:
    seen(visit(f"{server}/overview"), "overview-empty")
