"""An address is a view: it works as the very first request of a server, after reload, and with Back."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import IN_FULL, Opens, settled
from tests.browser.screen import drop, heading, metrics, titled

pytestmark = pytest.mark.browser

QRELS = "q1 0 d1 3\nq1 0 d2 1\nq2 0 d3 1\n"
RUNS = {
    "first.run": "q1 Q0 d2 1 9.5 a\nq1 Q0 d1 2 8.5 a\nq2 Q0 d9 1 7.5 a\nq2 Q0 d3 2 6.5 a\n",
    "second.run": "q1 Q0 d1 1 9.5 b\nq2 Q0 d3 1 7.5 b\n",
}


def test_the_first_request_of_a_fresh_server_may_be_a_link_whose_files_are_gone(
    fresh_server: str, visit: Opens
) -> None:
    page = visit(f"{fresh_server}/overview?d=nonsense&k=5&gain=Exponential")
    titled(page, "This link opens nothing here")
    expect(page.get_by_role("link", name="Overview")).to_be_visible()
    expect(page.locator('[data-testid="stException"]')).to_have_count(0)
    page.get_by_role("button", name="Go to the start page").click()
    titled(page, "Decide which ranking ships")


def test_the_first_request_of_a_fresh_server_may_be_a_view_of_the_sample(fresh_server: str, visit: Opens) -> None:
    page = visit(f"{fresh_server}/overview?d=sample&k=5&gain=Exponential&base=embeddings")
    titled(page, "beats embeddings")
    expect(page.get_by_text("nDCG@5 · exponential gain").first).to_be_visible()
    expect(page.get_by_role("radio", name="Exponential")).to_be_checked()
    expect(page.get_by_role("radio", name="5", exact=True)).to_be_checked()
    expect(page.get_by_role("link", name="Data")).to_be_visible()


@IN_FULL
def test_nonsense_in_the_address_shows_the_page_with_its_defaults(server: str, visit: Opens) -> None:
    usual = visit(f"{server}/overview?d=sample")
    titled(usual, "beats bm25")
    page = visit(
        f"{server}/overview?d=sample&k=0&gain=zzz&base=unknown&runs=unknown&slice=unknown&in=x&level=x&missing=maybe&by=x&q=x"
    )
    titled(page, "beats bm25")
    assert metrics(page) == metrics(usual)


def test_reload_and_back_keep_what_was_there(server: str, visit: Opens) -> None:
    page = visit(server)
    drop(page, {"qrels.txt": QRELS, **RUNS})
    titled(page, "2 runs and 2 judged queries, ready to compare")
    token = re.search(r"[?&]d=([\w-]+)", page.url)
    assert token
    page.get_by_role("button", name="Open the overview").click()
    titled(page, "second is")
    linear = metrics(page)
    page.get_by_role("radio", name="Exponential").click()
    settled(page)
    expect(page.get_by_text("nDCG@10 · exponential gain").first).to_be_visible()
    exponential = metrics(page)
    assert exponential != linear
    assert token[0][1:] in page.url
    assert "gain=Exponential" in page.url
    page.reload()
    titled(page, "second is")
    expect(page.get_by_role("radio", name="Exponential")).to_be_checked()
    assert metrics(page) == exponential
    page.get_by_role("link", name="Data").click()
    titled(page, "2 runs and 2 judged queries, ready to compare")
    assert token[1] in page.url
    page.go_back()
    titled(page, "second is")
    assert token[1] in page.url
    assert metrics(page) == exponential


def test_back_undoes_a_change_of_the_files(server: str, visit: Opens) -> None:
    page = visit(server)
    drop(page, {"qrels.txt": QRELS, "first.run": RUNS["first.run"]})
    titled(page, "1 run and 2 judged queries, ready to compare")
    drop(page, {"second.run": RUNS["second.run"]})
    titled(page, "2 runs and 2 judged queries, ready to compare")
    page.go_back()
    titled(page, "1 run and 2 judged queries, ready to compare")


@IN_FULL
def test_a_second_tab_of_the_same_address_shows_the_same_and_changes_nothing_for_the_first(
    server: str, visit: Opens
) -> None:
    page = visit(server)
    drop(page, {"qrels.txt": QRELS, **RUNS})
    titled(page, "2 runs and 2 judged queries, ready to compare")
    address = page.url
    other = visit(address)
    titled(other, "2 runs and 2 judged queries, ready to compare")
    drop(other, {"third.run": RUNS["second.run"]})
    titled(other, "3 runs and 2 judged queries, ready to compare")
    assert other.url != address
    page.reload()
    titled(page, "2 runs and 2 judged queries, ready to compare")
    assert heading(page).count() == 1
