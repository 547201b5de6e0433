"""Folder: a store on a local disk, safe against crashes and against any number of writers at once."""

import errno
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from core.errors import InputError, Problem
from core.store.interface import Entry, checked

TEMPORARY = "tmp"
STALE_SECONDS = 3600.0
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
NOT_ALLOWED = {errno.EACCES, errno.EPERM, errno.EROFS}


class Folder:
    """Each key is a file of that name.

    A file is written aside, synced, and then linked to its name, which fails if the name is taken: readers see the whole
    or nothing, and of two writers one wins. What a killed writer leaves lies in `tmp` and is swept after an hour.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def put_new(self, key: str, data: bytes) -> bool:
        """Create a key; see Store. Raises InputError where the disk is full or may not be written to."""
        target = self._path(key)
        with self._told("not saved"):
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists():
                created = False
            else:
                (self.root / TEMPORARY).mkdir(exist_ok=True)
                created = self._create(target, data)
            # Also where another writer was first: it may not have synced yet, and this caller is told that the key is there.
            self._sync_up(target.parent)
        return created

    def put_same(self, key: str, data: bytes) -> None:
        """See that a key is there and young; see Store. Raises InputError as put_new does."""
        target = self._path(key)
        with self._told("not saved"):
            if not _made_young(target, data):
                target.parent.mkdir(parents=True, exist_ok=True)
                (self.root / TEMPORARY).mkdir(exist_ok=True)
                self._replace(target, data)
            self._sync_up(target.parent)

    def get(self, key: str) -> bytes | None:
        """What a key holds; see Store."""
        with self._told("cannot be read"):
            try:
                return self._path(key).read_bytes()
            except FileNotFoundError:
                return None

    def modified(self, key: str) -> float | None:
        """When a key was put there; see Store."""
        with self._told("cannot be read"):
            try:
                return self._path(key).stat().st_mtime
            except FileNotFoundError:
                return None

    def entries(self, prefix: str) -> list[Entry]:
        """The keys below a prefix; see Store."""
        start = self._path(prefix.removesuffix("/")) if prefix else self.root
        with self._told("cannot be read"):
            found = [entry for entry in self._below(start) if not entry.key.startswith(f"{TEMPORARY}/")]
        return sorted(found)

    def delete(self, key: str) -> bool:
        """Delete a key; see Store."""
        target = self._path(key)
        with self._told("not deleted"):
            try:
                target.unlink()
            except FileNotFoundError:
                return False
            _sync(target.parent)
        return True

    def sweep(self, older_than: float = STALE_SECONDS) -> int:
        """Take away what killed writers left; see Store."""
        swept = 0
        with self._told("cannot be swept"):
            for entry in self._below(self.root / TEMPORARY):
                if entry.modified < time.time() - older_than:
                    with suppress(FileNotFoundError):
                        (self.root / entry.key).unlink()
                        swept += 1
        return swept

    def _path(self, key: str) -> Path:
        return self.root / checked(key)

    def _create(self, target: Path, data: bytes) -> bool:
        with self._aside(data) as aside:
            try:
                target.hardlink_to(aside)
            except FileExistsError:
                return False
            return True

    def _replace(self, target: Path, data: bytes) -> None:
        with self._aside(data) as aside:
            aside.replace(target)

    @contextmanager
    def _aside(self, data: bytes) -> Iterator[Path]:
        """A file with these bytes, synced, for as long as it takes to give it its name."""
        aside = self.root / TEMPORARY / secrets.token_hex(16)
        try:
            _write(aside, data)
            yield aside
        finally:
            with suppress(OSError):
                aside.unlink()

    def _sync_up(self, folder: Path) -> None:
        """Sync a folder and those above it up to the root, any of which may be new."""
        _sync(folder)
        while folder != self.root:
            folder = folder.parent
            _sync(folder)

    def _below(self, folder: Path) -> Iterator[Entry]:
        try:
            found = list(os.scandir(folder))
        except (FileNotFoundError, NotADirectoryError):
            return
        for each in found:
            if each.is_dir(follow_symlinks=False):
                yield from self._below(Path(each.path))
            else:
                with suppress(FileNotFoundError):
                    about = each.stat(follow_symlinks=False)
                    key = Path(each.path).relative_to(self.root).as_posix()
                    yield Entry(key, about.st_size, about.st_mtime)

    @contextmanager
    def _told(self, what: Literal["not saved", "not deleted", "cannot be read", "cannot be swept"]) -> Iterator[None]:
        """Tell in words what the disk refuses."""
        try:
            yield
        except OSError as error:
            raise InputError(Problem(f"the store in {self.root}", None, f"{what}: {_reason(error)}")) from error


def _made_young(path: Path, data: bytes) -> bool:
    """Set a file's time to now. False where it is not there, or damaged, or belongs to another user: it is written anew."""
    try:
        if path.read_bytes() != data:
            return False
        os.utime(path)
    except (FileNotFoundError, PermissionError):
        return False
    return True


def _write(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync(folder: Path) -> None:
    """Make the names in a folder durable; Windows has no such call and needs none."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _reason(error: OSError) -> str:
    if error.errno in NO_ROOM:
        return "there is no room left on the disk"
    if error.errno in NOT_ALLOWED:
        return "the folder may not be written to or read (permissions, a read-only disk, or one without hard links)"
    return error.strerror or str(error)
