"""Deleting: a saved comparison goes at once with all its links; its parts go with the next collection."""

from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from core.errors import InputError
from core.saved import records
from core.saved.finding import complete, gone, identities, manifest
from core.store import Store, collect

HOUR = 3600.0


def delete(store: Store, token: str, *, by_link: bool = False) -> bool:
    """Delete what a delete link's token leads to, with every link to it. False where there is nothing.

    by_link  a link's own token deletes too: for who holds the store itself. A link that is passed on must not.

    Raises InputError where the record is damaged or of a later version, or the store cannot be written to.
    """
    hashed = records.hashed(token)
    document = records.told(store, records.delete_key(hashed), "delete", "the delete link")
    if document is None and by_link:
        document = records.told(store, records.link_key(hashed), "link", "the link")
    return document is not None and delete_by_id(store, records.as_found(document, "the link").id)


def delete_by_id(store: Store, identity: str, *, owner: str | None = None) -> bool:
    """Delete the saved comparison of an id with every link to it. False where there is none.

    owner  whose list it stands in, where that is known already
    """
    if not records.ID.fullmatch(identity):
        return False
    owners = {owner, _owner(store, identity)} | _take_links(store, identity)
    for each in owners - {None}:
        store.delete(f"{records.owned_by(str(each))}{identity}.json")
    store.delete(f"{records.EVERYONE}{identity}.json")
    # The manifest last: while it is there, `tidy` knows what is left to do.
    found = store.delete(records.manifest_key(identity))
    _take_links(store, identity)  # a link that was made meanwhile
    return found


class Tidied(NamedTuple):
    """What was tidied: comparisons that had expired, ones that were saved or deleted by half, parts, leftovers of writers."""

    expired: int
    half_saved: int
    blobs: int
    swept: int


def tidy(store: Store, older_than: float = HOUR) -> Tidied:
    """Delete what has expired and what was left half done `older_than` seconds ago, then collect parts that nothing names.

    What is damaged or of a later version stays. Raises InputError where the store cannot be read or written to.
    """
    expired = half = 0
    for identity in identities(store):
        if _expired(store, identity):
            expired += delete_by_id(store, identity)
        elif _half(store, identity, older_than):
            half += delete_by_id(store, identity)
    return Tidied(expired, half, collect(store, older_than), store.sweep(older_than))


def _take_links(store: Store, identity: str) -> set[str | None]:
    """Take away the links of a comparison; returns the owners they name. The links themselves go first: they are dead at once."""
    known = [entry.key for entry in store.entries(records.links_of(identity))]
    for key in known:
        store.delete(records.link_key(_name(key)))
    owners: set[str | None] = set()
    for key in known:
        owner, delete_link = _about_link(store, key)
        owners.add(owner)
        if delete_link is not None:
            store.delete(records.delete_key(delete_link))
        store.delete(key)
    return owners


def _about_link(store: Store, key: str) -> tuple[str | None, str | None]:
    """Whose a link is, and the digest of the delete link beside it; None for what cannot be read."""
    with suppress(InputError):
        document = records.told(store, key, "link", "the link") or {}
        owner, digest = records.as_found(document, "the link").owner, str(document.get("delete"))
        return owner, digest if records.DIGEST.fullmatch(digest) else None
    return None, None


def _owner(store: Store, identity: str) -> str | None:
    with suppress(InputError):
        saved = manifest(store, identity)
        return None if saved is None else saved.owner
    return None


def _expired(store: Store, identity: str) -> bool:
    """Whether a comparison has expired, by its manifest or, where that cannot be read, by any link that can."""
    with suppress(InputError):
        saved = manifest(store, identity)
        return saved is not None and gone(saved)
    for entry in store.entries(records.links_of(identity)):
        with suppress(InputError):
            document = records.told(store, entry.key, "link", "the link")
            return document is not None and gone(records.as_found(document, "the link"))
    return False


def _half(store: Store, identity: str, older_than: float) -> bool:
    with suppress(InputError):
        saved = manifest(store, identity)
        return saved is not None and _age(saved.created) > older_than and not complete(store, saved.link)
    return False


def _age(created: datetime) -> float:
    return (records.now() - created).total_seconds()


def _name(key: str) -> str:
    return key.rpartition("/")[2].removesuffix(".json")
