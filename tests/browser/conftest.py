"""A real server and a real Chromium for the journeys: one browser a worker, a fresh server where a test asks for one."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.conftest import REPOSITORY

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--force-color-profile=srgb",
]  # fmt: skip
DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
PATIENCE = 120_000
LONG = os.environ.get("RANKLENS_LONG") == "1"
# For a journey whose steps another one goes too.
IN_FULL = pytest.mark.skipif(
    not LONG, reason="part of the full checks (--long); another journey stands for it in short"
)
# (dark, phone): in short both schemes and both sizes once, in full every combination.
LOOKS = [(False, False), (True, True), *([(True, False), (False, True)] if LONG else [])]


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_server(store: Path | None = None) -> Iterator[str]:
    """The dashboard, started as people start it, over a store (an empty one of its own by default); ends with the block. Gives its address."""
    port = free_port()
    command = [sys.executable, "-m", "core.cli", "app", "--port", str(port)]
    folder = None if store else tempfile.TemporaryDirectory(prefix="ranklens-")
    variables = os.environ | {
        "STREAMLIT_SERVER_ADDRESS": "127.0.0.1",
        "RANKLENS_STORE": str(store or (folder and folder.name)),
    }
    process = subprocess.Popen(
        command,
        cwd=REPOSITORY,
        env=variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(300):
            if process.poll() is not None:
                raise RuntimeError(f"the server ended: {process.stderr.read().decode() if process.stderr else ''}")
            try:
                with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1) as answer:
                    if answer.read() == b"ok":
                        break
            except OSError:
                time.sleep(0.1)
        else:
            raise RuntimeError("the server did not answer within 30 seconds")
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=20)
        if process.stderr:
            process.stderr.close()
        if folder:
            folder.cleanup()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One server for the tests of a worker that do not need a fresh one."""
    with running_server() as address:
        yield address


@pytest.fixture
def fresh_server() -> Iterator[str]:
    """A server that nobody has visited."""
    with running_server() as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, or the one that Playwright brought."""
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


Opens = Callable[..., Page]


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Opens]:
    """Open an address as a new visitor: `visit(address, dark=False, phone=False)`.

    Requests to other hosts, and whatever the content policy of our server refuses, fail the test.
    """
    contexts: list[BrowserContext] = []
    foreign: list[str] = []
    refused: list[str] = []

    def opened(address: str, *, dark: bool = False, phone: bool = False) -> Page:
        context = chromium.new_context(viewport=PHONE if phone else DESKTOP, color_scheme="dark" if dark else "light")  # type: ignore[arg-type]  # Playwright's own dictionary type
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: None if _ours(request.url, address) else foreign.append(request.url))
        page.on("console", lambda said: refused.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto(address)
        settled(page)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not foreign, f"requests left for other hosts: {foreign}"
    assert not refused, f"the content policy refused: {refused}"


def _ours(url: str, address: str) -> bool:
    host = address.split("/")[2]
    return url.startswith(("data:", "blob:", "about:", f"http://{host}/", f"ws://{host}/"))


def settled(page: Page) -> None:
    """Wait until the page has run and shows something."""
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]', timeout=PATIENCE)
    page.wait_for_selector('[data-testid="stMain"] h1')
    page.wait_for_timeout(150)
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]', timeout=PATIENCE)


def tall(page: Page) -> None:
    """Make the window as tall as the page: it scrolls inside a container, which a picture of the full page does not see."""
    size = page.viewport_size or DESKTOP
    height = page.evaluate("document.querySelector('[data-testid=\"stMain\"]').scrollHeight")
    page.set_viewport_size({"width": size["width"], "height": max(size["height"], int(height) + 20)})
    page.wait_for_timeout(400)


def picture(page: Page, name: str) -> None:
    """Keep a picture of the page where RANKLENS_PICTURES says, for people to look at."""
    folder = os.environ.get("RANKLENS_PICTURES")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(Path(folder) / f"{name}.png"))
