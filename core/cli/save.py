"""`ranklens save`: a comparison kept in the store, and a link to it."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import click

from core.cli.compare import baseline_named
from core.cli.document import SCHEMA
from core.cli.link import DELETES, STORE, address_of, dashboard
from core.cli.options import CONVENTIONS, INPUTS, MEASURES, Request, options, output, request
from core.cli.output import as_json, write
from core.cli.reading import read
from core.comparison import Comparison
from core.comparison.notices import main_measure
from core.errors import InputError, Problem
from core.model.limits import in_words
from core.saved import DAYS, Access, Link, Saved, delete_by_id, save
from core.saved.access import MACHINE, person
from core.statistics.wording import counted
from core.store import open_store

EXPIRES = "RANKLENS_EXPIRES"
NEVER = "never"
PAGE = "overview"
OPENED_BY = {
    "private": "its owner alone opens it in a dashboard",
    "link": "whoever has the link opens it",
    "everyone": "everyone who is signed in opens it",
}


@click.command("save")
@options(INPUTS, MEASURES)
@click.option(
    "--baseline", metavar="NAME", help="The run that every other one is held against; the first one by default."
)
@click.option("--title", metavar="TEXT", default="", help="What people call it; the names of the runs by default.")
@click.option(
    "--expires-in",
    metavar="DAYS",
    help=f"After so many days the link is dead, or never (default: {EXPIRES}, else {DAYS}).",
)
@click.option(
    "--access", type=click.Choice(get_args(Access)), default="link", show_default=True,
    help="Who opens it in a dashboard: its owner, whoever has the link, or everyone who is signed in.",
)  # fmt: skip
@click.option(
    "--owner", metavar="OWNER", default=MACHINE, show_default=True,
    help="In whose list it stands: person:NAME for someone who signs in as NAME.",
)  # fmt: skip
@options((STORE,), CONVENTIONS, output(("table", "json")))
def save_(
    form: str, out: Path | None, baseline: str | None, title: str, expires_in: str | None, access: Access, owner: str,
    store: str | None, **given: Any,
) -> None:  # fmt: skip
    """Save a comparison in the store and print a link to it, as the last line.

    \b
    ranklens save --qrels qrels.txt --run bm25.run --run new=hybrid.run --title "Before the release"
    ranklens save --qrels qrels.txt --run bm25.run --expires-in never --store s3://evaluation | tail -1

    The link is an address of the dashboard that RANKLENS_ADDRESS names, else a token for `ranklens open`. It and the link that deletes, on the line
    before, are printed once and kept nowhere: a store holds only their digests.

    \b
    JSON: {"schema", "link", "token", "delete", "id", "title", "owner", "access", "expires" (null: never), "page", "bytes"}
    """
    asked = request(given)
    dashboard()
    days, whose = _days(expires_in), _owner(owner)
    place, comparison = open_store(store), read(asked)
    for measure in asked.measures:
        if measure.gains:
            comparison.scores(comparison.names[0], measure)  # refused as by `score` where they lack a grade
    link = save(
        place, comparison, title=title, view=_view(asked, comparison, baseline), page=PAGE, owner=whose,
        access=access, days=days, measure=main_measure(asked.measures),
    )  # fmt: skip
    try:
        write(_json(link) if form == "json" else _table(link, comparison), out)
    except InputError:
        delete_by_id(place, link.saved.id)  # a link that was never told is nobody's
        raise


def _days(text: str | None) -> int | None:
    """The days until it expires, None for never. Raises InputError for what is neither."""
    name, told = (
        ("--expires-in", text) if text is not None else (EXPIRES, os.environ.get(EXPIRES, "").strip() or str(DAYS))
    )
    if told.lower() == NEVER:
        return None
    if not (told.isascii() and told.isdigit()) or len(told) > 9:
        raise InputError(Problem(name, None, f'"{told}" is not a number of days', "such as 90, or never"))
    return int(told)


def _owner(text: str) -> str:
    """Whose list it stands in, as a dashboard calls them. Raises InputError for what is nobody."""
    kind, _, name = text.partition(":")
    found = MACHINE if text == MACHINE else person(name) if kind == "person" else None
    if found is None:
        raise InputError(
            Problem("--owner", None, f'"{text}" is no owner', f"{MACHINE}, or person:NAME as they sign in")
        )
    return found


def _view(asked: Request, comparison: Comparison, baseline: str | None) -> dict[str, Any]:
    """What the sidebar of the dashboard is set to, by the names that `pages.shared.saved_view` knows."""
    measure, conventions = main_measure(asked.measures), asdict(asked.conventions)
    view: dict[str, Any] = {"missing": conventions["missing"], "undefined": conventions["undefined"]}
    view["level"] = conventions["relevance_level"]
    if measure.name == "nDCG" and measure.gain in ("linear", "exponential"):
        view |= {"gain": measure.gain, "k": measure.k}
    return view if baseline is None else view | {"base": baseline_named(comparison, baseline)}


def _json(link: Link) -> str:
    saved = link.saved
    return as_json(
        {
            "schema": SCHEMA, "link": _address(link), "token": link.token, "delete": _delete_address(link),
            "id": saved.id, "title": saved.title, "owner": saved.owner, "access": saved.access,
            "expires": None if saved.expires is None else saved.expires.isoformat(), "page": saved.page,
            "bytes": saved.bytes,
        }
    )  # fmt: skip


def _table(link: Link, comparison: Comparison) -> str:
    saved = link.saved
    what = f"{counted(len(comparison.names), 'run')}, {in_words(saved.bytes)}"
    lines = [f'Saved "{saved.title}" ({what}) {_until(saved)}; {OPENED_BY[saved.access]}.', saved.line, ""]
    return "\n".join([*lines, f"Delete it: {_delete_address(link)}", _address(link)])


def _until(saved: Saved) -> str:
    return "for ever" if saved.expires is None else f"until {saved.expires:%Y-%m-%d %H:%M} UTC"


def _address(link: Link) -> str:
    return address_of(link.token, link.saved.page)


def _delete_address(link: Link) -> str:
    return address_of(link.delete_token, key=DELETES)
