"""Rows: what every format turns a file into, and Findings: what is collected about the file on the way."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import polars as pl

from core.errors import SHOWN, InputError, Problem
from core.notices import Notice

Progress = Callable[[int, int], None]
LINES_NAMED = 5


class Rows(NamedTuple):
    """A batch of data rows.

    frame  columns named by their Field: query_id, doc_id, system, relevance, text, title, positive_docs,
           retrieved_docs are String; score, distance, rank are Float64; metadata columns stand under their own
           names, String. iteration and assessor (String) are kept where the role is "qrels", and dropped from runs.
           No null in query_id, doc_id, score, distance, rank — except in an unrated query's row (see `delimited`).
    line   physical line of the first row where the rows are consecutive lines of the file; else None, and the frame
           has a UInt32 column "line" where lines are known
    """

    frame: pl.DataFrame
    line: int | None = None


@dataclass
class Findings:
    """What is found in one file while it is read.

    file      the name people know it by
    leave_out whether broken lines are left out (by choice) instead of refusing the file
    progress  called with (bytes done, bytes in all), both of the file as given
    problems  the first 20, `more` counts the others
    left_out  the first physical lines left out; `left_out_count` all of them
    comments  comment lines
    metadata  (key, value) pairs of an ir_metadata comment block
    rows      data rows read so far; broken ones do not count
    sha256    of the bytes as given (of a picked member of a zip: of the member's bytes); "" until all is read
    notices   what the file alone shows
    """

    file: str
    leave_out: bool = False
    progress: Progress | None = None
    problems: list[Problem] = field(default_factory=list)
    more: int = 0
    left_out: list[int] = field(default_factory=list)
    left_out_count: int = 0
    comments: int = 0
    metadata: list[tuple[str, str]] = field(default_factory=list)
    rows: int = 0
    sha256: str = ""
    notices: list[Notice] = field(default_factory=list)

    def problem(self, line: int | None, message: str, hint: str | None = None) -> None:
        """Note something that makes the file unusable; reading goes on so that all of them are told at once."""
        if len(self.problems) < SHOWN:
            self.problems.append(Problem(self.file, line, message, hint))
        else:
            self.more += 1

    def broken(self, line: int | None, message: str, hint: str | None = None) -> None:
        """Note a broken line (or entry): left out and counted where that was chosen, else a problem.

        Call it once per line: the caller leaves the row out of what it yields either way.
        """
        if not self.leave_out:
            self.problem(line, message, hint)
            return
        self.left_out_count += 1
        if line is not None and len(self.left_out) < LINES_NAMED:
            self.left_out.append(line)

    def refuse(self, message: str, hint: str | None = None, line: int | None = None) -> InputError:
        """The error to raise at once: this problem after those found before."""
        return InputError([*self.problems, Problem(self.file, line, message, hint)], self.more)

    def finish(self) -> None:
        """After the last row: raise InputError where there are problems or no rows, else add the notices on lines.

        Notices: lines-left-out (warning), comments (info).
        """
        if not self.problems and not self.rows:
            if self.left_out_count:
                raise self.refuse(f"no rows are left: all {self.left_out_count:,} data lines are broken")
            self.problem(None, "the file holds no rows", "only comment lines, a header or blank lines were found")
        if self.problems:
            raise InputError(sorted(self.problems, key=lambda problem: problem.line or 0), self.more)
        if self.left_out_count:
            self.notices.append(self._left_out())
        if self.comments:
            count = "1 comment line was" if self.comments == 1 else f"{self.comments:,} comment lines were"
            self.notices.append(Notice("comments", "info", self.file, f"{count} passed over.", self.comments))

    def _left_out(self) -> Notice:
        known = sorted(self.left_out)
        lines = ", ".join(f"{line:,}" for line in known)
        some, one = self.left_out_count > len(self.left_out), self.left_out_count == 1
        count = "1 broken line was" if one else f"{self.left_out_count:,} broken lines were"
        where = f" ({'line' if one else 'lines'} {lines}{', …' if some else ''})" if lines else ""
        return Notice(
            "lines-left-out", "warning", self.file, f"{count} left out, as chosen{where}.", self.left_out_count,
            tuple(map(str, known)),
        )  # fmt: skip
