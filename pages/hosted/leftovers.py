"""Leftovers: files that people brought to a process which was killed; they lie in the temporary folder until somebody takes them away."""

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from pages.shared.shelf import FOLDERS, KEPT_HOURS


def sweep(older_than: float = KEPT_HOURS * 3600) -> int:
    """Take away files of shelves that are past their time, if they are this user's; returns how many.

    A shelf makes a file young again when it takes it in, so what is old belongs to no set of any process, living or dead. Their
    folders stay: one that is empty may be a living one's.
    """
    old, swept = time.time() - older_than, 0
    for path in Path(tempfile.gettempdir()).glob(f"{FOLDERS}*/*"):
        with suppress(FileNotFoundError, PermissionError):
            found = path.lstat()
            if found.st_mtime < old and (os.name != "posix" or found.st_uid == os.geteuid()):
                path.unlink()
                swept += 1
    return swept
