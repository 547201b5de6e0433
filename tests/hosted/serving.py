"""A hosted server for the tests: our own, or one around a small script, started as hosts start it."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.browser.conftest import free_port
from tests.conftest import REPOSITORY

SECONDS = 60


@dataclass(frozen=True)
class Served:
    """A running server: where it listens, and what it has written so far."""

    port: int
    base: str
    written: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.base}"

    def log(self) -> str:
        """Everything that it wrote."""
        return self.written.read_text(encoding="utf-8")

    def events(self, name: str) -> list[dict[str, Any]]:
        """The lines about one kind of event; Streamlit's greeting may stand half written before the first of them."""
        lines = [json.loads(found) for found in re.findall(r'\{"time": .*\}', self.log())]
        return [line for line in lines if line["event"] == name]


@contextmanager
def serving(
    module: str = "server",
    folder: Path = REPOSITORY,
    base: str = "",
    at: int = 0,
    streamlit: bool = False,
    **variables: str,
) -> Iterator[Served]:
    """A server, started from a folder that has nothing to do with it; ends with the block.

    `uvicorn MODULE:app`, or with `streamlit` set `streamlit run MODULE.py`. at: its port, any free one for 0.
    """
    with tempfile.TemporaryDirectory() as elsewhere:
        port, written = at or free_port(), Path(elsewhere) / "log"
        command = [sys.executable, "-m", "uvicorn", f"{module}:app", "--app-dir", str(folder), "--port", str(port)]
        if streamlit:
            command = [sys.executable, "-m", "streamlit", "run", str(folder / f"{module}.py"), f"--server.port={port}"]
        told = os.environ | {"PYTHONPATH": str(REPOSITORY), "RANKLENS_LOG": "info"} | variables
        with written.open("w") as file:
            process = subprocess.Popen(
                command, cwd=elsewhere, env=told, stdout=file, stderr=file, start_new_session=True
            )
        try:
            served = Served(port, base, written)
            _answering(served, process)
            yield served
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=SECONDS)


def _answering(served: Served, process: subprocess.Popen[bytes]) -> None:
    """Wait until it takes people."""
    for _ in range(SECONDS * 10):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended: {served.log()}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{served.port}/health", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the server did not answer: {served.log()}")
