"""`ranklens delete`: a saved comparison and every link to it, gone."""

from pathlib import Path

import click

from core.cli.document import SCHEMA
from core.cli.link import STORE, nothing, token_of
from core.cli.options import options, output
from core.cli.output import as_json, write
from core.saved import delete, tidy
from core.store import Folder, open_store


@click.command("delete")
@click.argument("link", metavar="LINK")
@options((STORE,), output(("table", "json")))
def delete_(link: str, store: str | None, form: str, out: Path | None) -> None:
    """Delete a saved comparison with every link to it.

    \b
    ranklens delete "https://eval.example/ranklens/?delete=…"
    ranklens delete TOKEN

    LINK is what `ranklens save` printed: the link that deletes, or the link itself, as an address or a token. All links are dead at once. Parts
    that no other comparison and no series needs are taken out of the store an hour after they were last saved: by a dashboard that runs on it, and
    out of a folder by this command too.

    \b
    JSON: {"schema", "deleted": true}
    """
    place = open_store(store)
    token = token_of(link)
    if token is None or not delete(place, token, by_link=True):
        raise nothing(store)
    done = "Deleted: every link to it is dead."
    write(as_json({"schema": SCHEMA, "deleted": True}) if form == "json" else done, out)
    if isinstance(place, Folder):
        tidy(place)
