"""`ranklens compare`: every field of its comparisons and slices, held against values worked out elsewhere."""

import math
import random
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from tests.cli.conftest import Ranklens

RR = 40  # queries
COMPARE = ("compare", "--qrels", "qrels.txt", "--run", "old.run", "--run", "new.run", "-m", "RR")
FIELDS = [
    "candidate", "baseline", "measure", "n", "difference", "interval", "interval_simultaneous", "p_value", "p_holm", "wins", "ties", "losses",
    "effect_size", "detectable", "largest_share", "badly_hurt", "verdict",
]  # fmt: skip
SLICE_FIELDS = [
    "column", "value", "candidate", "baseline", "measure", "n", "mean_candidate", "mean_baseline", "difference", "interval", "p_value", "p_bh",
    "p_holm", "finding",
]  # fmt: skip


def run_file(ranks: list[int], tag: str) -> str:
    """A run that has each query's one relevant document at the rank given."""
    rows = []
    for query, rank in enumerate(ranks):
        rows += [f"q{query:02} Q0 {'good' if at == rank else f'bad{at}'} {at} {100 - at} {tag}\n" for at in range(1, 6)]
    return "".join(rows)


@pytest.fixture
def ranks(folder: Path) -> dict[str, list[int]]:
    """Runs of one relevant document a query: RR is 1 / rank. "new" moves it up in many queries and down in some."""
    chance = random.Random(11)
    old = [chance.choice([1, 2, 3, 4]) for _ in range(RR)]
    new = [max(1, rank - 1) if chance.random() < 0.6 else min(5, rank + chance.choice([0, 1])) for rank in old]
    third = [chance.choice([1, 2, 3, 4, 5]) for _ in range(RR)]
    found = {"old": old, "new": new, "third": third}
    (folder / "qrels.txt").write_text("".join(f"q{query:02} 0 good 1\n" for query in range(RR)))
    for name, each in found.items():
        (folder / f"{name}.run").write_text(run_file(each, name))
    intents = ["buy" if query % 4 else "look" for query in range(RR)]
    (folder / "queries.csv").write_text(
        "query_id,intent\n" + "".join(f"q{at:02},{one}\n" for at, one in enumerate(intents))
    )
    return found


def differences(ranks: dict[str, list[int]], candidate: str = "new", baseline: str = "old") -> list[float]:
    return [1 / one - 1 / other for one, other in zip(ranks[candidate], ranks[baseline], strict=True)]


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-12)


def test_the_json_is_that_of_score_without_means_and_with_comparisons_and_slices(
    ranklens: Ranklens, ranks: dict[str, list[int]]
) -> None:
    assert ranks
    told = ranklens(*COMPARE, "--format", "json").json
    assert list(told) == [
        "schema",
        "ranklens",
        "conventions",
        "inputs",
        "queries",
        "notices",
        "measures",
        "comparisons",
        "slices",
    ]
    assert told["slices"] == []
    assert [list(row) for row in told["comparisons"]] == [FIELDS]
    assert list(told["comparisons"][0]["verdict"]) == ["case", "sentence"]


def test_a_comparison_is_paired_and_candidate_minus_baseline(ranklens: Ranklens, ranks: dict[str, list[int]]) -> None:
    row = ranklens(*COMPARE, "--format", "json").json["comparisons"][0]
    d = differences(ranks)
    test = stats.ttest_1samp(d, 0.0)
    low, high = test.confidence_interval(0.95)
    assert (row["candidate"], row["baseline"], row["measure"], row["n"]) == ("new", "old", "RR", RR)
    assert row["difference"] == close(math.fsum(d) / RR)
    assert row["interval"] == [close(low), close(high)]
    assert row["interval_simultaneous"] == row["interval"]
    assert row["p_holm"] == row["p_value"]
    assert abs(row["p_value"] - test.pvalue) < 0.02
    assert [row["wins"], row["ties"], row["losses"]] == [
        sum(x > 0 for x in d),
        sum(x == 0 for x in d),
        sum(x < 0 for x in d),
    ]
    assert row["effect_size"] == close(test.statistic / math.sqrt(RR))
    assert row["largest_share"] == close(max(map(abs, d)) / math.fsum(map(abs, d)))
    assert row["badly_hurt"] == sum(x <= -0.3 for x in d)


def test_several_candidates_are_one_family(ranklens: Ranklens, ranks: dict[str, list[int]]) -> None:
    first, second = ranklens(*COMPARE, "--run", "third.run", "--format", "json").json["comparisons"]
    assert [first["candidate"], second["candidate"]] == ["new", "third"]
    for row in (first, second):
        d = differences(ranks, row["candidate"])
        low, high = stats.ttest_1samp(d, 0.0).confidence_interval(1 - 0.05 / 2)
        assert row["interval_simultaneous"] == [close(low), close(high)]
    small, large = sorted((first["p_value"], second["p_value"]))
    holm = {small: min(1, 2 * small), large: max(min(1, 2 * small), large)}
    assert [first["p_holm"], second["p_holm"]] == [close(holm[first["p_value"]]), close(holm[second["p_value"]])]


def test_the_baseline_can_be_any_run_and_turns_the_sign(ranklens: Ranklens, ranks: dict[str, list[int]]) -> None:
    assert ranks
    one = ranklens(*COMPARE, "--format", "json").json["comparisons"][0]
    other = ranklens(*COMPARE, "--baseline", "new", "--format", "json").json["comparisons"][0]
    assert (other["candidate"], other["baseline"]) == ("old", "new")
    assert other["difference"] == -one["difference"]
    assert other["interval"] == [-one["interval"][1], -one["interval"][0]]
    assert (other["wins"], other["losses"]) == (one["losses"], one["wins"])


