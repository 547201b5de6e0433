"""Saving: a comparison put into a store, and links to it; a link is told only when everything behind it is there."""

import hashlib
import io
import json
import unicodedata
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from typing import Any

import polars as pl

from core.comparison import Comparison
from core.comparison.notices import main_measure
from core.errors import InputError, Problem
from core.exports.bundle import packed_of
from core.model.limits import LOCAL, Limits, in_words
from core.model.measure import DEFAULT_MEASURES, Measure
from core.model.version import version
from core.readers.packed import Packed, frozen
from core.saved import records
from core.saved.access import Access
from core.saved.deleting import delete_by_id
from core.saved.finding import found_by_id, listed, read
from core.saved.records import Link, Saved
from core.store import Store, put_blob
from core.store.blobs import blob_key

DAYS = 90
MOST_DAYS = 36_500
LONGEST_TITLE = 200
LARGEST_VIEW = 100_000
LARGEST_NOTES = 200_000
STALE_SECONDS = 3600.0


def save(
    store: Store, comparison: Comparison, *, title: str = "", view: Mapping[str, Any] | None = None, page: str = "overview",
    notes: Mapping[str, Any] | None = None, owner: str | None = None, access: Access = "link", days: int | None = DAYS,
    measure: Measure | None = None, limits: Limits = LOCAL,
) -> Link:  # fmt: skip
    """Save a comparison, durably, and make its first link.

    title  of one line; the runs' names where it is blank
    view   the settings of the screen, `page` the page it was saved from, `notes` what people wrote to it: JSON
    owner  whose list it stands in; None: nobody's
    days   after which it expires; None: never

    Raises InputError where something is larger than the limits, or the store cannot be written to; then nothing is saved.
    """
    token, delete_token = records.new_token(), records.new_token()
    told: dict[str, Any] = {"title": _title(title, comparison), "page": page, "owner": owner, "access": access}
    told |= {"view": _bounded("the view", view, LARGEST_VIEW), "notes": _bounded("the notes", notes, LARGEST_NOTES)}
    told |= {"link": records.hashed(token), **_times(days)}
    packed = packed_of(comparison)
    files = frozen(packed.parts)
    told |= _about(comparison, packed, measure or main_measure(DEFAULT_MEASURES))
    told |= {"parts": {name: _part(name, data) for name, data in files.items()}, "bytes": sum(map(len, files.values()))}
    _refuse_large(store, told["bytes"], owner, limits)
    identity = records.new_id()
    saved = records.as_saved(told, identity, records.called(identity))
    store.sweep(STALE_SECONDS)
    _put(store, files)
    with _taken_back(store, saved):
        store.put_new(records.manifest_key(identity), records.sealed("saved", told))
        # Looked for once more, after the manifest that names them: what a collection took meanwhile is put again.
        _put(store, {name: data for name, data in files.items() if not _is_there(store, data)})
        _list(store, saved)
        _put_link(store, saved, token, delete_token)
    return Link(token, delete_token, saved)


def new_link(store: Store, identity: str) -> Link:
    """Another link to a saved comparison, which expires with it: tokens are not kept, so no old link can be shown again.

    Raises InputError where there is no such comparison, or it cannot be read.
    """
    found = found_by_id(store, identity)
    if found is None:
        raise InputError(Problem("the saved comparison", None, "is not there: it was deleted, or has expired"))
    saved = read(store, found)
    token, delete_token = records.new_token(), records.new_token()
    _put_link(store, saved, token, delete_token)
    if found_by_id(store, identity) is None:
        # Deleted while the link was made: it must not outlive what it leads to.
        delete_by_id(store, identity)
        raise InputError(Problem(records.called(identity), None, "was deleted just now"))
    return Link(token, delete_token, saved)


def _put_link(store: Store, saved: Saved, token: str, delete_token: str) -> None:
    """The records of a link, itself last: whoever finds it finds everything."""
    link, delete = records.hashed(token), records.hashed(delete_token)
    about = {"saved": saved.id, "delete": delete, **records.as_told(saved)}
    store.put_new(f"{records.links_of(saved.id)}{link}.json", records.sealed("link", about))
    store.put_new(records.delete_key(delete), records.sealed("delete", about | {"link": link}))
    store.put_new(records.link_key(link), records.sealed("link", about))


