"""Clean root: the Dockerfile's own steps, run in a fresh Debian by chroot, where there is no container engine.

    python -m tests.hosted.clean_root          # builds, starts, asks, stops; prints each step

What stands in for what:
- `FROM python:3.11-slim-bookworm`: Debian bookworm by debootstrap (minbase) with its own Python 3.11 as /usr/local.
- ENV, COPY, RUN, USER, WORKDIR, VOLUME, CMD, HEALTHCHECK: read from the Dockerfile and done as they stand, with nothing of
  this machine's environment. COPY sees what git knows and .dockerignore admits.
- The network while building: every wheel is fetched before, by its hash, into a folder that pip is told to use instead.
- `docker run --read-only --tmpfs /tmp -v …:/store --network none`: own mounts, processes and network (loopback only), the root
  read-only. So whatever works here asks no other host for anything.

Needs root, debootstrap, unshare and nsenter. Fresh Debian and wheels are kept in the folder that RANKLENS_CLEAN_ROOT names,
else under the temporary folder; both are made once.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import REPOSITORY
from tests.hosted import recipe
from tests.hosted.recipe import Step

CACHE = Path(os.environ.get("RANKLENS_CLEAN_ROOT", Path(tempfile.gettempdir()) / "ranklens-clean-root"))
TOOLS = ("debootstrap", "unshare", "nsenter", "chroot", "ip")
PATH = "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin"
BASE = "FROM python:3.11-slim-bookworm"


def missing() -> str | None:
    """Why this cannot run here, None where it can."""
    if os.name != "posix" or os.geteuid() != 0:
        return "a clean root needs root"
    absent = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"a clean root needs {', '.join(absent)}" if absent else None


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


def fresh_debian() -> Path:
    """Debian bookworm with Python 3.11 and nothing else; made once."""
    base = CACHE / "bookworm"
    if not (base / "usr/local/bin/pip").exists():
        shutil.rmtree(base, ignore_errors=True)
        _run(["debootstrap", "--variant=minbase", "--include=python3,python3-venv", "bookworm", str(base)])
        _run(["chroot", str(base), "python3", "-m", "venv", "/usr/local"])
    return base


def wheels() -> Path:
    """Every file that pip will ask for: those of requirements.txt by their hashes, and what builds the project."""
    folder = CACHE / "wheels"
    fetcher = CACHE / "fetcher"
    if not (fetcher / "bin/pip").exists():
        venv.create(fetcher, with_pip=True)
    binary = ["--python-version=3.11", "--only-binary=:all:", "--dest", str(folder)]
    pip = [str(fetcher / "bin/pip"), "download", "--quiet", *binary]
    _run([*pip, "--require-hashes", "--requirement", str(REPOSITORY / "requirements.txt")])
    _run([*pip, "hatchling>=1.27"])
    return folder


class CleanRoot:
    """A copy of the fresh Debian in which the Dockerfile's steps were run; `says` gets a line for each."""

    def __init__(self, folder: Path, says: Callable[[str], None] = lambda _: None) -> None:
        self.root = folder / "root"
        self.store = folder / "store"
        self.recipe = recipe.dockerfile()
        self._say = says
        self.env = {"PATH": PATH}

    def build(self) -> None:
        """Run every step before CMD, in order, as root until USER."""
        subprocess.run(["cp", "--archive", str(fresh_debian()), str(self.root)], check=True)
        (self.root / "wheels").mkdir()
        for wheel in wheels().iterdir():
            os.link(wheel, self.root / "wheels" / wheel.name)
        for step in self.recipe:
            self._say(f"{step.word} {step.rest}")
            self._do(step)
        shutil.rmtree(self.root / "wheels")

    def _do(self, step: Step) -> None:
        if step.word == "FROM":
            assert f"{step.word} {step.rest}" == BASE
        elif step.word == "ENV":
            self.env |= recipe.variables(step)
        elif step.word == "COPY":
            self._copy(*step.rest.split())
        elif step.word == "RUN":
            offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels", "PIP_CONFIG_FILE": os.devnull}
            shell = ["chroot", str(self.root), "/bin/sh", "-c", step.rest]
            subprocess.run(shell, env=self.env | offline, check=True, stdout=subprocess.DEVNULL)
        elif step.word == "WORKDIR":
            (self.root / step.rest.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def _copy(self, *names: str) -> None:
        *sources, target = names
        for name in recipe.context():
            for source in sources:
                if name == Path(source):
                    aim = self.root / target.lstrip("/") / name.name
                elif name.is_relative_to(source):
                    aim = self.root / target.lstrip("/") / name.relative_to(source)
                else:
                    continue
                aim.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(REPOSITORY / name, aim)

    @contextmanager
    def running(self, **variables: str) -> "Iterator[Running]":
        """CMD, as `docker run --read-only --network none` starts it, with variables as `-e` gives them."""
        numbers = self._passwd()
        self.store.mkdir(exist_ok=True)
        os.chown(self.store, *numbers)
        where = next(step.rest for step in self.recipe if step.word == "WORKDIR")
        inner = (
            f'mount --bind "{self.root}" "{self.root}" && mount -o remount,bind,ro "{self.root}"'
            f' && mount -t tmpfs -o mode=1777 tmpfs "{self.root}/tmp" && mount -t proc proc "{self.root}/proc"'  # noqa: S108
            f' && mount --bind "{self.store}" "{self.root}/store" && ip link set lo up'
            f' && exec chroot --userspec={numbers[0]}:{numbers[1]} "{self.root}" /usr/bin/env --chdir={where} "$@"'
        )
        words = recipe.command(self.recipe)
        spaces = ["unshare", "--mount", "--propagation=private", "--pid", "--fork", "--kill-child", "--net"]
        log = self.root.parent / "log"
        with log.open("wb") as written:
            process = subprocess.Popen(
                [*spaces, "/bin/sh", "-c", inner, "sh", *words],
                env=self.env | variables,
                stdout=written,
                stderr=subprocess.STDOUT,
            )
        try:
            yield Running(self, process, log)
        finally:
            process.kill()
            process.wait()

    def _passwd(self) -> tuple[int, int]:
        name = recipe.user(self.recipe)
        lines = (self.root / "etc/passwd").read_text(encoding="utf-8").splitlines()
        found = next(line.split(":") for line in lines if line.startswith(f"{name}:"))
        return int(found[2]), int(found[3])


class Running:
    """The process of CMD and what can be asked of it from inside its own network."""

    def __init__(self, root: CleanRoot, process: "subprocess.Popen[bytes]", log: Path) -> None:
        self._root, self._process, self._log = root, process, log

    def pid(self) -> int:
        """The process itself, which is number 1 among its own."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        while not children.read_text(encoding="ascii"):
            time.sleep(0.01)
        return int(children.read_text(encoding="ascii").split()[0])

    def within(self, command: list[str], *, chroot: bool = False) -> "subprocess.CompletedProcess[str]":
        """Run a command in its network; in its root and environment too, where asked for, as `docker exec` does."""
        enter = ["nsenter", f"--target={self.pid()}", "--net", *(["--root", "--wd=/"] if chroot else [])]
        variables = self._root.env if chroot else dict(os.environ)
        return subprocess.run(
            [*enter, *command], env=variables, capture_output=True, text=True, check=False, cwd=REPOSITORY
        )

    def healthy(self) -> bool:
        """Whether the HEALTHCHECK's own command answers that it is, within half a minute."""
        check = recipe.command(self._root.recipe, "HEALTHCHECK")
        for _ in range(60):
            if self._process.poll() is not None:
                return False
            if self.within(check, chroot=True).returncode == 0:
                return True
            time.sleep(0.5)
        return False

    def stop(self) -> int:
        """What `docker stop` does: the signal, and ten seconds; returns the process's exit code (137: it had to be killed)."""
        os.kill(self.pid(), signal.SIGTERM)
        try:
            return self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            return 137

    def log(self) -> str:
        """All that it wrote."""
        return self._log.read_text(encoding="utf-8", errors="replace")


def main() -> int:
    """Build and start it, and say what was seen."""
    if reason := missing():
        print(reason)  # noqa: T201
        return 2
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        root = CleanRoot(Path(folder), print)
        root.build()
        with root.running() as running:
            for sentence in seen(running):
                print(f"- {sentence}")  # noqa: T201
            print(running.log())  # noqa: T201
    return 0


def seen(running: Running) -> Iterator[str]:
    """What is true of the running container, a sentence for each thing seen."""
    assert running.healthy(), running.log()
    yield "its HEALTHCHECK says that it is healthy"
    told = dict(line.split(":", 1) for line in Path(f"/proc/{running.pid()}/status").read_text().splitlines())
    assert told["Uid"].split() == ["1000"] * 4
    assert running.within(["touch", "/made"], chroot=True).returncode != 0
    assert running.within(["touch", "/store/made", "/tmp/made"], chroot=True).returncode == 0  # noqa: S108
    yield "it runs as user 1000, and can write to /store and /tmp and nowhere else"
    walked = running.within([sys.executable, "-m", "tests.hosted.journey", "http://127.0.0.1:8501"])
    assert walked.returncode == 0, walked.stderr
    yield from (line.removeprefix("- ") for line in walked.stdout.splitlines())
    assert running.stop() == 0
    yield "it ends by itself when it is told to stop"


if __name__ == "__main__":
    sys.exit(main())
