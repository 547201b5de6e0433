"""Reading the files a command names, with progress on stderr where it takes long."""

import sys
import time

from core.cli.options import Request
from core.comparison import Comparison, open_comparison

AFTER_SECONDS = 1.0
EVERY_SECONDS = 0.2


class Progress:
    """A line on stderr that is written over; silent for short work and where stderr is no terminal."""

    def __init__(self) -> None:
        self.started = self.told = time.monotonic()
        self.shown = False

    def __call__(self, name: str, done: int, total: int) -> None:
        """Tell how much of a file is read."""
        now = time.monotonic()
        if not sys.stderr.isatty() or now - self.started < AFTER_SECONDS or now - self.told < EVERY_SECONDS:
            return
        self.told, self.shown = now, True
        sys.stderr.write(
            f"\r\x1b[Kreading {name}: {done / 1e6:,.0f} of {total / 1e6:,.0f} MB ({done / max(total, 1):.0%})"
        )
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self.shown:
            sys.stderr.write("\r\x1b[K")


def read(asked: Request) -> Comparison:
    """Read the files of a request. Raises InputError with what is wrong in all of them."""
    progress = Progress()
    try:
        return open_comparison(
            asked.inputs, asked.conventions, lower_is_better=asked.lower_is_better, progress=progress
        )
    finally:
        progress.clear()
