"""What a team pins for the gate: a TOML file whose keys are the command's options; the command line wins."""

import difflib
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from core.cli.options import named_file
from core.errors import InputError, Problem

# Options that belong to one call and not to a team's agreement.
NOT_PINNED = ("config", "form", "out", "help")
FILES = ("qrels", "queries", "must_not_break")
RUN_FILES = ("baseline", "candidate")


def pinned(context: click.Context, _: click.Parameter, path: Path | None) -> Path | None:
    """Make a file's values the defaults of the other options: an eager option's callback.

    Relative names of files are looked for beside the TOML file. Raises InputError for a key that is no option, and for a
    value that the option would refuse, all at once.
    """
    if path is None:
        return None
    found, problems = {}, []
    options = {_key(option): option for option in context.command.params if option.name not in NOT_PINNED}
    for key, value in _parsed(path).items():
        option = options.get(key)
        if option is None:
            problems.append(Problem(path.name, None, f'unknown key "{key}"', _hint(key, list(options))))
            continue
        try:
            found[option.name or key] = _value(option, value, path.parent, context)
        except click.UsageError as error:
            problems.append(Problem(path.name, None, f'"{key}": {error.message}'))
    if problems:
        raise InputError(problems)
    context.default_map = found
    return path


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(Problem(path.name, None, f"cannot be opened: {error.strerror}")) from error
    except UnicodeDecodeError as error:
        raise InputError(Problem(path.name, None, "is not UTF-8", "TOML files are UTF-8")) from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(Problem(path.name, None, f"is not TOML: {error}")) from error


def _key(option: click.Parameter) -> str:
    return max(option.opts, key=len).removeprefix("--")


def _hint(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key.replace("_", "-"), known, n=1)
    return f'did you mean "{near[0]}"?' if near else "the keys are " + ", ".join(f'"{each}"' for each in sorted(known))


def _value(option: click.Parameter, value: object, folder: Path, context: click.Context) -> object:
    """A key's value as the option takes it. Raises click.UsageError where it does not."""
    several = value if isinstance(value, list) else [value]
    if not option.multiple and isinstance(value, list):
        raise click.BadParameter("one value is wanted, not a list")
    flag = isinstance(option, click.Option) and option.is_flag
    for each in several:
        if isinstance(each, bool) != flag or not isinstance(each, bool | str | int | float):
            raise click.BadParameter(f"{'true or false' if flag else 'a text or a number'} is wanted")
    place = _placed(option.name or "", folder)
    placed = [place(each) if isinstance(each, str) else each for each in several]
    taken = placed if option.multiple else placed[0]
    option.process_value(context, taken)
    return taken


def _placed(name: str, folder: Path) -> Callable[[str], str]:
    """How a text of an option is read: names of files are taken from the TOML file's folder."""
    if name in FILES:
        return lambda text: text if text == "-" else str(folder / text)
    if name in RUN_FILES:
        return lambda text: _run_file(text, folder)
    return lambda text: text


def _run_file(text: str, folder: Path) -> str:
    if text == "-" or (folder / text).exists():
        return text if text == "-" else str(folder / text)
    name, file = named_file(text)
    return str(folder / file) if name is None else f"{name}={folder / file}"
