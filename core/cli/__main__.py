"""`python -m core.cli` and the `ranklens` command."""

import io
import sys

from core.cli import main


def run() -> None:
    """Run the command line and leave with its exit code. What it prints is UTF-8 everywhere: the same input gives the same bytes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main())


if __name__ == "__main__":
    run()
