"""Journey: what people do on a dashboard wherever it stands, in a real Chromium; raises where anything is not as it should be.

python -m tests.hosted.journey http://127.0.0.1:8501
"""

import io
import re
import shutil
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, FilePayload, Page, sync_playwright

from tests.browser.conftest import CHROMIUM, DESKTOP, FLAGS, PATIENCE, settled
from tests.browser.screen import titled

PAGES = ("overview", "compare", "distributions", "slices", "queries", "trends", "share")
QRELS = "q1 0 d1 3\nq1 0 d2 1\nq2 0 d6 1\n"
ONE = "q1 Q0 d1 1 9.5 one\nq1 Q0 d2 2 8.5 one\nq2 Q0 d6 1 5.5 one\n"
TWO = "q1 Q0 d2 1 9.5 two\nq1 Q0 d1 2 8.5 two\nq2 Q0 d9 1 5.5 two\n"
FILES: list[FilePayload] = [
    {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    for name, text in {"judgments.txt": QRELS, "one.run": ONE, "two.run": TWO}.items()
]
# What stands at an address of this machine plays a server elsewhere.
LOCAL = "--disable-features=LocalNetworkAccessChecks"
COPIES = "its menu has a button that copies it"
COPIES_NOT = "its menu has no button that copies it: the package is not installed"
# A deep link makes Streamlit's page look for its server beside itself first.
LOOKED_FOR = ("/_stcore/health", "/_stcore/host-config")


@contextmanager
def chromium(**hosts: str) -> Iterator[Browser]:
    """A browser that takes any certificate of ours and finds a name at an address: `chromium(**{"eval.example": "127.0.0.1"})`."""
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    rules = ",".join(f"MAP {name} {address}" for name, address in hosts.items())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=[*FLAGS, f"--host-resolver-rules={rules}", LOCAL]
        )
        yield browser
        browser.close()


@contextmanager
def visitor(browser: Browser, address: str) -> Iterator[Page]:
    """Somebody who was never here. Fails for a request to another server, an error of a script, and an answer that is a refusal."""
    context = browser.new_context(viewport=DESKTOP, ignore_https_errors=True)  # type: ignore[arg-type]  # Playwright's own type
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    host = urlsplit(address).netloc
    page.on("request", lambda asked: None if _ours(asked.url, host) else wrong.append(f"left for {asked.url}"))
    page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
    page.on(
        "response",
        lambda answer: (
            wrong.append(f"{answer.status} {answer.url}")
            if answer.status >= 400 and not answer.url.endswith(LOOKED_FOR)
            else None
        ),
    )
    yield page
    context.close()
    assert not wrong, wrong


def _ours(url: str, host: str) -> bool:
    return url.startswith(("data:", "blob:", "about:")) or urlsplit(url).netloc == host


def everything(browser: Browser, address: str) -> Iterator[str]:
    """The whole journey, a sentence for each thing seen."""
    with visitor(browser, address) as page:
        page.goto(f"{address}/")
        titled(page, "Decide which ranking ships")
        yield "the start page is there"
        for name in PAGES:
            page.goto(f"{address}/{name}?d=sample")
            settled(page)
            assert page.locator('[data-testid="stException"]').count() == 0
        yield f"{len(PAGES)} deep links into the sample lead to their pages"
        yield from exports(page, address)
    with visitor(browser, address) as page:
        bring(page, address)
        headline = page.locator("h1").inner_text()
        yield "three files were brought and compared"
        link, _ = save(page, address)
    with visitor(browser, address) as page:
        page.goto(link)
        titled(page, headline)
        yield "they were saved, and another browser opens the link"


def exports(page: Page, address: str) -> Iterator[str]:
    """A chart is drawn; its picture and a bundle come down."""
    page.goto(f"{address}/overview?d=sample")
    settled(page)
    page.locator('[data-testid="stVegaLiteChart"] svg, [data-testid="stVegaLiteChart"] canvas').first.wait_for()
    page.locator(".st-key-export_forest button").click()
    menu = page.get_by_role("dialog")
    menu.locator("img").first.wait_for()
    assert taken(page, "PNG 2×").startswith(b"\x89PNG")
    yield "a chart is drawn, and comes down as a picture"
    settled(page)
    yield COPIES if menu.get_by_role("button", name="Copy").count() else COPIES_NOT
    page.goto(f"{address}/share?d=sample")
    settled(page)
    assert zipfile.is_zipfile(io.BytesIO(taken(page, "Bundle")))
    yield "a bundle comes down"


def bring(page: Page, address: str) -> None:
    """Bring judgments and two runs, and look at the Overview."""
    page.goto(f"{address}/")
    settled(page)
    page.locator('input[type="file"]').first.set_input_files(FILES)
    titled(page, "2 runs and 2 judged queries, ready to compare")
    page.get_by_role("button", name="Open the overview").click()
    titled(page, "one")


def save(page: Page, address: str) -> tuple[str, str]:
    """Save what is open from the Share page: the link, and the link that deletes."""
    page.get_by_role("link", name="Share").first.click()
    titled(page, "Take it with you")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("heading", name="Saved:").wait_for()
    settled(page)
    shown = page.locator('[data-testid="stMain"]').inner_text()
    link, delete = dict.fromkeys(re.findall(re.escape(address) + r"/\?(?:d|delete)=[\w-]{32}", shown))
    return link, delete


def taken(page: Page, label: str) -> bytes:
    """The file behind a download button."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label, exact=True).last.click()
    return Path(waiting.value.path()).read_bytes()


def main(address: str) -> int:
    """Say what was seen."""
    with chromium() as browser:
        for sentence in everything(browser, address):
            print(f"- {sentence}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
