"""The story that the sample's README tells is what the command line finds."""

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner

from core.cli import ranklens
from tests.sample_data.collection import RUNS, SAMPLE, SUPPORT, table

COLUMNS = ("lookup", "troubleshoot", "how-to", "compare")
README = (SAMPLE / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def scored() -> dict[str, Any]:
    """What `ranklens score` prints for the sample, with a score for each query."""
    files = [part for name in RUNS for part in ("--run", str(SUPPORT / f"{name}.run"))]
    arguments = ["score", "--qrels", str(SUPPORT / "qrels.txt"), *files, "--measure", "nDCG@10", "--per-query"]
    done = CliRunner().invoke(ranklens, [*arguments, "--format", "json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def means(scored: dict[str, Any], name: str) -> list[float]:
    """The mean over all queries, then by intent in the order of the README's table."""
    values = {query: found["nDCG@10"] for query, found in scored["per_query"][name].items()}
    queries = table("queries.csv")
    groups = [[query["query_id"] for query in queries if query["intent"] == intent] for intent in COLUMNS]
    groups = [[query["query_id"] for query in queries], *groups]
    return [sum(values[query] for query in group) / len(group) for group in groups]


@pytest.mark.parametrize("name", RUNS)
def test_the_table_of_the_readme_holds_the_means_of_the_files(scored: dict[str, Any], name: str) -> None:
    row = re.search(rf"^\| {name} \|(.*)\|$", README, re.MULTILINE)
    assert row is not None
    assert [cell.strip() for cell in row[1].split("|")] == [f"{mean:.3f}" for mean in means(scored, name)]
    assert means(scored, name)[0] == pytest.approx(scored["means"][name]["nDCG@10"], abs=1e-12)


def test_a_run_that_is_better_on_the_mean_loses_on_lookups(scored: dict[str, Any]) -> None:
    baseline = means(scored, "bm25")
    difference = {name: [a - b for a, b in zip(means(scored, name), baseline, strict=True)] for name in RUNS}
    assert [round(one, 3) for one in difference["embeddings"][:2]] == [-0.022, -0.319]
    assert [round(one, 3) for one in difference["hybrid-rrf"][:2]] == [0.045, -0.080]
    assert [round(one, 3) for one in difference["hybrid-rerank"][:2]] == [0.137, 0.012]
    for words in ("−0.022", "lookups lose 0.319", "better than bm25 by 0.045", "loses 0.080", "by 0.137", "(+0.012)"):
        assert words in README


def test_every_file_that_the_readme_names_is_there() -> None:
    for name in re.findall(r"`([\w./-]+\.(?:py|csv|txt|run|md))`", README):
        assert any((folder / name).is_file() for folder in (SAMPLE, SUPPORT)), name
