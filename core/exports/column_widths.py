"""Column widths: how wide the columns of a slide's table must be, so that no word breaks in whatever font it is shown.

A deck cannot carry its fonts. Where ours is not installed another one stands in, and the usual ones are wider: a table that
just fits ours breaks "Difference" into two. So widths are reckoned in letters of a wide bold face.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MARGIN: Final = 0.6
ACROSS: Final = 13.333 - 2 * MARGIN
PADDING: Final = 0.2
WIDEST: Final = 2.6
# Ems of a letter in DejaVu Sans Bold, the widest of the faces that stand in; rounded up, by kind of letter.
NARROW, LOWER, OTHER, BROAD = 0.45, 0.7, 0.75, 1.1
BREAKS = re.compile(r"(?<=-)|\s+")


@dataclass(frozen=True)
class Cell:
    """A cell of a table: its text, and whether it is bold, to the right, or in the colour of better or worse."""

    text: str
    bold: bool = False
    right: bool = False
    role: str = ""


def column_widths(
    heads: Sequence[str], rows: Sequence[Sequence[Cell]], shares: Sequence[float], size: int
) -> list[float]:
    """Inches of each column, over the whole slide: what no word of it breaks in, and what is left over divided by `shares`.

    A cell to the right is a number and stays on one line. size: points of the text; a word that would take more than a fifth
    of the slide may break.
    """
    needed = []
    for at, head in enumerate(heads):
        pieces = [piece for piece in BREAKS.split(head) if piece]
        for row in rows:
            pieces += [row[at].text] if row[at].right else [piece for piece in BREAKS.split(row[at].text) if piece]
        needed.append(min(WIDEST, max(map(_ems, pieces), default=0.0) * size / 72 + PADDING))
    spare = ACROSS - sum(needed)
    if spare < 0:
        return [width * ACROSS / sum(needed) for width in needed]
    wanted = [share * ACROSS / sum(shares) for share in shares]
    lacking = [max(0.0, want - need) for want, need in zip(wanted, needed, strict=True)]
    return [need + spare * lack / (sum(lacking) or 1.0) for need, lack in zip(needed, lacking, strict=True)]


def two_lines(width: float, size: int) -> int:
    """How many letters two lines of a column hold, in inches and points."""
    return max(12, int(2 * (width - PADDING) * 72 / size / LOWER))


def cut(text: str, longest: int, *, middle: bool = False) -> str:
    """A text that is no longer than this; of a name the middle is left out, since names often differ at their ends."""
    if len(text) <= longest:
        return text
    end = longest // 3 if middle else 0
    return f"{text[: longest - 1 - end]}…{text[len(text) - end :]}"


def _ems(piece: str) -> float:
    return sum(
        NARROW if letter in "fijlrtI.,:;'|/ ()[]" else LOWER if letter.islower() or letter.isdigit() else BROAD if ord(letter) > 0x2E7F
        or letter in "mwMW@%" else OTHER
        for letter in piece
    )  # fmt: skip
