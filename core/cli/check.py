"""`ranklens check`: what in the files touches the numbers, and nothing else."""

from pathlib import Path
from typing import Any

import click

from core.cli import document
from core.cli.options import CONVENTIONS, INPUTS, MEASURES, options, output, request
from core.cli.output import as_json, notice_lines, table, write
from core.cli.reading import read
from core.comparison import Comparison
from core.comparison.notices import notices


@click.command()
@options(INPUTS, MEASURES, CONVENTIONS, output(("table", "json", "md")))
def check(form: str, out: Path | None, **given: Any) -> None:
    """Tell what in the files touches the numbers.

    \b
    ranklens check --qrels qrels.txt --run bm25.run --queries queries.csv

    Every notice has a stable code, a severity (error, warning, info), a count, examples, and its effect on the mean where it has one.
    The JSON has the fields of `score` without the scores: schema, ranklens, conventions, inputs, queries, notices.
    """
    asked = request(given)
    comparison = read(asked)
    measures = asked.measures
    told = notices(comparison, measures)
    if form == "json":
        write(as_json(document.head(comparison, measures, told)), out)
        return
    markdown = form == "md"
    lines = notice_lines(told, markdown=markdown) or "Nothing in these files needs a word."
    write("\n\n".join([_files(comparison, markdown=markdown), lines]), out)


def _files(comparison: Comparison, *, markdown: bool) -> str:
    judged = len(comparison.qrels.queries)
    rows: list[list[object]] = []
    for name in comparison.names:
        run = comparison.run(name)
        rows.append(
            [name, f"{run.rows:,}", f"{judged - len(comparison.missing(name)):,} of {judged:,}", f"{run.extra:,}"]
        )
    line = f"{comparison.qrels.name}: {comparison.qrels.judgments.height:,} judgments of {judged:,} queries"
    return line + "\n\n" + table(rows, ["run", "rows", "queries answered", "without judgments"], markdown=markdown)
