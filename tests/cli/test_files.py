"""The files of a command line: how runs are named, standard input, several qrels, and what may be decided about a file."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from tests.cli.conftest import QRELS, QUERIES, RUN, Ranklens

SCORE = ("score", "--qrels", "qrels.txt", "--run", "bm25.run", "-m", "nDCG@10", "--format", "json")


def runs(ranklens: Ranklens, *given: str) -> list[str]:
    """The names of the runs of some --run options."""
    options = [part for one in given for part in ("--run", one)]
    done = ranklens("score", "--qrels", "qrels.txt", *options, "-m", "nDCG@10", "--format", "json")
    assert done.code == 0, done.err
    return list(done.json["means"])


def test_a_run_is_named_by_its_file_without_its_last_ending(ranklens: Ranklens, folder: Path) -> None:
    for name in ("dense.v2.trec", "plain", "dotted.name.csv.run"):
        (folder / name).write_text(RUN)
    assert runs(ranklens, "dense.v2.trec", "plain", "dotted.name.csv.run") == ["dense.v2", "plain", "dotted.name.csv"]


def test_the_ending_of_a_packed_file_does_not_count_as_its_last(ranklens: Ranklens, folder: Path) -> None:
    (folder / "dense.trec.gz").write_bytes(gzip.compress(RUN.encode(), mtime=0))
    assert runs(ranklens, "dense.trec.gz") == ["dense"]


def test_a_name_before_the_file_names_the_run(ranklens: Ranklens) -> None:
    assert runs(ranklens, "new system=bm25.run") == ["new system"]


def test_only_the_first_equals_sign_divides_the_name_from_the_file(ranklens: Ranklens, folder: Path) -> None:
    (folder / "a=b.run").write_text(RUN)
    assert runs(ranklens, "x=a=b.run") == ["x"]


def test_an_existing_path_wins_over_a_name(ranklens: Ranklens, folder: Path) -> None:
    (folder / "x=bm25.run").write_text(RUN)
    assert runs(ranklens, "x=bm25.run") == ["x=bm25"]


def test_runs_in_other_folders_are_told_without_their_path(ranklens: Ranklens, folder: Path) -> None:
    (folder / "secret").mkdir()
    (folder / "secret" / "dense.run").write_text(RUN)
    done = ranklens("score", "--qrels", "qrels.txt", "--run", str(folder / "secret" / "dense.run"), "--format", "json")
    assert list(done.json["means"]) == ["dense"]
    assert "secret" not in done.out


def test_equal_names_get_a_number_and_a_notice(ranklens: Ranklens, folder: Path) -> None:
    (folder / "old").mkdir()
    (folder / "old" / "bm25.run").write_text(RUN.replace("q4", "q1"))
    done = ranklens(
        "score",
        "--qrels",
        "qrels.txt",
        "--run",
        "bm25.run",
        "--run",
        "old/bm25.run",
        "--run",
        "bm25=bm25.run",
        "--format",
        "json",
    )
    assert list(done.json["means"]) == ["bm25", "bm25 (2)", "bm25 (3)"]
    renamed = [notice for notice in done.json["notices"] if notice["code"] == "renamed-run"]
    assert [(notice["about"], notice["examples"]) for notice in renamed] == [
        ("bm25 (2)", ["bm25"]),
        ("bm25 (3)", ["bm25"]),
    ]


def test_notices_of_a_renamed_run_are_about_its_new_name(ranklens: Ranklens, folder: Path) -> None:
    (folder / "old").mkdir()
    (folder / "old" / "bm25.run").write_text(RUN + RUN)
    done = ranklens("score", "--qrels", "qrels.txt", "--run", "bm25.run", "--run", "old/bm25.run", "--format", "json")
    repeated = [notice["about"] for notice in done.json["notices"] if notice["code"] == "duplicate-documents"]
    assert repeated == ["bm25 (2)"]


def test_tags_make_runs_of_their_own_where_two_of_them_answer_the_same_query(ranklens: Ranklens, folder: Path) -> None:
    (folder / "both.run").write_text(RUN + RUN.replace(" bm25\n", " dense\n"))
    assert runs(ranklens, "both.run") == ["bm25", "dense"]
    assert runs(ranklens, "night=both.run") == ["night/bm25", "night/dense"]


def test_tags_that_never_answer_the_same_query_are_one_run(ranklens: Ranklens, folder: Path) -> None:
    lines = [line if line.startswith("q1") else line.replace("bm25", "shard2") for line in RUN.splitlines()]
    (folder / "sharded.run").write_text("\n".join(lines))
    assert runs(ranklens, "sharded.run") == ["sharded"]


def test_a_dash_is_standard_input_for_any_file(ranklens: Ranklens) -> None:
    plain = ranklens(*SCORE, "--queries", "queries.csv").json
    qrels = ranklens(
        "score", "--qrels", "-", "--run", "bm25.run", "-m", "nDCG@10", "--format", "json", stdin=QRELS.encode()
    ).json
    assert qrels["means"] == plain["means"]
    assert qrels["inputs"]["qrels"]["sha256"] == plain["inputs"]["qrels"]["sha256"]
    packed = gzip.compress(RUN.encode(), mtime=0)
    run = ranklens(
        "score", "--qrels", "qrels.txt", "--run", "bm25=-", "-m", "nDCG@10", "--format", "json", stdin=packed
    ).json
    assert run["means"] == plain["means"]
    assert run["inputs"]["runs"][0]["sha256"] == hashlib.sha256(packed).hexdigest()
    queries = ranklens(*SCORE, "--queries", "-", stdin=QUERIES.encode()).json
    assert queries["inputs"]["queries"]["columns"] == ["text", "intent"]


def test_several_qrels_are_joined_under_the_digest_of_their_sorted_digests(ranklens: Ranklens, folder: Path) -> None:
    first, second = QRELS[: QRELS.index("q2")], QRELS[QRELS.index("q2") :]
    (folder / "one.txt").write_text(first)
    (folder / "two.txt").write_text(second)
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in (first, second)]
    joined = hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()
    whole = ranklens(*SCORE).json
    for order in ((0, 1), (1, 0)):
        files = [("one.txt", "two.txt")[at] for at in order]
        told = ranklens(
            "score", "--qrels", files[0], "--qrels", files[1], "--run", "bm25.run", "-m", "nDCG@10", "--format", "json"
        ).json
        assert told["inputs"]["qrels"] == {
            "name": " + ".join(files), "sha256": joined, "judgments": 8, "queries": 4,
            "files": [{"name": file, "sha256": digests[at]} for file, at in zip(files, order, strict=True)],
        }  # fmt: skip
        assert told["means"] == whole["means"]


def test_the_same_pair_in_two_qrels_is_a_notice(ranklens: Ranklens, folder: Path) -> None:
    (folder / "again.txt").write_text("q2 0 d6 1\nq4 0 d8 3\n")
    done = ranklens(*SCORE, "--qrels", "again.txt")
    assert {"duplicate-judgments", "conflicting-judgments"} <= done.codes
    assert done.json["inputs"]["qrels"]["judgments"] == 8


@pytest.mark.parametrize(("rule", "gain"), [("highest", 3.0), ("last", 1.0), ("mean", 2.0)])
def test_a_pair_judged_twice_counts_by_the_rule_asked_for(
    ranklens: Ranklens, folder: Path, rule: str, gain: float
) -> None:
    (folder / "qrels.txt").write_text("q1 0 d1 3\nq1 0 d1 1\nq1 0 d2 1\n")
    done = ranklens(
        "score", "--qrels", "qrels.txt", "--run", "bm25.run", "-m", "DCG@1", "--conflicts", rule, "--format", "json"
    )
    assert done.json["means"]["bm25"]["DCG@1"] == gain
    assert done.json["conventions"]["conflicts"] == rule


def test_conflicts_can_be_refused(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text("q1 0 d1 3\nq1 0 d1 1\n")
    done = ranklens(*SCORE, "--conflicts", "refuse")
    assert done.code == 2
    assert done.problems[0]["file"] == "qrels.txt"


def test_columns_name_those_of_the_queries_file_with_or_without_its_name(ranklens: Ranklens, folder: Path) -> None:
    (folder / "queries.tsv").write_text("q1\tred tea\tbuy\nq2\tblue hat\tlook\nq3\tgreen\tlook\n")
    unnamed = ranklens(*SCORE, "--queries", "queries.tsv").json
    assert "intent" not in unnamed["inputs"]["queries"]["columns"]
    for value in ("query_id,text,intent", "queries.tsv=query_id,text,intent"):
        told = ranklens(*SCORE, "--queries", "queries.tsv", "--columns", value).json
        assert told["inputs"]["queries"]["columns"] == ["text", "intent"], value


def test_an_encoding_is_used_for_the_queries_file_or_the_file_named(ranklens: Ranklens, folder: Path) -> None:
    (folder / "queries.csv").write_bytes("query_id,text\nq1,thé\n".encode("windows-1252"))
    (folder / "qrels.txt").write_bytes("q1 0 d1 1\nq1 0 dé 1\n".encode("windows-1252"))
    explain = (
        "explain",
        "--qrels",
        "qrels.txt",
        "--run",
        "bm25.run",
        "--query",
        "q1",
        "-m",
        "nDCG@10",
        "--format",
        "json",
    )
    told = ranklens(
        *explain, "--queries", "queries.csv", "--encoding", "windows-1252", "--encoding", "qrels.txt=windows-1252"
    ).json
    assert told["query"]["text"] == "thé"
    assert [row["doc_id"] for row in told["explanations"][0]["not_returned"]] == ["dé"]


def test_a_run_of_distances_is_turned_by_name(ranklens: Ranklens, folder: Path) -> None:
    (folder / "turned.run").write_text("q1 Q0 d3 1 0.9 t\nq1 Q0 d1 2 0.1 t\n")
    score = (
        "score",
        "--qrels",
        "qrels.txt",
        "--run",
        "bm25.run",
        "--run",
        "far=turned.run",
        "-m",
        "RR@10",
        "--format",
        "json",
    )
    as_read = ranklens(*score).json["means"]
    turned = ranklens(*score, "--lower-is-better", "far").json["means"]
    assert (as_read["far"]["RR@10"], turned["far"]["RR@10"]) == (0.5 / 4, 1 / 4)
    assert as_read["bm25"] == turned["bm25"]


def test_strict_refuses_a_run_that_lists_a_document_twice(ranklens: Ranklens, folder: Path) -> None:
    (folder / "bm25.run").write_text(RUN + "q1 Q0 d1 9 1 bm25\n")
    kept = ranklens(*SCORE)
    assert kept.code == 0
    assert "duplicate-documents" in kept.codes
    refused = ranklens(*SCORE, "--strict")
    assert refused.code == 2
    assert '"q1: d1"' in refused.problems[0]["message"]


def test_broken_lines_are_left_out_only_when_asked_and_a_notice_names_them(ranklens: Ranklens, folder: Path) -> None:
    whole = ranklens(*SCORE).json["means"]
    (folder / "bm25.run").write_text("q1 Q0 d5 1 n/a bm25\n" + RUN + "q2 Q0\n")
    assert ranklens(*SCORE).code == 2
    done = ranklens(*SCORE, "--leave-out-broken-lines")
    assert done.json["means"] == whole
    notice = next(notice for notice in done.json["notices"] if notice["code"] == "lines-left-out")
    assert (notice["count"], notice["examples"]) == (2, ["1", "10"])


def test_the_repair_that_a_message_offers_works_as_it_is_written_there(ranklens: Ranklens, folder: Path) -> None:
    whole = ranklens(*SCORE).json["means"]
    (folder / "qrels.txt").write_text(
        "".join(f"{line.replace(' ', '.0 ', 1)}\n" for line in QRELS.replace("q", "").splitlines())
    )
    (folder / "bm25.run").write_text(RUN.replace("q", "", 0).replace("\nq", "\n").removeprefix("q"))
    refused = ranklens(*SCORE)
    assert refused.code == 2
    hint = refused.problems[0]["hint"]
    offered = hint.split('--repair "')[1].split('"')[0]
    assert offered == "qrels:query:decimal"
    assert ranklens(*SCORE, "--repair", offered).json["means"] == whole


def test_letters_count_as_the_grades_that_labels_give(ranklens: Ranklens, folder: Path) -> None:
    letters = {"3": "E", "2": "S", "1": "C", "0": "I"}
    whole = ranklens(*SCORE).json["means"]
    (folder / "qrels.txt").write_text("".join(f"{line[:-1]}{letters[line[-1]]}\n" for line in QRELS.splitlines()))
    asked = ranklens(*SCORE, "--labels", "X=3")
    assert asked.code == 2
    assert "--labels" in asked.problems[0]["hint"]
    done = ranklens(*SCORE, "--labels", "E=3, S=2,C=1,I=0")
    assert done.json["means"] == whole
    assert "labels-mapped" in done.codes


def test_own_ids_can_be_dropped(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text("q1 0 d1 1\n")
    (folder / "bm25.run").write_text("q1 Q0 q1 1 9 m\nq1 Q0 d1 2 8 m\n")
    kept = ranklens(*SCORE, "-m", "RR@10")
    dropped = ranklens(*SCORE, "-m", "RR@10", "--own-ids", "drop")
    assert (kept.json["means"]["bm25"]["RR@10"], dropped.json["means"]["bm25"]["RR@10"]) == (0.5, 1.0)
    assert "own-id-retrieved" in kept.codes


def test_the_rank_column_decides_only_when_asked(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text("q1 0 d1 1\n")
    (folder / "bm25.run").write_text("q1 Q0 d1 2 9 m\nq1 Q0 d2 1 8 m\n")
    by_score = ranklens(*SCORE, "-m", "RR@10").json
    by_rank = ranklens(*SCORE, "-m", "RR@10", "--order", "rank").json
    assert (by_score["means"]["bm25"]["RR@10"], by_rank["means"]["bm25"]["RR@10"]) == (1.0, 0.5)


def test_scores_that_differ_in_64_bits_only_tie_unless_they_are_asked_for(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text("q1 0 d1 1\n")
    (folder / "bm25.run").write_text("q1 Q0 d1 1 1.00000000002 m\nq1 Q0 d2 2 1.00000000001 m\n")
    single = ranklens(*SCORE, "-m", "RR@10").json  # a tie, which goes by document id, descending: d2 first
    double = ranklens(*SCORE, "-m", "RR@10", "--order", "score64").json
    assert (single["means"]["bm25"]["RR@10"], double["means"]["bm25"]["RR@10"]) == (0.5, 1.0)


def test_run_metadata_in_a_comment_block_is_told_beside_the_run(ranklens: Ranklens, folder: Path) -> None:
    (folder / "bm25.run").write_text("# ir_metadata.start\n# tag: bm25-tuned\n# ir_metadata.end\n" + RUN)
    told = ranklens(*SCORE).json["inputs"]["runs"][0]
    assert json.loads(json.dumps(told["metadata"])) == {"tag": "bm25-tuned"}
    assert told["rows"] == 8
