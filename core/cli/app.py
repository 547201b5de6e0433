"""`ranklens app`: start the dashboard."""

import os
import subprocess
import sys
from pathlib import Path

import click


@click.command()
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8501,
    show_default=True,
    help="The port to listen on, on this machine only.",
)
@click.option(
    "--store", metavar="URL", help="Where saved comparisons are kept: a folder, or s3://… (default: RANKLENS_STORE)."
)
def app(port: int, store: str | None) -> int:
    """Start the dashboard in this terminal; Ctrl+C ends it.

    It listens on this machine only and sends nothing anywhere.
    """
    script = Path(__file__).parents[2] / "app.py"
    variables = os.environ | ({"RANKLENS_STORE": store} if store else {})
    command = [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}"]
    try:
        return subprocess.run(command, env=variables, cwd=script.parent, check=False).returncode
    except KeyboardInterrupt:
        return 0
