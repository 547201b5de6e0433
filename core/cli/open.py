"""`ranklens open`: the scores in a bundle or a saved comparison, as `score` printed them."""

from pathlib import Path

import click

from core.cli.link import STORE, opened
from core.cli.options import MEASURES, options, output
from core.cli.output import write
from core.cli.score import shown
from core.model.measure import DEFAULT_MEASURES, Measure


@click.command("open")
@click.argument("what", metavar="LINK|BUNDLE")
@options(MEASURES)
@click.option("--per-query", is_flag=True, help="Every query's value too (JSON, table, md); CSV always has them.")
@options((STORE,), output())
def open_(
    what: str, form: str, out: Path | None, measures: tuple[str, ...], store: str | None, per_query: bool
) -> None:
    """Print what score prints, from a saved comparison or a bundle.

    \b
    ranklens open "https://eval.example/ranklens/overview?d=…" --format json
    ranklens open TOKEN --store s3://evaluation
    ranklens open meeting.ranklens

    LINK is what `ranklens save` or a dashboard's Share page gave, an address or a token; a file of that name wins. The comparison is read from the
    store, not from the address: whoever can read the store can open what is in it.
    Both hold judgments, runs, metadata and conventions; the numbers are those they were made from, to the last digit.
    """
    comparison = opened(what, store)
    asked = tuple(dict.fromkeys(Measure.parse(name) for name in measures)) or DEFAULT_MEASURES
    write(shown(comparison, asked, form, per_query=per_query), out)
