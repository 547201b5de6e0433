"""On alert: a command of the team's own is called with the alert as JSON on its standard input."""

import json
import shlex
import subprocess
from collections.abc import Iterable

from core.errors import InputError, Problem
from core.history.alerts import Alert

PATIENCE_SECONDS = 60


def call(command: str, series: str, alerts: Iterable[Alert]) -> int:
    """Run the command once for each alert, without a shell, and return how often.

    The JSON is that of `history --format json`, with the series' name and "schema".
    Raises InputError where the command cannot be started, ends with another status than 0, or takes more than a minute.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(Problem("--on-alert", None, f"cannot be read as a command: {error}")) from error
    if not words:
        raise InputError(Problem("--on-alert", None, "no command was given"))
    called = 0
    for alert in alerts:
        told = json.dumps({"schema": 1, "series": series, **alert.as_json()}, ensure_ascii=False)
        try:
            ended = subprocess.run(words, input=told.encode(), check=False, timeout=PATIENCE_SECONDS).returncode
        except subprocess.TimeoutExpired as error:
            raise _failed(words[0], f"was stopped after {PATIENCE_SECONDS} seconds") from error
        except (OSError, ValueError) as error:
            raise _failed(words[0], "could not be started") from error
        if ended != 0:
            raise _failed(words[0], f"ended with status {ended}")
        called += 1
    return called


def _failed(command: str, how: str) -> InputError:
    return InputError(Problem("--on-alert", None, f'"{command}" {how}; the alert may not have been told'))
