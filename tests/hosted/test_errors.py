"""Errors: whatever fails, people see a reference and the log has the rest under it (R&S T27)."""

import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.hosted.asking import ask
from tests.hosted.serving import Served, serving
from tests.hosted.visiting import Visit, visiting

SECRET = "hunter2-of-the-database"  # noqa: S105 - what must not be seen
# The same pieces that stand around our pages, around a page that fails when its buttons are pressed.
PAGE = f"""
import streamlit as st

def broken():
    raise RuntimeError("{SECRET} in a callback")

@st.fragment
def part():
    if st.button("part", key="part"):
        raise RuntimeError("{SECRET} in a part of the page")

st.title("Faulty")
st.download_button("file", b"text", "file.txt")
st.button("callback", key="callback", on_click=broken)
part()
if st.button("script", key="script"):
    raise RuntimeError("{SECRET} in the script")
"""
SERVER = f"""
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

import server as ours
from pages.hosted.routes import Own

class Uploads:
    def __init__(self, app):
        self._app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http" and scope["method"] == "PUT":
            raise RuntimeError("{SECRET} in an upload")
        await self._app(scope, receive, send)

def broken(request):
    raise RuntimeError("{SECRET} in a route")

async def reading(request):
    await request.body()

def stopped(request):
    raise ExceptionGroup("{SECRET} in several", [OSError("{SECRET}")])

routes = [Route("/broken", broken), Route("/stopped", stopped), Route("/reading", reading, methods=["POST"])]
app = st.App(
    Path(__file__).parent / "page.py",
    # An upload fails behind what every answer passes, and before those are refused that belong to nobody.
    middleware=[*ours.MIDDLEWARE[:4], Middleware(Uploads), *ours.MIDDLEWARE[4:], Middleware(Own, routes=routes)],
    on_script_error=ours.errors.on_script_error,
    lifespan=ours.lifespan,
)
"""
REFERENCE = re.compile(r"Something went wrong\. Quote reference (E-[0-9a-f]{6})\.")


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("faulty")
    (folder / "page.py").write_text(PAGE)
    (folder / "faulty.py").write_text(SERVER)
    with serving("faulty", folder) as served:
        yield served


def button(messages: list[ForwardMsg], key: str) -> WidgetState:
    """A press on one of the buttons that a page has sent."""
    ids = [message.delta.new_element.button.id for message in messages if message.delta.new_element.HasField("button")]
    return WidgetState(id=next(each for each in ids if each.endswith(f"-{key}")), trigger_value=True)


def references(visit: Visit) -> list[str]:
    return REFERENCE.findall(b"".join(visit.frames).decode("utf-8", "replace"))


@pytest.mark.parametrize("place", ["script", "callback", "part"])
def test_what_a_page_raises_stays_in_the_log_and_the_page_shows_its_reference(faulty: Served, place: str) -> None:
    with visiting(faulty) as visit:
        visit.run(button(visit.run(), place))
        assert SECRET.encode() not in b"".join(visit.frames)
        assert not re.search(rb"RuntimeError|Traceback|page\.py.{0,3}line", b"".join(visit.frames))
        (reference,) = references(visit)
        (line,) = [each for each in faulty.events("page failed") if each["reference"] == reference]
    assert line["error"] == "RuntimeError"
    assert SECRET in line["trace"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/broken"),
        ("GET", "/stopped"),
        ("PUT", "/_stcore/upload_file/S3SSION/T0KEN"),
        ("GET", "/broken?d=T0KEN"),
    ],
)
def test_what_a_route_or_an_upload_raises_stays_in_the_log_too(faulty: Served, method: str, path: str) -> None:
    answer = ask(faulty, path, method=method, body=b"" if method == "PUT" else None)
    found = REFERENCE.fullmatch(answer.text)
    assert answer.status == 500
    assert found is not None
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "content-security-policy" in answer.headers
    (line,) = [each for each in faulty.events("request failed") if each["reference"] == found[1]]
    assert SECRET in line["trace"]


def test_files_that_a_page_offers_carry_the_headers_and_are_kept_nowhere(faulty: Served) -> None:
    with visiting(faulty) as visit:
        visit.run()
        (media,) = {each.decode() for each in re.findall(rb"/media/\w+\.\w+", b"".join(visit.frames))}
        answer = ask(faulty, media)
    assert (answer.status, answer.text, answer.headers["cache-control"]) == (200, "text", "no-store")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_the_log_names_no_session_and_no_token_and_says_each_error_once(faulty: Served) -> None:
    with visiting(faulty) as visit:
        visit.run(button(visit.run(), "script"))
        assert visit.session
        ask(faulty, f"/media/T0KEN.csv?d=T0KEN&session={visit.session}")
        ask(faulty, f"/_stcore/upload_file/{visit.session}/x", method="PUT", body=b"")
        log = faulty.log()
        assert visit.session not in log
    assert "T0KEN" not in log
    traces = [line["trace"] for line in faulty.events("page failed") + faulty.events("request failed")]
    assert log.count("Traceback (most recent call last)") == sum(
        each.count("Traceback (most recent") for each in traces
    )


def test_a_client_that_goes_away_in_the_middle_leaves_one_line_and_no_trace(faulty: Served) -> None:
    before = len(faulty.events("request failed"))
    for count in (1, 2, 3):
        with socket.create_connection(("127.0.0.1", faulty.port)) as connection:
            head = f"POST /reading?d=T0KEN HTTP/1.1\r\nHost: localhost:{faulty.port}\r\nContent-Length: 1000\r\n\r\n"
            connection.sendall(head.encode() + b"x" * 10)
        # The server notes it when it notices it.
        while len(faulty.events("client gone")) < count:
            time.sleep(0.02)
    assert "ClientDisconnect" not in faulty.log()
    assert len(faulty.events("request failed")) == before
