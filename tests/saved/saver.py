"""A process that saves until it is killed: `python -m tests.saved.saver FOLDER` forks one for every line of standard input.

Each tells its id, then the token of every comparison as soon as it is saved. What is imported once is forked many times.
"""

import os
import sys
from pathlib import Path

from core.comparison import Comparison
from core.store import Folder
from tests.saved.made import comparison, kept


def save_until_killed(store: Folder, made: list[Comparison], first: int) -> None:
    """Save the same two comparisons in turn."""
    for at in range(first, sys.maxsize):
        seed = at % 2
        say(f"{kept(store, made[seed]).token} {seed}")


def say(line: str) -> None:
    """One line in one piece: a kill leaves the whole of it or nothing."""
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    for number, _ in enumerate(sys.stdin):
        if (child := os.fork()) == 0:
            made = [comparison(6, seed) for seed in (0, 1)]
            say(f"pid {os.getpid()}")
            save_until_killed(Folder(Path(sys.argv[1])), made, number)
        os.waitpid(child, 0)
        say("over")
