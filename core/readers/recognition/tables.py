"""Tables: the first lines of a text file cut into cells, by each delimiter that could be meant."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.readers.recognition.names import fold, is_id, is_known
from core.readers.recognition.profile import COMMA_NUMBER, NUMBER

LOOKED_AT = 1000
BLANKS = re.compile(r"[ \t]+")


@dataclass(frozen=True)
class Table:
    """The head of a file read with one delimiter.

    delimiter  tab, comma, semicolon, or a blank for runs of blanks and tabs
    names      the header's cells, () where there is none
    rows       the first data rows, comments left out; a row may be shorter or longer than the width
    width      columns of the header, or of most rows
    share      part of the rows that have that many columns, 0..1
    """

    delimiter: str
    quoted: bool
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    width: int
    share: float

    def column(self, at: int) -> tuple[str, ...]:
        """The cells of one column, of the rows that have the table's width; a decimal comma as a point."""
        cells = (row[at] for row in self.full)
        return tuple(map(_with_point, cells)) if self.delimiter == ";" else tuple(cells)

    @property
    def full(self) -> tuple[tuple[str, ...], ...]:
        """The rows that have as many cells as there are columns."""
        return tuple(row for row in self.rows if len(row) == self.width)

    @property
    def decimal_comma(self) -> bool:
        """Whether numbers are written 1,5: only where semicolons divide the cells."""
        return self.delimiter == ";" and any(COMMA_NUMBER.fullmatch(cell.strip()) for row in self.rows for cell in row)


def _with_point(cell: str) -> str:
    return cell.replace(",", ".") if COMMA_NUMBER.fullmatch(cell.strip()) else cell


def tables(text: str) -> list[Table]:
    """The readings that the head of a file allows, those of stricter delimiters first; [] where there is no line."""
    lines = lines_of(text)[:LOOKED_AT]
    found = [_table(lines, delimiter) for delimiter in ("\t", ",", ";", " ")]
    return [table for table in found if table is not None]


def physical_lines(text: str) -> list[str]:
    """All lines, by CR, LF or CRLF only: other separators of Unicode are data."""
    return re.split(r"\r\n|\n|\r", text)


def lines_of(text: str) -> list[str]:
    """The lines that are not blank."""
    return [line for line in physical_lines(text) if line.strip()]


def _table(lines: Sequence[str], delimiter: str) -> Table | None:
    cells, quoted = _cells(lines, delimiter)
    plain = [row for row in cells if not row[0].startswith("#")] or cells
    if not plain:
        return None
    named = _names_columns(plain[0]) and len(plain) > 1
    width = len(plain[0]) if named else _width(plain)
    rows = [row for row in cells if not row[0].startswith("#") or (len(row) == width and row[0].strip() != "#")]
    if not rows:
        return None
    header = _header([[*map(_with_point, row)] for row in rows] if delimiter == ";" else rows, width)
    data = rows[1:] if header else rows
    share = sum(len(row) == width for row in data) / len(data) if data else 0.0
    names = tuple(rows[0]) if header else ()
    return Table(delimiter, quoted, names, tuple(tuple(row) for row in data), width, share)


def _cells(lines: Sequence[str], delimiter: str) -> tuple[list[list[str]], bool]:
    if delimiter == " ":
        return [BLANKS.split(line.strip(" \t")) for line in lines], False
    if delimiter in (",", ";") and (rows := _quoted(lines, delimiter)):
        return rows, True
    return [line.split(delimiter) for line in lines], False


def _quoted(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """Cells with CSV's quotes; [] where these do not add up: the quote is then an ordinary character."""
    rows: list[list[str]] = []
    try:
        rows.extend(row for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter, strict=True) if row)
    except csv.Error:
        # The head of a file may end inside a cell of several lines; then nearly all of it was read.
        return rows if len(rows) > 0.8 * len(lines) else []
    return rows


def _width(rows: Sequence[Sequence[str]]) -> int:
    counts = Counter(len(row) for row in rows)
    most = max(counts.values())
    return max(width for width, count in counts.items() if count == most)


def _names_columns(cells: Sequence[str]) -> bool:
    """Whether the cells are column names by the synonyms: an id's name, two known names, or the first of two."""
    known = sum(is_known(cell) for cell in cells)
    numbers = any(NUMBER.fullmatch(cell.strip()) for cell in cells)
    return not numbers and (
        any(map(is_id, cells)) or known >= 2 or (known == 1 and len(cells) <= 2 and is_known(cells[0]))
    )


def _header(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether the first row names the columns. A row that could be data is data.

    It does where its cells are known names, or where it holds one known name and no number above a column of numbers,
    or where it alone has no digit anywhere while two columns or more have digits in nearly every row.
    """
    first, below = rows[0], [row for row in rows[1:] if len(row) == width]
    if _names_columns(first):
        return not any(list(row) == list(first) for row in below)
    if len(first) != width or not below or any(NUMBER.fullmatch(cell.strip()) for cell in first):
        return False
    above_numbers = [at for at in range(width) if _share(below, at, NUMBER.fullmatch) > 0.8]
    if above_numbers and any(is_known(cell) for cell in first) and not _met_below(first, below):
        return True
    return _only_row_without_digits(first, below)


def _met_below(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    return any(row[at] == cell for row in below for at, cell in enumerate(first))


def _only_row_without_digits(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    if len(below) < 2 or any(any(sign.isdigit() for sign in cell) or not fold(cell) for cell in first):
        return False
    digits = [at for at in range(len(first)) if _share(below, at, re.compile(r"\d").search) > 0.9]
    numbers = [at for at in range(len(first)) if _share(below, at, NUMBER.fullmatch) > 0.9]
    return len(digits) >= 2 and bool(numbers) and not _met_below(first, below)


def _share(rows: Sequence[Sequence[str]], at: int, test: Callable[[str], object]) -> float:
    return sum(test(row[at].strip()) is not None for row in rows) / len(rows)
