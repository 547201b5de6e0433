"""Ranklens from Python: five functions, the same numbers as the command line, and README's example as it stands."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import core
from core import compare, gate, read_qrels, read_queries, read_run, score, write_run
from core.cli import main
from core.errors import InputError
from core.model.conventions import Conventions
from tests.conftest import REPOSITORY

SAMPLE = REPOSITORY / "sample_data" / "support_search"


def test_numbers_and_words_are_those_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    import json

    qrels = read_qrels(SAMPLE / "qrels.txt")
    old, new = (read_run(SAMPLE / f"{name}.run", qrels) for name in ("bm25", "hybrid-rrf"))
    found = gate(qrels, old, new, queries=read_queries(SAMPLE / "queries.csv"), slices=["intent"])
    files = [str(SAMPLE / name) for name in ("qrels.txt", "bm25.run", "hybrid-rrf.run", "queries.csv")]
    code = main(
        ["gate", "--qrels", files[0], "--baseline", files[1], "--candidate", files[2], "--queries", files[3],
         "--slice", "intent", "--format", "json"]
    )  # fmt: skip
    told = json.loads(capsys.readouterr().out)
    assert (found.exit_code, found.outcome, list(found.reasons)) == (code, told["outcome"], told["reasons"])
    assert found.decision.lower_bound == told["lower_bound"]
    means = score(qrels, [old, new], ["nDCG@10", "P@5"])
    assert means.filter(run="hybrid-rrf", measure="nDCG@10")["mean"].item() == told["mean_candidate"]
    assert score(qrels, new, "nDCG@10", per_query=True).height == 176
    [pair] = compare(qrels, old, new)
    assert pair.difference == told["difference"]
    assert pair.verdict.case == "better"


def test_what_was_written_is_read_back_in_the_order_of_its_scores(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    qrels = read_qrels(tmp_path / "qrels.txt")
    path = write_run(tmp_path / "new.run", {"q1": [("d2", 0.1), ("d1", 0.30000000000000004)]}, name="new")
    assert path.read_text() == "q1 Q0 d1 1 0.30000000000000004 new\nq1 Q0 d2 2 0.1 new\n"
    assert score(qrels, read_run(path, qrels))["mean"].item() == 1.0


@pytest.mark.parametrize(
    "results", [{"q 1": [("d", 1.0)]}, {"q1": [("a b", 1.0)]}, {"": [("d", 1.0)]}, {"q1": [("a\nb", 1.0)]}]
)
def test_ids_that_a_run_cannot_hold_are_refused_and_nothing_is_written(
    tmp_path: Path, results: dict[str, list[tuple[str, float]]]
) -> None:
    with pytest.raises(InputError, match="cannot be an id in a run"):
        write_run(tmp_path / "x.run", results)
    assert not (tmp_path / "x.run").exists()


def test_a_run_counts_only_with_what_it_was_read_with(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 1 a\n")
    qrels = read_qrels(tmp_path / "qrels.txt")
    run = read_run(tmp_path / "a.run", qrels)
    with pytest.raises(InputError, match="a: was read with other judgments"):
        score(read_qrels(tmp_path / "qrels.txt"), run)
    with pytest.raises(InputError, match="a: was read with other conventions"):
        score(qrels, run, conventions=Conventions(order="rank"))


def test_several_runs_and_unknown_attributes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 1 a\nq1 Q0 d1 1 1 b\n")
    (tmp_path / "b.run").write_text("q1 Q0 d1 1 1 b\n")
    qrels = read_qrels(tmp_path / "qrels.txt")
    with pytest.raises(InputError, match='holds 2 runs: "a", "b"'):
        read_run(tmp_path / "a.run", qrels)
    run = read_run(tmp_path / "b.run", qrels)
    with pytest.raises(InputError, match='no attribute "intent"'):
        gate(qrels, run, run, slices=["intent"])


def test_importing_core_loads_nothing_else_until_it_is_asked_for() -> None:
    code = "import sys, core; assert not any(m in sys.modules for m in ('polars', 'numpy')); assert callable(core.gate)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=REPOSITORY)
    assert set(core.__all__) >= {"read_qrels", "read_run", "score", "compare", "gate"}
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        core.nonsense  # noqa: B018 - the access is what is tried


def test_the_readmes_example_runs(tmp_path: Path) -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## Gate a release, watch for drift")[2].partition("\n## ")[0]
    [example] = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    (tmp_path / "sample_data").symlink_to(REPOSITORY / "sample_data")
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(REPOSITORY)}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("pass: candidate holds up against bm25: ")
    assert (tmp_path / "candidate.run").exists()
