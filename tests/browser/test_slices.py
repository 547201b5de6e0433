"""The journey of a slice: what fell, a look at it on every page, and its address for a colleague."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import IN_FULL, Opens, picture, settled, tall

pytestmark = pytest.mark.browser
TITLE = '[data-testid="stMain"] h1'


def pick(page: Page, value: str) -> None:
    """Choose a slice on the Slices page, once all of it is there."""
    expect(page.get_by_role("heading", name="Where the gain comes from")).to_be_visible(timeout=60_000)
    settled(page)
    box = page.get_by_role("combobox", name="Look at one slice on every page")
    # A list that opens while the page is still scrolling is closed by it.
    box.scroll_into_view_if_needed()
    page.wait_for_timeout(800)
    box.click()
    page.get_by_role("option", name=value, exact=True).click()
    settled(page)


def test_a_slice_filters_the_overview_its_address_and_can_be_taken_back(server: str, visit: Opens) -> None:
    page = visit(f"{server}/slices?d=sample&column=source")
    pick(page, "tickets")
    badge = page.locator('[data-testid="stMain"]').get_by_text("source: tickets")
    expect(badge).to_be_visible(timeout=30_000)
    page.get_by_role("link", name="Overview").click()
    page.wait_for_url(re.compile("/overview"))
    settled(page)
    expect(badge).to_be_visible(timeout=30_000)
    assert "slice=source" in page.url
    assert "in=tickets" in page.url
    title = page.locator(TITLE).inner_text()
    colleague = visit(page.url)
    expect(colleague.locator(TITLE)).to_have_text(title)
    expect(colleague.locator('[data-testid="stMain"]').get_by_text("source: tickets")).to_be_visible()
    page.get_by_role("button", name="Show all queries").click()
    expect(badge).to_have_count(0, timeout=30_000)
    assert "slice=" not in page.url


@IN_FULL
def test_a_crossed_slice_lives_in_the_address(server: str, visit: Opens) -> None:
    page = visit(f"{server}/slices?d=sample&column=intent&cross=source")
    pick(page, "how-to × docs")
    badge = page.locator('[data-testid="stMain"]').get_by_text("intent × source:")
    expect(badge).to_be_visible(timeout=30_000)
    colleague = visit(page.url.replace("/slices", "/queries"))
    expect(colleague.locator('[data-testid="stMain"]').get_by_text("intent × source:").first).to_be_visible()


@pytest.mark.parametrize("dark", [False, True])
def test_nothing_stands_in_the_way_of_anybody(server: str, visit: Opens, dark: bool) -> None:
    page = visit(f"{server}/slices?d=sample", dark=dark)
    page.locator('[data-testid="stVegaLiteChart"]').first.wait_for()
    tall(page)
    picture(page, f"slices {'dark' if dark else 'light'}")
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found] == []


def test_on_a_telephone_nothing_is_wider_than_the_screen(server: str, visit: Opens) -> None:
    page = visit(f"{server}/slices?d=sample", phone=True)
    page.locator('[data-testid="stVegaLiteChart"]').first.wait_for()
    tall(page)
    picture(page, "slices phone")
    assert page.evaluate("document.querySelector('[data-testid=\"stMain\"]').scrollWidth") <= 390
