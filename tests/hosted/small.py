"""A small page behind our own middleware: quick to run, with a budget as small as a test wants, and a route that tells what is held."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.hosted.asking import ask
from tests.hosted.serving import Served, serving
from tests.hosted.visiting import Visit

PATIENCE = 60
SIZE = 3 << 20
# Streamlit samples the first, the middle and the last 64 KiB of a large file: this place is in none of them.
GAP = 300_000
PAGE = """
import streamlit as st
from pages.hosted import exports, sessions

sessions.meet(may_upload="looks" not in st.query_params)
exports.begin()
st.title("Small")
for sentence in sessions.told():
    st.warning(sentence)
if exports.served():
    exports.offer("small", bytes, "small.txt", "text/plain")
if "letter" in st.query_params:
    from small_files import files

    files(st.query_params["letter"], by_streamlit="plain" in st.query_params)
"""
# The modules that make files take a while to load, so they are only where they are asked for.
FILES = f"""
import streamlit as st
from core.errors import InputError, Problem
from pages.hosted import exports
from pages.shared import export_menu

def refused():
    raise InputError(Problem("bm25.run", None, "too large for a slide", "take a table instead"))

def broken():
    raise RuntimeError("hunter2")

def files(letter, by_streamlit):
    def made():
        data = bytearray(b"." * {SIZE})
        data[{GAP}] = ord(letter)
        return bytes(data)

    exports.served = (lambda: False) if by_streamlit else served
    export_menu.download("Take", made, "näme", "txt")
    if by_streamlit:
        return
    export_menu.download("Refused", refused, "refused", "txt")
    export_menu.download("Broken", broken, "broken", "txt")
    st.text("gone " + exports.offer("gone", made, "gone.txt", "text/plain", guard=lambda: False))

served = exports.served
"""
SERVER = """
import json
import os
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route
from streamlit import config, runtime

import server as ours
from pages.hosted import janitor
from pages.hosted.exports import offers
from pages.hosted.routes import Own
from pages.hosted.sessions import registry
from pages.hosted.uploads import Uploads, manager
from pages.shared.limits import HOSTED_BUDGET, Share

asked = json.loads(os.environ["SMALL"])
shares = {name: Share(**asked[name]) for name in ("session", "address") if name in asked}
rest = {name: asked[name] for name in ("held", "seconds", "stalled", "makers") if name in asked}
budget = replace(HOSTED_BUDGET, **rest, **shares)
middleware = [
    Middleware(Uploads, allowed=budget) if each.cls is Uploads else each for each in ours.MIDDLEWARE
]

def bytes_of(provider):
    return sum(stat.byte_length for stats in provider.get_stats().values() for stat in stats)

def told(request):
    media = runtime.get_instance().media_file_mgr._storage
    return JSONResponse({
        "held": bytes_of(manager()), "media": bytes_of(media), "sessions": len(registry.sessions), "offers": len(offers.offers),
    })

@asynccontextmanager
async def lifespan(app):
    if asked.get("served", True):
        async with janitor.at_work(every=asked.get("every", 0.2)):
            yield {}
    else:
        yield {}

app = st.App(
    Path(__file__).parent / "page.py",
    middleware=[*middleware, Middleware(Own, routes=[Route("/told", told)])],
    on_script_error=ours.errors.on_script_error,
    lifespan=lifespan,
)
config.set_option("server.disconnectedSessionTTL", asked.get("ttl", 120))
"""


@contextmanager
def small(folder: Path, **asked: Any) -> Iterator[Served]:
    """The small server. asked: parts of its budget; `ttl` of left sessions, `every` of the janitor; `served` False: without our part."""
    (folder / "page.py").write_text(PAGE)
    (folder / "small_files.py").write_text(FILES)
    (folder / "small.py").write_text(SERVER)
    variables: dict[str, Any] = {
        "RANKLENS_HOSTED": "1",
        "RANKLENS_ACCESS": "open",
        "RANKLENS_PROXIES": "1",
        "SMALL": json.dumps(asked),
    }
    with serving("small", folder, **variables) as served:
        yield served


def told(served: Served) -> dict[str, int]:
    """What the server holds: bytes of uploads and of Streamlit's media, sessions, offers."""
    found: dict[str, int] = json.loads(ask(served, "/told").body)
    return found


def soon(holds: Callable[[], bool]) -> bool:
    """Whether something comes to hold within a minute."""
    until = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < until:
        time.sleep(0.05)
    return holds()


def offered(messages: list[ForwardMsg]) -> Mapping[str, str]:
    """The tokens of the files that a page offers, by what their buttons say; and of the one whose guard says no."""
    found = {}
    for message in messages:
        element = message.delta.new_element
        if element.HasField("bidi_component"):
            data = json.loads(element.bidi_component.json)
            found[data["label"]] = data["token"]
        if element.text.body.startswith("gone "):
            found["Gone"] = element.text.body.removeprefix("gone ")
    return found


def from_streamlit(visit: Visit, messages: list[ForwardMsg], label: str) -> str:
    """The address that Streamlit gives a file when its own button is pressed."""
    buttons = [message.delta.new_element.download_button for message in messages]
    asked = BackMsg()
    asked.backend_operation_request.request_id = "1"
    asked.backend_operation_request.session_id = visit.session
    file = next(button.deferred_file_id for button in buttons if button.label == label)
    asked.backend_operation_request.deferred_file.file_id = file
    answer = visit.send(asked, "backend_operation_response")[-1].backend_operation_response
    return answer.deferred_file.url
