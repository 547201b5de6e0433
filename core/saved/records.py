"""Records: the documents of a saved comparison in a store, and what they are read as.

saved/<id>.json                      the manifest; the id is no secret and opens nothing by itself
links/<SHA-256 of a token>.json      a link: what decides about opening without the manifest
links-of/<id>/<the same>.json        the same once more, so that a comparison's links are found
deletes/<SHA-256 of a token>.json    a delete link
owners/<SHA-256 of the owner>/<id>.json and everyone/<id>.json    a line of a list
"""

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from core.errors import InputError, Problem
from core.saved.access import Access
from core.store import Store, seal, unseal

SCHEMA = 1
BYTES_OF_TOKEN = 24
AT_ONCE = 8
EVERYONE = "everyone/"
ID = re.compile(r"[0-9a-f]{32}")
DIGEST = re.compile(r"[0-9a-f]{64}")
Kind = Literal["saved", "link", "delete", "listed"]


@dataclass(frozen=True)
class Found:
    """A saved comparison that a link, a delete link or an id leads to: what decides about opening it."""

    id: str
    owner: str | None
    access: Access
    created: datetime
    expires: datetime | None


@dataclass(frozen=True)
class Listed:
    """A line of a list: never a link, for links are not kept."""

    id: str
    title: str
    created: datetime
    expires: datetime | None
    owner: str | None
    access: Access
    bytes: int
    page: str


@dataclass(frozen=True)
class Saved:
    """A manifest, read. Title, view and notes may come from anybody: who uses a value checks it first.

    line     the convention line of `measure`
    inputs   the files behind it, each as {"role", "name", "sha256"}
    order    the parts: "qrels", "run-0", …
    parts    the files of parts: {"sha256", "bytes", "rows"} by "part/file"; rows are null where it is no table
    link     the digest of the token of its first link, written last: without it the comparison was never saved
    ranklens the version that saved it
    """

    id: str
    title: str
    created: datetime
    expires: datetime | None
    owner: str | None
    access: Access
    bytes: int
    page: str
    view: Mapping[str, Any]
    notes: Mapping[str, Any]
    conventions: Mapping[str, Any]
    measure: str
    line: str
    inputs: tuple[Mapping[str, str], ...]
    order: tuple[str, ...]
    parts: Mapping[str, Mapping[str, Any]]
    link: str
    ranklens: str


@dataclass(frozen=True)
class Link:
    """A link as it is shown once: its token, and the token of the link that deletes. Neither is kept anywhere."""

    token: str = field(repr=False)
    delete_token: str = field(repr=False)
    saved: Saved


def now() -> datetime:
    """The time by which comparisons are saved and expire."""
    return datetime.now(UTC)


def new_token() -> str:
    """192 bits that nobody can guess (a little less: none begins like an option), as text for an address."""
    while (token := secrets.token_urlsafe(BYTES_OF_TOKEN)).startswith("-"):
        pass
    return token


def new_id() -> str:
    """A name for a saved comparison that no other one has."""
    return secrets.token_hex(16)


def hashed(text: str) -> str:
    """The digest under which a token or an owner is kept. Any text has one, so no text is a key or a path."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def manifest_key(identity: str) -> str:
    """Where a manifest is kept."""
    return f"saved/{identity}.json"


def link_key(link: str) -> str:
    """Where the link with a digest is kept."""
    return f"links/{link}.json"


def links_of(identity: str) -> str:
    """Below what the links of a comparison are kept once more."""
    return f"links-of/{identity}/"


def delete_key(delete: str) -> str:
    """Where the delete link with a digest is kept."""
    return f"deletes/{delete}.json"


def owned_by(owner: str) -> str:
    """Below what an owner's list is kept."""
    return f"owners/{hashed(owner)}/"


def sealed(kind: Kind, document: Mapping[str, Any]) -> bytes:
    """A record as bytes."""
    return seal({"schema": SCHEMA, "kind": kind, **document})


def told(store: Store, key: str, kind: Kind, what: str) -> dict[str, Any] | None:
    """The document under a key, None where there is none. Raises InputError where it is damaged or of a later version."""
    data = store.get(key)
    if data is None:
        return None
    document = unseal(data, schema=SCHEMA, what=what)
    if document.get("kind") != kind:
        raise damaged(what)
    return document


def as_found(document: Mapping[str, Any], what: str) -> Found:
    """What a link leads to. Raises InputError for a document of another shape."""
    try:
        identity = str(document["saved"])
        if not ID.fullmatch(identity):
            raise ValueError(identity)
        return Found(identity, **_shared(document))
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(what) from error


def as_listed(document: Mapping[str, Any], identity: str, what: str) -> Listed:
    """A line of a list. Raises InputError for a document of another shape."""
    try:
        more: dict[str, Any] = {
            "title": _text(document["title"]),
            "bytes": int(document["bytes"]),
            "page": _text(document["page"]),
        }
        return Listed(id=identity, **more, **_shared(document))
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(what) from error


def as_saved(document: Mapping[str, Any], identity: str, what: str) -> Saved:
    """A manifest. Raises InputError for a document of another shape."""
    try:
        link = _text(document["link"])
        if not DIGEST.fullmatch(link):
            raise ValueError(link)
        return Saved(
            id=identity, **_shared(document), title=_text(document["title"]), bytes=int(document["bytes"]),
            page=_text(document["page"]), view=dict(document["view"]), notes=dict(document["notes"]),
            conventions=dict(document["conventions"]), measure=_text(document["measure"]), line=_text(document["line"]),
            inputs=tuple(dict(source) for source in document["inputs"]), order=tuple(map(_text, document["order"])),
            parts={_text(name): dict(part) for name, part in document["parts"].items()}, link=link,
            ranklens=_text(document["ranklens"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise damaged(what) from error


def damaged(what: str) -> InputError:
    """The error for a record that is sealed well and makes no sense."""
    return InputError(Problem(what, None, "is damaged: something is missing from its record"))


def called(identity: str) -> str:
    """How a saved comparison is called in errors: by its id, for a title may be anything."""
    return f"the saved comparison {identity[:8]}"


def as_told(about: Saved | Listed | Found) -> dict[str, Any]:
    """What all records of a saved comparison say of it."""
    return {
        "owner": about.owner, "access": about.access, "created": about.created.isoformat(),
        "expires": None if about.expires is None else about.expires.isoformat(),
    }  # fmt: skip


def _shared(document: Mapping[str, Any]) -> dict[str, Any]:
    access, owner, expires = document["access"], document["owner"], document["expires"]
    if access not in get_args(Access) or not isinstance(owner, str | None):
        raise ValueError(access)
    return {
        "owner": owner, "access": access, "created": _moment(document["created"]),
        "expires": None if expires is None else _moment(expires),
    }  # fmt: skip


def _moment(text: Any) -> datetime:
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(text)
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value
