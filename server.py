"""The hosted entry: app.py as an ASGI application, for `streamlit run server.py`, `uvicorn server:app` and `ranklens app`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect

from pages.hosted import errors, health, logs, settings, signing_in, started
from pages.hosted.closed import Closed
from pages.hosted.headers import Headers
from pages.hosted.hosts import Hosts
from pages.hosted.present import Present
from pages.hosted.returning import Returning
from pages.hosted.routes import Own
from pages.hosted.vouching import Vouching

ROUTES = [*health.ROUTES]
# From the outside in: every answer gets its headers, also that of an error, and nothing from a foreign name gets further.
MIDDLEWARE = [
    Middleware(Headers),
    Middleware(ServerErrorMiddleware, handler=errors.answer),
    Middleware(ExceptionMiddleware, handlers={ClientDisconnect: errors.gone}),
    Middleware(Hosts),
    Middleware(Vouching),
    Middleware(Closed),
    Middleware(Returning),
    Middleware(Present),
    Middleware(Own, routes=ROUTES),
]


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any]]:
    """What runs beside the pages for as long as the server does."""
    started.announce()
    yield {}


logs.start()
# Streamlit finds the application by reading this file, so it is made here, by name.
app = st.App(
    Path(__file__).parent / "app.py",
    middleware=MIDDLEWARE,
    on_script_error=errors.on_script_error,
    lifespan=lifespan,
)
settings.apply()
signing_in.apply()
