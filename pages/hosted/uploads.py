"""Uploads: what people may bring at a time and in an hour, each session, each address and all together.

Streamlit limits the size of one file and nothing else. What it holds is asked of it, so that files a page has taken count no more.
"""

import asyncio
import ipaddress
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileManager

from pages.hosted import settings
from pages.hosted.logs import event
from pages.hosted.sessions import Registry, is_active, registry, upload_of
from pages.shared.limits import Budget, Share, amount, budget, limits

HOUR = 3600.0
TIDIED_EVERY_SECONDS = 60.0
# What a form adds to the file that it carries.
FORM = 65_536
MIB = 1_048_576
# A browser reads an answer only once it has sent everything: so long what it sends is thrown away.
LINGER_SECONDS = 20.0
SLOW = 408

WAY_OUT = "Compress them (.gz, .zst), cut runs to the top 100 of each query, or use the command line."
TOO_LARGE = "A file may have up to {} here. " + WAY_OUT
TOO_MUCH = "Your files may have {} together at one time here. Bring a part of them first, then the others."
TOO_OFTEN = "This server takes up to {} in an hour from one person. Try again later, or use the command line."
NETWORK = "This server takes up to {} in an hour from one network. Try again later, or use the command line."
NETWORK_FULL = "This server takes up to {} at one time from one network. Try again in a minute."
BUSY = "This server has its hands full with files that are just being brought. Try again in a minute."
STALLED = "The upload came to a halt. Bring the file again."
TOO_SLOW = "The upload took too long. Compress the file (.gz, .zst), and bring it again."


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """An upload that is not taken: the answer's status and its sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


@dataclass(eq=False)
class Upload:
    """One upload: whose it is, and its bytes: those announced until it has been answered, then those that came."""

    session: str
    address: str
    file: str
    size: int = 0
    came: int = 0
    at: float = field(default_factory=time.monotonic)
    open: bool = True


Entered = defaultdict[str, list[Upload]]


@dataclass
class Ledger:
    """The uploads of the last hour, and those that Streamlit still holds. Used in the server's event loop only."""

    budget: Budget
    largest: int
    sessions: Entered = field(default_factory=lambda: defaultdict(list))
    addresses: Entered = field(default_factory=lambda: defaultdict(list))
    arriving: set[Upload] = field(default_factory=set)
    tidied: float = field(default_factory=time.monotonic)

    def begin(self, upload: Upload) -> None:
        """Enter an upload; raises Refused where it does not fit."""
        self.arriving.add(upload)
        self.sessions[upload.session].append(upload)
        self.addresses[upload.address].append(upload)
        self.check(upload)

    def check(self, upload: Upload) -> None:
        """Whether an upload fits beside the others; raises Refused where it does not."""
        if upload.size > self.largest + FORM:
            raise Refused(413, TOO_LARGE.format(amount(self.largest)))
        _within(self.sessions[upload.session], self.budget.session, TOO_MUCH, TOO_OFTEN)
        _within(self.addresses[upload.address], self.budget.address, NETWORK_FULL, NETWORK)
        if self.held() > self.budget.held + FORM:
            raise Refused(429, BUSY)

    def count(self, upload: Upload, came: int) -> None:
        """Count bytes that came; an upload that brings more than it announced is looked at again with each further MiB."""
        upload.came += came
        if upload.came > upload.size:
            upload.size = upload.came + MIB
            self.check(upload)

    def end(self, upload: Upload) -> None:
        """Note that an upload has been answered."""
        upload.open, upload.size = False, upload.came
        self.arriving.discard(upload)
        if time.monotonic() > self.tidied + TIDIED_EVERY_SECONDS:
            self.tidied = time.monotonic()
            self.tidy()

    def tidy(self) -> None:
        """Forget what is an hour old and held no more."""
        for entered in (self.sessions, self.addresses):
            for name in list(entered):
                entered[name] = [each for each in entered[name] if _is_recent(each) or _is_held(each)]
                if not entered[name]:
                    del entered[name]

    def held(self) -> int:
        """Bytes in memory of everybody together: held by Streamlit, and arriving."""
        families = manager().get_stats().values()
        stored = sum(getattr(stat, "byte_length", 0) for stats in families for stat in stats)
        return stored + sum(each.size for each in self.arriving)


