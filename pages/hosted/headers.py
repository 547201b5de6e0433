"""Headers: what every answer tells a browser not to do, whoever made the answer."""

import base64
import hashlib
import re
from pathlib import Path

from starlette.datastructures import Headers as Sent
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

from pages.hosted import settings
from pages.hosted.hosts import named
from pages.hosted.settings import Settings

# Nothing here uses any of these.
FEATURES = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "usb",
)
YEAR = 31_536_000
STARTS = ("http.response.start", "websocket.http.response.start")


class Headers:
    """Puts our headers on every answer that passes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._settings = settings.read()
        self._script = inline_script()
        self._fixed = fixed(self._settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and stamp the start of each answer."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        host = Sent(scope=scope).get("host")
        policy = content_policy(self._settings, self._script, host if named(host, self._settings) else None)

        async def stamped(message: Message) -> None:
            if message["type"] in STARTS:
                headers = MutableHeaders(scope=message)
                headers["content-security-policy"] = policy
                for name, value in self._fixed.items():
                    headers[name] = value
                if "immutable" not in headers.get("cache-control", ""):
                    headers["cache-control"] = "no-store"
                if self._settings.https:
                    message["headers"] = [
                        (name, self._kept(value) if name == b"set-cookie" else value) for name, value in headers.raw
                    ]
            await send(message)

        await self._app(scope, receive, stamped)

    def _kept(self, cookie: bytes) -> bytes:
        """A cookie as a browser keeps it: by https only, and inside other pages one for each, where it would refuse a common one."""
        framed = self._settings.framed and b"samesite=none" in cookie.lower()
        return secure(cookie) + (b"; Partitioned" if framed else b"")


def secure(cookie: bytes) -> bytes:
    """A cookie that a browser sends by https only: Streamlit says so of none, not of the one that holds a sign-in either."""
    return cookie if b"; secure" in cookie.lower() else cookie + b"; Secure"


def inline_script() -> str:
    """The hash of the one script inside Streamlit's page, as a content policy names it.

    Raises RuntimeError where there is not exactly one: then Streamlit has changed, and somebody has to look at how.
    """
    page = (Path(file_util.get_static_dir()) / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    inline = re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", page)
    if len(scripts) != 1 or len(inline) != 1:
        raise RuntimeError(
            f"Streamlit's page holds {len(inline)} inline scripts, not the one that the content policy allows"
        )
    return f"sha256-{base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()}"


def content_policy(now: Settings, script: str, host: str | None) -> str:
    """What a page may load and reach: this server, and nothing else. The WebSocket's address is named for browsers that want it."""
    scheme = "wss" if now.https else "ws"
    sockets = f" {scheme}://{host}" if host else ""
    return "; ".join((
        "default-src 'self'",
        f"script-src 'self' 'wasm-unsafe-eval' '{script}'",
        # Streamlit styles its elements one by one.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        f"connect-src 'self'{sockets}",
        "worker-src 'self' blob:",
        f"frame-ancestors {' '.join(now.frames) or repr('none')}",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    ))  # fmt: skip


def fixed(now: Settings) -> dict[str, str]:
    """The headers that are the same on every answer."""
    told = {
        "x-content-type-options": "nosniff",
        # Addresses hold tokens: none is told to anybody, and none ends up in a proxy's log beside the one that was asked for.
        "referrer-policy": "no-referrer",
        "permissions-policy": ", ".join(f"{feature}=()" for feature in FEATURES),
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    }
    if not now.frames:
        told["x-frame-options"] = "DENY"
    if now.https:
        told["strict-transport-security"] = f"max-age={YEAR}"
    return told
