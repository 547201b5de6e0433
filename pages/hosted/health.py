"""Health: whether this process is alive, and whether it can take people, for whoever starts and watches it."""

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
# Whoever asks all the time does not reach the store all the time.
AGAIN = 5.0
_last: list[tuple[float, bool]] = []


def health(_: Request) -> JSONResponse:
    """This process answers."""
    return JSONResponse({"status": "alive"})


async def ready(_: Request) -> JSONResponse:
    """This process takes people: its pages run and its store answers. Who asks is told no details, the log is."""
    running = Runtime.exists() and Runtime.instance().state in RUNNING
    fine = running and await to_thread.run_sync(_store_answers)
    return JSONResponse({"status": "ready" if fine else "not ready"}, status_code=200 if fine else 503)


def _store_answers() -> bool:
    if _last and time.monotonic() - _last[0][0] < AGAIN:
        return _last[0][1]
    try:
        open_store().get(PROBE)
        fine = True
    except InputError as error:
        logs.event("store does not answer", "error", said=str(error))
        fine = False
    _last[:] = [(time.monotonic(), fine)]
    return fine


ROUTES = [Route("/health", health), Route("/ready", ready)]
