"""Returning: a sign-in at a provider ends on the address where it began, and says so where it failed."""

import base64
import binascii
import re
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.hosted import settings
from pages.hosted.logs import event
from pages.hosted.signing_in import by_provider

COOKIE = "ranklens_wanted"
SIGNED_IN = "_streamlit_user="
KEPT_SECONDS = 3600
LONGEST = 3000
# A page of ours is one word: what is kept can lead to nothing else, whoever made the cookie.
PAGE = re.compile(r"[a-z]{0,30}")
FAILED = "signing_in"


class Returning:
    """Keeps the address of the last page asked for in a cookie, and leads there from the provider's answer.

    Streamlit leads to the root whatever happened. The cookie holds what the address bar held, for an hour, and no script reads it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._on = by_provider()
        self._settings = settings.read()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on; two kinds of answer get a cookie or another goal."""
        if not self._on or scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        below = scope["path"].removeprefix(self._settings.base).removeprefix("/")
        query = scope["query_string"].decode("latin-1")
        asked = "text/html" in Headers(scope=scope).get("accept", "")

        async def turned(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if below == "oauth2callback":
                    self._lead(headers, scope, query)
                elif asked and message["status"] == 200 and PAGE.fullmatch(below):
                    self._keep(headers, below, query)
            await send(message)

        await self._app(scope, receive, turned)

    def _keep(self, headers: MutableHeaders, page: str, query: str) -> None:
        kept = urlencode([pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] != FAILED])
        wanted = base64.urlsafe_b64encode(f"{page}?{kept}".encode()).decode()
        if len(wanted) <= LONGEST:
            where = f"Path={self._settings.base or '/'}; Max-Age={KEPT_SECONDS}"
            headers.append("set-cookie", f"{COOKIE}={wanted}; {where}; HttpOnly; SameSite=Lax")

    def _lead(self, headers: MutableHeaders, scope: Scope, query: str) -> None:
        """The provider's answer: an identity leads to the page wanted; an error too, and says so; the end of a sign-out to the root."""
        answer = dict(parse_qsl(query))
        came = any(
            cookie.startswith(SIGNED_IN) for cookie in headers.getlist("set-cookie") if "Max-Age=0" not in cookie
        )
        if not came and not answer.keys() & {"code", "error"}:
            return
        page, kept = opened(cookie_parser(Headers(scope=scope).get("cookie", "")).get(COOKIE, ""))
        if not came:
            event("sign in", "warning", who="anonymous", outcome="failed")
            kept = [*kept, (FAILED, "failed")]
        headers["location"] = f"{self._settings.base}/{page}" + (f"?{urlencode(kept)}" if kept else "")


def opened(cookie: str) -> tuple[str, list[tuple[str, str]]]:
    """The page and its parameters in a cookie; the root where there is none that could be ours."""
    try:
        page, _, query = base64.urlsafe_b64decode(cookie.encode()).decode().partition("?")
    except (binascii.Error, UnicodeError):
        return "", []
    return (
        (page, parse_qsl(query, keep_blank_values=True))
        if PAGE.fullmatch(page) and len(cookie) <= LONGEST
        else ("", [])
    )
