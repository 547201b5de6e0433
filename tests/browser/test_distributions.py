"""The journey behind the mean: brush the points that stand out, read their queries, open one."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import IN_FULL, LOOKS, Opens, picture, settled, tall

pytestmark = pytest.mark.browser


def files() -> list[dict[str, str | bytes]]:
    """Forty queries: ten that only the new run finds (0 against 1), thirty that both have at rank 2 or 1."""
    qrels, queries = [], ["query_id,text"]
    runs: dict[str, list[str]] = {"old": [], "new": []}
    for at in range(40):
        query = f"q{at:02}"
        qrels.append(f"{query} 0 good 1")
        queries.append(f"{query},the text of query {at}")
        only_new = at < 10
        old = ["x", "y"] if only_new else ["good", "x"] if at % 2 else ["x", "good"]
        new = ["good", "x"] if only_new else old
        for name, order in (("old", old), ("new", new)):
            runs[name] += [f"{query} Q0 {doc} {rank} {9 - rank} {name}" for rank, doc in enumerate(order, 1)]
    texts = {"qrels.txt": qrels, "old.run": runs["old"], "new.run": runs["new"], "queries.csv": queries}
    return [
        {"name": name, "mimeType": "text/plain", "buffer": "\n".join([*lines, ""]).encode()}
        for name, lines in texts.items()
    ]


def bring(page: Page) -> None:
    """Drop the files on the Data page and go to Distributions."""
    page.locator('input[type="file"]').first.set_input_files(files())  # type: ignore[arg-type]  # Playwright's own dictionary type
    page.wait_for_url(re.compile("d="))
    settled(page)
    page.get_by_role("link", name="Distributions").click()
    settled(page)


def drag(page: Page, left: float, top: float, right: float, bottom: float) -> None:
    """Drag over a part of the scatter's drawing, in shares of its width and height."""
    canvas = page.locator(".st-key-chart_scatter canvas").first
    canvas.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + left * box["width"], box["y"] + top * box["height"])
    page.mouse.down()
    for share in (0.3, 0.6, 1.0):
        page.mouse.move(
            box["x"] + (left + share * (right - left)) * box["width"],
            box["y"] + (top + share * (bottom - top)) * box["height"],
        )
    page.mouse.up()
    settled(page)


def test_ten_brushed_points_are_listed_with_their_queries_and_one_opens(server: str, visit: Opens) -> None:
    page = visit(server)
    bring(page)
    expect(page.locator('[data-testid="stMain"] h1')).to_be_visible()
    drag(page, 0.3, 0.4, 0.03, 0.08)
    expect(page.get_by_role("heading", name="10 queries in the area")).to_be_visible()
    grid = page.locator('[data-testid="stDataFrame"]').last
    grid.scroll_into_view_if_needed()
    expect(grid.locator('[role="gridcell"]', has_text="q09")).to_be_attached()
    cells = grid.locator('[role="gridcell"]').all_text_contents()
    assert {f"q{at:02}" for at in range(10)} <= set(cells)
    assert "the text of query 7" in cells
    picture(page, "distributions brushed")
    box = grid.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 18, box["y"] + 36 + 17)
    page.wait_for_url(re.compile("/queries"))
    settled(page)
    assert "q=q00" in page.url


@IN_FULL
def test_a_click_on_a_bar_opens_its_query(server: str, visit: Opens) -> None:
    page = visit(f"{server}/distributions?d=sample&vs=hybrid-rerank")
    bars = page.locator('.st-key-chart_sorted path[aria-label*="Query:"]')
    bars.first.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    bars.first.click()
    page.wait_for_url(re.compile("/queries"))
    settled(page)
    assert "q=" in page.url


@pytest.mark.parametrize(("dark", "phone"), LOOKS)
def test_no_rule_of_accessibility_is_broken(server: str, visit: Opens, *, dark: bool, phone: bool) -> None:
    page = visit(f"{server}/distributions?d=sample&vs=hybrid-rerank", dark=dark, phone=phone)
    page.wait_for_timeout(1500)
    tall(page)
    picture(page, f"distributions {'phone' if phone else 'desktop'} {'dark' if dark else 'light'}")
    found = Axe().run(page).response["violations"]
    assert not found, [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found]
    assert page.evaluate("document.querySelector('[data-testid=\"stMain\"]').scrollWidth") <= (390 if phone else 1440)


@IN_FULL
def test_the_page_is_the_first_thing_of_a_fresh_server(fresh_server: str, visit: Opens) -> None:
    page = visit(f"{fresh_server}/distributions?d=sample&base=embeddings&vs=bm25&k=3")
    expect(page.get_by_text(re.compile(r"^nDCG@3 of bm25 over"))).to_be_visible()