def manager() -> UploadedFileManager:
    """Where Streamlit holds what was uploaded."""
    return runtime.get_instance().uploaded_file_mgr


def taken(files: Iterable[UploadedFile]) -> None:
    """Have Streamlit let go of files that a page has taken: it would hold them for as long as the session lasts."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        return
    for file in files:
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def _is_recent(upload: Upload) -> bool:
    return upload.at > time.monotonic() - HOUR


def _is_held(upload: Upload) -> bool:
    return upload.open or bool(manager().get_files(upload.session, [upload.file]))


def _within(uploads: Iterable[Upload], share: Share, at_once: str, hourly: str) -> None:
    """Raise Refused where uploads are more than their share."""
    recent = [each for each in uploads if _is_recent(each)]
    if len(recent) > share.files:
        raise Refused(429, hourly.format(f"{share.files:,} files"))
    if sum(each.size for each in recent) > share.hour + FORM:
        raise Refused(429, hourly.format(amount(share.hour)))
    if sum(each.size for each in uploads if _is_held(each)) > share.held + FORM:
        raise Refused(429, at_once.format(amount(share.held)))


def address_of(scope: Scope, proxies: int) -> str:
    """Whose request it is by the network: the address that the outermost of our own proxies saw.

    Each proxy adds the address that it was asked from; what stands before those of our own is anybody's word. Of IPv6 the first
    64 bits count: they are what one customer gets.
    """
    told = [part.strip() for line in Headers(scope=scope).getlist("x-forwarded-for") for part in line.split(",")]
    came = [*told, (scope.get("client") or ("",))[0]]
    text = came[-1 - min(proxies, len(came) - 1)]
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return "unknown"
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else str(found)


class Uploads:
    """ASGI middleware: counts what is uploaded, and refuses what is too much or takes too long."""

    def __init__(self, app: ASGIApp, allowed: Budget | None = None, known: Registry = registry) -> None:
        self._app = app
        self._known = known
        self._proxies = settings.read().proxies
        largest = min(limits().packed, int(st.get_option("server.maxUploadSize")) * MIB)
        self.ledger = Ledger(allowed or budget(), largest)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let an upload through while it fits, and everything else at once."""
        found = upload_of(scope)
        if found is None or scope["method"] != "PUT":
            await self._app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "")
        announced = int(length) if length.isdecimal() else 0
        upload = Upload(found[0], address_of(scope, self._proxies), found[1], announced)
        body = _Body(self.ledger, upload, receive)
        try:
            self.ledger.begin(upload)
            await self._app(scope, body, send)
        except Refused as refused:
            self._known.tell(upload.session, refused.sentence)
            event("upload refused", "warning", why=refused.sentence, bytes=upload.size)
            if refused.status != SLOW:
                await body.thrown_away()
            headers = {"connection": "close", "retry-after": "60"}
            await PlainTextResponse(refused.sentence, refused.status, headers)(scope, receive, send)
        finally:
            self.ledger.end(upload)
            if not self._known.knows(upload.session) and not is_active(upload.session):
                # The session ended while its file was on the way: nobody would ever take it, or let go of it.
                manager().remove_session_files(upload.session)


@dataclass
class _Body:
    """What comes of an upload: counted, and refused by Refused where it becomes too much or too slow."""

    ledger: Ledger
    upload: Upload
    receive: Receive
    whole: bool = False

    async def __call__(self) -> Message:
        """The next piece."""
        if self.whole:
            return await self.receive()
        allowed = self.ledger.budget
        left = self.upload.at + allowed.seconds - time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, min(left, allowed.stalled))):
                message = await self._next()
        except TimeoutError:
            raise Refused(SLOW, STALLED if left > allowed.stalled else TOO_SLOW) from None
        self.ledger.count(self.upload, len(message.get("body", b"")))
        return message

    async def thrown_away(self) -> None:
        """Take the rest and keep nothing, for a while: a browser would not hear an answer before it has sent everything."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                while not self.whole:
                    await self._next()

    async def _next(self) -> Message:
        message = await self.receive()
        self.whole = not message.get("more_body", False)
        return message
