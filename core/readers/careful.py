"""Careful: the lines of an odd block one by one, where a block holds a line that cannot be right."""

import polars as pl

from core.readers.cells import typed
from core.readers.lines import CP1252_HINT, Block
from core.readers.plan import BLANKS, Plan
from core.readers.rows import Findings

BLANKS_HINT = "ids that hold blanks need a file separated by tabs, or CSV"


def careful(block: Block, plan: Plan, findings: Findings) -> pl.DataFrame:
    """The good rows of a block, with their "line"; every broken one is noted with what was found and what was expected.

    A tab file's line of the wrong width is read by blanks where that gives the width.
    """
    separator = b"\t" if plan.delimiter == BLANKS else plan.delimiter.encode()
    check_bytes = not block.data.isascii()
    good: list[bytes] = []
    lines: list[int] = []
    for number, line in enumerate(block.data.split(b"\n")[:-1], block.line):
        if not line.strip():
            continue
        if check_bytes and (wrong := _bad_byte(line)):
            findings.broken(number, wrong, CP1252_HINT)
            continue
        if plan.delimiter != BLANKS and line.count(separator) == plan.width - 1:
            row: bytes | None = line
        else:
            row = _fitted(line, number, separator, plan, findings)
        if row is not None:
            good.append(row)
            lines.append(number)
    if not good:
        return typed(pl.DataFrame(schema={**dict.fromkeys(plan.names, pl.String), "line": pl.UInt32}), plan, findings)
    cells = plan.parse(b"\n".join(good) + b"\n", separator.decode(), as_text=True).drop("last\0")
    return typed(cells.with_columns(pl.Series("line", lines, pl.UInt32)), plan, findings)


def _bad_byte(line: bytes) -> str | None:
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return f"byte {error.start + 1:,} of the line (0x{line[error.start]:02X}) is not UTF-8"
    return None


def _fitted(line: bytes, number: int, separator: bytes, plan: Plan, findings: Findings) -> bytes | None:
    """A line of the wrong width made to fit, or None where it cannot be: then it is noted."""
    cells = line.split() if plan.delimiter == BLANKS else line.split(separator)
    if plan.delimiter == "\t":
        by_blanks = line.split()
        if len(by_blanks) == plan.width or (plan.more_allowed and len(cells) < plan.width < len(by_blanks)):
            cells = by_blanks
    if len(cells) == plan.width or (plan.more_allowed and len(cells) > plan.width):
        return separator.join(cells[: plan.width])
    if plan.unrated and len(cells) < plan.width and sum(bool(cell.strip()) for cell in cells) == 1:
        return line + separator * (plan.width - len(cells))
    count = "1 column" if len(cells) == 1 else f"{len(cells):,} columns"
    hint = BLANKS_HINT if plan.delimiter == BLANKS and len(cells) > plan.width else None
    findings.broken(number, f"has {count}, expected {plan.width}", hint)
    return None
