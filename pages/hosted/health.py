"""Health: whether this process is alive, and whether it can take people, for whoever starts and watches it."""

import asyncio
import time

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from streamlit.runtime import Runtime, RuntimeState

from core.errors import InputError
from core.store import open_store
from pages.hosted import logs

RUNNING = (RuntimeState.NO_SESSIONS_CONNECTED, RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED)
# No key is ever put here: asking for it reaches the store and reads nothing.
PROBE = "ready/probe"
# However many ask, and however often: one of them at a time reaches the store.
AGAIN = 5.0
_last: list[tuple[float, asyncio.Future[bool]]] = []


def health(_: Request) -> JSONResponse:
    """This process answers."""
    return JSONResponse({"status": "alive"})


async def ready(_: Request) -> JSONResponse:
    """This process takes people: its pages run and its store answers. Who asks is told no details, the log is."""
    running = Runtime.exists() and Runtime.instance().state in RUNNING
    fine = running and await _store_answers()
    return JSONResponse({"status": "ready" if fine else "not ready"}, status_code=200 if fine else 503)


async def _store_answers() -> bool:
    if not _last or (_last[0][1].done() and time.monotonic() - _last[0][0] > AGAIN):
        _last[:] = [(time.monotonic(), asyncio.ensure_future(to_thread.run_sync(_reach_store)))]
    return await asyncio.shield(_last[0][1])


def _reach_store() -> bool:
    try:
        open_store().get(PROBE)
    except InputError as error:
        logs.event("store does not answer", "error", said=str(error))
        return False
    return True


ROUTES = [Route("/health", health), Route("/ready", ready)]
