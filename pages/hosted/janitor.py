"""Janitor: lets go of what nobody needs any more, twice a minute, for as long as the server runs.

Streamlit lets go of an ended session, and of the files in it, only when some other session's connection ends: on a quiet server never.
So the janitor opens a session of its own that runs nothing, and ends it at once. All that it uses is open to everybody who has the
runtime; nothing of Streamlit's own store of sessions is touched.
"""

import asyncio
import ctypes
import gc
import os
import time
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from anyio import to_thread
from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLsRequest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import SessionClient
from streamlit.runtime.session_manager import ClientContext

from core import saved
from core.errors import InputError
from core.store import open_store
from pages.hosted import errors, leftovers
from pages.hosted.exports import offers
from pages.hosted.logs import event
from pages.hosted.sessions import Registry, is_active, registry
from pages.hosted.uploads import manager

EVERY_SECONDS = 30.0
STORE_EVERY_SECONDS = 3600.0
HEARD_SECONDS = 5.0


class _Nothing(ClientContext):
    """What came with a connection that nobody made."""

    @property
    def headers(self) -> Iterable[tuple[str, str]]:
        return ()

    @property
    def cookies(self) -> Mapping[str, str]:
        return {}

    @property
    def remote_ip(self) -> str | None:
        return None


class _Nobody(SessionClient):
    """The other end of the janitor's own session: notes that something was said, and drops it."""

    def __init__(self) -> None:
        self.heard = asyncio.Event()

    def write_forward_msg(self, msg: ForwardMsg) -> None:  # noqa: ARG002 - what is said does not matter
        """Note it."""
        self.heard.set()

    @property
    def client_context(self) -> ClientContext:
        return _Nothing()


@asynccontextmanager
async def at_work(known: Registry = registry, every: float = EVERY_SECONDS) -> AsyncIterator[None]:
    """Keep the register of sessions, and the janitor working, for as long as the block runs."""
    known.served = True
    working = asyncio.create_task(_work(known, every))
    try:
        yield
    finally:
        known.served = False
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working


async def _work(known: Registry, every: float) -> None:
    """Tidy again and again. What goes wrong once is in the log with its trace, and tried again the next time."""
    store_at = time.monotonic() + every
    while True:
        await asyncio.sleep(every)
        jobs: list[Coroutine[Any, Any, object]] = [tidy(known)]
        if time.monotonic() >= store_at:
            store_at = time.monotonic() + STORE_EVERY_SECONDS
            jobs += [tidy_store(), to_thread.run_sync(leftovers.sweep)]
        for outcome in await asyncio.gather(*jobs, return_exceptions=True):
            if isinstance(outcome, Exception):
                errors.logged("janitor failed", outcome)


async def tidy(known: Registry = registry) -> int:
    """Let go of ended sessions, with their uploads and their offers; returns how many there were. In the server's event loop only."""
    if manager().get_stats() or not all(is_active(session) for session in known.every()):
        await _expire()
        # What belongs to a session points to itself in circles, so that only a collection finds it.
        gc.collect()
    offers.expire()
    ended = known.forget_ended()
    for session in ended:
        # Also what came in late, after Streamlit had let go of the rest.
        manager().remove_session_files(session)
        offers.forget(session)
    if ended:
        await to_thread.run_sync(_give_back)
    return len(ended)


def _give_back() -> None:
    """Have the allocator give back to the machine what large files took: some 60 MB of 200 after 200 of 20 MB. Only glibc keeps it."""
    if os.name == "posix" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


async def tidy_store() -> None:
    """Delete what has expired in the store, and parts that nothing names."""
    try:
        done = await to_thread.run_sync(lambda: saved.tidy(open_store()))
    except InputError as error:
        event("store not tidied", "error", said=str(error))
    else:
        event("store tidied", **done._asdict())


async def _expire() -> None:
    """Have Streamlit drop the sessions whose time is over, as it does when a connection ends.

    The janitor's session is spoken to first: Streamlit's loop remembers the one that it last sent something to, and so remembers this.
    """
    server, client = runtime.get_instance(), _Nobody()
    own = server.connect_session(client, user_info={})
    server.handle_backmsg(own, BackMsg(file_urls_request=FileURLsRequest(request_id="none", session_id=own)))
    with suppress(TimeoutError):
        await asyncio.wait_for(client.heard.wait(), HEARD_SECONDS)
    server.disconnect_session(own)
    server.close_session(own)
