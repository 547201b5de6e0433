"""A link as people write it on the command line: an address, a token, or a bundle's path in its place."""

import os
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import click

from core.comparison import Comparison
from core.errors import InputError, Problem
from core.exports.bundle import comparison_of, open_bundle
from core.saved import find, open_saved, read
from core.store import open_store, where

ADDRESS = "RANKLENS_ADDRESS"
# What an address names a comparison by, and what the address that deletes one does.
OPENS, DELETES = "d", "delete"
TOKEN = re.compile(r"[A-Za-z0-9_-]{20,}")

STORE = click.option(
    "--store",
    metavar="URL",
    help="Where comparisons are saved: a folder or s3://… (default: RANKLENS_STORE, else your data folder).",
)


def opened(what: str, store: str | None) -> Comparison:
    """The comparison of a bundle's path, of a link's address or of its token; a file that exists wins.

    Raises InputError where there is none, or it is damaged or of a later version.
    """
    token = token_of(what)
    if not what.strip():
        raise nothing(store)
    if _is_file(what) or token is None:
        return open_bundle(what)
    place = open_store(store)
    found = find(place, token)
    if found is None:
        raise nothing(store)
    saved = read(place, found)
    return comparison_of(open_saved(place, saved), saved.title)


def token_of(text: str) -> str | None:
    """The token in the address of a link or of a delete link, or the text itself where it is like one; else None."""
    if "?" not in text:
        return text if TOKEN.fullmatch(text) else None
    try:
        asked = parse_qs(urlsplit(text).query)
    except ValueError:
        return None
    return next((asked[key][-1] for key in (OPENS, DELETES) if key in asked), None)


def nothing(store: str | None) -> InputError:
    """The error for a link that opens nothing, for whatever reason."""
    message = "there is no such file, and nothing is saved under this link: it has expired, was deleted, or never was"
    return InputError(Problem("LINK", None, message, f"looked in {where(store)}; --store names another store"))


def address_of(token: str, page: str = "", *, key: str = OPENS) -> str:
    """The address of a link on the dashboard of RANKLENS_ADDRESS, the token where none is named."""
    base = dashboard()
    return token if base is None else f"{base}/{page}?{key}={token}"


def dashboard() -> str | None:
    """RANKLENS_ADDRESS without a slash at its end. Raises InputError where it is no address."""
    told = os.environ.get(ADDRESS, "").strip().rstrip("/")
    if told and not re.fullmatch(r"https?://[^\s?#]+", told):
        problem = f'"{told}" is not an address'
        raise InputError(Problem(ADDRESS, None, problem, "such as https://eval.example/ranklens"))
    return told or None


def _is_file(what: str) -> bool:
    try:
        return what == "-" or Path(what).exists()
    except (OSError, ValueError):
        return False
