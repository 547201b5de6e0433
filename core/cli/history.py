"""`ranklens history`: a series over time with its control limits and alerts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import polars as pl

from core.cli.compare import between, finite, signed
from core.cli.document import SCHEMA
from core.cli.options import options, output
from core.cli.output import as_json, number, table, write
from core.cli.series import BASELINE, ON_ALERT, STORE, main_measure, named_result, opened
from core.errors import InputError, Problem
from core.exports.table import to_csv
from core.history import Course, Night, Series, Watched, finding, watched
from core.history.on_alert import call
from core.model.version import version
from core.statistics.evidence import MARGIN
from core.store import open_store


@click.command()
@click.argument("series")
@click.option(
    "--measure", "-m", metavar="NAME", help="The measure to show: the first nDCG that was recorded by default."
)
@click.option(
    "--slice", "slices", metavar="COLUMN", multiple=True, help="Also the groups of this attribute of the queries."
)
@options((STORE, BASELINE, ON_ALERT))
@click.option(
    "--margin", type=click.FloatRange(min=0, min_open=True), default=MARGIN, show_default=True, callback=finite,
    help="The smallest difference that matters to an alert.",
)  # fmt: skip
@options(output())
def history(
    series: str, measure: str | None, slices: tuple[str, ...], store: str | None, baseline: str | None,
    on_alert: str | None, margin: float, form: str, out: Path | None,
) -> None:  # fmt: skip
    """Show the series SERIES: every result against its baseline, control limits, what changed, alerts.

    \b
    ranklens history nightly
    ranklens history nightly --measure nDCG@10 --slice source --format json

    Limits (EWMA with weight 0.2 and width 2.86; CUSUM with slack 0.5 and limit 5) begin after 10 results of the same qrels, queries and conventions;
    their spread is that from one result to the next. Where one of these changes a new segment begins, with a baseline of its own.

    \b
    JSON: {"series", "measure", "conventions": {…, "line"}, "finding": {"title", "sentence"},
           "results": [{"id", "at", "label", "commit", "run", "segment", "changed", "baseline", "n", "mean", "difference", "interval",
                        "worse", "ewma", "low", "high", "cusum_up", "cusum_down", "crossed"}],
           "slices": [{"column", "value", "results": […]}], "alerts": [{"kind", "slice", "crossed", "first", "latest", "open", "sentence", …}]}
    --on-alert is called for every alert that holds on the latest result.
    """
    known = opened(open_store(store), series)
    shown = main_measure(known.results, measure)
    found = watched(known.results, shown, baseline=named_result(known.results, baseline), margin=margin)
    courses = _courses(found, slices)
    if form == "csv":
        write(to_csv(_frame(known, [found.whole, *courses])), out)
    elif form == "json":
        write(as_json(_document(known, found, courses)), out)
    else:
        write(_for_people(known, found, courses, markdown=form == "md"), out)
    if on_alert:
        call(on_alert, known.name, found.standing)


def _courses(found: Watched, columns: Sequence[str]) -> list[Course]:
    known = list(dict.fromkeys(course.group[0] for course in found.slices if course.group))
    unknown = [column for column in columns if column not in known]
    if unknown:
        hint = "recorded are " + ", ".join(f'"{name}"' for name in known) if known else "record with --queries"
        raise InputError(
            [
                Problem("--slice", None, f'the latest result has no attribute "{name}" to slice by', hint)
                for name in unknown
            ]
        )
    return [course for course in found.slices if course.group and course.group[0] in columns]


def _document(known: Series, found: Watched, courses: Sequence[Course]) -> dict[str, Any]:
    latest, told = known.results[-1], finding(found)
    return {
        "schema": SCHEMA,
        "ranklens": version(),
        "series": known.name,
        "measure": found.whole.measure,
        "conventions": {"line": _line(known, found), **latest.conventions},
        "finding": {"title": told.title, "sentence": told.sentence},
        "results": [_night(night) for night in found.whole.nights],
        "left_out": found.whole.left_out,
        "slices": [
            {"column": course.group[0], "value": course.group[1], "results": [_night(night) for night in course.nights]}
            for course in courses
            if course.group
        ],
        "alerts": [alert.as_json() for alert in found.alerts],
    }


def _night(night: Night) -> dict[str, Any]:
    result, point = night.result, night.point
    return {
        "id": result.id, "at": result.at.isoformat(), "label": result.label, "commit": result.commit, "run": result.run,
        "qrels": result.qrels, "segment": point.segment, "changed": list(night.changed), "baseline": night.baseline.id,
        "n": night.n, "mean": night.mean, "difference": night.difference,
        "interval": None if night.interval is None else list(night.interval), "worse": night.worse,
        "centre": point.centre, "sigma": point.sigma, "ewma": point.ewma, "low": point.low, "high": point.high,
        "cusum_up": point.cusum_up, "cusum_down": point.cusum_down, "crossed": list(point.alerts),
    }  # fmt: skip


def _frame(known: Series, courses: Sequence[Course]) -> pl.DataFrame:
    rows = []
    for course in courses:
        column, value = course.group or ("", "")
        for night in course.nights:
            row = {"series": known.name, "measure": course.measure, "column": column, "value": value, **_night(night)}
            low, high = night.interval or (None, None)
            row |= {"interval": None, "interval_low": low, "interval_high": high}
            row |= {"changed": " ".join(row["changed"]), "crossed": " ".join(row["crossed"])}
            row["conventions"] = night.result.lines[course.measure]
            rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None).drop("interval")


def _for_people(known: Series, found: Watched, courses: Sequence[Course], *, markdown: bool) -> str:
    told = finding(found)
    blocks = [f"### {told.title}" if markdown else told.title, told.sentence]
    blocks.append(_table(found.whole, markdown=markdown))
    for course in courses:
        if course.group and course.nights:
            blocks += [f"{course.group[0]}: {course.group[1]}", _table(course, markdown=markdown)]
    blocks += [f"Alert: {alert.sentence}" for alert in found.alerts if alert.open]
    blocks += [f"Over: {alert.sentence}" for alert in found.alerts if not alert.open]
    return "\n\n".join([*blocks, _line(known, found)])


def _table(course: Course, *, markdown: bool) -> str:
    rows = [_row(night) for night in course.nights]
    headers = ["when", "id", "label", course.measure, "difference", "95 % interval", "smoothed", "limits", ""]
    return table(rows, headers, markdown=markdown)


def _row(night: Night) -> list[object]:
    result, point = night.result, night.point
    limits = None if point.low is None or point.high is None else (point.low, point.high)
    notes = [f"new segment: {', '.join(night.changed)}"] if night.changed else []
    notes += [*point.alerts, *(["worse"] if night.worse else [])]
    return [
        f"{result.at:%Y-%m-%d %H:%M}", result.id[:12], result.label or result.commit or result.run, number(night.mean),
        signed(night.difference), between(night.interval), signed(point.ewma), between(limits), ", ".join(notes),
    ]  # fmt: skip


def _line(known: Series, found: Watched) -> str:
    latest = found.whole.latest
    return latest.result.lines[found.whole.measure] if latest else next(iter(known.results[-1].lines.values()))
