"""A saved comparison in a real browser: saved here, opened there as it was, deleted there and dead here, and there after a restart."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LONG, LOOKS, Opens, running_server, settled
from tests.browser.screen import drop, grid, heading, titled
from tests.browser.test_accessibility import NAMES, seen
from tests.pages.dashboard import FILES

pytestmark = pytest.mark.browser
GONE = "This link opens nothing here"
VIEW = ("k=5", "gain=Exponential", "base=dense", "slice=intent", "in=buy")


def save(page: Page) -> tuple[str, str]:
    """Save on the Share page, and copy both links."""
    page.get_by_role("button", name="Save", exact=True).click()
    found = []
    for label in ("Copy link", "Copy delete link"):
        page.get_by_role("button", name=label, exact=True).click()
        page.get_by_role("button", name="Copied").wait_for()
        found.append(page.evaluate("navigator.clipboard.readText()"))
        expect(page.get_by_role("button", name="Copied")).to_have_count(0)
    return found[0], found[1]


def asked(page: Page) -> set[str]:
    """The parts of the address after the question mark, without what names the files."""
    return {part for part in page.url.partition("?")[2].split("&") if not part.startswith("d=")}


def test_a_link_brings_the_screen_back_elsewhere_after_a_restart_too_and_dies_everywhere_at_once(
    visit: Opens, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    with running_server(store) as server:
        page = visit(server)
        drop(page, FILES)
        titled(page, "2 runs and 4 judged queries, ready to compare")
        page.goto(f"{page.url.replace('/?', '/queries?')}&{'&'.join(VIEW)}&q=q1")
        titled(page, "red tea: ")
        page.get_by_role("textbox", name="Note").fill("ask the team about tea")
        page.get_by_role("button", name="Keep").click()
        settled(page)
        page.get_by_role("button", name="All queries Shortcut B").click()
        page.locator(".st-key-sort").get_by_role("combobox").click()
        page.get_by_role("option", name="Most lost gain").click()
        page.wait_for_url(re.compile("sort="))
        titled(page, "quer")
        before = (heading(page).inner_text(), grid(page, "Queries of"), asked(page))
        page.get_by_role("link", name="Share").click()
        titled(page, "Take it with you")
        link, delete_link = save(page)
        assert re.fullmatch(re.escape(server) + r"/\?d=[\w-]{32}", link)

        other = visit(link)
        other.wait_for_url(re.compile("/queries"))
        titled(other, before[0])
        assert grid(other, "Queries of") == before[1]
        assert asked(other) == before[2] | {"v=1"}
        other.get_by_role("radio", name="10", exact=True).click()
        expect(other).not_to_have_url(re.compile("k=5"))
        settled(other)
        usual = heading(other).inner_text()
        other.reload()
        titled(other, usual)
        expect(other.get_by_role("radio", name="10", exact=True)).to_be_checked()

    with running_server(store) as server:
        reader = visit(f"{server}/queries{link[link.index('?') :]}&{'&'.join(VIEW)}&q=q1")
        titled(reader, "red tea: ")
        expect(reader.get_by_role("textbox", name="Note")).to_have_value("ask the team about tea")
        reader.get_by_role("button", name="All queries Shortcut B").click()
        titled(reader, "quer")
        assert grid(reader, "Queries of")

        owner = visit(f"{server}/share")
        titled(owner, "Share")
        owner.get_by_role("button", name="Delete", exact=True).click()
        owner.get_by_role("dialog").get_by_role("button", name="Delete it for good").click()
        expect(owner.get_by_text("Nothing is saved in the store of this machine yet.")).to_be_visible()
        if LONG:
            # Nobody touches the page: it looks for itself.
            titled(reader, GONE)
        reader.get_by_role("link", name="Overview").click()
        titled(reader, GONE)
        owner.goto(server + delete_link[delete_link.index("/?") :])
        titled(owner, "This link deletes nothing here")


@pytest.mark.parametrize(("dark", "phone"), LOOKS, ids=NAMES)
def test_saving_listing_deleting_and_what_is_gone_have_no_barrier(
    server: str, visit: Opens, dark: bool, phone: bool
) -> None:
    name = NAMES[LOOKS.index((dark, phone))]
    page = visit(f"{server}/share?d=sample", dark=dark, phone=phone)
    link, delete_link = save(page)
    if LONG or not dark:
        seen(page, f"saved-{name}")
        page.get_by_role("button", name="New link").first.click()
        expect(page.get_by_role("dialog").get_by_text("The link that deletes it:")).to_be_visible()
        seen(page, f"new-link-{name}")
    if LONG or dark:
        for what, address, title in (
            ("saved-data", f"{link}&v=1", "ready to compare"),
            ("saved-list", f"{server}/share", "Share"),
            ("delete", delete_link, "Delete this saved comparison?"),
            ("gone", f"{server}/overview?d=unknown", GONE),
        ):
            page.goto(address)
            titled(page, title)
            seen(page, f"{what}-{name}")
