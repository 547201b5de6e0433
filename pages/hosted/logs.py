"""Logs: one JSON line to stderr for everything that a host will want to know later.

A line never holds a token, a session id or an address with its query: callers give ids and counts, never those.
"""

import json
import logging
import os
import sys
from datetime import UTC, datetime
from typing import Literal

Level = Literal["info", "warning", "error"]

VARIABLE = "RANKLENS_LOG"
LEVELS: dict[str, int] = {"info": 0, "warning": 1, "error": 2}
# Texts that people gave are cut: a line is to be read, and may not fill a disk.
LONGEST = 200
LONGEST_TRACE = 20_000
_least: list[Level] = ["warning"]


def start() -> None:
    """Log everything from here on, which a server does and a script run by itself does not; keep addresses out of other logs."""
    _least[:] = ["info"]
    # Both print whole addresses: the one of every request, the other of every WebSocket.
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("uvicorn.error").addFilter(_without_addresses)
    # Streamlit prints the trace of a script's error, which our own line holds too, with its reference.
    logging.getLogger("streamlit.error_util").addFilter(_not_ours)


def event(name: str, level: Level = "info", **fields: object) -> None:
    """Write one line: when, how grave, what happened, and what else is said about it.

    RANKLENS_LOG (info, warning or error) says from which level on. Texts are cut to 200 characters; `trace` may be longer.
    """
    least = os.environ.get(VARIABLE, "")
    if LEVELS[level] < LEVELS.get(least, LEVELS[_least[0]]):
        return
    line: dict[str, object] = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "level": level,
        "event": name,
    }
    line |= {key: _fitting(key, value) for key, value in fields.items()}
    # ASCII only: whatever a text holds, a line stays one line, and a terminal obeys none of it.
    sys.stderr.write(json.dumps(line, ensure_ascii=True) + "\n")
    sys.stderr.flush()


def _fitting(key: str, value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_fitting(key, each) for each in value]
    text = str(value)
    longest = LONGEST_TRACE if key == "trace" else LONGEST
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _without_addresses(record: logging.LogRecord) -> bool:
    return '"WebSocket' not in str(record.msg)


def _not_ours(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith("Uncaught app execution")
