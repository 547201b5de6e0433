"""Logs: one JSON line to stderr for everything that a host will want to know later.

A line never holds a token, a session id or an address with its query: callers give ids and counts, never those.
"""

import json
import logging
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal

Level = Literal["info", "warning", "error"]

VARIABLE = "RANKLENS_LOG"
LEVELS: dict[str, int] = {"info": 0, "warning": 1, "error": 2}
# Texts that people gave are cut: a line is to be read, and may not fill a disk.
LONGEST = 200
LONGEST_TRACE = 20_000
LOGGED = "Logged as"
# What our own lines say better, uvicorn's complaint about a WebSocket that is refused with a sentence, and each one that opens.
SAID_ALREADY = ("Uncaught app execution", "ASGI callable returned without", "connection ")
_least: list[Level] = ["warning"]


def start() -> None:
    """Log everything from here on, which a server does and a script run by itself does not; keep addresses out of other logs."""
    _least[:] = ["info"]
    # Both print whole addresses: the one of every request, the other of every WebSocket.
    logging.getLogger("uvicorn.access").disabled = True
    for name in ("uvicorn.error", "streamlit.error_util"):
        logging.getLogger(name).addFilter(_worth_saying)


def adopt() -> None:
    """Write what the libraries of the server log as lines of ours; once all of them are there."""
    if _silent("info"):
        return
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("streamlit", "uvicorn", "websockets", "asyncio"):
            for handler in logging.getLogger(name).handlers:
                handler.setFormatter(Line())


class Line(logging.Formatter):
    """A record of another's log as one of our lines."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, without its end."""
        fields: dict[str, object] = {"from": record.name, "said": record.getMessage()}
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return _line("log", record.levelname.lower(), fields)


def event(name: str, level: Level = "info", **fields: object) -> None:
    """Write one line: when, how grave, what happened, and what else is said about it.

    RANKLENS_LOG (info, warning or error) says from which level on. Texts are cut to 200 characters; `trace` may be longer.
    """
    if not _silent(level):
        sys.stderr.write(_line(name, level, fields) + "\n")
        sys.stderr.flush()


def _silent(level: Level) -> bool:
    return LEVELS[level] < LEVELS.get(os.environ.get(VARIABLE, ""), LEVELS[_least[0]])


def _line(name: str, level: str, fields: Mapping[str, object]) -> str:
    """ASCII only: whatever a text holds, a line stays one line, and a terminal obeys none of it."""
    line: dict[str, object] = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "level": level,
        "event": name,
    }
    return json.dumps(line | {key: _fitting(key, value) for key, value in fields.items()}, ensure_ascii=True)


def _fitting(key: str, value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_fitting(key, each) for each in value]
    text = str(value)
    longest = LONGEST_TRACE if key == "trace" else LONGEST
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _worth_saying(record: logging.LogRecord) -> bool:
    """Leave out addresses of WebSockets, traces that our own lines hold, and what uvicorn says of every refusal with a sentence."""
    said = str(record.msg)
    if record.exc_info and any(LOGGED in note for note in getattr(record.exc_info[1], "__notes__", ())):
        return False
    return '"WebSocket' not in said and not said.startswith(SAID_ALREADY)
