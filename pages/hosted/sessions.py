"""Sessions: which browser and which identity each one belongs to, so that nobody else writes into it or takes it over.

Streamlit knows a session by its id alone, and the id stands in the addresses of uploads. Here an upload, and a connection that wants
to go on with a session, must come with the cookies that the session began with. Where a browser keeps no cookies at all there is
nothing to compare: the id is then the only secret, as in Streamlit by itself, which takes no uploads without its own cookie either.
"""

import hashlib
import hmac
import os
import re
import secrets
import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.hosted import settings
from pages.hosted.logs import event
from pages.hosted.settings import Settings
from pages.shared.identity import COOKIE, HEADER, mode

YEAR = 365 * 24 * 3600
# Streamlit's cookies of somebody who has signed in; a long one comes in several.
SIGNED_IN = "_streamlit_user"
PRESENCE = "_presence"
UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/(?P<file>[^/]+)$")
PROTOCOLS = "sec-websocket-protocol"
FOREIGN = "This upload does not belong to this browser's session. Reload the page, and bring the file again."
NO_UPLOADS = "This server takes no files from you."


class Presence:
    """Lies in a session's state and goes with it: that it is gone tells that the session has ended."""


@dataclass
class Session:
    """What is known of one session: whose it is, whether it may upload, and what its page has to say at the next run."""

    binding: str
    may_upload: bool
    presence: "weakref.ref[Presence]"
    told: list[str] = field(default_factory=list)


@dataclass
class Registry:
    """Every session that has run a page. Safe from any thread; `served` where a server asks it, which app.py alone does not."""

    served: bool = False
    sessions: dict[str, Session] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def meet(self, session_id: str, binding: str, may_upload: bool, presence: Presence) -> None:
        """Remember whose a session is, as of this run."""
        with self.lock:
            before = self.sessions.get(session_id)
            told = before.told if before else []
            self.sessions[session_id] = Session(binding, may_upload, weakref.ref(presence), told)

    def belongs(self, session_id: str, binding: str) -> bool:
        """Whether a session is there and what asks for it comes from where it came from."""
        with self.lock:
            found = self.sessions.get(session_id)
        return found is not None and hmac.compare_digest(found.binding, binding)

    def may_upload(self, session_id: str) -> bool:
        """Whether the person behind a session may bring files; an unknown session may not."""
        with self.lock:
            found = self.sessions.get(session_id)
        return found is not None and found.may_upload

    def knows(self, session_id: str) -> bool:
        """Whether a session has run a page and has not ended."""
        with self.lock:
            found = self.sessions.get(session_id)
        return found is not None and found.presence() is not None

    def every(self) -> list[str]:
        """The ids of all sessions that have not been forgotten."""
        with self.lock:
            return list(self.sessions)

    def tell(self, session_id: str, sentence: str) -> None:
        """Let a session's page say something at its next run; the same thing once."""
        with self.lock:
            found = self.sessions.get(session_id)
            if found is not None and sentence not in found.told:
                found.told.append(sentence)

    def told(self, session_id: str) -> list[str]:
        """What a session's page has to say now; it is said once."""
        with self.lock:
            found = self.sessions.get(session_id)
            if found is None:
                return []
            said, found.told = found.told, []
            return said

    def forget_ended(self) -> list[str]:
        """Forget the sessions whose state is gone, and name them."""
        with self.lock:
            ended = [session_id for session_id, found in self.sessions.items() if found.presence() is None]
            for session_id in ended:
                del self.sessions[session_id]
        return ended


registry = Registry()


def binding(cookies: Mapping[str, str], headers: Mapping[str, str]) -> str:
    """A digest of all that tells one visitor from another: our cookie, the trusted header's identity, the cookies of a sign-in.

    Equal for two requests of one browser and identity. Nothing of it can be read back.
    """
    header = os.environ.get(HEADER, "")
    signed_in = sorted((name, value) for name, value in cookies.items() if name.startswith(SIGNED_IN))
    parts = (cookies.get(COOKIE), headers.get(header) if header else None, signed_in)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def asked_by(scope: Scope) -> str:
    """The binding of a request."""
    connection = HTTPConnection(scope)
    return binding(connection.cookies, connection.headers)


