"""The folder store: what is promised holds under crashes, full disks, many writers and damage."""

import errno
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.store import Folder, get_blob
from tests.conftest import REPOSITORY
from tests.store.faults import LONG, failing, left_in_tmp


@pytest.fixture
def store(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "store")


def test_a_key_is_a_file_of_its_name_and_what_is_half_done_is_not_listed(store: Folder) -> None:
    store.put_new("a/b", b"one")
    (store.root / "tmp" / "half").write_bytes(b"x")
    assert (store.root / "a" / "b").read_bytes() == b"one"
    assert [entry.key for entry in store.entries("")] == ["a/b"]


@pytest.mark.parametrize("put", [Folder.put_new, Folder.put_same])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO])
def test_a_failing_disk_call_is_told_and_leaves_nothing_half_done(
    tmp_path: Path, number: int, put: Callable[[Folder, str, bytes], object]
) -> None:
    words = {
        errno.ENOSPC: "there is no room left on the disk",
        errno.EDQUOT: "there is no room left on the disk",
        errno.EROFS: "may not be written to",
        errno.EACCES: "may not be written to",
        errno.EIO: "Input/output",
    }
    at = 0
    told: list[str] = []
    while True:
        at += 1
        store = Folder(tmp_path / f"{number}-{at}")
        store.put_new("old", b"kept")
        with failing(at, number) as calls:
            try:
                put(store, "series/new/x", b"data" * 1000)
            except InputError as error:
                told.append(error.problems[0].message)
            done = calls() < at
        assert left_in_tmp(store) == []
        assert store.get("old") == b"kept"
        assert store.get("series/new/x") in (None, b"data" * 1000)
        # What was refused can be put once there is room again.
        put(store, "series/new/x", b"data" * 1000)
        assert store.get("series/new/x") == b"data" * 1000
        if done:
            break
    # Every call but one, which makes a folder that is there already.
    assert len(told) >= at - 2 >= 8
    assert all(message.startswith("not saved: ") and words[number] in message for message in told)


def test_a_disk_that_ends_in_the_middle_of_a_file_is_told_and_old_keys_open(store: Folder) -> None:
    resource = pytest.importorskip("resource")
    store.put_new("old", b"kept")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for put in (store.put_new, store.put_same):
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
        try:
            with pytest.raises(InputError, match="not saved: there is no room left on the disk"):
                put("a/b", bytes(1_000_000))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert left_in_tmp(store) == []
        assert [(entry.key, store.get(entry.key)) for entry in store.entries("")] == [("old", b"kept")]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator may write anywhere")
def test_a_folder_that_may_not_be_written_to_is_told_and_old_keys_open(store: Folder) -> None:
    store.put_new("old", b"kept")
    store.root.chmod(0o555)
    try:
        with pytest.raises(InputError, match="not saved: the folder may not be written to"):
            store.put_new("a/b", b"x")
        assert store.get("old") == b"kept"
    finally:
        store.root.chmod(0o755)


def test_putting_the_same_makes_it_young_and_mends_what_is_damaged(store: Folder) -> None:
    store.put_same("a/b", b"one")
    path = store.root / "a" / "b"
    os.utime(path, (1000.0, 1000.0))
    assert store.modified("a/b") == 1000
    inode = path.stat().st_ino
    store.put_same("a/b", b"one")
    assert time.time() - (store.modified("a/b") or 0) < 3600
    assert path.stat().st_ino == inode
    path.write_bytes(b"onf")
    store.put_same("a/b", b"one")
    assert path.read_bytes() == b"one"
    assert left_in_tmp(store) == []


def test_what_vanishes_or_belongs_to_another_user_while_it_is_made_young_is_written_anew(
    store: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = store.root / "a" / "b"

    def taken(_: Path) -> None:
        path.unlink()
        raise FileNotFoundError

    def of_another_user(_: Path) -> None:
        raise PermissionError

    for fails in (taken, of_another_user):
        store.put_same("a/b", b"one")
        os.truncate(path, 3)
        inode = path.stat().st_ino
        with monkeypatch.context() as patch:
            patch.setattr(os, "utime", fails)
            store.put_same("a/b", b"one")
        assert (path.read_bytes(), left_in_tmp(store)) == (b"one", [])
        assert fails is taken or path.stat().st_ino != inode


def test_a_disk_that_takes_a_little_at_a_time_gets_everything(store: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data[:7])))
    store.put_new("a", bytes(range(256)))
    assert store.get("a") == bytes(range(256))


