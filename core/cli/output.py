"""Output: JSON, tables and CSV of the command line; the same input gives the same bytes."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tabulate import tabulate

from core.errors import InputError, Problem
from core.notices import Notice


def write(text: str, out: Path | None) -> None:
    """Write to a file, or to standard output. Raises InputError if the file cannot be written."""
    text = text if text.endswith("\n") else text + "\n"
    if out is None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader of a pipe (head, say) has gone: nobody is left to tell, and the exit code stays what it is.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(Problem(str(out), None, f"cannot be written: {error.strerror}")) from error


def as_json(value: dict[str, Any]) -> str:
    """JSON with full doubles and Unicode as it is. Raises ValueError for NaN: a null was meant, and that is a bug."""
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)


def table(rows: Sequence[Sequence[object]], headers: Sequence[str], *, markdown: bool) -> str:
    """A table for people: columns aligned, text left and numbers right; as Markdown where asked."""
    right = ["left", *("right" for _ in headers[1:])]
    if markdown:
        safe = [[_markdown(cell) for cell in row] for row in rows]
        return tabulate(
            safe,
            [_markdown(cell) for cell in headers],
            tablefmt="github",
            disable_numparse=True,
            colalign=right if rows else None,
        )
    return tabulate(
        [[_line(cell) for cell in row] for row in rows],
        headers,
        tablefmt="simple",
        disable_numparse=True,
        colalign=right if rows else None,
    )


def notice_lines(notices: Sequence[Notice], *, markdown: bool) -> str:
    """The notices, one a line, the worst first: what it is about, and the sentence."""
    mark = {"error": "error", "warning": "warning", "info": "note"}
    lines = []
    for notice in notices:
        line = f"{mark[notice.severity]}: {_line(notice.about)}: {_line(notice.message)}"
        if notice.effect is not None:
            readings = ", ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in notice.effect.readings)
            line += f" Mean {notice.effect.measure}: {readings}."
        if notice.examples:
            line += f" Such as {', '.join(_line(example) for example in notice.examples[:3])}."
        lines.append(f"- {_markdown(line)}" if markdown else line)
    return "\n".join(lines)


def number(value: float | None) -> str:
    """A score to three digits; a dash where there is none."""
    return "–" if value is None else f"{value:.3f}"


def _line(cell: object) -> str:
    return " ".join(str(cell).split()) if isinstance(cell, str) else str(cell)


def _markdown(cell: object) -> str:
    text = _line(cell)
    for mark in "\\`*_[]<>|!#":
        text = text.replace(mark, "\\" + mark)
    return text
