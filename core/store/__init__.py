"""Store: where results are kept for later: bytes under keys, created once, never changed.

A folder by default. Series of results and saved comparisons share it; what a key holds is theirs to say.
"""

import os
from pathlib import Path

from core.errors import InputError, Problem
from core.store.blobs import get_blob, put_blob
from core.store.folder import Folder
from core.store.garbage import collect
from core.store.interface import Entry, Store
from core.store.sealed import seal, unseal

__all__ = [
    "VARIABLE",
    "Entry",
    "Folder",
    "Store",
    "collect",
    "get_blob",
    "open_store",
    "put_blob",
    "seal",
    "unseal",
    "where",
]

VARIABLE = "RANKLENS_STORE"


def where(url: str | None = None) -> str:
    """The store's address: the one given, else RANKLENS_STORE, else a folder among the user's data; a folder is absolute."""
    asked = url or os.environ.get(VARIABLE)
    if asked and "://" in asked and not asked.startswith("file://"):
        return asked
    if asked:
        return str(Path(asked.removeprefix("file://")).expanduser().absolute())
    data = os.environ.get("XDG_DATA_HOME")
    return str((Path(data) if data else Path.home() / ".local" / "share") / "ranklens")


def open_store(url: str | None = None) -> Store:
    """Open a store by its address; a folder is made when something is first put there.

    Raises InputError for an address of a kind that is not known.
    """
    address = where(url)
    if "://" in address:
        kind = address.partition("://")[0]
        raise InputError(
            Problem(VARIABLE, None, f'"{kind}://" is not a kind of store that can be opened', "name a folder")
        )
    return Folder(Path(address))
