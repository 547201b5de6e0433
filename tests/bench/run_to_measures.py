"""One run file → all default measures per query, against pytrec_eval doing the same, in paired whole processes.

    python -m tests.bench.run_to_measures FOLDER --make MAKE_WORKLOAD.py --peer PEER.py [--pairs 3] [--runs 1 2 3]

Prints wall time, processor time and peak memory of both and their ratios for each run file of workload M, which is made in
FOLDER by the script MAKE_WORKLOAD.py where it is not there yet. PEER.py takes QRELS RUN. The bars: 0.6 × wall, 0.5 × memory.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

WALL, MEMORY = 0.6, 0.5


class Cost(NamedTuple):
    """What one process took: seconds of wall and processor, peak MiB."""

    wall: float
    cpu: float
    peak: float


def cost(command: list[str]) -> Cost:
    """Run a process and measure it alone."""
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def one(qrels: str, run: str) -> None:
    """What is measured: read both files, rank, score every default measure per query."""
    from core.model.measure import DEFAULT_MEASURES
    from core.readers import read_qrels, read_runs
    from core.scoring.scores import score

    judgments = read_qrels(qrels)
    for ranked in read_runs(run, judgments):
        scores = score(judgments, ranked, DEFAULT_MEASURES)
        print(ranked.name, {str(measure): found.mean for measure, found in scores.items()})  # noqa: T201


def compare(folder: Path, peer: Path, number: int, pairs: int) -> bool:
    """Measure one run file in pairs, turn by turn, and print the medians."""
    qrels, run = str(folder / "M.qrels"), str(folder / f"M.run{number}.txt")
    ours, theirs = [], []
    for _ in range(pairs):
        ours.append(cost([sys.executable, "-m", "tests.bench.run_to_measures", "--one", qrels, run]))
        theirs.append(cost([sys.executable, str(peer), qrels, run]))
    us, them = (Cost(*(statistics.median(values) for values in zip(*costs, strict=True))) for costs in (ours, theirs))
    wall, cpu, peak = (
        statistics.median(a[at] / b[at] for a, b in zip(ours, theirs, strict=True)) for at in range(len(Cost._fields))
    )
    for name, found in (("ranklens", us), ("pytrec_eval", them)):
        print(f"run{number} {name:12} {found.wall:6.2f} s wall {found.cpu:6.2f} s cpu {found.peak:6.0f} MiB")  # noqa: T201
    print(f"run{number} ratio        {wall:6.2f}        {cpu:6.2f}       {peak:6.2f}")  # noqa: T201
    return wall <= WALL and peak <= MEMORY


def main() -> int:
    """Exit 0 where every run file keeps both bars."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--make", type=Path)
    parser.add_argument("--peer", type=Path)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--runs", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--one", nargs=2, metavar=("QRELS", "RUN"))
    args = parser.parse_args()
    if args.one:
        one(*args.one)
        return 0
    if not (args.folder and args.peer):
        parser.error("FOLDER and --peer are needed")
    if not (args.folder / "M.qrels").exists():
        subprocess.run([sys.executable, str(args.make), "M", str(args.folder)], check=True)
    kept = [compare(args.folder, args.peer, number, args.pairs) for number in args.runs]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
