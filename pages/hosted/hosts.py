"""Hosts: which names this server answers to, and from whose pages.

A name that is not ours is how a page elsewhere reaches a server that only this machine should (DNS rebinding); an origin that
is not ours is how it speaks in the name of whoever looks at it.
"""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.hosted import logs, settings
from pages.hosted.settings import Settings

HOST = "This server does not answer to this name. Whoever runs it can allow the name with RANKLENS_HOSTS."
ORIGIN = "This came from a page of another server, and is refused."
# A container's host asks for these by whatever address the container has; they say nothing about anybody.
ANYWHERE = ("/health", "/ready", "/_stcore/health")
# What a page elsewhere may do is look.
LOOKING = ("GET", "HEAD", "OPTIONS")


class Hosts:
    """Refuses requests and WebSockets with a foreign Host, and with a foreign Origin where they could change anything."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._settings = settings.read()
        self._anywhere = {base + path for base in ("", self._settings.base) for path in ANYWHERE}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through what is ours."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host"), headers.get("origin")
        if not named(host, self._settings) and scope["path"] not in self._anywhere:
            await _refuse(HOST, "host refused", scope, receive, send, host=host)
        elif _changes(scope) and origin is not None and not ours(origin, host, self._settings):
            await _refuse(ORIGIN, "origin refused", scope, receive, send, origin=origin)
        else:
            await self._app(self._as_asked(scope, origin), receive, send)

    def _as_asked(self, scope: Scope, origin: str | None) -> Scope:
        """The request with the name that the browser asked for, where a proxy has put another: Streamlit compares the two.

        It would look up what address this machine has on the internet before it refused.
        """
        if origin is None or origin != self._settings.origin:
            return scope
        headers = MutableHeaders(raw=list(scope["headers"]))
        headers["host"] = urlsplit(origin).netloc
        return {**scope, "headers": headers.raw}


def named(host: str | None, now: Settings) -> bool:
    """Whether a Host header names this server, whatever the port."""
    if not host or "@" in host:
        return False
    try:
        parts = urlsplit(f"//{host}")
        name, _ = parts.hostname, parts.port
    except ValueError:
        return False
    return parts.netloc == host and name is not None and ("*" in now.hosts or name.rstrip(".") in now.hosts)


def ours(origin: str, host: str | None, now: Settings) -> bool:
    """Whether a request comes from a page of this server: as the browser sees it, or as its public address says."""
    if origin == now.origin:
        return True
    parts = urlsplit(origin)
    if now.origin and parts.netloc == urlsplit(now.origin).netloc:
        return False
    return parts.scheme in ("http", "https") and parts.netloc == host


def _changes(scope: Scope) -> bool:
    return scope["type"] == "websocket" or scope["method"] not in LOOKING


async def _refuse(said: str, event: str, scope: Scope, receive: Receive, send: Send, **fields: object) -> None:
    logs.event(event, "warning", **fields)
    if scope["type"] == "http":
        await PlainTextResponse(said, status_code=403)(scope, receive, send)
    elif "websocket.http.response" in scope.get("extensions", {}):
        headers = [(b"content-type", b"text/plain; charset=utf-8")]
        await send({"type": "websocket.http.response.start", "status": 403, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": said.encode()})
    else:
        await send({"type": "websocket.close", "code": 1008})
