"""Grades: what stands in the place of a grade, turned into a number, or told where it cannot be."""

import re
from collections.abc import Iterable

import polars as pl

from core.model.reading import Choice, Reading
from core.notices import Notice
from core.readers.cells import shown
from core.readers.rows import Findings, Rows

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


class Grader:
    """Turns the relevance texts of one file into grades, batch by batch, and tells of all that cannot be one.

    A file whose head shows words in place of grades takes them by the map given, true/yes and false/no without one;
    in any other file a word is a broken line.
    """

    def __init__(self, reading: Reading, choice: Choice, findings: Findings, *, partly: bool = False) -> None:
        """partly: an empty grade is not broken, it is still to be given: its row is left out and counted in `ungraded`."""
        self._decimal_comma = reading.decimal_comma
        self._words = bool(reading.labels) or bool(choice.labels)
        self._asked = bool(choice.labels)
        self._known = {**BOOLEANS, **_folded(choice.labels)}
        self._findings = findings
        self._mapped: dict[str, float] = {}
        self._mapped_count = 0
        self._unknown: dict[str, int | None] = {}
        self._partly = partly
        self.ungraded = 0

    def graded(self, rows: Rows) -> pl.DataFrame:
        """The rows with a Float64 column `grade` in place of relevance; broken ones are left out and noted.

        Rows of unrated queries keep a null grade. Without a relevance column every pair is relevant: grade 1.
        """
        frame = with_lines(rows)
        if self._partly:
            filled = frame.filter(pl.col("relevance").str.strip_chars().fill_null("") != "")
            self.ungraded += frame.height - filled.height
            frame = filled
        rated = pl.col("doc_id").is_not_null()
        if "relevance" not in frame.columns:
            return frame.with_columns(pl.when(rated).then(1.0).alias("grade"))
        text = pl.col("relevance").str.strip_chars()
        if self._decimal_comma:
            text = text.str.replace(",", ".", literal=True)
        frame = frame.with_columns(text.cast(pl.Float64, strict=False).alias("grade"))
        if self._words:
            frame = self._with_labels(frame)
        good = pl.col("grade").is_between(LOWEST, HIGHEST).fill_null(False) | ~rated
        wrong = frame.filter(~good)
        if wrong.height:
            for row in wrong.iter_rows(named=True):
                self._refuse(row)
            frame = frame.filter(good)
        return frame.drop("relevance")

    def _with_labels(self, frame: pl.DataFrame) -> pl.DataFrame:
        words = frame.filter(pl.col("grade").is_null() & pl.col("doc_id").is_not_null())["relevance"]
        counts = words.drop_nulls().value_counts()
        grades: dict[str, float] = {}
        for text, count in zip(counts["relevance"].to_list(), counts["count"].to_list(), strict=True):
            grade = self._known.get(text.strip().casefold())
            if grade is not None:
                grades[text] = self._mapped[text.strip()] = grade
                self._mapped_count += count
        if not grades:
            return frame
        mapped = pl.col("relevance").replace_strict(grades, default=None, return_dtype=pl.Float64)
        return frame.with_columns(pl.coalesce("grade", mapped).alias("grade"))

    def _refuse(self, row: dict[str, object]) -> None:
        text = str(row["relevance"] or "").strip()
        line = row["line"] if isinstance(row["line"], int) else None
        grade = row["grade"]
        if not text:
            self._findings.broken(line, "the grade is empty", "give the pair a grade, or take the line out")
        elif isinstance(grade, float):
            beyond = "is not a finite number" if grade != grade or grade in (float("inf"), -float("inf")) else None
            self._findings.broken(line, f"grade {shown(text)} {beyond or 'is outside −1,000 … 1,000,000'}")
        elif self._asked:
            self._findings.broken(line, f"grade {shown(text)} is not in the label map", _hint([text]))
        elif self._words:
            self._unknown.setdefault(text, line)
        else:
            self._findings.broken(line, f"grade {shown(text)} is not a number")

    def finish(self) -> None:
        """After the last batch: add labels-mapped, or the problem of words that nobody has given a grade yet."""
        if self._unknown:
            words = sorted(self._unknown)
            listed = ", ".join(shown(word) for word in words[:20]) + (", …" if len(words) > 20 else "")
            message = f"the grades are words, {len(words):,} different ones: {listed}"
            self._findings.problem(self._unknown[words[0]] if len(words) == 1 else None, message, _hint(words))
        elif self._mapped:
            pairs = sorted(self._mapped.items(), key=lambda pair: (-pair[1], pair[0]))
            examples = tuple(f"{word} = {grade:g}" for word, grade in pairs)
            told = ", ".join(f"{shown(word)} as {grade:g}" for word, grade in pairs[:8])
            message = f"Words were read as grades: {told}."
            file = self._findings.file
            self._findings.notices.append(Notice("labels-mapped", "info", file, message, self._mapped_count, examples))


def _hint(words: list[str]) -> str:
    return f'say what grade each is, such as --labels "{offered(words)}"'


def with_lines(rows: Rows) -> pl.DataFrame:
    """The frame of a batch with a column `line`: physical line numbers (UInt32), null where they are not known."""
    if "line" in rows.frame.columns:
        return rows.frame
    if rows.line is None:
        return rows.frame.with_columns(pl.lit(None, dtype=pl.UInt32).alias("line"))
    lines = pl.int_range(rows.line, rows.line + rows.frame.height, dtype=pl.UInt32, eager=True)
    return rows.frame.with_columns(lines.alias("line"))
