"""The hosted entry: app.py as an ASGI application, for `streamlit run server.py`, `uvicorn server:app` and `ranklens app`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.requests import ClientDisconnect

from pages.hosted import errors, health, logs, settings, started
from pages.hosted.closed import Closed
from pages.hosted.headers import Headers
from pages.hosted.hosts import Hosts
from pages.hosted.present import Present
from pages.hosted.routes import Own

ROUTES = [*health.ROUTES]
# From the outside in: every answer gets its headers, also that of an error, and nothing from a foreign name gets further.
MIDDLEWARE = [
    Middleware(Headers),
    Middleware(ServerErrorMiddleware, handler=errors.answer),
    Middleware(Hosts),
    Middleware(Closed),
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
    exception_handlers={ClientDisconnect: errors.gone},
    on_script_error=errors.on_script_error,
    lifespan=lifespan,
)
settings.apply()
