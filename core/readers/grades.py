"""Grades: what stands in the place of a grade, turned into a number, or told where it cannot be."""

import re
from collections.abc import Iterable

LOWEST, HIGHEST = -1000.0, 1e6
TRUE, FALSE = ("true", "yes"), ("false", "no")
BOOLEANS: dict[str, float] = {**dict.fromkeys(TRUE, 1.0), **dict.fromkeys(FALSE, 0.0)}
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
MOST_LABELS = 50


def labels_in(
    cells: Iterable[str], given: Iterable[tuple[str, float]] = (), *, decimal_comma: bool = False
) -> tuple[tuple[str, float | None], ...]:
    """The words among grades, with the grade each is read as: by the map given, as a boolean, or None (to be given).

    Sorted; empty where all cells are numbers. A mix of many numbers and one word is a broken line, not a label.
    """
    known = _folded(given)
    filled = [cell.strip() for cell in cells if cell.strip()]
    words = sorted({cell for cell in filled if not _is_number(cell, decimal_comma=decimal_comma)})
    numbers = sum(_is_number(cell, decimal_comma=decimal_comma) for cell in filled)
    if not words or (numbers > len(filled) / 2 and not known):
        return ()
    return tuple((word, known.get(word.casefold(), BOOLEANS.get(word.casefold()))) for word in words[:MOST_LABELS])


def offered(labels: Iterable[str]) -> str:
    """A label map to start from, as `--labels` takes it: the usual order of the ESCI letters, else gaps to fill."""
    words = list(labels)
    esci = {"e": 3, "s": 2, "c": 1, "i": 0, "exact": 3, "substitute": 2, "complement": 1, "irrelevant": 0}
    if words and all(word.casefold() in esci for word in words):
        pairs = [f"{word}={esci[word.casefold()]}" for word in sorted(words, key=lambda word: -esci[word.casefold()])]
    else:
        pairs = [f"{word}=…" for word in words[:10]]
    return ",".join(pairs)


def _is_number(cell: str, *, decimal_comma: bool) -> bool:
    text = cell.replace(",", ".", 1) if decimal_comma else cell
    return NUMBER.fullmatch(text) is not None or NOT_FINITE.fullmatch(text) is not None


def _folded(given: Iterable[tuple[str, float]]) -> dict[str, float]:
    return {word.strip().casefold(): float(grade) for word, grade in given}
