"""README says what is so: its command lines parse, its defaults are the product's."""

import re
import shlex

import click
import pytest

from core.cli import main, ranklens
from core.model.conventions import Conventions, convention_line
from core.model.measure import Measure
from tests.conftest import REPOSITORY

GROUP = click.Context(ranklens)
COMMANDS = {name: command for name in ranklens.list_commands(GROUP) if (command := ranklens.get_command(GROUP, name))}
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
DOCUMENTS = {
    name: (REPOSITORY / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md", "DECISIONS.md")
}
CONTEXT = click.Context(ranklens)
COMMANDS = {
    name: command for name in ranklens.list_commands(CONTEXT) if (command := ranklens.get_command(CONTEXT, name))
}


def command_lines() -> list[str]:
    """Every `ranklens …` in a block of code or between backquotes, without what is only said to be possible ([…])."""
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"(?<!`)`([^`\n]+)`(?!`)", re.sub(r"^```.*?^```", "", README, flags=re.MULTILINE | re.DOTALL))
    found = [
        match[1]
        for line in lines
        if (match := re.search(r"(?:^|&& |uv run |\$ )ranklens( [a-z].*)?$", line.split("  #")[0].strip()))
    ]
    return [f"ranklens{rest or ''}" for rest in found]


@pytest.mark.parametrize("line", command_lines())
def test_every_command_line_of_the_readme_has_options_and_values_that_exist(line: str) -> None:
    words = shlex.split(line.replace("[", "").replace("]", ""), comments=True)
    command = COMMANDS[words[1]]
    context = click.Context(command)
    values, left_over, order = command.make_parser(context).parse_args(words[2:])
    assert not left_over or any(isinstance(each, click.Argument) for each in command.params)
    for option in set(order):
        given = values[option.name or ""]
        for value in given if isinstance(given, list | tuple) else [given]:
            if isinstance(option.type, click.Choice | click.IntRange | click.FloatRange):
                option.type.convert(value, option, context)


def test_the_readme_shows_every_command_that_there_is() -> None:
    shown = {line.split()[1] for line in command_lines() if len(line.split()) > 1}
    assert shown == set(COMMANDS)


def test_every_option_that_the_readme_names_exists() -> None:
    known = {flag for command in COMMANDS.values() for option in command.params for flag in option.opts} | {
        "--help",
        "--long",
    }
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README)) <= known


def test_the_convention_line_of_the_readme_is_the_one_that_is_printed() -> None:
    line = convention_line(Measure("nDCG", 10), Conventions(), queries=50, qrels_sha256="3f2a91c")
    assert f"`{line}`" in README


def test_the_two_commands_are_the_first_thing_to_copy() -> None:
    first = re.search(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert first is not None
    assert [line.split("#")[0].strip() for line in first[1].splitlines()] == [
        "pip install uv && uv run ranklens app", "pip install uv && uv run python -m tests",
    ]  # fmt: skip


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_file_that_a_document_links_to_is_there(name: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", DOCUMENTS[name])
    assert [link for link in links if not (REPOSITORY / link).exists()] == []


def test_every_folder_that_contributing_lists_is_there() -> None:
    table = [line for line in DOCUMENTS["CONTRIBUTING.md"].splitlines() if line.startswith("|")]
    listed = {name for line in table for name in re.findall(r"`((?:core|pages)[\w/.]*|app\.py)`", line)}
    assert listed
    assert [name for name in sorted(listed) if not (REPOSITORY / name).exists()] == []


def test_the_example_of_the_readme_prints_what_it_shows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The files are those of the sample collection; notices and convention line included."""
    example = re.search(r"^```\n\$ (ranklens compare .*)\n((?:.*\n)*?)^```", README, re.MULTILINE)
    assert example is not None
    monkeypatch.chdir(REPOSITORY / "sample_data" / "support_search")
    assert main(shlex.split(example[1])[1:]) == 0
    assert capsys.readouterr().out == example[2]
