"""What is opened and asked for while some code runs: files, folders, the network, other programs."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.conftest import REPOSITORY

# Addresses that lead nowhere but would be tried: a host of the range for documentation, files that every system has.
ELSEWHERE: Final = "203.0.113.7"
TARGETS: Final = (
    "../../../../../../etc/passwd", "/etc/passwd", "/etc/hostname", "C:\\windows\\win.ini", f"\\\\{ELSEWHERE}\\share\\x",
    f"//{ELSEWHERE}/share/x", f"http://{ELSEWHERE}/x.run", f"https://{ELSEWHERE}/x", f"ftp://{ELSEWHERE}/x", "s3://bucket/key",
    "gs://bucket/key", "az://container/key", "file:///etc/passwd", f"hf://{ELSEWHERE}/x", "~/.ssh/id_rsa", "/proc/self/environ",
    "%2e%2e%2fetc%2fpasswd", "sample/../../x", "/dev/stdin", "con", "aux.txt", "x\x00/etc/passwd", "$HOME/.netrc", "`id`",
    "| cat /etc/passwd", "-", "", ".", "..", "*",
)  # fmt: skip
OURS: Final = tuple(
    str(Path(str(place)).resolve())
    for place in (
        REPOSITORY,
        sys.prefix,
        sys.base_prefix,
        tempfile.gettempdir(),
        os.environ.get("RANKLENS_STORE", REPOSITORY),
    )
)
# What Python and its libraries read of a system by themselves: fonts, time zones, memory, random numbers.
SYSTEMS = (
    "/usr/share", "/usr/lib", "/usr/local", "/proc/self/", "/proc/stat", "/proc/meminfo", "/proc/cpuinfo", "/sys/", "/dev/null",
    "/dev/urandom", "/etc/localtime", "/etc/mime.types", "/etc/fonts",
)  # fmt: skip


class Watch:
    """What was opened and connected to while it looks on; the hook of an interpreter cannot be taken away again."""

    def __init__(self) -> None:
        self.looking = False
        self.opened: list[str] = []
        self.asked: list[str] = []
        sys.addaudithook(self._heard)

    def _heard(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.looking:
            return
        if event in ("open", "os.listdir", "os.scandir", "os.remove", "os.rename", "os.mkdir") and arguments:
            if isinstance(arguments[0], str | bytes | os.PathLike):
                self.opened.append(os.fsdecode(arguments[0]))
        elif event in (
            "socket.connect",
            "socket.getaddrinfo",
            "socket.gethostbyname",
            "socket.sendto",
            "urllib.Request",
        ):
            self.asked.append(f"{event} {arguments[1:] if event == 'socket.connect' else arguments}")
        elif event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn"):
            self.asked.append(f"{event} {arguments}")

    @contextmanager
    def on(self) -> Iterator[None]:
        """Look on while the block runs."""
        self.opened, self.asked, self.looking = [], [], True
        try:
            yield
        finally:
            self.looking = False

    def strange(self) -> list[str]:
        """Every opened path that is none of ours, and whatever was asked of the network or of other programs than our own child."""
        found = [path for path in self.opened if not _ours(path)]
        return found + [one for one in self.asked if "core.readers.child_process" not in one and "127.0.0.1" not in one]


def _ours(path: str) -> bool:
    if "\0" in path:
        return False
    real = str(Path(path).resolve())
    return real.startswith(OURS) or (path.startswith(SYSTEMS) and ".." not in path and path != "/proc/self/environ")
