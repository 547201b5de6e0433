"""`ranklens score`: the means of every run, and every query's values."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import polars as pl

from core.cli import document
from core.cli.options import CONVENTIONS, INPUTS, MEASURES, options, output, request
from core.cli.output import as_json, notice_lines, number, table, write
from core.cli.reading import read
from core.comparison import Comparison
from core.comparison.notices import notices
from core.exports.table import to_csv
from core.model.measure import Measure


@click.command()
@options(INPUTS, MEASURES)
@click.option("--per-query", is_flag=True, help="Every query's value too (JSON, table, md); CSV always has them.")
@options(CONVENTIONS, output())
def score(form: str, out: Path | None, per_query: bool, **given: Any) -> None:
    """Score runs against judgments.

    \b
    ranklens score --qrels qrels.txt --run bm25.run --run new=hybrid.run.gz
    ranklens score --qrels qrels.txt --run bm25.run -m nDCG@5 -m "nDCG(dcg='exp-log2')@5" --per-query --format json

    A query that a run does not answer scores 0 and stays in the mean. The ideal ranking holds every judged document.
    What in the files touches the numbers is told under the table; `ranklens check` tells only that.
    """
    asked = request(given)
    comparison = read(asked)
    write(shown(comparison, asked.measures, form, per_query=per_query), out)


def shown(comparison: Comparison, measures: Sequence[Measure], form: str, *, per_query: bool) -> str:
    """The scores of a comparison in one of the formats."""
    if form == "csv":
        return to_csv(
            comparison.per_query(measures).with_columns(pl.lit(comparison.line(measures)).alias("conventions"))
        )
    if form == "json":
        return as_json(as_document(comparison, measures, per_query=per_query))
    return as_table(comparison, measures, per_query=per_query, markdown=form == "md")


def as_document(comparison: Comparison, measures: Sequence[Measure], *, per_query: bool) -> dict[str, Any]:
    """The JSON of CLI.md."""
    told = notices(comparison, measures)
    found = document.head(comparison, measures, told) | {"measures": [str(measure) for measure in measures]}
    scores = {name: comparison.all_scores(name, measures) for name in comparison.names}
    found["means"] = {
        name: {str(measure): each.mean for measure, each in of_run.items()} for name, of_run in scores.items()
    }
    if any(each.undefined.any() for of_run in scores.values() for each in of_run.values()):
        found["means_excluding_undefined"] = {
            name: {str(measure): each.mean_excluding_undefined for measure, each in of_run.items()}
            for name, of_run in scores.items()
        }
    if per_query:
        found["per_query"] = {name: _by_query(comparison, name, measures) for name in comparison.names}
    return found


def _by_query(comparison: Comparison, name: str, measures: Sequence[Measure]) -> dict[str, dict[str, float | None]]:
    columns = [
        (str(measure), [None if value != value else value for value in found.values.tolist()], found.counted.tolist())
        for measure, found in comparison.all_scores(name, measures).items()
    ]
    return {
        query: {measure: values[at] for measure, values, counted in columns if counted[at]}
        for at, query in enumerate(comparison.qrels.queries)
        if any(counted[at] for _, _, counted in columns)
    }


def as_table(comparison: Comparison, measures: Sequence[Measure], *, per_query: bool, markdown: bool) -> str:
    """Means by run, both means where a query is undefined, the convention line, the notices."""
    headers = ["run", *map(str, measures), "queries", "missing"]
    rows: list[list[object]] = []
    for name in comparison.names:
        found = comparison.all_scores(name, measures)
        first = next(iter(found.values()))
        rows.append(
            [
                name,
                *(number(each.mean) for each in found.values()),
                f"{int(first.counted.sum()):,}",
                f"{int(first.missing.sum()):,}",
            ]
        )
        if any(each.undefined.any() for each in found.values()) and comparison.conventions.undefined == "zero":
            rows.append(
                [
                    f"{name}, without undefined",
                    *(number(each.mean_excluding_undefined) for each in found.values()),
                    "",
                    "",
                ]
            )
    parts = [table(rows, headers, markdown=markdown), comparison.line(measures)]
    if per_query:
        parts.append(_per_query_table(comparison, measures, markdown=markdown))
    told = notice_lines(notices(comparison, measures), markdown=markdown)
    return "\n\n".join([*parts, told] if told else parts)


def _per_query_table(comparison: Comparison, measures: Sequence[Measure], *, markdown: bool) -> str:
    rows = [
        [query, name, *(number(values[str(measure)]) if str(measure) in values else "left out" for measure in measures)]
        for name in comparison.names
        for query, values in _by_query(comparison, name, measures).items()
    ]
    return table(rows, ["query", "run", *map(str, measures)], markdown=markdown)
