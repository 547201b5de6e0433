"""Behind nginx with the configuration of HOSTING.md: TLS, a base path, cookies, logs without secrets, and a proxy that signs people in."""

import http.client
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from playwright.sync_api import Browser, FrameLocator

from core.saved import save
from core.store import Folder
from tests.browser.conftest import LONG, PATIENCE
from tests.browser.screen import titled
from tests.hosted.asking import UPGRADE, Answer
from tests.hosted.deployed import Site, site
from tests.hosted.journey import FILES, chromium, everything, visitor
from tests.hosted.proxy import CERTIFICATE, NAME, needs_nginx
from tests.saved.made import comparison

pytestmark = needs_nginx
SECRET = "the proxy's own secret, 32 characters or more"  # noqa: S105


def ask(
    running: Site, path: str, headers: Mapping[str, str] | None = None, method: str = "GET", body: bytes | None = None
) -> Answer:
    """Ask the proxy for a path, by the site's name."""
    connection = http.client.HTTPSConnection("127.0.0.1", running.port, context=CERTIFICATE, timeout=60)
    try:
        connection.request(method, path, body, {"Host": f"{NAME}:{running.port}"} | dict(headers or {}))
        answer = connection.getresponse()
        names = {name.lower(): ", ".join(answer.headers.get_all(name) or ()) for name in answer.headers}
        return Answer(answer.status, names, b"" if answer.status == 101 else answer.read())
    finally:
        connection.close()


def test_the_proxy_hands_everything_on_and_its_log_holds_no_secret(tmp_path: Path) -> None:
    with site(tmp_path, 1) as running:
        page = ask(running, "/ranklens/overview?d=TOKEN-OF-A-LINK")
        assert page.status == 200
        assert "content-security-policy" in page.headers
        assert f"wss://{NAME}:{running.port}" in page.headers["content-security-policy"]
        assert page.headers["strict-transport-security"]
        assert "ranklens_browser=" in page.headers["set-cookie"]
        cookies = re.split(r", (?=\w+=)", page.headers["set-cookie"])
        assert all("Secure" in cookie for cookie in cookies), cookies
        assert ask(running, "/ranklens").headers["location"] == "ranklens/"
        assert ask(running, "/ranklens/health").text == '{"status":"alive"}'
        assert ask(running, "/ranklens/_stcore/metrics").status == 404
        assert ask(running, "/elsewhere").status == 404
        origin = {"Origin": f"https://{NAME}:{running.port}", "Sec-WebSocket-Protocol": "streamlit"}
        assert ask(running, "/ranklens/_stcore/stream", UPGRADE | origin).status == 101
        foreign = {"Origin": "https://elsewhere.example", "Sec-WebSocket-Protocol": "streamlit"}
        assert ask(running, "/ranklens/_stcore/stream", UPGRADE | foreign).status == 403
        assert ask(running, "/ranklens/health", {"Host": "elsewhere.example"}).status == 200
        assert ask(running, "/ranklens/", {"Host": "elsewhere.example"}).status == 403
        ask(running, "/ranklens/_stcore/upload_file/SESSION-ID/file", method="PUT", body=b"x")
        ask(running, "/ranklens/take/TOKEN-OF-A-FILE")
        running.replicas[0].kill()
        assert ask(running, "/ranklens/overview?d=TOKEN-OF-A-LINK").status == 502
        log = running.log()
        assert "PUT /ranklens/_stcore/upload_file " in log
        assert [secret for secret in ("TOKEN-OF-A-LINK", "SESSION-ID", "TOKEN-OF-A-FILE") if secret in log] == []


class _Door(BaseHTTPRequestHandler):
    """Stands in for oauth2-proxy: lets in whoever brings its cookie, and says who that is."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """Answer as oauth2-proxy does."""
        known = re.search(r"door=([\w.@]+)", self.headers.get("Cookie", ""))
        if self.path == "/oauth2/auth":
            self.send_response(202 if known else 401)
            if known:
                self.send_header("X-Auth-Request-Email", known[1])
            self.end_headers()
        else:
            self.asked.append(self.headers["X-Auth-Request-Redirect"])
            self.send_response(403)
            self.end_headers()
            self.wfile.write(b"sign in here")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def door() -> Iterator[int]:
    """It at a port of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Door)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.long
@pytest.mark.skipif(not LONG, reason="minutes: RANKLENS_LONG=1 runs it")
def test_whom_a_proxy_signs_in_is_who_they_are_and_nobody_else_gets_in(tmp_path: Path) -> None:
    told = {
        "RANKLENS_ACCESS": "sign-in",
        "RANKLENS_IDENTITY_HEADER": "X-Forwarded-Email",
        "RANKLENS_PROXY_SECRET": SECRET,
    }
    with door() as port, site(tmp_path, 1, told, door=port) as running:
        link = save(
            Folder(tmp_path / "store"), comparison(), title="Ann's", owner="person:ann@eval.example", access="private"
        )
        refused = ask(running, f"/ranklens/?d={link.token}&k=5", {"X-Forwarded-Email": "ann@eval.example"})
        assert (refused.status, refused.text) == (403, "sign in here")
        assert _Door.asked[-1] == f"/ranklens/?d={link.token}&k=5"
        titles = {"ann@eval.example": "new is 0.151 ahead of old", "ben@eval.example": "This link opens nothing here"}
        with chromium(**{NAME: "127.0.0.1"}) as browser:
            for who, title in titles.items():
                with visitor(browser, running.address) as page:
                    page.context.add_cookies([{"name": "door", "value": who, "url": running.address}])
                    page.goto(f"{running.address}/?d={link.token}")
                    titled(page, title)
        assert SECRET not in running.log()
        assert link.token not in running.log()


@pytest.mark.long
@pytest.mark.skipif(not LONG, reason="minutes: RANKLENS_LONG=1 runs it")
def test_a_browser_does_everything_through_the_proxy(tmp_path: Path) -> None:
    with site(tmp_path, 1) as running, chromium(**{NAME: "127.0.0.1"}) as browser:
        assert len(list(everything(browser, running.address))) == 7


@pytest.mark.long
@pytest.mark.skipif(not LONG, reason="minutes: RANKLENS_LONG=1 runs it")
def test_it_works_inside_the_pages_that_may_show_it_and_is_not_shown_in_others(tmp_path: Path) -> None:
    # A browser that keeps no common cookies of framed pages, as this one, must still be known again to upload.
    with (
        site(tmp_path, 1, {"RANKLENS_FRAMES": "https://portal.example"}) as running,
        chromium(**{NAME: "127.0.0.1"}) as browser,
    ):
        frame = framed(browser, running, "https://portal.example")
        frame.locator("h1").filter(has_text="Decide which ranking ships").wait_for()
        frame.locator('input[type="file"]').first.set_input_files(FILES)
        frame.locator("h1").filter(has_text="2 runs and 2 judged queries, ready to compare").wait_for()
        elsewhere = framed(browser, running, "https://elsewhere.example")
        assert elsewhere.locator('[data-testid="stApp"]').count() == 0


def framed(browser: Browser, running: Site, portal: str) -> FrameLocator:
    """The dashboard inside the page of another server."""
    page = browser.new_context(ignore_https_errors=True).new_page()
    page.set_default_timeout(PATIENCE)
    shown = f"<iframe src='{running.address}/' width=1200 height=800></iframe>"
    page.route(f"{portal}/", lambda route: route.fulfill(body=shown, content_type="text/html"))
    page.goto(f"{portal}/", wait_until="networkidle")
    return page.frame_locator("iframe")
