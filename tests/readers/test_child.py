"""Child: files are read in a process of their own, which its limits end without harm to this one."""

import gzip
import os
import signal
import subprocess
from dataclasses import replace
from typing import Any

import pytest

from core.errors import InputError
from core.model.conventions import Conventions
from core.model.limits import HOSTED, MB
from core.model.qrels import Qrels
from core.model.reading import Choice, Reading
from core.model.run import Run
from core.readers import read_qrels, read_runs
from core.readers.child import Job, in_child
from core.readers.files import Given

QRELS = Given("qrels.txt", data=b"a1 0 d1 2\na1 0 d2 1\na2 0 d3 1\n")
RUN = Given("run.txt", data=b"a1 Q0 d2 1 9.5 m\na1 Q0 d1 2 8.0 m\na2 Q0 d9 1 4.0 m\na2 Q0 d3 2 3.0 m\n")
BROKEN = Given("broken.txt", data=b"a1 Q0 d2 1 9.5 m\n" * 20 + b"a1 Q0 d1 2 n/a m\n")
# 26 MB of text that is small when packed, and no bomb by its ratio.
LARGE = Given(
    "large.txt",
    data=b"".join(b"q%d Q0 document-%d %d %d m\n" % (q, d * q % 99991, d, -d) for q in range(900) for d in range(1000)),
)


def test_a_child_reads_what_this_process_would_have_read() -> None:
    said: list[tuple[int, int, int]] = []
    jobs = [Job("recognise", (RUN,)), Job("qrels", (QRELS,)), Job("run", (RUN,), name="mine"), Job("members", (RUN,))]
    reading, qrels, runs, members = in_child(jobs, progress=lambda *now: said.append(now))
    assert isinstance(reading, Reading)
    assert reading.role == "run"
    assert isinstance(qrels, Qrels)
    assert isinstance(runs, list)
    (run,) = runs
    assert isinstance(run, Run)
    here = read_qrels(QRELS)
    (expected,) = read_runs(RUN, here, name="mine")
    assert qrels.judgments.equals(here.judgments)
    assert (run.name, run.source, run.notices) == ("mine", expected.source, expected.notices)
    assert run.hits.equals(expected.hits)
    assert run.top.equals(expected.top)
    assert members == [RUN]
    assert said[-1] == (2, len(RUN.data or b""), len(RUN.data or b""))


def test_a_refused_run_does_not_stop_the_others() -> None:
    qrels, broken, runs = in_child([Job("qrels", (QRELS,)), Job("run", (BROKEN,)), Job("run", (RUN,))])
    assert isinstance(qrels, Qrels)
    assert isinstance(broken, InputError)
    assert str(broken) == 'broken.txt:21: score "n/a" is not a number'
    assert isinstance(runs, list)


def test_choices_and_conventions_reach_the_child() -> None:
    job = Job("run", (BROKEN,), (Choice(leave_out_broken_lines=True),), qrels=read_qrels(QRELS))
    (runs,) = in_child([job], conventions=Conventions(order="rank"))
    assert isinstance(runs, list)
    assert isinstance(runs[0], Run)
    assert "lines-left-out" in [notice.code for notice in runs[0].notices]


def test_runs_without_judgments_are_not_read() -> None:
    qrels, run = in_child([Job("qrels", (Given("q", data=b""),)), Job("run", (RUN,))])
    assert isinstance(qrels, InputError)
    assert isinstance(run, InputError)
    assert run.problems[0].message == "was not read, because the judgments were not"


def test_a_file_over_the_memory_limit_says_the_limit_and_the_way_out_and_the_next_is_read() -> None:
    limits = replace(HOSTED, memory=320 * MB)
    text = b", ".join(b'"document-%d": %d.5' % (at, at) for at in range(2_000_000))
    packed = Given("run.json", data=gzip.compress(b'{"a1": {' + text + b"}}", 1, mtime=0))
    qrels, large, runs = in_child([Job("qrels", (QRELS,)), Job("run", (packed,)), Job("run", (RUN,))], limits=limits)
    assert isinstance(qrels, Qrels)
    assert isinstance(large, InputError)
    assert large.problems[0].message == "needs more memory to read than the limit of 320 MB"
    assert "top 100" in (large.problems[0].hint or "")
    assert isinstance(runs, list)


def test_a_file_over_the_time_limit_says_so_and_its_child_is_gone_with_all_that_it_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[subprocess.Popen[str]] = []

    class Noted(subprocess.Popen[str]):
        def __init__(self, *given: Any, **more: Any) -> None:
            super().__init__(*given, **more)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    (large,) = in_child([Job("qrels", (LARGE,))], limits=replace(HOSTED, seconds=0))
    assert isinstance(large, InputError)
    assert large.problems[0].message == "takes longer to read than the limit of 0 seconds"
    (process,) = started
    assert process.returncode == -signal.SIGKILL
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_a_file_over_a_byte_limit_is_refused_as_here() -> None:
    (large,) = in_child([Job("qrels", (LARGE,))], limits=replace(HOSTED, packed=MB))
    assert isinstance(large, InputError)
    assert "more than the limit of 1 MB" in large.problems[0].message


def test_a_fault_of_the_child_itself_is_loud() -> None:
    with pytest.raises(RuntimeError, match="the parsing child failed"):
        in_child([Job("nonsense", ())])  # type: ignore[arg-type]  # what no caller may ask
