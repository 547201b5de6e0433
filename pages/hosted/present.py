"""Present: an address that asks for present mode gets Streamlit's own bars taken away as well."""

from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.hosted import settings


class Present:
    """Sends a page's address with `?present=1` on to itself with `embed=true`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._base = settings.read().base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Redirect such a request, let every other through."""
        if scope["type"] == "http" and self._is_page(scope):
            query = scope["query_string"].decode("latin-1")
            asked = dict(parse_qsl(query, keep_blank_values=True))
            if asked.get("present") == "1" and "embed" not in asked:
                # Relative to the address that was asked for, whatever a proxy made of it; and so it cannot lead elsewhere.
                await RedirectResponse(f"?{query}&embed=true", status_code=307)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_page(self, scope: Scope) -> bool:
        below = scope["path"].removeprefix(self._base).lstrip("/")
        wants = Headers(scope=scope).get("accept", "")
        return scope["method"] in ("GET", "HEAD") and "text/html" in wants and "/" not in below and "." not in below