def test_slices_have_their_own_means_and_add_up_to_all_queries(ranklens: Ranklens, ranks: dict[str, list[int]]) -> None:
    rows = ranklens(*COMPARE, "--queries", "queries.csv", "--slice", "intent", "--format", "json").json["slices"]
    assert [list(row) for row in rows] == [SLICE_FIELDS] * 2
    assert [(row["column"], row["value"], row["n"]) for row in rows] == [("intent", "buy", 30), ("intent", "look", 10)]
    d = differences(ranks)
    for row in rows:
        members = [at for at in range(RR) if ("buy" if at % 4 else "look") == row["value"]]
        assert row["difference"] == close(math.fsum(d[at] for at in members) / len(members))
        assert row["mean_baseline"] == close(math.fsum(1 / ranks["old"][at] for at in members) / len(members))
        assert row["mean_candidate"] == close(math.fsum(1 / ranks["new"][at] for at in members) / len(members))
        assert row["p_bh"] is not None


def test_a_slice_below_ten_queries_is_outside_the_family(
    ranklens: Ranklens, folder: Path, ranks: dict[str, list[int]]
) -> None:
    assert ranks
    (folder / "queries.csv").write_text(
        "query_id,intent\n" + "".join(f"q{at:02},{'few' if at < 9 else 'many'}\n" for at in range(RR))
    )
    rows = ranklens(*COMPARE, "--queries", "queries.csv", "--slice", "intent", "--format", "json").json["slices"]
    few = next(row for row in rows if row["value"] == "few")
    assert (few["n"], few["p_bh"], few["p_holm"], few["finding"]) == (9, None, None, False)


def test_missing_queries_score_zero_or_leave_the_pair(
    ranklens: Ranklens, folder: Path, ranks: dict[str, list[int]]
) -> None:
    text = "".join(
        line for line in run_file(ranks["new"], "new").splitlines(keepends=True) if not line.startswith("q07")
    )
    (folder / "new.run").write_text(text)
    zero = ranklens(*COMPARE, "--format", "json").json["comparisons"][0]
    out = ranklens(*COMPARE, "--missing", "exclude", "--format", "json").json["comparisons"][0]
    d = differences(ranks)
    assert zero["n"] == RR
    assert zero["difference"] == close((math.fsum(d) - d[7] - 1 / ranks["old"][7]) / RR)
    assert out["n"] == RR - 1
    assert out["difference"] == close((math.fsum(d) - d[7]) / (RR - 1))


def test_what_cannot_be_computed_is_null_never_nan(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text("q00 0 good 1\n")
    for name, rank in (("old", 1), ("new", 2)):
        (folder / f"{name}.run").write_text(run_file([rank], name))
    row = ranklens(*COMPARE, "--format", "json").json["comparisons"][0]
    assert (row["n"], row["difference"]) == (1, -0.5)
    assert row["interval"] is row["interval_simultaneous"] is row["effect_size"] is row["detectable"] is None
    assert row["verdict"]["case"] == "too-few"


def test_a_mean_that_cannot_be_computed_compares_nothing(
    ranklens: Ranklens, folder: Path, ranks: dict[str, list[int]]
) -> None:
    assert ranks
    (folder / "qrels.txt").write_text((folder / "qrels.txt").read_text() + "q00 0 huge 1001\n")
    row = ranklens(*COMPARE, "-m", "nDCG(dcg='exp-log2')@10", "--format", "json").json["comparisons"][1]
    assert (row["measure"], row["n"], row["difference"], row["p_value"]) == ("nDCG(dcg='exp-log2')@10", 0, None, None)


def test_people_read_the_verdict_first_and_no_p_where_there_are_too_few_queries(
    ranklens: Ranklens, folder: Path
) -> None:
    (folder / "qrels.txt").write_text("".join(f"q0{query} 0 good 1\n" for query in range(6)))
    for name, each in (("old", [2] * 6), ("new", [1] * 6)):
        (folder / f"{name}.run").write_text(run_file(each, name))
    lines = ranklens(*COMPARE).out.splitlines()
    assert lines[0] == ranklens(*COMPARE, "--format", "json").json["comparisons"][0]["verdict"]["sentence"]
    candidate = next(line for line in lines if line.startswith("new "))
    assert candidate.split()[1:3] == ["1.000", "+0.500"]
    assert " – " in candidate
    assert candidate.endswith("Too few queries")


def test_a_slice_that_fell_under_a_mean_that_did_not_raises_an_alert(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text("".join(f"q{query:02} 0 good 1\n" for query in range(60)))
    old, new = [2] * 60, [1] * 45 + [4] * 15
    for name, each in (("old", old), ("new", new)):
        (folder / f"{name}.run").write_text(run_file(each, name))
    (folder / "queries.csv").write_text(
        "query_id,source\n" + "".join(f"q{at:02},{'wiki' if at < 45 else 'forum'}\n" for at in range(60))
    )
    done = ranklens(*COMPARE, "--queries", "queries.csv", "--slice", "source")
    assert 'Alert: "forum" (source) fell by 0.25' in done.out
    rows = ranklens(*COMPARE, "--queries", "queries.csv", "--slice", "source", "--format", "json").json["slices"]
    assert {row["value"]: (row["finding"], row["difference"]) for row in rows} == {
        "wiki": (True, 0.5),
        "forum": (True, -0.25),
    }


def test_one_run_alone_is_told_that_another_is_wanted(ranklens: Ranklens, ranks: dict[str, list[int]]) -> None:
    assert ranks
    alone = ("compare", "--qrels", "qrels.txt", "--run", "old.run", "-m", "RR")
    assert ranklens(*alone).out.startswith("old is the only run: give another --run")
    assert ranklens(*alone, "--format", "json").json["comparisons"] == []
