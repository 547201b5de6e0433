"""`ranklens record`: append a run's result to a series."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from core.cli.compare import finite
from core.cli.document import SCHEMA
from core.cli.options import CONVENTIONS, INPUTS, MEASURES, options, output, request
from core.cli.output import as_json, number, write
from core.cli.reading import read
from core.cli.series import BASELINE, ON_ALERT, STORE, main_measure, moment, named_result
from core.history import Alert, Result, Series, keep, read_series, result_of, watched
from core.history.on_alert import call
from core.statistics.evidence import MARGIN
from core.statistics.wording import counted
from core.store import open_store


@click.command()
@click.argument("series")
@options(INPUTS, MEASURES)
@click.option("--label", metavar="TEXT", help="What people call this result, such as a version.")
@click.option(
    "--at", metavar="TIME", callback=moment, help="When the run was made, such as 2026-11-30T02:00Z; now by default."
)
@click.option("--commit", metavar="ID", help="The version of the code that made the run.")
@options((STORE, BASELINE, ON_ALERT))
@click.option(
    "--margin", type=click.FloatRange(min=0, min_open=True), default=MARGIN, show_default=True, callback=finite,
    help="The smallest difference that matters to an alert.",
)  # fmt: skip
@options(CONVENTIONS, output(("table", "json")))
def record(
    series: str, form: str, out: Path | None, label: str | None, at: datetime | None, commit: str | None, store: str | None,
    baseline: str | None, on_alert: str | None, margin: float, **given: Any,
) -> None:  # fmt: skip
    """Append a run's result to the series SERIES: means, every query's scores, slices, digests, conventions.

    \b
    ranklens record nightly --qrels qrels.txt --run live.run --queries queries.csv --label v2.3 --commit "$(git rev-parse HEAD)"
    ranklens record nightly --qrels qrels.txt --run live.run --on-alert "python tell_the_team.py"

    A series is any name. The same input again adds nothing: with the same --at, or without --at on the same day (UTC). Any number of jobs may
    record at once. An alert that begins with this result is told, and --on-alert is called with it.
    """
    asked = request(given)
    result = result_of(read(asked), asked.measures, series, at=at, label=label, commit=commit)
    place = open_store(store)
    if baseline is not None:
        named_result(read_series(place, series).results, baseline)  # refused before anything is recorded
    new = keep(place, result)
    known = read_series(place, series)
    measure = main_measure([result], None)
    alerts = _begun(known, result, measure, baseline, margin)
    write(
        _json(known, result, alerts, new=new) if form == "json" else _table(known, result, alerts, measure, new=new),
        out,
    )
    if on_alert:
        call(on_alert, known.name, alerts)


def _begun(known: Series, result: Result, measure: str, baseline: str | None, margin: float) -> tuple[Alert, ...]:
    found = watched(known.results, measure, baseline=named_result(known.results, baseline), margin=margin)
    return found.begun_with(result)


def _json(known: Series, result: Result, alerts: tuple[Alert, ...], *, new: bool) -> str:
    return as_json(
        {
            "schema": SCHEMA, "series": known.name, "id": result.id, "recorded": new, "results": len(known.results),
            "run": result.run, "qrels": result.qrels, "means": dict(result.means),
            "alerts": [alert.as_json() for alert in alerts],
        }
    )  # fmt: skip


def _table(known: Series, result: Result, alerts: tuple[Alert, ...], measure: str, *, new: bool) -> str:
    how = "Recorded" if new else "Was recorded already"
    what = f"{result.run}, {number(result.means[measure])} {measure}, as {result.id[:12]}"
    lines = [f'{how} in "{known.name}": {what} ({counted(len(known.results), "result")}).']
    lines += [f"Alert: {alert.sentence}" for alert in alerts]
    lines += [f"warning: {problem}" for problem in known.problems]
    return "\n".join([*lines, "", result.lines[measure]])
