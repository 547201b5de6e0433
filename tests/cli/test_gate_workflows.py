"""The sample workflows, step by step as a build server runs them, on the sample data and on four ways to spoil it."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

SAMPLE = REPOSITORY / "sample_data"
WORKFLOW = (SAMPLE / "workflows" / "github-actions.yml").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with the sample data, and `ranklens` on the path as `pip install` would put it there."""
    for name in ("support_search", "workflows"):
        shutil.copytree(SAMPLE / name, tmp_path / "sample_data" / name, ignore=shutil.ignore_patterns("source"))
    script = tmp_path / "bin" / "ranklens"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{REPOSITORY}" exec "{sys.executable}" -m core.cli "$@"\n')
    script.chmod(0o755)
    return tmp_path


def steps() -> dict[str, str]:
    """The workflow's steps that run a command, by name: the one form of YAML that the file uses."""
    found = re.findall(r"^      - name: (.+)\n(?:(?!      - ).*\n)*?        run: (.+)$", WORKFLOW, re.MULTILINE)
    return dict(found)


def run(checkout: Path, command: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    path = f"{checkout / 'bin'}{os.pathsep}{os.environ['PATH']}"
    known = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", command], cwd=checkout, env=known | {"PATH": path} | variables,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


Spoil = Callable[[Path], None]


def good(checkout: Path) -> None:
    """Nothing is spoilt: the reranked hybrid."""


def regression(checkout: Path) -> None:
    """The candidate is the hybrid that wins on the mean and loses lookups."""
    shutil.copy(checkout / "sample_data/support_search/hybrid-rrf.run", checkout / "candidate.run")


def changed_qrels(checkout: Path) -> None:
    """Somebody judged one more document."""
    with (checkout / "sample_data/support_search/qrels.txt").open("a") as file:
        file.write("q001 0 DOC-999 1\n")


def nothing(checkout: Path) -> None:
    """The retriever wrote an empty file."""
    (checkout / "candidate.run").write_text("")


def twenty(checkout: Path) -> None:
    """Only twenty queries are judged, and the pin and the list of queries go with them."""
    qrels = checkout / "sample_data/support_search/qrels.txt"
    lines = qrels.read_text().splitlines(keepends=True)
    kept = set(sorted({line.split()[0] for line in lines})[:20])
    qrels.write_text("".join(line for line in lines if line.split()[0] in kept))
    config = checkout / "sample_data/workflows/gate.toml"
    config.write_text(re.sub(r"(?m)^(expect-qrels|must-not-break) .*$", "", config.read_text()))


# The other outcomes differ in the gate alone, which the workflow above goes through with all of them.
LONG = os.environ.get("RANKLENS_LONG") == "1"
OUTCOMES: list[tuple[Spoil, int, str]] = [
    (good, 0, "pass"),
    (regression, 1, "fail"),
    (changed_qrels, 2, "not-comparable"),
    (nothing, 2, "not-comparable"),
    (twenty, 3, "not-enough-evidence"),
]


@pytest.mark.parametrize(("spoil", "code", "outcome"), OUTCOMES, ids=lambda value: getattr(value, "__name__", None))
def test_the_github_workflow_does_what_it_says(checkout: Path, spoil: Spoil, code: int, outcome: str) -> None:
    assert list(steps()) == ["Install Ranklens", "Retrieve", "Gate", "Show the report"]
    summary = checkout / "summary.md"
    assert run(checkout, steps()["Retrieve"]).returncode == 0
    spoil(checkout)
    gated = run(checkout, steps()["Gate"], GITHUB_ACTIONS="true")
    assert gated.returncode == code, gated.stderr
    kind = "notice" if code == 0 else "error"
    assert f"::{kind} title=Ranklens%3A {outcome.replace('-', ' ')}::" in gated.stderr
    assert run(checkout, steps()["Show the report"], GITHUB_STEP_SUMMARY=str(summary)).returncode == 0
    said = summary.read_text()
    assert said.lower().startswith(f"### {outcome.replace('-', ' ')}: ")
    assert len(said.splitlines()) < 30


@pytest.mark.parametrize(
    ("spoil", "code", "outcome"), OUTCOMES if LONG else OUTCOMES[:2], ids=lambda value: getattr(value, "__name__", None)
)
def test_the_shell_workflow_does_what_it_says(checkout: Path, spoil: Spoil, code: int, outcome: str) -> None:
    shutil.copy(checkout / "sample_data/support_search/hybrid-rerank.run", checkout / "candidate.run")
    spoil(checkout)
    done = run(checkout, "sh sample_data/workflows/gate.sh candidate.run")
    assert done.returncode == code, done.stderr
    assert json.loads((checkout / "gate.json").read_text())["outcome"] == outcome
    assert (checkout / "gate.xml").read_text().startswith("<?xml")
    assert (checkout / "gate.md").read_text().strip() in done.stdout
    assert done.stdout.splitlines()[-1].startswith("gate: ")


def test_the_pinned_digest_is_that_of_the_sample() -> None:
    digests = (SAMPLE / "support_search" / "SHA256SUMS").read_text()
    [pinned] = re.findall(r'expect-qrels = "([0-9a-f]{64})"', (SAMPLE / "workflows" / "gate.toml").read_text())
    assert f"{pinned}  qrels.txt" in digests
