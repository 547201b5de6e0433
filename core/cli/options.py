"""The options that commands share, and what they mean: files, measures, conventions, where the output goes."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from core.comparison.inputs import Inputs, Piece
from core.errors import InputError, Problem
from core.model.conventions import Conventions
from core.model.measure import DEFAULT_MEASURES, Measure, parse_gains
from core.model.reading import Choice
from core.readers.files import Given
from core.readers.repairs import parsed

Command = TypeVar("Command", bound=Callable[..., Any])

QRELS = click.option(
    "--qrels",
    "qrels",
    metavar="FILE",
    multiple=True,
    required=True,
    help="Judgments. Several are joined (one per source, say).",
)
RUNS = click.option(
    "--run",
    "runs",
    metavar="[NAME=]FILE",
    multiple=True,
    required=True,
    help="A run to score. NAME defaults to the file's name.",
)
QUERIES = click.option(
    "--queries", "queries", metavar="FILE", multiple=True, help="Query texts and attributes (intent, source, …)."
)
DOCUMENTS = click.option(
    "--documents", "documents", metavar="FILE", multiple=True, help="Document titles, texts and attributes."
)
INPUTS = (QRELS, RUNS, QUERIES, DOCUMENTS)
MEASURES = (
    click.option(
        "--measure",
        "-m",
        "measures",
        metavar="NAME",
        multiple=True,
        help="Such as nDCG@10, nDCG(dcg='exp-log2')@10, R@100, AP. The default is eight of them.",
    ),
)
CONVENTIONS = (
    click.option(
        "--missing",
        type=click.Choice(["zero", "exclude"]),
        default="zero",
        show_default=True,
        help="A judged query that a run does not answer scores 0, or is left out.",
    ),
    click.option(
        "--undefined",
        type=click.Choice(["zero", "exclude"]),
        default="zero",
        show_default=True,
        help="A query without a positive grade scores 0, or is left out.",
    ),
    click.option(
        "--order",
        type=click.Choice(["score", "score64", "rank"]),
        default="score",
        show_default=True,
        help="Rank by 32-bit score (trec_eval 9), 64-bit score (trec_eval 10), or the rank column.",
    ),
    click.option(
        "--conflicts",
        type=click.Choice(["highest", "last", "mean", "refuse"]),
        default="highest",
        show_default=True,
        help="Which grade counts where a pair is judged twice.",
    ),
    click.option(
        "--own-ids",
        type=click.Choice(["keep", "drop"]),
        default="keep",
        show_default=True,
        help="Documents whose id is the query's own.",
    ),
    click.option(
        "--relevance-level",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="The grade from which a document is relevant for P, R, AP, RR and Success; nDCG does not use it.",
    ),
    click.option("--lower-is-better", metavar="NAME", multiple=True, help="A run whose scores are distances."),
    click.option("--labels", metavar="MAP", help='Words or letters in place of grades: "E=3,S=2,C=1,I=0".'),
    click.option(
        "--gains", metavar="MAP", help='Gains of your own, "1=1,2=10": adds nDCG(gains=…) at every nDCG cutoff asked.'
    ),
    click.option(
        "--encoding",
        "encodings",
        metavar="[FILE=]NAME",
        multiple=True,
        help="The encoding of a file that is not UTF-8, such as windows-1252.",
    ),
    click.option(
        "--columns",
        "columns",
        metavar="[FILE=]NAMES",
        multiple=True,
        help="Names for the columns of a file without a header, by commas.",
    ),
    click.option(
        "--repair",
        "repairs",
        metavar="REPAIR",
        multiple=True,
        help="A repair of ids that a message offered, such as run:query:decimal.",
    ),
    click.option(
        "--leave-out-broken-lines", is_flag=True, help="Score without the broken lines; a notice counts them."
    ),
    click.option("--strict", is_flag=True, help="Refuse a run that lists a document twice."),
)
TABLE_FORMATS = ("table", "json", "csv", "md")


def options(*groups: tuple[Callable[[Any], Any], ...]) -> Callable[[Command], Command]:
    """Decorate a command with groups of options, in the order given."""

    def decorate(command: Command) -> Command:
        for option in reversed([each for group in groups for each in group]):
            command = option(command)
        return command

    return decorate


def output(formats: tuple[str, ...] = TABLE_FORMATS) -> tuple[Callable[[Any], Any], ...]:
    """--format and --out."""
    return (
        click.option(
            "--format",
            "form",
            type=click.Choice(formats),
            default="table",
            show_default=True,
            help="A table for people, or a format for programs.",
        ),
        click.option(
            "--out",
            metavar="FILE",
            type=click.Path(dir_okay=False, path_type=Path),
            help="Write there instead of to standard output.",
        ),
    )


@dataclass(frozen=True)
class Request:
    """What a command line asks for, checked: files with their choices, measures, conventions."""

    inputs: Inputs
    measures: tuple[Measure, ...]
    conventions: Conventions
    lower_is_better: frozenset[str]


def request(given: dict[str, Any]) -> Request:
    """Read the shared options of a command.

    Raises InputError for a measure, map or name that cannot be read.
    """
    conventions = Conventions(
        given["missing"],
        given["undefined"],
        given["order"],
        given["conflicts"],
        given["own_ids"],
        given["relevance_level"],
    )
    return Request(
        _inputs(given),
        _measures(given.get("measures", ()), given["gains"]),
        conventions,
        frozenset(given["lower_is_better"]),
    )


def _inputs(given: dict[str, Any]) -> Inputs:
    metadata = given["queries"]
    files = [*given["qrels"], *(named_file(run)[1] for run in given["runs"]), *metadata, *given["documents"]]
    if files.count("-") > 1:
        raise InputError(Problem("-", None, "standard input can be only one of the files", "name the others"))
    encodings = _by_file("--encoding", given["encodings"], metadata)
    columns = _by_file("--columns", given["columns"], metadata)
    shared = {
        "labels": _labels(given["labels"]),
        "leave_out_broken_lines": given["leave_out_broken_lines"],
        "strict": given["strict"],
        "repairs": tuple(parsed(text) for text in given["repairs"]),
    }

    def piece(file: str, name: str | None = None) -> Piece:
        names = columns.get(file)
        choice = Choice(encoding=encodings.get(file), columns=tuple(names.split(",")) if names else None, **shared)
        return Piece(Given.of(file), choice, name)

    found = Inputs(
        qrels=tuple(piece(file) for file in given["qrels"]),
        runs=tuple(piece(file, name) for name, file in map(named_file, given["runs"])),
        queries=tuple(piece(file) for file in metadata),
        documents=tuple(piece(file) for file in given["documents"]),
    )
    stray = sorted((encodings.keys() | columns.keys()) - set(files))
    if stray:
        raise InputError(
            [Problem("--encoding/--columns", None, f'"{file}" is none of the files given') for file in stray]
        )
    return found


def named_file(text: str) -> tuple[str | None, str]:
    """`NAME=FILE` as (name, file); an existing path wins over NAME=."""
    name, equals, file = text.partition("=")
    return (None, text) if not equals or not name or Path(text).exists() else (name, file)


def _measures(names: tuple[str, ...], gains: str | None) -> tuple[Measure, ...]:
    asked = [Measure.parse(name) for name in names] or list(DEFAULT_MEASURES)
    if gains:
        cutoffs = dict.fromkeys(measure.k for measure in asked if measure.name == "nDCG") or {10: None}
        asked += [Measure("nDCG", k, "custom", parse_gains(gains)) for k in cutoffs]
    return tuple(dict.fromkeys(asked))


def _by_file(option: str, values: tuple[str, ...], metadata: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for value in values:
        file, equals, rest = value.partition("=")
        if equals:
            found[file] = rest
        elif metadata:
            found |= dict.fromkeys(metadata, value)
        else:
            raise InputError(Problem(option, None, f'"{value}" names no file', f"write {option} FILE={value}"))
    return found


def _labels(text: str | None) -> tuple[tuple[str, float], ...]:
    if not text:
        return ()
    pairs: list[tuple[str, float]] = []
    for part in text.split(","):
        label, equals, number = part.rpartition("=")
        if not equals or not label.strip() or not re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)\s*", number):
            raise InputError(
                Problem("--labels", None, f'"{part}" is not LABEL=GRADE', 'write --labels "E=3,S=2,C=1,I=0"')
            )
        pairs.append((label.strip(), float(number)))
    return tuple(pairs)
