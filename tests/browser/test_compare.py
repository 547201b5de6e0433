"""The journey of a decision: baseline, verdicts, one pair in full, another cutoff and gain, and the address for a colleague."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.conftest import IN_FULL, LONG, Opens, picture, settled, tall

pytestmark = pytest.mark.browser
PARTS = ("In parts", "Does it hold", "All pairs", "Judge next", "Versions")


def choose(page: Page, label: str, option: str) -> None:
    """Pick an option of a select box."""
    page.get_by_role("combobox", name=label).first.click()
    page.get_by_role("option", name=option, exact=True).click()
    settled(page)


def shown(page: Page) -> tuple[str, list[str]]:
    """The title and the values of all parts, when they are there."""
    if "part=" not in page.url:
        expect(page.locator('[data-testid="stMetricValue"]')).not_to_have_count(0)
    expect(page.get_by_text("…", exact=True)).to_have_count(0)
    return page.locator('[data-testid="stMain"] h1').inner_text(), page.locator(
        '[data-testid="stMetricValue"]'
    ).all_inner_texts()


def test_a_decision_is_followed_and_its_address_shows_a_colleague_the_same(server: str, visit: Opens) -> None:
    page = visit(f"{server}/overview?d=sample")
    before = page.locator('[data-testid="stMain"] h1').inner_text()
    choose(page, "Baseline", "hybrid-rerank")
    expect(page.locator('[data-testid="stMain"] h1')).not_to_have_text(before)
    page.get_by_role("link", name="Compare").click()
    settled(page)
    choose(page, "Candidate", "embeddings")
    expect(page.locator('[data-testid="stMain"] h1')).to_contain_text("embeddings")
    linear = shown(page)
    page.get_by_role("radio", name="5", exact=True).click()
    settled(page)
    page.get_by_role("radio", name="Exponential").click()
    settled(page)
    expect(page.get_by_text("nDCG@5 · exponential gain")).to_be_visible()
    here = shown(page)
    assert here != linear
    assert len(here[1]) == 11
    for part in ("base=hybrid-rerank", "vs=embeddings", "k=5", "gain=Exponential"):
        assert part in page.url
    colleague = visit(page.url)
    assert shown(colleague) == here


def test_every_part_opens_and_its_address_opens_it_again(server: str, visit: Opens) -> None:
    page = visit(f"{server}/compare?d=sample&vs=hybrid-rerank")
    for part in PARTS[1:]:
        page.get_by_role("tab", name=part).click()
        settled(page)
        heading = page.locator('[data-testid="stMain"] h2').inner_text()
        again = visit(page.url)
        expect(again.locator('[data-testid="stMain"] h2')).to_have_text(heading)
        again.context.close()


def test_the_queue_is_downloaded_as_csv_that_names_queries_and_documents(server: str, visit: Opens) -> None:
    page = visit(f"{server}/compare?d=sample&vs=hybrid-rerank&part=Judge+next")
    with page.expect_download() as started:
        page.get_by_role("button", name=re.compile("Download .* as CSV")).click()
    text = started.value.path().read_text("utf-8")
    assert text.splitlines()[0] == "query_id,query_text,doc_id,title,rank_baseline,rank_candidate,change,relevance"
    assert len(text.splitlines()) > 10
    assert re.fullmatch(r"label-queue-[0-9a-f]{8}\.csv", started.value.suggested_filename)


@IN_FULL
def test_a_filled_queue_dropped_on_the_data_page_joins_and_the_page_says_so(server: str, visit: Opens) -> None:
    page = visit(f"{server}/compare?d=sample&vs=hybrid-rerank&part=Judge+next")
    with page.expect_download() as started:
        page.get_by_role("button", name=re.compile("Download .* as CSV")).click()
    head, *lines = started.value.path().read_text("utf-8").splitlines()
    filled = "\n".join([head, *(f"{line}3" for line in lines[:6])]).encode()
    page.get_by_role("link", name="Data", exact=True).click()
    settled(page)
    page.locator('input[type="file"]').first.set_input_files(
        [FilePayload(name="filled.csv", mimeType="text/csv", buffer=filled)]
    )
    page.wait_for_url(lambda url: "d=sample" not in url)
    settled(page)
    page.get_by_role("link", name="Compare").click()
    settled(page)
    page.get_by_role("tab", name="Versions").click()
    expect(page.get_by_text("6 judgments joined.")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True])
def test_no_part_breaks_a_rule_of_accessibility(server: str, visit: Opens, *, dark: bool) -> None:
    # In short each part is looked at once, every other one in the dark.
    for part in PARTS if LONG else PARTS[dark::2]:
        page = visit(f"{server}/compare?d=sample&vs=hybrid-rerank&part={part.replace(' ', '+')}", dark=dark)
        shown(page)
        page.wait_for_timeout(1000)
        tall(page)
        picture(page, f"compare {part} {'dark' if dark else 'light'}")
        found = Axe().run(page).response["violations"]
        assert not found, (part, [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found])
        page.context.close()


def test_on_a_phone_the_page_is_not_wider_than_the_screen(server: str, visit: Opens) -> None:
    page = visit(f"{server}/compare?d=sample&vs=hybrid-rerank&part=Does+it+hold", phone=True)
    page.wait_for_timeout(1000)
    width = page.evaluate("document.querySelector('[data-testid=\"stMain\"]').scrollWidth")
    assert width <= 390
    tall(page)
    picture(page, "compare phone")


@IN_FULL
def test_the_page_is_the_first_thing_of_a_fresh_server(fresh_server: str, visit: Opens) -> None:
    page = visit(f"{fresh_server}/compare?d=sample&base=embeddings&vs=hybrid-rerank&k=5")
    expect(page.locator('[data-testid="stMain"] h1')).to_contain_text("hybrid-rerank")
    expect(page.get_by_text(re.compile(r"^nDCG@5 · linear gain"))).to_be_visible()
