"""`ranklens compare`: is the difference real, and does the mean hide a slice that fell?"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from core.cli import document
from core.cli.options import CONVENTIONS, INPUTS, MEASURES, options, output, request
from core.cli.output import as_json, notice_lines, number, table, write
from core.cli.reading import read
from core.comparison import Comparison
from core.comparison.notices import notices
from core.comparison.pairs import against_baseline, by_slice
from core.errors import InputError, Problem
from core.model.measure import Measure
from core.slices import SliceColumn
from core.statistics.evidence import MARGIN
from core.statistics.paired import PairStatistics
from core.statistics.slice_family import SliceStatistics, fall_sentence, fallen


def finite(context: click.Context, option: click.Parameter, value: float) -> float:
    """Refuse infinity and NaN as a margin, for an option's callback."""
    if not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number to compare with.", context, option)
    return value


@click.command()
@options(INPUTS, MEASURES)
@click.option(
    "--baseline", metavar="NAME", help="The run that every other one is held against; the first one by default."
)
@click.option(
    "--slice", "slices", metavar="COLUMN", multiple=True, help="Also by the values of this attribute of the queries."
)
@click.option(
    "--margin",
    type=click.FloatRange(min=0, min_open=True),
    default=MARGIN,
    show_default=True,
    callback=finite,
    help="The smallest difference that matters.",
)
@options(CONVENTIONS, output(("table", "json", "md")))
def compare(
    form: str, out: Path | None, baseline: str | None, slices: tuple[str, ...], margin: float, **given: Any
) -> None:
    """Hold runs against a baseline: verdicts, intervals, p-values, slices.

    \b
    ranklens compare --qrels qrels.txt --run bm25.run --run new.run --baseline bm25
    ranklens compare --qrels qrels.txt --run bm25.run --run new.run --queries queries.csv --slice intent --format json

    Differences are candidate minus baseline on the same queries: above 0 is better. Intervals are paired Student's t at 95 %; p-values are two-sided
    sign-flip randomisation. A verdict is read from the interval, never from p, and with several runs from the one that allows for all of them.
    """
    asked = request(given)
    comparison = read(asked)
    against = baseline_named(comparison, baseline)
    columns = columns_named(comparison, slices)
    pairs = [
        pair for measure in asked.measures for pair in against_baseline(comparison, against, measure, margin=margin)
    ]
    parts = [
        each
        for measure in asked.measures
        for column in columns
        for each in by_slice(comparison, against, measure, column, margin=margin)
    ]
    if form == "json":
        found = document.head(comparison, asked.measures, notices(comparison, asked.measures)) | {
            "measures": [str(measure) for measure in asked.measures]
        }
        found["comparisons"] = [pair.as_json() for pair in pairs]
        found["slices"] = [each.as_json() for each in parts]
        write(as_json(found), out)
        return
    write(_for_people(comparison, against, asked.measures, pairs, parts, markdown=form == "md"), out)


def baseline_named(comparison: Comparison, name: str | None) -> str:
    """The run that --baseline names, the first one where it is not given. Raises InputError where there is none of that name."""
    if name is None:
        return comparison.names[0]
    if name not in comparison.names:
        hint = "the runs are " + ", ".join(f'"{each}"' for each in comparison.names)
        raise InputError(Problem("--baseline", None, f'there is no run called "{name}"', hint))
    return name


def columns_named(comparison: Comparison, names: Sequence[str]) -> list[SliceColumn]:
    """The attributes asked by --slice. Raises InputError with all that the queries do not have."""
    known = {column.name: column for column in comparison.slices}
    unknown = [name for name in names if name not in known]
    if unknown:
        hint = (
            "there are " + ", ".join(f'"{name}"' for name in known)
            if known
            else "give the queries' attributes with --queries"
        )
        raise InputError(
            [Problem("--slice", None, f'the queries have no attribute "{name}" to slice by', hint) for name in unknown]
        )
    return [known[name] for name in dict.fromkeys(names)]


def _for_people(
    comparison: Comparison,
    against: str,
    measures: Sequence[Measure],
    pairs: Sequence[PairStatistics],
    parts: Sequence[SliceStatistics],
    *,
    markdown: bool,
) -> str:
    blocks = [] if pairs else [f"{against} is the only run: give another --run to hold against it."]
    for measure in measures:
        of_measure = [pair for pair in pairs if pair.measure == str(measure)]
        blocks += [pair.verdict.sentence for pair in of_measure if measure == measures[0]]
        blocks.append(_pairs(comparison, against, measure, of_measure, markdown=markdown))
    for column in dict.fromkeys(part.column for part in parts):
        blocks.append(_slices([part for part in parts if part.column == column], markdown=markdown))
    for pair in pairs:
        fell = [part for part in parts if (part.candidate, part.measure) == (pair.candidate, pair.measure)]
        blocks += [f"Alert: {fall_sentence(part)}" for part in fallen(pair.verdict, fell)]
    told = notice_lines(notices(comparison, measures), markdown=markdown)
    return "\n\n".join([*blocks, comparison.line(measures), told] if told else [*blocks, comparison.line(measures)])


def _pairs(
    comparison: Comparison, against: str, measure: Measure, pairs: Sequence[PairStatistics], *, markdown: bool
) -> str:
    rows: list[list[object]] = [[against, number(comparison.scores(against, measure).mean), *[""] * 5]]
    for pair in pairs:
        p = f"{pair.p_holm:.2g}" if pair.p_holm is not None and pair.verdict.shows_p_value else "–"
        mean = number(comparison.scores(pair.candidate, measure).mean)
        rows.append(
            [
                pair.candidate,
                mean,
                signed(pair.difference),
                between(pair.interval),
                p,
                f"{pair.wins} / {pair.ties} / {pair.losses}",
                pair.verdict.label,
            ]
        )
    return table(
        rows,
        ["run", str(measure), "difference", "95 % interval", "p (Holm)", "wins / ties / losses", "verdict"],
        markdown=markdown,
    )


def _slices(parts: Sequence[SliceStatistics], *, markdown: bool) -> str:
    rows = [
        [
            part.value,
            part.candidate,
            part.measure,
            f"{part.n:,}",
            number(part.mean_baseline),
            number(part.mean_candidate),
            signed(part.difference),
            between(part.interval),
            _finding(part),
        ]
        for part in parts
    ]
    headers = [parts[0].column, "run", "measure", "queries", "baseline", "candidate", "difference", "95 % interval", ""]
    return table(rows, headers, markdown=markdown)


def _finding(part: SliceStatistics) -> str:
    if part.p_bh is None:
        return "too few queries"
    return ("fell" if part.fell else "rose") if part.finding else ""


def signed(value: float | None) -> str:
    """A difference to three digits with its sign."""
    return "–" if value is None else f"{value:+.3f}"


def between(interval: tuple[float, float] | None) -> str:
    """An interval: `+0.012 to +0.034`."""
    return "–" if interval is None else f"{interval[0]:+.3f} to {interval[1]:+.3f}"
