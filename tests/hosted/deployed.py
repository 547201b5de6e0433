"""Deployed: replicas as the Dockerfile starts them, and nginx in front of them, all of one site in one folder."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.browser.conftest import free_port
from tests.conftest import REPOSITORY
from tests.hosted.proxy import NAME, answering, configuration, nginx, placed
from tests.hosted.serving import SECONDS, Served

# What HOSTING.md has in the place of the secret.
PROXY_SECRET = "the value of RANKLENS_PROXY_SECRET"  # noqa: S105


@dataclass(frozen=True)
class Site:
    """A dashboard as people reach it: through the proxy, by its name."""

    port: int
    folder: Path
    replicas: "list[Replica]"

    @property
    def address(self) -> str:
        return f"https://{NAME}:{self.port}/ranklens"

    def log(self) -> str:
        """All that the proxy and the replicas wrote."""
        return "".join(path.read_text(encoding="utf-8") for path in sorted(self.folder.rglob("*log")))


@dataclass(frozen=True)
class Replica:
    """One process of the dashboard, as the Dockerfile starts it."""

    served: Served
    process: "subprocess.Popen[bytes]"

    def kill(self) -> None:
        """End it as a failing machine does."""
        self.process.kill()
        self.process.wait()


def start(
    folder: Path, name: str, variables: Mapping[str, str],
    where: Path = REPOSITORY, python: str = sys.executable, script: str = "server.py",
) -> Replica:  # fmt: skip
    """`streamlit run server.py` with a host's limits and a log in a folder; it may not answer yet."""
    port, written = free_port(), folder / f"{name}.log"
    told = {
        "RANKLENS_HOSTED": "1", "STREAMLIT_SERVER_ADDRESS": "127.0.0.1", "STREAMLIT_SERVER_PORT": str(port), "PYTHONPATH": str(where),
    }  # fmt: skip
    command = [python, "-m", "streamlit", "run", script]
    with written.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=where, env=os.environ | told | dict(variables), stdout=file, stderr=file
        )
    return Replica(Served(port, "/ranklens" if "RANKLENS_ADDRESS" in variables else "", written), process)


@contextmanager
def running(*replicas: Replica) -> Iterator[None]:
    """Wait until all of them answer; they end with the block."""
    try:
        for each in replicas:
            answering(f"{each.served.address}/_stcore/health", each.process)
        yield
    finally:
        for each in replicas:
            each.process.terminate()
        for each in replicas:
            each.process.wait(timeout=SECONDS)


@contextmanager
def site(
    folder: Path, count: int, variables: Mapping[str, str] | None = None, *, door: int | None = None
) -> Iterator[Site]:
    """The whole of it: replicas that share a store and a secret, and nginx in front of them.

    door  the port of what signs people in, where something does
    """
    port = free_port()
    told = {
        "RANKLENS_ADDRESS": f"https://{NAME}:{port}/ranklens",
        "RANKLENS_PROXIES": "1",
        "RANKLENS_COOKIE_SECRET": "the same on both replicas, 32 characters or more",
        "RANKLENS_STORE": str(folder / "store"),
        **(variables or {}),
    }
    replicas = [start(folder, f"replica-{each}", told) for each in range(count)]
    text = placed(
        configuration(signs_in=door is not None), folder / "nginx", port, [each.served.port for each in replicas]
    )
    if door is not None:
        text = text.replace("127.0.0.1:4180", f"127.0.0.1:{door}").replace(PROXY_SECRET, told["RANKLENS_PROXY_SECRET"])
    with running(*replicas), nginx(folder / "nginx", port, text):
        yield Site(port, folder, replicas)
