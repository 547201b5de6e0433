"""Sealed: a JSON document with its own digest on a second line, so that no changed byte is taken for a number."""

import hashlib
import json
from typing import Any

from core.errors import InputError, Problem


def seal(document: dict[str, Any]) -> bytes:
    """The document as two lines of JSON: itself, and its SHA-256. Equal documents have equal bytes.

    Raises ValueError for NaN: a null was meant.
    """
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    body = text.encode("utf-8", "surrogatepass")
    return body + b'\n{"sha256":"' + hashlib.sha256(body).hexdigest().encode() + b'"}\n'


def unseal(data: bytes, *, schema: int, what: str) -> dict[str, Any]:
    """The document of a seal that holds, of this schema or an older one; `what` names it to people.

    Raises InputError where a byte is not as it was written, or where a later version of Ranklens wrote it.
    """
    body, _, seal_line = data.partition(b"\n")
    if seal_line != b'{"sha256":"' + hashlib.sha256(body).hexdigest().encode() + b'"}\n':
        raise InputError(Problem(what, None, "is damaged: it is not as it was written"))
    try:
        document = json.loads(body.decode("utf-8", "surrogatepass"))
        found = int(document["schema"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputError(Problem(what, None, "is damaged: it is not a document of Ranklens")) from error
    if found > schema:
        raise InputError(
            Problem(what, None, f"was written by a later version of Ranklens (schema {found})", "update Ranklens")
        )
    return dict(document)
