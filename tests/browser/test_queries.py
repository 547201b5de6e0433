"""The journey into a failure: the worst query, its arithmetic, the next one, and back to the list as it was."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import IN_FULL, LOOKS, Opens, picture, settled, tall

pytestmark = pytest.mark.browser
TITLE = '[data-testid="stMain"] h1'


def heading(page: Page) -> str:
    """The page's title."""
    return page.locator(TITLE).inner_text()


def press(page: Page, key: str, was: str) -> str:
    """Press a key outside of any field, and wait for another title, which is returned."""
    page.locator(TITLE).click()
    page.keyboard.press(key)
    expect(page.locator(TITLE)).not_to_have_text(was, timeout=30_000)
    settled(page)
    return heading(page)


def test_worst_query_next_and_back_keep_the_filter_and_the_address_shows_a_colleague_the_same(
    server: str, visit: Opens
) -> None:
    page = visit(f"{server}/queries?d=sample&find=invoice&sort=Most+lost+gain")
    listed = heading(page)
    expect(page.get_by_text(re.compile("Most lost gain of .* containing .invoice"))).to_be_visible()
    first = press(page, "o", listed)
    page.wait_for_url(re.compile(r"[?&]q="))
    expect(page.get_by_text(re.compile("^1 of "))).to_be_visible()
    second = press(page, "n", first)
    assert press(page, "p", second) == first
    assert "find=invoice" in page.url
    colleague = visit(page.url)
    assert heading(colleague) == first
    expect(colleague.get_by_text(re.compile("^1 of "))).to_be_visible()
    assert press(page, "b", first) == listed
    assert not re.search(r"[?&]q=", page.url)
    expect(page.get_by_label("Search ids and texts")).to_have_value("invoice")
    page.go_back()
    expect(page.locator(TITLE)).to_have_text(first, timeout=30_000)


def test_a_click_on_a_cause_lists_its_queries(server: str, visit: Opens) -> None:
    page = visit(f"{server}/queries?d=sample")
    bars = page.locator('[data-testid="stVegaLiteChart"] .mark-rect path')
    bars.first.wait_for()
    part = page.locator('[data-testid="stVegaLiteChart"] path[aria-label*="bm25"][aria-label*="Near ideal"]').first
    part.click()
    page.wait_for_url(re.compile("cause=Near"))
    settled(page)
    expect(page.get_by_text(re.compile("Lowest score of bm25 · near ideal"))).to_be_visible()


@IN_FULL
def test_a_row_of_the_list_opens_its_query(server: str, visit: Opens) -> None:
    page = visit(f"{server}/queries?d=sample")
    grid = page.locator('[data-testid="stDataFrame"]').first
    grid.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    box = grid.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 18, box["y"] + 36 + 38 * 1.5)
    page.wait_for_url(re.compile(r"[?&]q="))
    settled(page)
    expect(page.get_by_text(re.compile("^2 of "))).to_be_visible()


@pytest.mark.parametrize(("dark", "phone"), LOOKS)
@pytest.mark.parametrize("where", ["queries?d=sample", "queries?d=sample&q=q074"])
def test_nothing_stands_in_the_way_of_anybody(server: str, visit: Opens, where: str, dark: bool, phone: bool) -> None:
    page = visit(f"{server}/{where}", dark=dark, phone=phone)
    page.locator('[data-testid="stVegaLiteChart"]').first.wait_for()
    tall(page)
    picture(page, f"{'query' if 'q=' in where else 'queries'} {'dark' if dark else 'light'}{' phone' if phone else ''}")
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found] == []
    wide = page.evaluate("document.querySelector('[data-testid=\"stMain\"]').scrollWidth")
    assert not phone or wide <= 390
