"""`ranklens report`: a comparison as a page, slides, a bundle or Markdown."""

from pathlib import Path
from typing import Any, get_args

import click

from core.cli.compare import baseline_named
from core.cli.link import STORE, opened
from core.cli.options import CONVENTIONS, INPUTS, MEASURES, Command, options, request
from core.cli.output import write
from core.cli.reading import read
from core.comparison import Comparison
from core.comparison.notices import main_measure
from core.errors import InputError, Problem
from core.exports.brand import configured, read_brand
from core.exports.bundle import write_bundle
from core.exports.deck import SLIDES, Slide, deck
from core.exports.markdown import markdown
from core.exports.report import report as page
from core.exports.scope import Scope
from core.model.measure import DEFAULT_MEASURES, Measure

FILES = ("pptx", "bundle")


def _optional(command: Command) -> Command:
    """The options that name files; a link or a bundle stands in place of them, so none must be given."""
    command = options(INPUTS)(command)
    for each in command.__click_params__:  # type: ignore[attr-defined]  # what click keeps until the command is made
        each.required = False
    return command


@click.command()
@click.argument("what", metavar="[LINK|BUNDLE]", required=False)
@_optional
@options(MEASURES)
@click.option(
    "--baseline", metavar="NAME", help="The run that every other one is held against; the first one by default."
)
@options((STORE,), CONVENTIONS)
@click.option(
    "--format", "form", type=click.Choice(["html", "pptx", "md", "bundle"]), default="md", show_default=True,
    help="A page that works offline, slides, Markdown for a pull request, or the comparison itself in one file.",
)  # fmt: skip
@click.option("--slides", metavar="NAMES", help=f"The slides and their order, by commas: {','.join(SLIDES)}.")
@click.option(
    "--brand",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A TOML file with [brand]: colours, logo, name (default: RANKLENS_BRAND).",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write there; md and html go to standard output without it.",
)
def report(
    what: str | None,
    form: str,
    out: Path | None,
    store: str | None,
    baseline: str | None,
    slides: str | None,
    brand: Path | None,
    **given: Any,
) -> None:
    """Make a report of a comparison.

    \b
    ranklens report --qrels qrels.txt --run bm25.run --run new.run --format html --out report.html
    ranklens report meeting.ranklens --format pptx --slides title,leaderboard,worst --out deck.pptx
    ranklens report --qrels qrels.txt --run bm25.run --run new.run >> "$GITHUB_STEP_SUMMARY"

    Its measure is the first nDCG asked for with --measure, else nDCG@10. A saved comparison (LINK: its address or token)
    or a bundle brings its own files and conventions.
    """
    if form in FILES and out is None:
        raise InputError(
            Problem(
                "--out",
                None,
                f"a {form} is a file: say where to write it",
                f"add --out report.{'ranklens' if form == 'bundle' else form}",
            )
        )
    picked = _slides(slides)
    looks = read_brand(brand) if brand is not None else configured()
    comparison = _comparison(what, store, given)
    scope = Scope.of(comparison, baseline=baseline_named(comparison, baseline), measure=_measure(given))
    if form == "md":
        write(markdown(scope), out)
    elif form == "html":
        write(page(scope, brand=looks), out)
    else:
        _write_bytes(deck(scope, picked, brand=looks) if form == "pptx" else write_bundle(comparison), out)


def _comparison(what: str | None, store: str | None, given: dict[str, Any]) -> Comparison:
    named = bool(given["qrels"] or given["runs"])
    if what is not None:
        if named:
            problem = "a link or a bundle brings its own judgments and runs"
            raise InputError(Problem("--qrels/--run", None, problem, "give it alone, or files alone"))
        return opened(what, store)
    if not given["qrels"] or not given["runs"]:
        lacking = "--qrels" if not given["qrels"] else "--run"
        raise InputError(Problem(lacking, None, "is missing", "give --qrels and --run, or a link or a bundle"))
    return read(request(given))


def _measure(given: dict[str, Any]) -> Measure:
    asked = [Measure.parse(name) for name in given["measures"]]
    return main_measure(asked or DEFAULT_MEASURES)


def _slides(text: str | None) -> tuple[Slide, ...]:
    if text is None:
        return tuple(SLIDES)
    names = [name.strip() for name in text.split(",")]
    unknown = [name for name in names if name not in get_args(Slide)]
    if unknown:
        raise InputError(
            [
                Problem("--slides", None, f'"{name}" is not a slide', f"there are {', '.join(SLIDES)}")
                for name in unknown
            ]
        )
    return tuple(dict.fromkeys(names))  # type: ignore[arg-type]  # checked to be slides


def _write_bytes(data: bytes, out: Path | None) -> None:
    if out is None:
        raise TypeError("a file without a place")
    try:
        out.write_bytes(data)
    except OSError as error:
        raise InputError(Problem(str(out), None, f"cannot be written: {error.strerror}")) from error
