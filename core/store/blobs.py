"""Blobs: parts kept under the digest of their own bytes, so that equal parts are kept once and damage is seen."""

import hashlib

from core.errors import InputError, Problem
from core.store.interface import Store


def put_blob(store: Store, data: bytes) -> str:
    """Keep bytes and return their SHA-256, by which they are found again.

    Put them once more after the document that names them: a collection may have taken them meanwhile (see garbage).
    """
    digest = hashlib.sha256(data).hexdigest()
    store.put_same(blob_key(digest), data)
    return digest


def get_blob(store: Store, digest: str, *, what: str) -> bytes:
    """The bytes of a digest, checked against it; `what` names the part to people.

    Raises InputError where it is missing or not as it was written.
    """
    data = store.get(blob_key(digest))
    if data is None:
        raise InputError(Problem(what, None, f"is damaged: its part {digest[:12]}… is missing from the store"))
    if hashlib.sha256(data).hexdigest() != digest:
        raise InputError(Problem(what, None, f"is damaged: its part {digest[:12]}… is not as it was written"))
    return data


def blob_key(digest: str) -> str:
    """Where a blob is kept."""
    return f"blobs/{digest[:2]}/{digest}"
