"""The one error a user can cause: everything wrong with what they gave us, all at once."""

from collections.abc import Sequence
from dataclasses import dataclass

SHOWN = 20


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an input: where, what was found, and what to do about it.

    line     the physical line number in the file, counted from 1, or None where there is none
    offered  repairs of ids that together would mend it, as `core.readers.repairs` writes them: an offer, never done unasked
    """

    file: str
    line: int | None
    message: str
    hint: str | None = None
    offered: tuple[str, ...] = ()

    def __str__(self) -> str:
        """`bm25.run:17: score "n/a" is not a number`."""
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{where}: {self.message}" if where else self.message

    def as_json(self) -> dict[str, object]:
        """The four fields of CLI.md, line null where there is none."""
        return {"file": self.file, "line": self.line, "message": self.message, "hint": self.hint}


class InputError(Exception):
    """An input that cannot be used. Every other exception is a bug and stays loud.

    Holds up to 20 problems and how many more there are.
    """

    def __init__(self, problems: Problem | Sequence[Problem], more: int = 0) -> None:
        found = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.problems: tuple[Problem, ...] = found[:SHOWN]
        self.more = more + max(0, len(found) - SHOWN)
        super().__init__(str(self))

    def __str__(self) -> str:
        """One problem a line; the last line counts those not shown."""
        lines = [str(problem) for problem in self.problems]
        return "\n".join([*lines, f"… and {self.more:,} more"] if self.more else lines)
