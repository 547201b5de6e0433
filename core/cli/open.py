"""`ranklens open`: the scores in a bundle, as `score` printed them."""

from pathlib import Path

import click

from core.cli.options import MEASURES, options, output
from core.cli.output import write
from core.cli.score import shown
from core.exports.bundle import open_bundle
from core.model.measure import DEFAULT_MEASURES, Measure


@click.command("open")
@click.argument("bundle", metavar="BUNDLE")
@options(MEASURES)
@click.option("--per-query", is_flag=True, help="Every query's value too (JSON, table, md); CSV always has them.")
@options(output())
def open_(bundle: str, form: str, out: Path | None, measures: tuple[str, ...], per_query: bool) -> None:
    """Print what score prints, from a bundle.

    \b
    ranklens report --qrels qrels.txt --run bm25.run --run new.run --format bundle --out meeting.ranklens
    ranklens open meeting.ranklens --format json

    A bundle holds judgments, runs, metadata and conventions; its numbers are those it was made from, to the last digit.
    """
    comparison = open_bundle(bundle)
    asked = tuple(dict.fromkeys(Measure.parse(name) for name in measures)) or DEFAULT_MEASURES
    write(shown(comparison, asked, form, per_query=per_query), out)