@pytest.mark.parametrize(("put", "named"), [(Folder.put_new, "link"), (Folder.put_same, "replace")])
def test_everything_is_synced_before_the_key_is_told(
    store: Folder, monkeypatch: pytest.MonkeyPatch, put: Callable[[Folder, str, bytes], object], named: str
) -> None:
    order: list[str] = []

    def noted(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def call(first: Any, *arguments: Any, **more: Any) -> Any:
            what = "" if not isinstance(first, int) else " folder" if stat.S_ISDIR(os.fstat(first).st_mode) else " file"
            order.append(name + what)
            return real(first, *arguments, **more)

        return call

    for name in ("write", "fsync", "link", "replace", "unlink"):
        monkeypatch.setattr(os, name, noted(name))
    put(store, "a/b/c", b"data")
    assert order == ["write file", "fsync file", named, "unlink", *["fsync folder"] * 3]
    order.clear()
    # Also where it was there before: whoever put it may not have synced yet.
    put(store, "a/b/c", b"data")
    assert order == ["fsync folder"] * 3


def test_what_a_killed_writer_left_is_swept_once_it_is_old(store: Folder) -> None:
    store.put_new("a", b"one")
    for name, age in (("old", 7200), ("young", 60)):
        path = store.root / "tmp" / name
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age, time.time() - age))
    assert store.sweep() == 1
    assert [path.name for path in left_in_tmp(store)] == ["young"]
    assert store.get("a") == b"one"


WRITER = """
import hashlib, os, sys
from pathlib import Path
from core.store import Folder, put_blob
store, seed = Folder(Path(sys.argv[1])), sys.argv[2]
for at in range(int(sys.argv[3])):
    data = (seed + str(at)).encode() * 200
    digest = put_blob(store, data)
    new = store.put_new(f"links/{seed}-{at}", digest.encode())
    shared = put_blob(store, str(at).encode() * 500)
    same = store.put_new(f"links/same-{at}", shared.encode())
    os.write(1, f"{digest} links/{seed}-{at} {int(new)} {int(same)}\\n".encode())
"""


def writer(store: Folder, seed: str, saves: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", WRITER, str(store.root), seed, str(saves)]
    return subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, start_new_session=True)


def test_a_writer_killed_at_any_moment_loses_nothing_it_told_and_tears_nothing(store: Folder) -> None:
    chance = random.Random(11)
    told = 0
    for kill in range(1000 if LONG else 6):
        process = writer(store, f"k{kill}", 100_000)
        assert process.stdout is not None
        process.stdout.readline()  # it has begun
        time.sleep(chance.random() * 0.15)
        os.killpg(process.pid, signal.SIGKILL)
        for line in process.stdout.read().splitlines():
            digest, key, new, _ = line.decode().split()
            assert (store.get(key), new) == (digest.encode(), "1")
            told += 1
        process.stdout.close()
        process.wait()
    assert told > 0
    for entry in store.entries("links/"):
        found = store.get(entry.key)
        assert found is not None
        get_blob(store, found.decode(), what="a link")


def test_eight_writers_at_once_lose_nothing_and_one_of_them_wins_each_name(store: Folder) -> None:
    saves = 100 if LONG else 15
    writers = [writer(store, f"w{number}", saves) for number in range(8)]
    said = [process.communicate()[0].decode().splitlines() for process in writers]
    assert [process.returncode for process in writers] == [0] * 8
    lines = [line.split() for lines in said for line in lines]
    assert len(lines) == 8 * saves
    assert all(new == "1" for _, _, new, _ in lines)
    # Eight tried to create each shared name, and one did.
    assert sum(int(same) for *_, same in lines) == saves
    assert left_in_tmp(store) == []
    for entry in store.entries("links/"):
        get_blob(store, (store.get(entry.key) or b"").decode(), what="a link")


def test_a_store_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("no folder")
    with pytest.raises(InputError, match="not saved: "):
        Folder(tmp_path / "store").put_new("a", b"")
    with pytest.raises(InputError, match="cannot be read: "):
        Folder(tmp_path / "store").get("a")
