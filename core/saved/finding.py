"""Finding: from a link's token, or from a list, to the comparison that was saved."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from core.errors import InputError, Problem
from core.readers.packed import Packed, thawed
from core.saved import records
from core.saved.records import Found, Listed, Saved
from core.store import Store, get_blob


def find(store: Store, token: str) -> Found | None:
    """What a link's token leads to.

    None for an unknown, malformed, expired or deleted one: any text takes the same path, and no answer tells one from the
    other. Raises InputError where the link is damaged, or a later version of Ranklens wrote it.
    """
    return _alive(records.told(store, records.link_key(records.hashed(token)), "link", "the link"))


def find_delete(store: Store, token: str) -> Found | None:
    """What a delete link's token leads to, as `find`: to be shown before it is deleted."""
    return _alive(records.told(store, records.delete_key(records.hashed(token)), "delete", "the delete link"))


def found_by_id(store: Store, identity: str) -> Found | None:
    """What an id leads to, as `find`. The id is no secret: who may open it is the caller's to decide."""
    if not records.ID.fullmatch(identity):
        return None
    saved = manifest(store, identity)
    if saved is None or gone(saved) or not complete(store, saved.link):
        return None
    return Found(saved.id, saved.owner, saved.access, saved.created, saved.expires)


def read(store: Store, found: Found) -> Saved:
    """The manifest of what was found. Raises InputError where it is missing, damaged or of a later version."""
    saved = manifest(store, found.id)
    if saved is None:
        problem = "cannot be opened: its manifest is not in the store"
        raise InputError(
            Problem(records.called(found.id), None, problem, "it was deleted just now, or the store lost it")
        )
    return saved


def open_saved(store: Store, saved: Saved) -> Packed:
    """The parts of a saved comparison, each checked against its digest; `bundle.comparison_of` puts them together.

    Raises InputError where a part is missing or is not as it was written.
    """
    what = records.called(saved.id)

    def part(name: str) -> bytes:
        return get_blob(store, str(saved.parts[name]["sha256"]), what=f"{what}, {name}")

    try:
        with ThreadPoolExecutor(records.AT_ONCE) as pool:
            files = dict(zip(saved.parts, pool.map(part, saved.parts), strict=True))
        parts = thawed(saved.order, files.__getitem__)
    except (KeyError, ValueError) as error:
        raise records.damaged(what) from error
    return Packed({"conventions": saved.conventions, "view": saved.view}, parts)


def listed(store: Store, owner: str) -> list[Listed]:
    """What an owner has saved, the latest first. Lines that cannot be read are left out."""
    return _listed(store, records.owned_by(owner))


def listed_for_everyone(store: Store) -> list[Listed]:
    """What everyone who is signed in may open, the latest first."""
    return _listed(store, records.EVERYONE)


def all_listed(store: Store) -> list[Listed]:
    """Everything that is saved, the latest first: for those who run the server."""
    found = []
    for identity in identities(store):
        with suppress(InputError):
            saved = manifest(store, identity)
            if saved is not None and not gone(saved) and complete(store, saved.link):
                about = (saved.title, saved.created, saved.expires, saved.owner, saved.access, saved.bytes, saved.page)
                found.append(Listed(identity, *about))
    return _latest_first(found)


def manifest(store: Store, identity: str) -> Saved | None:
    """The manifest of an id, None where there is none. Raises InputError where it is damaged or of a later version."""
    what = records.called(identity)
    document = records.told(store, records.manifest_key(identity), "saved", what)
    return None if document is None else records.as_saved(document, identity, what)


def identities(store: Store) -> list[str]:
    """The ids of all manifests."""
    return [entry.key.rpartition("/")[2].removesuffix(".json") for entry in store.entries("saved/")]


def gone(about: Found | Listed | Saved) -> bool:
    """Whether it has expired."""
    return about.expires is not None and about.expires <= records.now()


def complete(store: Store, link: str) -> bool:
    """Whether a comparison was saved to the end: its first link is there, and was not deleted."""
    return bool(records.DIGEST.fullmatch(link)) and store.modified(records.link_key(link)) is not None


def _alive(document: dict[str, object] | None) -> Found | None:
    if document is None:
        return None
    found = records.as_found(document, "the link")
    return None if gone(found) else found


def _listed(store: Store, below: str) -> list[Listed]:
    found = []
    for entry in store.entries(below):
        identity = entry.key.rpartition("/")[2].removesuffix(".json")
        with suppress(InputError):
            document = records.told(store, entry.key, "listed", records.called(identity))
            if document is not None and complete(store, str(document.get("link"))):
                found.append(records.as_listed(document, identity, records.called(identity)))
    return _latest_first([line for line in found if not gone(line)])


def _latest_first(lines: list[Listed]) -> list[Listed]:
    return sorted(lines, key=lambda line: (line.created, line.id), reverse=True)
