"""`python -m core.cli` and the `ranklens` command."""

import io
import sys
from typing import Any

from core.cli import main


class Outlet(io.FileIO):
    """Standard output whose reader may leave early (`| head`): the rest is not wanted, and no error; the exit code stands."""

    def write(self, data: Any, /) -> int:
        """Write what is still wanted; all of it counts as written."""
        try:
            return super().write(data) or 0
        except BrokenPipeError:
            return memoryview(data).nbytes


def run() -> None:
    """Run the command line and leave with its exit code. What it prints is UTF-8 everywhere: the same input gives the same bytes."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        outlet = io.BufferedWriter(Outlet(sys.stdout.fileno(), "w", closefd=False))
        sys.stdout = io.TextIOWrapper(outlet, line_buffering=sys.stdout.line_buffering)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main())


if __name__ == "__main__":
    run()
