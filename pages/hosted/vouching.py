"""Vouching: a proxy's word for who somebody is, believed only where the proxy can have said it."""

import hmac

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.hosted.logs import event
from pages.hosted.signing_in import PROXY_SECRET, by_header, on_this_machine, told
from pages.shared.identity import HEADER

PROXY_HEADER = "x-ranklens-proxy"


class Vouching:
    """Takes the identity header away from every connection that the trusted proxy cannot have made.

    With RANKLENS_PROXY_SECRET that is one without the secret; without it, one that did not reach this machine's own address.
    The secret goes no further than here.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._name = told(HEADER).lower() if by_header() else ""
        self._secret = told(PROXY_SECRET)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, with or without the header."""
        if scope["type"] in ("http", "websocket"):
            why = self._unbelievable(scope) if self._name else None
            headers = MutableHeaders(raw=list(scope["headers"]))
            for name in [PROXY_HEADER, *([self._name] if why else [])]:
                del headers[name]
            if why and scope["type"] == "websocket":
                event("identity refused", "warning", why=why)
            scope = {**scope, "headers": headers.raw}
        await self._app(scope, receive, send)

    def _unbelievable(self, scope: Scope) -> str | None:
        """Why the identity header of a connection counts for nothing; None where it counts, or is not there."""
        headers = Headers(scope=scope)
        said = headers.getlist(self._name)
        if not said:
            return None
        if len(said) > 1:
            return "the header is there more than once"
        if self._secret:
            proof = headers.getlist(PROXY_HEADER)
            known = len(proof) == 1 and hmac.compare_digest(proof[0].encode(), self._secret.encode())
            return None if known else "it came without the proxy's secret"
        server = scope.get("server")
        return None if server and on_this_machine(server[0]) else "it came from outside this machine"
