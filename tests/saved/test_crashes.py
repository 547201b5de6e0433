"""Crashes, many at once, and copies: whatever was told to be saved opens, and nothing opens to half of it."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from core.exports.bundle import packed_of
from core.readers.packed import frozen
from core.saved import all_listed, listed, tidy
from core.saved.records import hashed, link_key
from core.store import Folder
from tests.conftest import REPOSITORY
from tests.saved.made import BACKUP, OWNER, blobs_that_are_damaged, comparison, numbers, reopened
from tests.store.faults import LONG

KILLS = 1000 if LONG else 25
WRITERS, SAVES, COPIES = (8, 100, 20) if LONG else (4, 5, 3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="savers are forked")
def test_whatever_moment_a_saver_is_killed_at_what_it_told_opens_and_nothing_is_torn(tmp_path: Path) -> None:
    store, chance, told = Folder(tmp_path), random.Random(8), dict[str, int]()
    command = [sys.executable, "-m", "tests.saved.saver", str(tmp_path)]
    with subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as saver:
        assert saver.stdin is not None
        assert saver.stdout is not None
        took: float | None = None
        for _ in range(KILLS):
            saver.stdin.write(b"go\n")
            saver.stdin.flush()
            pid = int(saver.stdout.readline().split()[1])
            started = time.monotonic()
            if took is None:  # how long a save takes here: the moments are spread over two of them
                token, seed = saver.stdout.readline().decode().split()
                told[token] = int(seed)
                took = time.monotonic() - started
            killer = threading.Timer(
                chance.uniform(0, min(2 * took, 0.6 if LONG else 0.2)), os.kill, (pid, signal.SIGKILL)
            )
            killer.start()
            while (line := saver.stdout.readline().decode()) != "over\n":
                token, seed = line.split()
                told[token] = int(seed)
            killer.join()
        saver.stdin.close()
    expected = [numbers(comparison(6, seed)) for seed in (0, 1)]
    assert [numbers(reopened(store, token)) == expected[seed] for token, seed in told.items()] == [True] * len(told)
    # A saver may have been killed after it had saved and before it told; nothing else may be there beside.
    links, lines = len(store.entries("links/")), listed(store, OWNER)
    assert len(told) <= links <= len(told) + KILLS
    assert lines == all_listed(store)
    assert len(lines) == links
    assert blobs_that_are_damaged(store) == []
    tidied = tidy(store, older_than=-60)
    assert tidied.expired == 0
    assert {len(store.entries(f"{top}/")) for top in ("links", "links-of", "deletes", "owners", "saved")} == {links}
    assert (store.root / "tmp").is_dir() is False or list((store.root / "tmp").iterdir()) == []
    assert [numbers(reopened(store, token)) == expected[seed] for token, seed in told.items()] == [True] * len(told)


WRITER = """
import sys
from pathlib import Path
from core.store import Folder
from tests.saved.made import comparison, kept
for at in range(int(sys.argv[2])):
    print(kept(Folder(Path(sys.argv[1])), comparison(6, at % 3)).token, at % 3, flush=True)
"""


@dataclass(frozen=True)
class Together:
    """What came of many processes that saved at once: what they told, and the copies that were taken meanwhile."""

    store: Folder
    told: dict[str, int]
    copies: list[Folder]


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Together:
    """A store that many processes save the same comparisons into at the same time."""
    folder = tmp_path_factory.mktemp("together")
    store = Folder(folder / "store")
    command = [sys.executable, "-c", WRITER, str(store.root), str(SAVES)]
    jobs = [subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) for _ in range(WRITERS)]
    assert jobs[0].stdout is not None
    said = jobs[0].stdout.readline()
    copies: list[Folder] = []
    while len(copies) < COPIES and (not copies or any(job.poll() is None for job in jobs)):
        copies.append(copied(store, folder / f"copy-{len(copies)}"))
    said += "".join(job.communicate()[0] for job in jobs)
    assert [job.returncode for job in jobs] == [0] * WRITERS
    return Together(store, {token: int(seed) for token, seed in map(str.split, said.splitlines())}, copies)


def copied(store: Folder, into: Path) -> Folder:
    """A copy as a backup takes it: what leads to other records before those."""
    for top in BACKUP:
        for entry in store.entries(f"{top}/"):
            path = into / entry.key
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(store.get(entry.key) or b"")
    return Folder(into)


def test_many_save_the_same_at_once_and_all_of_it_opens(together: Together) -> None:
    assert len(together.told) == WRITERS * SAVES
    expected = [numbers(comparison(6, seed)) for seed in range(3)]
    for token, seed in together.told.items():
        assert numbers(reopened(together.store, token)) == expected[seed]
    assert len({line.id for line in listed(together.store, OWNER)}) == WRITERS * SAVES
    parts = {entry.key for entry in together.store.entries("blobs/")}
    once = {
        sha256(data).hexdigest() for seed in range(3) for data in frozen(packed_of(comparison(6, seed)).parts).values()
    }
    assert {key.rpartition("/")[2] for key in parts} == once
    assert list((together.store.root / "tmp").iterdir()) == []


def test_a_copy_that_is_taken_while_others_save_opens_every_link_in_it(together: Together) -> None:
    expected = [numbers(comparison(6, seed)) for seed in range(3)]
    opened = 0
    for copy in together.copies:
        links = {entry.key for entry in copy.entries("links/")}
        known = {token: seed for token, seed in together.told.items() if link_key(hashed(token)) in links}
        assert len(known) == len(links)
        for token, seed in known.items():
            assert numbers(reopened(copy, token)) == expected[seed]
            opened += 1
    assert opened > 0
