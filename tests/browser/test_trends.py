"""The journey of a drift: open the sample history, follow the alert, click a night, and give a colleague the address."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import IN_FULL, LONG, LOOKS, Opens, picture, settled, tall

pytestmark = pytest.mark.browser
SAMPLE = "trends?series=Sample+history"
FINDING = '"billing" (source) fell by 0.073 since 26 November 2026, and the mean hardly shows it'


def heading(page: Page) -> str:
    return page.locator('[data-testid="stMain"] h1').inner_text()


def compared(page: Page) -> str:
    """Which two results are compared."""
    return page.get_by_text(re.compile(r"^night \d+ minus night \d+$")).inner_text()


def test_a_drift_is_followed_to_the_queries_behind_it(server: str, visit: Opens) -> None:
    page = visit(f"{server}/trends")
    page.get_by_role("button", name="Open the sample history").click()
    settled(page)
    assert heading(page) == FINDING
    assert "series=Sample" in page.url
    assert compared(page) == "night 26 minus night 25"
    page.get_by_role("button", name="Look at it").nth(1).click()
    settled(page)
    assert compared(page) == "night 28 minus night 27"
    assert "query+length" in page.url
    assert "night+28" in page.url
    colleague = visit(page.url)
    assert heading(colleague) == FINDING
    assert compared(colleague) == "night 28 minus night 27"


def test_the_series_is_still_there_after_a_look_at_another_page(server: str, visit: Opens) -> None:
    page = visit(f"{server}/{SAMPLE}")
    page.get_by_role("link", name="Overview").click()
    settled(page)
    page.get_by_role("link", name="Trends").click()
    settled(page)
    assert heading(page) == FINDING
    assert "series=Sample" in page.url


@IN_FULL
def test_a_click_on_a_night_compares_it_with_the_one_before(server: str, visit: Opens) -> None:
    page = visit(f"{server}/{SAMPLE}")
    before = compared(page)
    chart = page.locator('[data-testid="stVegaLiteChart"]').first
    chart.scroll_into_view_if_needed()
    size = chart.bounding_box()
    assert size is not None
    # The middle of the chart: some night before the alert.
    page.mouse.click(size["x"] + size["width"] * 0.55, size["y"] + size["height"] * 0.45)
    page.wait_for_timeout(600)
    settled(page)
    expect(page.get_by_text(before, exact=True)).to_have_count(0)
    assert "tr=" in page.url
    after = compared(page)
    assert compared(visit(page.url)) == after


@pytest.mark.parametrize(("dark", "phone"), LOOKS)
@pytest.mark.parametrize("address", ["trends", SAMPLE, *([f"{SAMPLE}&tc=Summed"] if LONG else [])])
def test_the_page_has_no_accessibility_violation(
    server: str, visit: Opens, address: str, phone: bool, dark: bool
) -> None:
    page = visit(f"{server}/{address}", dark=dark, phone=phone)
    tall(page)
    name = "empty" if address == "trends" else "summed" if "Summed" in address else "smoothed"
    picture(page, f"trends-{name}-{'phone' if phone else 'desktop'}-{'dark' if dark else 'light'}")
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found] == []
