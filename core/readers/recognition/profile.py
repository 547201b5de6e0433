"""Profiles: what the first values of a column look like when no header names it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
COMMA_NUMBER = re.compile(r"[+-]?\d+,\d+")
FEW = 12
LARGEST_USUAL_GRADE = 1000


@dataclass(frozen=True)
class Profile:
    """What the values of one column look like.

    numbers   share of the filled cells that are numbers, 0..1
    whole     whether all of these are whole (1.0 is whole)
    low, high their range
    distinct  different values among the filled cells
    filled    filled cells
    wordy     share of the filled cells with a blank inside
    only      the values, where there are at most 12 different ones
    """

    numbers: float
    whole: bool
    low: float
    high: float
    distinct: int
    filled: int
    wordy: float
    only: frozenset[str]

    @property
    def numeric(self) -> bool:
        """Whether most values are numbers; the others are then broken, not words."""
        return self.numbers > 0.5

    @property
    def grades(self) -> bool:
        """Whether the values look like grades: few, whole, small."""
        return (
            self.numeric
            and self.whole
            and self.distinct <= FEW
            and self.low >= -10
            and self.high <= LARGEST_USUAL_GRADE
        )

    @property
    def labels(self) -> bool:
        """Whether the values look like grades in words: few, and most of them met again."""
        return (
            not self.numeric
            and 0 < self.distinct <= FEW
            and (self.distinct <= self.filled / 2 or self.filled <= 2 * FEW)
        )

    @property
    def iteration(self) -> bool:
        """Whether this can be TREC's second column: Q0, 0, or few rounds or subtopics."""
        return self.fixed or self.distinct <= 1 or (self.numeric and self.distinct <= 100)

    @property
    def fixed(self) -> bool:
        """Whether this is TREC's second column where it says nothing."""
        return bool(self.only) and all(value.casefold() in ("q0", "0") for value in self.only)


def profile(cells: Sequence[str]) -> Profile:
    """Look at the cells of one column; empty ones are passed over."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    numbers = [float(cell) for cell in filled if NUMBER.fullmatch(cell)]
    finite = [number for number in numbers if abs(number) < float("inf")]
    distinct = set(filled)
    return Profile(
        numbers=len(numbers) / len(filled) if filled else 0.0,
        whole=all(number.is_integer() for number in finite),
        low=min(finite, default=0.0),
        high=max(finite, default=0.0),
        distinct=len(distinct),
        filled=len(filled),
        wordy=sum(" " in cell for cell in filled) / len(filled) if filled else 0.0,
        only=frozenset(distinct) if len(distinct) <= FEW else frozenset(),
    )


def counts_up(queries: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether a column counts 1, 2, 3 … or 0, 1, 2 … inside each query, for one query of two documents or more."""
    steps, last = 0, dict[str, float]()
    start: float | None = None
    for query, cell in zip(queries, cells, strict=True):
        if not NUMBER.fullmatch(cell.strip()):
            return False
        value = float(cell)
        if query not in last:
            start = value if start is None else start
            if value != start or value not in (0.0, 1.0):
                return False
        elif value != last[query] + 1:
            return False
        else:
            steps += 1
        last[query] = value
    return steps > 0


def falls(queries: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether a column never rises inside a query and is not merely constant: the order of a run."""
    falling, last = False, dict[str, float]()
    for query, cell in zip(queries, cells, strict=True):
        if not NUMBER.fullmatch(cell.strip()):
            return False
        value = float(cell)
        if query in last:
            if not value < last[query]:
                return False
            falling = True
        last[query] = value
    return falling
