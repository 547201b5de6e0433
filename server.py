"""The hosted entry: app.py as an ASGI application, for `streamlit run server.py`, `uvicorn server:app` and `ranklens app`."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect

from core.errors import InputError
from core.store import open_store
from pages.hosted import errors, exports, health, janitor, logs, settings, signing_in, started
from pages.hosted.closed import Closed
from pages.hosted.headers import Headers
from pages.hosted.hosts import Hosts
from pages.hosted.present import Present
from pages.hosted.returning import Returning
from pages.hosted.routes import Own
from pages.hosted.sessions import Sessions
from pages.hosted.uploads import Uploads
from pages.hosted.vouching import Vouching

ROUTES = [*health.ROUTES, *exports.ROUTES]
# From the outside in: every answer gets its headers, also that of an error, and nothing from a foreign name gets further.
MIDDLEWARE = [
    Middleware(Headers),
    Middleware(ServerErrorMiddleware, handler=errors.answer),
    Middleware(ExceptionMiddleware, handlers={ClientDisconnect: errors.gone}),
    Middleware(Hosts),
    Middleware(Vouching),
    Middleware(Closed),
    Middleware(Returning),
    Middleware(Sessions),
    Middleware(Uploads),
    Middleware(Present),
    Middleware(Own, routes=ROUTES),
]


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any]]:
    """What runs beside the pages for as long as the server does."""
    started.announce()
    async with janitor.at_work():
        yield {}


logs.start()
# Streamlit finds the application by reading this file, so it is made here, by name.
app = st.App(
    Path(__file__).parent / "app.py",
    middleware=MIDDLEWARE,
    on_script_error=errors.on_script_error,
    lifespan=lifespan,
)
try:
    settings.apply()
    signing_in.apply()
    open_store()
except InputError as error:
    # Whoever starts it can mend this: sentences, and no trace.
    said = [f"{problem}" + (f"\nhint: {problem.hint}" if problem.hint else "") for problem in error.problems]
    sys.exit("\n".join(["Ranklens does not start.", *said]))
