"""Closed: what Streamlit answers to everybody and nobody here needs: its measurements, its interface for agents, its script check."""

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

CLOSED = ("/_stcore/metrics", "/_stcore/agent", "/_stcore/script-health-check")


class Closed:
    """Answers 404 at the closed addresses, wherever in a path they stand."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let everything else through."""
        if scope["type"] == "http" and any(f"{closed}/" in f"{scope['path']}/" for closed in CLOSED):
            await PlainTextResponse("Not found.", status_code=404)(scope, receive, send)
            return
        await self._app(scope, receive, send)
