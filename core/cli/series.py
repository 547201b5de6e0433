"""What `record` and `history` share: the store, a series in it, the baseline that a person names, times."""

from collections.abc import Sequence
from datetime import UTC, datetime

import click

from core.errors import InputError, Problem
from core.history import Result, Series, read_series, series_names
from core.store import Store

STORE = click.option(
    "--store",
    metavar="URL",
    help="Where results are kept: a folder, or s3://… (default: RANKLENS_STORE, else your data folder).",
)
BASELINE = click.option(
    "--baseline", metavar="RESULT", help="What results are held against: a result's id or label. The first of its segment by default."
)  # fmt: skip
ON_ALERT = click.option(
    "--on-alert", metavar="COMMAND", help="Called once for each alert, without a shell, with the alert as JSON on standard input."
)  # fmt: skip


def opened(store: Store, name: str) -> Series:
    """A series that can be read in full. Raises InputError for an unknown one, and with what is damaged."""
    series = read_series(store, name)
    if series.problems:
        raise InputError(series.problems)
    if not series.results:
        known = series_names(store)
        hint = "there are " + ", ".join(f'"{each}"' for each in known) if known else "`ranklens record` begins one"
        raise InputError(Problem("SERIES", None, f'there is no series called "{series.name}" in the store', hint))
    return series


def named_result(results: Sequence[Result], name: str | None) -> Result | None:
    """The result that --baseline names, by the beginning of its id or by its label; the latest of a label that several have."""
    if name is None:
        return None
    found = [
        result
        for result in results
        if name in (result.label, result.commit) or (len(name) >= 6 and result.id.startswith(name))
    ]
    if not found:
        hint = "`ranklens history SERIES` shows ids and labels"
        raise InputError(Problem("--baseline", None, f'the series has no result "{name}"', hint))
    return found[-1]


def main_measure(results: Sequence[Result], asked: str | None) -> str:
    """The measure to show: the one asked, else the first nDCG of the latest result. Raises InputError where no result has it."""
    known = list(dict.fromkeys(measure for result in reversed(results) for measure in result.measures))
    if asked is None:
        return next((measure for measure in known if measure.startswith("nDCG")), known[0])
    if asked not in known:
        hint = "recorded are " + ", ".join(known)
        raise InputError(Problem("--measure", None, f'no result of the series has "{asked}"', hint))
    return asked


def moment(context: click.Context, option: click.Parameter, value: str | None) -> datetime | None:
    """A time as ISO 8601 has it, UTC where it names no zone: for an option's callback."""
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value.strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(f'"{value}" is not a time such as 2026-11-30T02:00Z.', context, option) from error
