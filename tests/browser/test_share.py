"""Share in a real browser: files come down and are what they say, the picture gets to the clipboard, a bundle makes the same screen."""

import io
import zipfile
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Page
from pptx import Presentation

from tests.browser.conftest import LOOKS, Opens, picture, settled, tall

pytestmark = pytest.mark.browser
SHARE = "/share?d=sample"


def taken(page: Page, label: str) -> bytes:
    """The file behind a download button."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label, exact=True).last.click()
    path = waiting.value.path()
    return Path(path).read_bytes()


def accessible(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []


@pytest.mark.parametrize(("dark", "phone"), LOOKS)
def test_the_page_has_no_barrier(server: str, visit: Opens, dark: bool, phone: bool) -> None:
    page = visit(server + SHARE, dark=dark, phone=phone)
    page.get_by_text("Address", exact=True).wait_for()
    accessible(page)
    tall(page)
    picture(page, f"share-{'dark' if dark else 'light'}-{'phone' if phone else 'desktop'}")


def test_slides_come_in_the_order_in_which_they_are_picked(server: str, visit: Opens) -> None:
    page = visit(server + SHARE)
    slides = page.locator(".st-key-slides")
    for label in (
        "Title with the verdict",
        "Leaderboard",
        "Differences from the baseline",
        "Distribution over the queries",
        "Slices",
        "Worst queries with their texts",
    ):
        slides.get_by_role("button", name=label).click()
    slides.get_by_role("button", name="Leaderboard").click()
    settled(page)
    found = list(Presentation(io.BytesIO(taken(page, "Slide deck"))).slides)
    titles = [slide.shapes.title.text_frame.text for slide in found]
    assert len(titles) == 2
    assert titles[1].startswith("hybrid-rerank has the highest mean nDCG@10")


def test_the_picture_of_a_chart_comes_down_at_its_size_and_gets_to_the_clipboard(server: str, visit: Opens) -> None:
    page = visit(f"{server}/overview?d=sample")
    page.locator(".st-key-export_forest button").click()
    menu = page.get_by_role("dialog")
    menu.locator("img").first.wait_for()
    assert Image.open(io.BytesIO(taken(page, "PNG 2×"))).size == (2560, 1440)
    assert taken(page, "PDF").startswith(b"%PDF")
    copy = menu.get_by_role("button", name="Copy")
    copy.click()
    menu.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.read().then(items => items[0].types)") == ["image/png"]
    # What goes wrong is said beside the button, which works again.
    page.route(
        "**/take/*", lambda route: route.fulfill(status=422, content_type="text/plain", body="Too large for a slide.")
    )
    menu.get_by_role("button", name="SVG", exact=True).click()
    menu.get_by_text("Too large for a slide.").wait_for()
    page.unroute("**/take/*")
    assert b"<svg" in taken(page, "SVG")
    menu.get_by_text("Too large for a slide.").wait_for(state="detached")
    accessible(page)
    picture(page, "export-menu")


def test_a_bundle_that_is_taken_and_dropped_makes_the_same_screen(server: str, visit: Opens, tmp_path: Path) -> None:
    page = visit(server + "/share?d=sample&k=5&gain=Exponential&base=hybrid-rrf&slice=intent&in=lookup")
    bundle = tmp_path / "meeting.ranklens"
    bundle.write_bytes(taken(page, "Bundle"))
    assert zipfile.is_zipfile(bundle)
    page.goto(server + "/overview?d=sample&k=5&gain=Exponential&base=hybrid-rrf&slice=intent&in=lookup")
    settled(page)
    before = screen(page)
    other = visit(server)
    other.locator("input[type=file]").set_input_files(str(bundle))
    other.get_by_role("button", name="Open the overview").click()
    other.get_by_role("heading", level=1, name="hybrid").wait_for()
    settled(other)
    assert screen(other) == before
    for part in ("k=5", "gain=Exponential", "base=hybrid-rrf", "slice=intent", "in=lookup"):
        assert part in other.url


def screen(page: Page) -> list[str]:
    """What the page says and shows, apart from where its files lie."""
    page.wait_for_timeout(1500)
    page.get_by_text("Query by query").wait_for()
    parts = page.locator('[data-testid="stMain"]')
    charts = page.locator('[data-testid="stVegaLiteChart"]').evaluate_all(
        "nodes => nodes.map(node => node.textContent)"
    )
    return [parts.inner_text(), *charts]


def test_a_page_on_a_wall_fits_one_screen_without_a_control(server: str, visit: Opens) -> None:
    page = visit(f"{server}/share?d=sample")
    page.set_viewport_size({"width": 1920, "height": 1080})
    for name in ("overview", "slices", "queries"):
        page.goto(f"{server}/{name}?d=sample&present=1")
        assert page.url.endswith(f"/{name}?d=sample&present=1&embed=true")
        page.locator('[data-testid="stVegaLiteChart"] svg, [data-testid="stVegaLiteChart"] canvas').nth(3).wait_for()
        page.wait_for_timeout(800)
        main = page.locator('[data-testid="stMain"]')
        assert main.evaluate("node => node.scrollHeight <= node.clientHeight")
        seen = page.locator("button, input, select, [data-testid=stSidebar], [data-testid=stHeader] *").evaluate_all(
            "nodes => nodes.filter(node => node.checkVisibility({opacityProperty: true, visibilityProperty: true})).map(node => node.outerHTML)"
        )
        # Each chart keeps the toolbar that shows itself to a pointer which rests on it.
        assert seen == []
        accessible(page)
        picture(page, f"present-{name}")
