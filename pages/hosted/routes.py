"""Routes: our own addresses, at the root and below the base path.

Streamlit leaves an application's own routes at the root; a proxy that hands on one path only would not reach them there.
"""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.hosted import settings


class Own:
    """Answers our own addresses; everything else goes on to Streamlit."""

    def __init__(self, app: ASGIApp, routes: Sequence[Route]) -> None:
        base = settings.read().base
        below = [Route(base + route.path, route.endpoint, methods=list(route.methods or ())) for route in routes]
        # The first page has no name of its own in an address; people guess one.
        named = [Route(f"{base}/data", _to_start), *([Route(base, _to_start)] if base else [])]
        self._app = app
        self._router = Router([*routes, *(below if base else []), *named], redirect_slashes=False, default=app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Route a request; WebSockets and the server's own start and end are not ours."""
        await (self._router if scope["type"] == "http" else self._app)(scope, receive, send)


def _to_start(request: Request) -> RedirectResponse:
    """On to the first page, relative to what was asked for: the name, scheme and path that a proxy knows stay."""
    query = f"?{request.url.query}" if request.url.query else ""
    base = settings.read().base
    start = "./" if request.url.path != base else f"{base.rpartition('/')[2]}/"
    return RedirectResponse(start + query)
