"""The files that a session looks at: an immutable set or a saved comparison, named by the address.

A change of the files (one more, a correction, one less) makes a new set with a new token. The token is in the address, so reload
and the Back button restore what was there.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

import streamlit as st

from core.errors import InputError
from core.model.reading import Repair
from core.saved import Saved
from pages.hosted import sessions
from pages.shared import saved_links
from pages.shared.samples import sample_files
from pages.shared.shelf import Brought, Files, shelf

__all__ = ["Brought", "Files", "shelf"]


def current_token() -> str | None:
    """The token of the set that this session looks at: the address's where it has one."""
    address = st.query_params.get("d")
    if address is not None:
        st.session_state["_files"] = address
    return address if address is not None else st.session_state.get("_files")


def current() -> Files:
    """The files that this session looks at; none where it has none or they are gone."""
    token = current_token()
    try:
        return (None if token is None else resolve(token)) or ()
    except InputError:
        return ()


def gone() -> bool:
    """Whether the address names something that is not here, or that cannot be read."""
    return current_token() is not None and not current()


def resolve(token: str) -> Files | None:
    """What a token names: a sample by its name, a set that somebody brought, or a saved comparison, by its link or its id.

    Raises InputError where that is a saved comparison that is damaged or was saved by a later version.
    """
    return sample_files(token) or shelf().get(token) or saved_links.files_of(token)


def saved_one() -> Saved | None:
    """The saved comparison that this session looks at, where it is one."""
    return next((file.saved for file in current()), None)


def look_at(files: Iterable[Brought]) -> None:
    """Make these the files of this session, in a new set. Raises InputError where they are more than there is room for."""
    kept = tuple(files)
    if kept:
        token = shelf().put(kept, sessions.session_id() or "")
        origin, made = st.session_state.get("_made_from") or (None, None)
        st.session_state["_made_from"] = (origin if made and made == current_token() else current_token(), token)
        st.session_state["_files"] = token
        st.query_params["d"] = token
    else:
        st.session_state.pop("_files", None)
        st.query_params.pop("d", None)


def open_set(token: str) -> None:
    """Look at what is there already: a sample, or a saved comparison."""
    st.session_state["_files"] = token
    st.query_params["d"] = token


def leave() -> None:
    """Look at nothing: back to the start."""
    st.session_state.pop("_files", None)
    for key in ("d", "v", "present"):
        st.query_params.pop(key, None)


def bring(brought: Iterable[Brought], instead_of: Collection[str] = ()) -> None:
    """Add files to those of this session; one with the same bytes and name is there already.

    A saved comparison stays as it is: files that are brought while one is open begin a set of their own.

    instead_of  keys of files that one of the same name takes the place of
    """
    new = {file.key: file for file in brought}
    by_name = {file.name: file for file in new.values()}
    known: dict[str, Brought] = {}
    for file in current():
        if file.saved is not None:
            continue
        kept = by_name.get(file.name, file) if file.key in instead_of and file.key not in new else file
        known.setdefault(kept.key, kept)
    look_at((known | {key: file for key, file in new.items() if key not in known}).values())


def change(file: Brought, **fields: object) -> None:
    """Replace one file of this session's by itself with other fields."""
    look_at(replace(each, **fields) if each.key == file.key else each for each in current())  # type: ignore[arg-type]  # the fields are named by the callers here


def decide(file: Brought, **fields: object) -> None:
    """Change what is decided about one file of this session's."""
    change(file, choice=replace(file.choice, **fields))  # type: ignore[arg-type]  # the fields are named by the callers here


def repair(wanted: tuple[Repair, ...]) -> None:
    """Repair the ids of all files of this session's; each repair knows whose ids it changes."""
    look_at(replace(each, choice=replace(each.choice, repairs=(*each.choice.repairs, *wanted))) for each in current())


def remove(file: Brought) -> None:
    """Take one file out of this session's."""
    look_at(each for each in current() if each.key != file.key)


def keep_in_address() -> None:
    """Put the token back into the address: changing the page drops what no widget is bound to."""
    token = current_token()
    if token and st.query_params.get("d") != token:
        st.query_params["d"] = token
