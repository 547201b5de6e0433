"""Errors: who meets one of ours sees a reference number, and the log has the rest under the same number."""

import secrets
import traceback

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pages.hosted import logs

SENTENCE = "Something went wrong. Quote reference {}."
# What nginx answers where nobody is left to read it.
CLIENT_GONE = 499


def logged(event: str, error: BaseException, **fields: object) -> str:
    """Write an error to the log; returns the reference that people see."""
    reference = f"E-{secrets.token_hex(3)}"
    trace = "".join(traceback.format_exception(error))
    # The server that we run in sees some of them again, and prints none that has its number.
    error.add_note(f"{logs.LOGGED} {reference}")
    logs.event(event, "error", reference=reference, error=type(error).__name__, **fields, trace=trace)
    return reference


def on_script_error(error: Exception) -> bool:
    """Show the reference in place of what a page or a callback raised."""
    st.error(SENTENCE.format(logged("page failed", error)))
    return True


def answer(request: Request, error: Exception) -> Response:
    """The answer of a route or a middleware that raised."""
    # The first word of a path at most: what follows may be a session's id or a token.
    where = "/".join(request.url.path.split("/")[:2])
    reference = logged("request failed", error, method=request.method, where=where)
    return PlainTextResponse(SENTENCE.format(reference), status_code=500)


def gone(_: Request, __: Exception) -> Response:
    """Note that a client went away in the middle of a request: nothing of it is kept, and nobody reads this answer."""
    logs.event("client gone")
    return PlainTextResponse("", status_code=CLIENT_GONE)
