"""`ranklens app`: start the dashboard."""

import os
import subprocess
import sys
from pathlib import Path

import click

from core.model.limits import LOCAL, MB
from core.store import VARIABLE, where


@click.command()
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8501,
    show_default=True,
    help="The port to listen on, on this machine only.",
)
@click.option("--store", metavar="URL", help="Where results are kept: a folder, or s3://… (default: RANKLENS_STORE).")
def app(port: int, store: str | None) -> int:
    """Start the dashboard in this terminal; Ctrl+C ends it.

    It listens on this machine only and sends nothing anywhere.
    """
    script = Path(__file__).parents[2] / "server.py"
    variables = {
        # A person's own machine takes what its limits allow; the settings beside server.py are a host's.
        "STREAMLIT_SERVER_MAX_UPLOAD_SIZE": str(LOCAL.packed // MB),
        # A terminal of one's own shows what is wrong; a host keeps everything.
        "RANKLENS_LOG": "warning",
        **os.environ,
        # Absolute, so that the dashboard reads the store that `ranklens record` wrote to, whichever folder it runs in.
        VARIABLE: where(store),
    }
    command = [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}"]
    os.chdir(script.parent)
    sys.stdout.flush()
    if os.name == "posix":
        # The server takes this process's place, so that whatever ends the command ends the server too.
        os.execve(command[0], command, variables)  # noqa: S606 - the list is made here, and no shell is wanted
    return subprocess.run(command, env=variables, check=False).returncode
