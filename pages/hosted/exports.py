"""Exports: files to take away, made when somebody asks for one and gone from this server once it is sent.

Streamlit keeps what a page offers in memory, and knows a large file by its length and three samples of it, so that two files which
differ elsewhere are one. Here each offer of a session has an address of its own that nobody can guess, and that answers only the
browser and the identity that the session belongs to.
"""

import math
import re
import secrets
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any
from urllib.parse import quote

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from core.errors import InputError
from pages.hosted.logs import event
from pages.hosted.sessions import asked_by, registry, session_id
from pages.shared.limits import budget

PATH = "/take/{token}"
TOKEN_BYTES = 24
# Offers of one session; a menu that is typed into makes new ones all the time, and the oldest goes first.
MOST = 100
# Files of everybody that are made at the same time; more wait for their turn.
MAKERS = 4
PIECE = 262_144
QUOTED = re.compile(r"[^ !#-\[\]-~]")
GONE = "This file is not here any more. Reload the page, and take it again."
WAIT = "Your other files are still being made. Take this one when they are there."

Make = Callable[[], bytes]
Guard = Callable[[], bool]


def always() -> bool:
    """The guard of a file that may be taken as long as its page is open."""
    return True


@dataclass(frozen=True, eq=False)
class Offer:
    """One file that a session's page offers: how it is made, what it is called, its type, and whether it may still be taken.

    about  what the log says of it beside: who asks, and which saved comparison it is made of
    until  when it ends although its page stays open, as time.monotonic() counts
    """

    session: str
    key: str
    make: Make
    name: str
    type: str
    guard: Guard = always
    about: Mapping[str, Any] = field(default_factory=dict)
    until: float = math.inf
    run: int = 0


@dataclass
class Offers:
    """What all sessions' pages offer, by token. A page's offers go two runs after the last one that made them. Safe from any thread."""

    offers: dict[str, Offer] = field(default_factory=dict)
    tokens: dict[tuple[str, str], str] = field(default_factory=dict)
    runs: Counter[str] = field(default_factory=Counter)
    making: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, session: str) -> None:
        """Note that a session's page is made anew: what neither this run nor the one before offers is let go."""
        with self.lock:
            self.runs[session] += 1
            self._drop(lambda offer: offer.session == session and offer.run < self.runs[session] - 1)

    def put(self, offer: Offer) -> str:
        """Offer a file; returns its token, the same for the same session and key."""
        place = offer.session, offer.key
        with self.lock:
            token = self.tokens.setdefault(place, secrets.token_urlsafe(TOKEN_BYTES))
            self.offers.pop(token, None)
            self.offers[token] = replace(offer, run=self.runs[offer.session])
            mine = [each for each in self.offers.values() if each.session == offer.session]
            if len(mine) > MOST:
                self._drop(lambda each: each is mine[0])
            return token

    def find(self, token: str) -> Offer | None:
        """What is offered under a token; None where nothing is, or is any more."""
        with self.lock:
            found = self.offers.get(token)
            return found if found is not None and time.monotonic() < found.until else None

    def expire(self) -> None:
        """Let go of offers whose time is over."""
        with self.lock:
            self._drop(lambda offer: offer.until <= time.monotonic())

    def forget(self, session: str) -> None:
        """Let go of all that a session offered: it has ended."""
        with self.lock:
            self._drop(lambda offer: offer.session == session)
            del self.runs[session]

    @contextmanager
    def turn(self, session: str) -> Iterator[bool]:
        """Whether a session may have one more file made now; counts it as long as it is."""
        with self.lock:
            free = self.making[session] < budget().makers
            self.making[session] += free
        try:
            yield free
        finally:
            with self.lock:
                self.making[session] -= free
                self.making += Counter()

    def _drop(self, which: Callable[[Offer], bool]) -> None:
        for token in [token for token, offer in self.offers.items() if which(offer)]:
            offer = self.offers.pop(token)
            del self.tokens[offer.session, offer.key]


offers = Offers()


def served() -> bool:
    """Whether the page that runs here is served by server.py, which answers the address of an offer."""
    return registry.served and session_id() is not None


def begin() -> None:
    """Note that this session's page is made anew."""
    running = session_id()
    if running is not None and registry.served:
        offers.begin(running)


def offer(key: str, make: Make, name: str, kind: str, **more: Any) -> str:
    """Offer a file on the page that runs here; returns its token, the same at every run.

    key   tells it from the session's other files
    kind  its media type
    more  `guard`, `about` and `until` of the offer
    """
    return offers.put(Offer(session_id() or "", key, make, name, kind, **more))


async def take(request: Request) -> Response:
    """The file behind a token, made now. Unknown, ended, somebody else's and forbidden by its guard are all the same: not here."""
    found = offers.find(request.path_params["token"])
    if request.method != "GET" or found is None or not registry.belongs(found.session, asked_by(request.scope)):
        return _gone()
    with offers.turn(found.session) as free:
        if not free:
            return PlainTextResponse(WAIT, 429, {"retry-after": "5"})
        try:
            data = await to_thread.run_sync(_made, found, limiter=_limiter())
        except InputError as error:
            event("export", **found.about, outcome="failed", what=found.type, why=str(error))
            return PlainTextResponse("\n".join(filter(None, (str(error), error.problems[0].hint))), 422)
    event("export", **found.about, outcome="not there" if data is None else "done", what=found.type)
    if data is None:
        return _gone()
    headers = {
        "content-length": str(len(data)), "content-disposition": disposition(found.name), "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }  # fmt: skip
    return StreamingResponse(_pieces(data), headers=headers, media_type=found.type)


ROUTES = [Route(PATH, take)]


def disposition(name: str) -> str:
    """`attachment` with the file's name as RFC 6266 has it: plain for old clients, and as it is."""
    plain = QUOTED.sub("_", name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _made(found: Offer) -> bytes | None:
    return found.make() if found.guard() else None


@cache
def _limiter() -> CapacityLimiter:
    return CapacityLimiter(MAKERS)


def _gone() -> Response:
    return PlainTextResponse(GONE, 404)


async def _pieces(data: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(data), PIECE):
        yield data[at : at + PIECE]
