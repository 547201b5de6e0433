"""Signing in at a strict provider from npm, in a real Chromium: the way in, what is private, and the way out."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE, chromium, free_port, settled
from tests.hosted.serving import SECONDS, Served, serving

LONG = os.environ.get("RANKLENS_LONG") == "1"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.long,
    pytest.mark.skipif(not LONG, reason="in full only: test_signing_in.py asks the same of a small provider"),
]
__all__ = ["chromium"]

FOLDER = Path(tempfile.gettempdir()) / "ranklens-oidc-provider-9"
SCRIPT = Path(__file__).parent / "provider.mjs"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SIGN_IN = "What is here is for people who are signed in."


def installed() -> Path:
    """The folder where npm has put `oidc-provider`; skips where there is no Node, no npm or no registry."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("node and npm are not installed here")
    if not (FOLDER / "node_modules" / "oidc-provider").is_dir():
        FOLDER.mkdir(exist_ok=True)
        command = ["npm", "install", "--no-fund", "--no-audit", "--prefix", str(FOLDER), "oidc-provider@9"]
        if subprocess.run(command, cwd=FOLDER, capture_output=True, timeout=300, check=False).returncode:
            pytest.skip("npm could not install oidc-provider: no registry is reached from here")
    shutil.copy(SCRIPT, FOLDER)
    return FOLDER


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Our server and the provider that it sends people to."""
    folder, port, at = installed(), free_port(), free_port()
    command = ["node", SCRIPT.name, str(port), f"http://127.0.0.1:{at}/oauth2callback"]
    provider = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert provider.stdout
    try:
        assert provider.stdout.readline() == b"ready\n"
        with serving(
            at=at,
            RANKLENS_ACCESS="sign-in",
            RANKLENS_OIDC_ISSUER=f"http://127.0.0.1:{port}",
            RANKLENS_OIDC_CLIENT_ID="ranklens",
            RANKLENS_OIDC_CLIENT_SECRET="a secret between the two of them only",  # noqa: S106 - nobody's
            RANKLENS_COOKIE_SECRET="0123456789abcdef" * 2,
            RANKLENS_ADDRESS=f"http://127.0.0.1:{at}",
            RANKLENS_OPERATOR="Search team",
            RANKLENS_STORE=str(tmp_path_factory.mktemp("store")),
        ) as server:
            yield server
    finally:
        provider.terminate()
        provider.wait(timeout=SECONDS)
        provider.stdout.close()


def opened(browser: Browser, address: str) -> Page:
    """A page in a browser of its own."""
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    settled(page)
    return page


def sign_in(page: Page, name: str) -> None:
    """From the sign-in page to the provider, through its two pages, and back."""
    page.get_by_role("button", name="Sign in").click()
    page.fill("input[name=login]", name)
    page.fill("input[name=password]", "any")
    page.click("button[type=submit]")
    page.get_by_role("button", name="Continue").click()
    settled(page)


def test_ann_signs_in_saves_something_private_and_leaves_and_ben_sees_nothing(
    chromium: Browser, served: Served
) -> None:
    wanted = f"{served.address}/share?d=sample&k=5"
    ann = opened(chromium, wanted)
    expect(ann.get_by_text(SIGN_IN)).to_be_visible()
    expect(ann.get_by_text("Search team")).to_be_visible()
    sign_in(ann, "ann")
    ann.wait_for_url(lambda url: url.startswith(f"{served.address}/share") and "d=sample" in url and "k=5" in url)
    expect(ann.get_by_text("Signed in as ann")).to_be_visible()

    expect(ann.get_by_role("radio", name="Only me")).to_be_checked()
    ann.get_by_role("button", name="Save", exact=True).click()
    ann.get_by_text("The link that deletes it:").wait_for()
    link = ann.locator("code", has_text=f"{served.address}/?d=").first.inner_text()

    ben = opened(chromium, link)
    expect(ben.get_by_text(SIGN_IN)).to_be_visible()
    sign_in(ben, "ben")
    expect(ben.get_by_role("heading", name="This link opens nothing here")).to_be_visible()
    ben.goto(f"{served.address}/share?d=sample")
    settled(ben)
    expect(ben.get_by_text("Signed in as ben")).to_be_visible()
    expect(ben.get_by_text("Nothing is saved here yet.")).to_be_visible()

    tab = ann.context.new_page()
    tab.set_default_timeout(PATIENCE)
    tab.goto(link)
    settled(tab)
    expect(tab.get_by_text("Signed in as ann")).to_be_visible()
    expect(tab.get_by_text("This link opens nothing here")).not_to_be_visible()

    ann.get_by_role("button", name="Sign out").click()
    ann.get_by_role("button", name="Yes, sign me out").click()
    settled(ann)
    expect(ann.get_by_text(SIGN_IN)).to_be_visible()
    tab.get_by_role("link", name="Overview").click()
    expect(tab.get_by_text(SIGN_IN)).to_be_visible()
    ann.goto(link)
    settled(ann)
    expect(ann.get_by_text(SIGN_IN)).to_be_visible()
    assert link.partition("d=")[2] not in served.log()


def test_an_address_that_is_not_verified_lets_nobody_in_and_the_page_has_no_barrier(
    chromium: Browser, served: Served
) -> None:
    page = opened(chromium, f"{served.address}/overview?d=sample")
    sign_in(page, "unverified-ann")
    expect(page.get_by_text(SIGN_IN)).to_be_visible()
    expect(page.get_by_text("your provider does not say for sure who you are")).to_be_visible()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page).response["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
