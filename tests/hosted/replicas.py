"""Replicas: two of them behind one proxy and over one store, and what people there can count on.

python -m tests.hosted.replicas            # over a folder, then over an object store
"""

import logging
import secrets
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page

from tests.browser.conftest import settled
from tests.browser.screen import titled
from tests.hosted.deployed import Site, site
from tests.hosted.journey import bring, chromium, save, visitor
from tests.hosted.proxy import CERTIFICATE, NAME
from tests.store.services import KEY, SECRET, make_bucket, s3

GONE = "This link opens nothing here"
ROUTE = "ranklens_route"


def routed_to(site: Site, number: int) -> str:
    """A value of the cookie that leads to a replica, as the proxy's log says, which comes a moment after the answer."""
    wanted, log = f"127.0.0.1:{site.replicas[number].served.port}", site.folder / "nginx/ranklens.log"
    for _ in range(200):
        value = secrets.token_hex(16)
        asked = urllib.request.Request(
            f"https://127.0.0.1:{site.port}/ranklens/static/{value}",
            headers={"Host": NAME, "Cookie": f"{ROUTE}={value}"},
        )
        with suppress(HTTPError):  # there is no such file: what counts is who was asked
            urllib.request.urlopen(asked, context=CERTIFICATE, timeout=60).close()
        while not (lines := [line for line in log.read_text(encoding="utf-8").splitlines() if value in line]):
            time.sleep(0.01)
        if lines[0].endswith(wanted):
            return value
    raise AssertionError(f"no cookie leads to {wanted}")


@contextmanager
def somebody(browser: Browser, site: Site, number: int) -> Iterator[Page]:
    """Somebody new, whom the proxy leads to a replica."""
    with visitor(browser, site.address) as page:
        cookie = {"name": ROUTE, "value": routed_to(site, number), "url": site.address, "secure": True}
        page.context.add_cookies([cookie])  # type: ignore[list-item]  # Playwright's own type
        yield page


def opens(page: Page, link: str, title: str) -> None:
    """Open a link until the page is titled so: what another replica did may be seen a second later."""
    for _ in range(10):
        page.goto(link)
        settled(page)
        if title in page.locator('[data-testid="stMain"] h1').first.inner_text():
            return
        page.wait_for_timeout(500)
    raise AssertionError(f"never titled {title!r}: {page.locator('h1').first.inner_text()!r}")


def shared(browser: Browser, site: Site) -> Iterator[str]:
    """Save on one, open and delete on the other, and lose one of them; a sentence for each thing seen."""
    first, second = site.replicas
    with somebody(browser, site, 0) as ann:
        bring(ann, site.address)
        headline = ann.locator("h1").inner_text()
        link, delete = save(ann, site.address)
        yield "saved on replica 1"
        with somebody(browser, site, 1) as ben:
            opens(ben, link, headline)
            assert [event["outcome"] for event in second.served.events("open")] == ["done"]
            yield "another browser opens the link on replica 2"
            ben.goto(delete)
            titled(ben, "Delete this saved comparison?")
            ben.get_by_role("button", name="Delete it for good").click()
            titled(ben, "The saved comparison is deleted")
            yield "deleted on replica 2"
            opens(ben, link, GONE)
        with somebody(browser, site, 0) as carl:
            opens(carl, link, GONE)
        yield "and the link is dead on both"
        ann.goto(f"{site.address}/overview?d=sample")
        settled(ann)
        kept, _ = save(ann, site.address)
        with somebody(browser, site, 0) as dora:
            bring(dora, site.address)
            unsaved = dora.url
            first.kill()
            yield "saved again on replica 1, which is killed"
            opens(dora, unsaved, GONE)
            yield "its people land on replica 2; files that were not saved are lost, and the page says so"
            opens(dora, kept, "hybrid-rerank beats bm25")
            yield "and their links open there"
    log = site.log()
    assert first.served.events("save")
    assert not [
        address for address in (link, delete, kept, unsaved) if parse_qs(urlsplit(address).query).popitem()[1][0] in log
    ]
    yield "no log of the proxy or of a replica holds a token"


@contextmanager
def object_store() -> Iterator[dict[str, str]]:
    """What an operator sets for a bucket, which a server of S3 on this machine has."""
    with s3() as endpoint:
        make_bucket(endpoint, "evaluations")
        yield {
            "RANKLENS_STORE": "s3://evaluations/ranklens", "AWS_ENDPOINT_URL": endpoint, "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET,
        }  # fmt: skip


def main() -> int:
    """Say what was seen over both kinds of store."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with chromium(**{NAME: "127.0.0.1"}) as browser, object_store() as bucket:
        for kind, variables in (("a folder", {}), ("an object store", bucket)):
            with tempfile.TemporaryDirectory() as folder, site(Path(folder), 2, variables) as running:
                print(f"Two replicas over {kind}:")  # noqa: T201
                for sentence in shared(browser, running):
                    print(f"- {sentence}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
