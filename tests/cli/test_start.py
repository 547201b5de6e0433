"""How the command line starts: help that teaches, and nothing loaded that it does not need."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from core.cli import ranklens as group
from tests.cli.conftest import Ranklens
from tests.conftest import REPOSITORY

HEAVY = ("altair", "streamlit", "scipy.stats", "pandas", "pyarrow", "core.charts", "pages")
CONTEXT = click.Context(group)
COMMANDS = {name: command for name in group.list_commands(CONTEXT) if (command := group.get_command(CONTEXT, name))}


def loaded_by(code: str) -> set[str]:
    """Modules of HEAVY that a fresh interpreter has loaded after some code."""
    tell = f"import sys; print(*[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    variables = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{tell}"], env=variables, capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


CONTEXT = click.Context(group)


def test_the_commands_of_this_version_are_there() -> None:
    assert {"score", "check", "compare", "explain", "app"} <= set(group.list_commands(CONTEXT))


@pytest.mark.parametrize(
    "command",
    [group.get_command(CONTEXT, name) for name in group.list_commands(CONTEXT)],
    ids=lambda command: command.name,
)
def test_every_option_says_what_it_does(command: click.Command) -> None:
    for option in (each for each in command.params if isinstance(each, click.Option)):
        assert option.help, option.name
        assert option.help.rstrip().endswith((".", "”", ")", '"')), option.help
    assert command.help
    assert command.short_help or command.get_short_help_str()


@pytest.mark.parametrize("command", ["score", "check", "compare", "explain"])
def test_the_help_of_a_command_shows_how_it_is_used(ranklens: Ranklens, command: str) -> None:
    done = ranklens(command, "--help")
    assert done.code == 0
    assert f"ranklens {command} --qrels " in done.out
    for option in ("--qrels", "--run", "--queries", "--documents", "--measure", "--missing", "--undefined", "--order", "--conflicts",
                   "--own-ids", "--relevance-level", "--lower-is-better", "--labels", "--gains", "--encoding", "--columns",
                   "--leave-out-broken-lines", "--strict", "--format", "--out"):  # fmt: skip
        assert option in done.out, option


def test_without_a_command_the_help_is_shown(ranklens: Ranklens) -> None:
    done = ranklens()
    assert (done.code, done.err) == (0, "")
    assert done.out == ranklens("--help").out
    assert "0 done, 1 gate failed, 2 the input cannot be judged, 3 not enough evidence" in " ".join(done.out.split())


def test_the_version_is_told(ranklens: Ranklens) -> None:
    assert ranklens("--version").out == "ranklens, version 0.1.0\n"


def test_a_port_is_a_port(ranklens: Ranklens) -> None:
    assert ranklens("app", "--port", "70000").code == 2


def test_starting_and_helping_loads_no_drawing_and_no_statistics_library() -> None:
    assert loaded_by("from core.cli import main; main(['score', '--help'])") == set()


def test_scoring_loads_no_drawing_and_no_statistics_library(folder: Path) -> None:
    files = "['score', '--qrels', 'qrels.txt', '--run', 'bm25.run', '--queries', 'queries.csv']"
    assert folder == Path.cwd()
    assert loaded_by(f"from core.cli import main; assert main({files}) == 0") == set()


@pytest.mark.parametrize(
    ("form", "qrels", "code"), [("json", "qrels.txt", 0), ("table", "qrels.txt", 0), ("json", "no.txt", 2)]
)
def test_a_reader_that_goes_away_changes_no_exit_code(folder: Path, form: str, qrels: str, code: int) -> None:
    command = [sys.executable, "-m", "core.cli", "score", "--qrels", qrels, "--run", "bm25.run", "--format", form]
    variables = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        done = subprocess.run(command, cwd=folder, env=variables, stdout=gone, stderr=subprocess.PIPE, check=False)
    assert done.returncode == code
    assert (done.stderr == b"") == (code == 0)
    assert b"Traceback" not in done.stderr


def test_what_is_printed_is_utf_8_whatever_the_terminal_says(folder: Path) -> None:
    (folder / "qrels.txt").write_text("q1 0 d1 1\n", encoding="utf-8")
    (folder / "naïve.run").write_text("q1 Q0 d1 1 1 m\n", encoding="utf-8")
    command = [sys.executable, "-m", "core.cli", "score", "--qrels", "qrels.txt", "--run", "naïve.run"]
    variables = os.environ | {"PYTHONPATH": str(REPOSITORY), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, check=True)
    assert "naïve" in done.stdout.decode("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--help"], 0), (["score", "--help"], 0), (["gate", "--format", "json"], 2), (["check", "--nothing"], 2)],
)
def test_a_reader_that_has_left_changes_no_exit_code_and_leaves_no_traceback(arguments: list[str], code: int) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "core.cli", *arguments], stdout=write, stderr=subprocess.PIPE, cwd=REPOSITORY, check=False, text=True
    )  # fmt: skip
    os.close(write)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr
    assert bool(done.stderr) == bool(code)
