"""Store: where results are kept for later: bytes under keys, created once, never changed.

A folder by default. Series of results and saved comparisons share it; what a key holds is theirs to say.
"""

import os
import re
from pathlib import Path

from core.errors import InputError, Problem
from core.store.address import FORMS, read_address
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
# An address of a service that was mistyped, and not the name of a folder.
MISTYPED = re.compile(r"(?:s3|gs|az):(?!//)|file:(?!//.)")
_opened: dict[str, Store] = {}


def where(url: str | None = None) -> str:
    """The store's address: the one given, else RANKLENS_STORE, else a folder among the user's data; a folder is absolute.

    What is no address stays as it is: `open_store` refuses it.
    """
    asked = url or os.environ.get(VARIABLE)
    if asked and (_is_slip(asked) or ("://" in asked and not asked.startswith("file://"))):
        return asked
    if asked:
        return str(Path(asked.removeprefix("file://")).expanduser().absolute())
    data = os.environ.get("XDG_DATA_HOME")
    return str((Path(data) if data else Path.home() / ".local" / "share") / "ranklens")


def _is_slip(address: str) -> bool:
    """Whether an address can only be a slip: a folder is made where it is missing, so one of that name would be."""
    try:
        Path(address).expanduser()
    except RuntimeError:
        return True
    return MISTYPED.match(address) is not None or not address.strip()


def open_store(url: str | None = None) -> Store:
    """Open a store by its address: a folder, which is made when something is first put there, or a bucket of a service.

    A bucket is opened once in a process: it is reached, and seen to create keys once only.
    Raises InputError for an address that is none, and for a service that cannot be reached or used.
    """
    address = where(url)
    if _is_slip(address):
        raise InputError(
            Problem(VARIABLE, None, f'"{address[:40]}" is no place of a store', f"name a folder, or {FORMS}")
        )
    if "://" not in address:
        return Folder(Path(address))
    if address not in _opened:
        _opened[address] = _bucket(address)
    return _opened[address]


def _bucket(address: str) -> Store:
    found = read_address(address, VARIABLE)
    # Here and not above: its client takes time to load, which a folder does not need.
    from core.store.objects import Objects

    store = Objects(found)
    store.prove()
    return store