def session_id() -> str | None:
    """The id of the session whose page runs here; None outside of a page."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else None


def meet(*, may_upload: bool) -> None:
    """Remember whose this session is: the first thing that app.py does at every run, with what came with its connection.

    A run whose visitor has just gone changes nothing: there is no connection to tell anything from.
    """
    running = session_id()
    bound = _connected(running) if running and registry.served else None
    if running is None or bound is None:
        return
    presence = st.session_state.setdefault(PRESENCE, Presence())
    registry.meet(running, bound, may_upload, presence)


def told() -> list[str]:
    """What this session's page has to say: uploads that were refused since its last run."""
    running = session_id()
    return registry.told(running) if running else []


def upload_of(scope: Scope) -> tuple[str, str] | None:
    """The session and the file that a request uploads or deletes; None for every other request."""
    if scope["type"] != "http" or scope["method"] not in ("PUT", "DELETE"):
        return None
    found = UPLOAD.search(scope["path"])
    return (found["session"], found["file"]) if found else None


def is_active(session: str) -> bool:
    """Whether a session has a connection."""
    return runtime.exists() and runtime.get_instance().is_active_session(session)


def _connected(session: str) -> str | None:
    """The binding of the connection that a session has; None where it has none."""
    client = runtime.get_instance().get_client(session) if runtime.exists() else None
    context = client.client_context if client else None
    return binding(context.cookies, Headers(dict(context.headers))) if context else None


class Sessions:
    """ASGI middleware: gives each browser its cookie, and lets nobody into somebody else's session."""

    def __init__(self, app: ASGIApp, known: Registry = registry) -> None:
        self._app = app
        self._known = known
        self._settings = settings.read()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, drop a foreign session's id, or pass on."""
        if scope["type"] == "websocket":
            await self._app(self._resuming(scope), receive, send)
        elif scope["type"] == "http":
            refusal = self._refusal(scope)
            if refusal:
                event("upload refused", "warning", why=refusal)
                await PlainTextResponse(refusal, 403)(scope, receive, send)
            else:
                await self._app(scope, receive, self._with_cookie(scope, send))
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> str | None:
        """Why a request may not write into the session that it names."""
        upload = upload_of(scope)
        if upload is None:
            return None
        session, asked = upload[0], asked_by(scope)
        if self._known.knows(session):
            allowed = self._known.may_upload(session)
            return (None if allowed else NO_UPLOADS) if self._known.belongs(session, asked) else FOREIGN
        # A page that was open while the server started anew: connected again, and not run again yet.
        fresh = mode() in ("own", "open") and hmac.compare_digest(_connected(session) or "", asked)
        return None if fresh else FOREIGN

    def _resuming(self, scope: Scope) -> Scope:
        """The connection without the id of a session that is not this visitor's: it begins a session of its own.

        Streamlit's page sends, where others name protocols: `streamlit`, a token against forged requests, the session's id.
        """
        entries = [entry.strip() for entry in Headers(scope=scope).get(PROTOCOLS, "").split(",")]
        if len(entries) < 3 or not entries[2] or self._known.belongs(entries[2], asked_by(scope)):
            return scope
        event("session begun anew", why="the one named is another's, or has ended")
        changed: Scope = {**scope, "headers": list(scope["headers"]), "subprotocols": entries[:2]}
        headers = MutableHeaders(scope=changed)
        del headers[PROTOCOLS]
        headers.append(PROTOCOLS, ", ".join(entries[:2]))
        return changed

    def _with_cookie(self, scope: Scope, send: Send) -> Send:
        """A `send` that gives a browser without our cookie one with the page."""
        if COOKIE in HTTPConnection(scope).cookies:
            return send

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("set-cookie", cookie(self._settings, https=scope.get("scheme") == "https"))
            await send(message)

        return sending


def cookie(now: Settings, *, https: bool) -> str:
    """A new cookie that tells this browser from others: a random word that nothing can be read from, for a year.

    Other sites' pages have it sent along only where RANKLENS_FRAMES lets them show this one, and then by https only.
    """
    made = SimpleCookie({COOKIE: secrets.token_urlsafe(24)})[COOKIE]
    made["path"] = now.base or "/"
    made["max-age"] = YEAR
    made["httponly"] = True
    made["samesite"] = "None" if now.framed else "Lax"
    made["secure"] = now.https or https
    return made.OutputString()
