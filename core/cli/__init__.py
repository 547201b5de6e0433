"""The command line: `ranklens`. Its options, JSON and exit codes are a contract (CLI.md): other programs call it."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from core.cli.lazy import LazyGroup
from core.cli.output import as_json, write
from core.errors import InputError, Problem

CANNOT_JUDGE = 2


COMMANDS = {
    "score": "core.cli.score:score",
    "check": "core.cli.check:check",
    "compare": "core.cli.compare:compare",
    "explain": "core.cli.explain:explain",
    "gate": "core.cli.gate:gate",
    "record": "core.cli.record:record",
    "history": "core.cli.history:history",
    "report": "core.cli.report:report",
    "save": "core.cli.save:save_",
    "open": "core.cli.open:open_",
    "delete": "core.cli.delete:delete_",
    "app": "core.cli.app:app",
}


@click.group(
    cls=LazyGroup, where=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(package_name="ranklens", prog_name="ranklens")
def ranklens() -> None:
    """Decide which ranking ships: nDCG with honest statistics.

    \b
    Score two runs against judgments:
        ranklens score --qrels qrels.txt --run bm25.run --run new=hybrid.run
    See what in the files touches the numbers:
        ranklens check --qrels qrels.txt --run bm25.run
    Hold runs against a baseline: is it real?
        ranklens compare --qrels qrels.txt --run bm25.run --run new=hybrid.run --baseline bm25
    Follow one score to its last digit:
        ranklens explain --qrels qrels.txt --run bm25.run --query q7 --measure nDCG@10
    Decide in CI whether a candidate may replace the baseline:
        ranklens gate --qrels qrels.txt --baseline live.run --candidate new.run
    Record a result every night, and see whether it drifts:
        ranklens record nightly --qrels qrels.txt --run live.run
        ranklens history nightly
    Take it to a meeting, or to a pull request:
        ranklens report --qrels qrels.txt --run bm25.run --run new=hybrid.run --format html --out report.html
    Save it, and give others a link:
        ranklens save --qrels qrels.txt --run bm25.run --run new=hybrid.run
        ranklens open LINK
    Open the dashboard:
        ranklens app

    Files are recognised by content: TREC, CSV, TSV, JSON, JSON lines, Parquet, and more; .gz, .zst and .zip too; `-` is standard input.
    Exit codes: 0 done, 1 gate failed, 2 the input cannot be judged, 3 not enough evidence.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; the entry point calls sys.exit with it."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        result = ranklens.main(args=given, prog_name="ranklens", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stdout.write(error.format_message() + "\n")
        return 0
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "ranklens"
        return refuse(
            InputError(Problem("", None, error.format_message(), f"{where} --help shows what there is")), given
        )
    except InputError as error:
        return refuse(error, given)
    except click.Abort:
        sys.stderr.write("stopped\n")
        return 130


def refuse(error: InputError, arguments: Sequence[str]) -> int:
    """Tell why the input cannot be judged: reasons on stderr, and the JSON of CLI.md where JSON was asked for."""
    for problem in error.problems:
        sys.stderr.write(f"{problem}\n" + (f"hint: {problem.hint}\n" if problem.hint else ""))
    if error.more:
        sys.stderr.write(f"… and {error.more:,} more\n")
    if _asked_for_json(arguments):
        write(as_json(_problems(error, gated=arguments[:1] == ["gate"])), None)
    return CANNOT_JUDGE


def _problems(error: InputError, *, gated: bool) -> dict[str, Any]:
    """The problems as JSON; the gate's own object holds them beside the keys that its readers look for."""
    if gated:
        from core.cli.gate_report import as_document, refusal

        return as_document(refusal(error))
    return {"schema": 1, "error": {"problems": [problem.as_json() for problem in error.problems]}}


def _asked_for_json(arguments: Sequence[str]) -> bool:
    pairs = zip(arguments, [*arguments[1:], ""], strict=False)
    return any(here == "--format=json" or (here == "--format" and following == "json") for here, following in pairs)
