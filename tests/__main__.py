"""All checks, in one command: `uv run python -m tests` (add `--long` for the full-size versions).

Installs what is missing first (Chromium: Debian's package as root, else Playwright's own), then lint, format, types, the floors, all tests.
Ends with a status other than 0 when a check fails; the later checks run all the same, so that one run tells everything.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def run(title: str, command: list[str], **variables: str) -> bool:
    """Run one check in the repository, say what it is, and tell whether it passed."""
    sys.stdout.write(f"\n── {title}: {' '.join(command)}\n")
    sys.stdout.flush()
    return subprocess.run(command, cwd=REPOSITORY, env=os.environ | variables, check=False).returncode == 0


def install_chromium() -> bool:
    """Make sure that there is a Chromium to drive."""
    if any(shutil.which(name) for name in CHROMIUM):
        return True
    apt = shutil.which("apt-get")
    if apt and os.geteuid() == 0:
        return run("Chromium", [apt, "update", "-qq"]) and run(
            "Chromium", [apt, "install", "-y", "-qq", "chromium"], DEBIAN_FRONTEND="noninteractive"
        )
    return run("Chromium", [sys.executable, "-m", "playwright", "install", "chromium"])


def main() -> int:
    """Run every check and count the ones that failed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--long", action="store_true", help="the full-size versions of what runs in short")
    parser.add_argument("pytest", nargs="*", help="passed to pytest (after --)")
    args = parser.parse_args()
    python = [sys.executable, "-m"]
    workers = [] if args.pytest else ["-n", str(min(4, os.cpu_count() or 1)), "--dist", "loadgroup"]
    checks = {
        "Chromium": install_chromium(),
        "lint": run("lint", [*python, "ruff", "check"]),
        "format": run("format", [*python, "ruff", "format", "--check"]),
        "types": run("types", [*python, "mypy"]),
        "floors": run("floors", [str(Path(sys.executable).with_name("lint-imports"))]),
        "tests": run("tests", [*python, "pytest", *workers, *args.pytest], RANKLENS_LONG="1" if args.long else "0"),
    }
    failed = [name for name, passed in checks.items() if not passed]
    sys.stdout.write(f"\n{'failed: ' + ', '.join(failed) if failed else 'all checks passed'}\n")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