def _list(store: Store, saved: Saved) -> None:
    """A line in the owner's list, and in everyone's where everyone may open it."""
    line = {"title": saved.title, "bytes": saved.bytes, "page": saved.page, "link": saved.link}
    line |= records.as_told(saved)
    if saved.owner is not None:
        store.put_new(f"{records.owned_by(saved.owner)}{saved.id}.json", records.sealed("listed", line))
    if saved.access == "everyone":
        store.put_new(f"{records.EVERYONE}{saved.id}.json", records.sealed("listed", line))


@contextmanager
def _taken_back(store: Store, saved: Saved) -> Iterator[None]:
    """Take the records away again where saving fails; what even that cannot take away, `tidy` does after an hour."""
    done = False
    try:
        yield
        done = True
    finally:
        if not done:
            with suppress(InputError):
                delete_by_id(store, saved.id, owner=saved.owner)


def _put(store: Store, files: Mapping[str, bytes]) -> None:
    """Put parts, some at once: a store is waited for longer than it works."""
    with ThreadPoolExecutor(records.AT_ONCE) as pool:
        list(pool.map(partial(put_blob, store), files.values()))


def _is_there(store: Store, data: bytes) -> bool:
    return store.modified(blob_key(hashlib.sha256(data).hexdigest())) is not None


def _part(name: str, data: bytes) -> dict[str, Any]:
    """What a manifest says of a file of a part."""
    table = name.endswith(".parquet")
    rows = int(pl.scan_parquet(io.BytesIO(data)).select(pl.len()).collect().item()) if table else None
    return {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "rows": rows}


def _about(comparison: Comparison, packed: Packed, measure: Measure) -> dict[str, Any]:
    """What the numbers were made by and from."""
    sources = [("qrels", source.name, source.sha256) for source in comparison.qrels.sources]
    sources += [("run", run.name, run.source.sha256) for run in comparison.runs]
    for role, metadata in (("queries", comparison.queries), ("documents", comparison.documents)):
        sources += [(role, source.name, source.sha256) for source in (metadata.sources if metadata else ())]
    return {
        "measure": str(measure), "line": comparison.line(measure), "conventions": packed.told["conventions"],
        "inputs": [{"role": role, "name": name, "sha256": digest} for role, name, digest in sources],
        "order": list(packed.parts), "ranklens": version(),
    }  # fmt: skip


def _times(days: int | None) -> dict[str, str | None]:
    if days is not None and not 1 <= days <= MOST_DAYS:
        message = f"a comparison cannot be kept for {days:,} days"
        raise InputError(Problem("expires", None, message, f"1 to {MOST_DAYS:,} days, or never"))
    created = records.now()
    expires = None if days is None else created + timedelta(days=days)
    return {"created": created.isoformat(), "expires": None if expires is None else expires.isoformat()}


def _title(title: str, comparison: Comparison) -> str:
    """The title on one line, without what no screen can show."""
    shown = "".join(letter for letter in title if letter.isspace() or unicodedata.category(letter) not in ("Cc", "Cs"))
    found = " ".join(shown.split())
    if len(found) > LONGEST_TITLE:
        message = f"not saved: the title has {len(found):,} letters, the limit is {LONGEST_TITLE}"
        raise InputError(Problem("the title", None, message, "shorten it"))
    return found or ", ".join(comparison.names)[:LONGEST_TITLE]


def _bounded(what: str, told: Mapping[str, Any] | None, limit: int) -> dict[str, Any]:
    text = json.dumps(dict(told or {}), ensure_ascii=False, allow_nan=False)
    if len(text) > limit:
        message = f"not saved: {what} would take {len(text):,} letters, the limit is {limit:,}"
        raise InputError(Problem(what, None, message))
    return dict(json.loads(text))


def _refuse_large(store: Store, size: int, owner: str | None, limits: Limits) -> None:
    if size > limits.saved:
        message = f"not saved: it would take {in_words(size)}, the limit is {in_words(limits.saved)}"
        raise InputError(Problem("the comparison", None, message, "compare fewer runs, or leave document texts out"))
    if owner is None or limits.owned is None:
        return
    kept = sum(line.bytes for line in listed(store, owner))
    if kept + size > limits.owned:
        message = (
            f"not saved: with what you have saved already it would take {in_words(kept + size)}, "
            f"the limit is {in_words(limits.owned)}"
        )
        raise InputError(Problem("the comparison", None, message, "delete saved comparisons that you no longer need"))
