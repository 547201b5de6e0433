"""`python -m core.cli` and the `ranklens` command."""

import sys

from core.cli import main


def run() -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(main())


if __name__ == "__main__":
    run()
