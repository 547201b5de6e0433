"""Refusals: what an object store answers, in words for people, without what the answer repeats of keys and addresses."""

import re

from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

STATUS = re.compile(r"status code: (\d{3})")
CODE = re.compile(r"<Code>([A-Za-z]{1,60})</Code>")
# Where a machine of a cloud is asked for its own credentials, because none were given.
METADATA = re.compile(r"169\.254\.169\.254|latest/(?:api/token|meta-data)|token request")
BUSY = {"408", "409", "429", "500", "502", "503", "504"}
TIMED_OUT = "TimedOut"
NO_BUCKET = {"NoSuchBucket", "ContainerNotFound", "InvalidBucketName"}

Refusal = BaseError | FileNotFoundError | NotImplementedError
REFUSALS = (BaseError, FileNotFoundError, NotImplementedError)


def reason(error: Refusal) -> str:
    """Why the store did not do as it was asked. Only the service's own word for it is repeated, as "(SlowDown)"."""
    text = _text(error)
    status, word = _found(STATUS, text), _found(CODE, text)
    said = f" ({word})" if word else f" (HTTP {status})" if status else ""
    if METADATA.search(text):
        return "there are no credentials for it"
    if word in NO_BUCKET or isinstance(error, FileNotFoundError) or status == "404":
        return "there is no such bucket"
    if may_not(error):
        return f"the credentials are refused, or do not allow it{said}"
    if not status and TIMED_OUT in str(error):
        return "it did not answer in time"
    if not status and "error sending request" in text:
        return "it cannot be reached"
    return f"the service failed{said}" if status else "its settings are not complete, or not right"


def may_not(error: Refusal) -> bool:
    """Whether it is the credentials that do not allow it."""
    denied = isinstance(error, PermissionDeniedError | UnauthenticatedError)
    return denied or _found(STATUS, _text(error)) in {"401", "403"}


def may_pass(error: Refusal) -> bool:
    """Whether the same may go well a moment later: the service was busy or hung up, and did not say no.

    One that does not answer at all is not waited for again.
    """
    text = _text(error)
    status = _found(STATUS, text)
    if METADATA.search(text) or TIMED_OUT in str(error):
        return False
    return status in BUSY if status else "HTTP error" in text


def unsuited(error: Refusal) -> bool:
    """Whether the service does not know conditions at all."""
    return isinstance(error, NotImplementedError) or _found(STATUS, _text(error)) == "501"


def _text(error: Refusal) -> str:
    return str(error).partition("Debug source")[0]


def _found(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""
