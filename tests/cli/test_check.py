"""`ranklens check`: the notices only."""

from pathlib import Path

from tests.cli.conftest import RUN, Ranklens

FILES = ("--qrels", "qrels.txt", "--run", "bm25.run")


def test_the_json_is_that_of_score_without_the_scores(ranklens: Ranklens) -> None:
    check = ranklens("check", *FILES, "--queries", "queries.csv", "--format", "json").json
    score = ranklens("score", *FILES, "--queries", "queries.csv", "--format", "json").json
    assert list(check) == ["schema", "ranklens", "conventions", "inputs", "queries", "notices"]
    assert check == {name: score[name] for name in check}


def test_people_read_coverage_and_then_every_notice_the_worst_first(ranklens: Ranklens, folder: Path) -> None:
    (folder / "qrels.txt").write_text((folder / "qrels.txt").read_text() + "q1 0 d1 2000\n")
    out = ranklens("check", *FILES).out
    lines = out.splitlines()
    assert lines[0] == "qrels.txt: 8 judgments of 4 queries"
    assert lines[4].split() == ["bm25", "8", "3", "of", "4", "1"]
    marks = [line.split(":")[0] for line in lines[6:]]
    order = {"error": 0, "warning": 1, "note": 2}
    assert set(marks) == set(order)
    assert marks == sorted(marks, key=order.__getitem__)


def test_a_notice_with_an_effect_says_both_means(ranklens: Ranklens) -> None:
    line = next(line for line in ranklens("check", *FILES).out.splitlines() if "judged queries; each scores 0" in line)
    assert "Mean nDCG@10: zero 0.335, exclude 0.447." in line
    assert line.endswith("Such as q4.")


def test_files_that_need_no_word_get_none(ranklens: Ranklens, folder: Path) -> None:
    judged = [f"d{at}" for at in range(10)]
    (folder / "qrels.txt").write_text(
        "".join(f"q{q} 0 {doc} {at % 3}\n" for q in range(3) for at, doc in enumerate(judged))
    )
    (folder / "bm25.run").write_text(
        "".join(f"q{q} Q0 {doc} {at} {99 - at} m\n" for q in range(3) for at, doc in enumerate(judged, 1))
    )
    told = ranklens("check", *FILES, "-m", "nDCG@10", "--format", "json").json
    assert told["notices"] == []
    assert "Nothing in these files needs a word." in ranklens("check", *FILES, "-m", "nDCG@10").out


def test_check_has_no_csv(ranklens: Ranklens) -> None:
    done = ranklens("check", *FILES, "--format", "csv")
    assert (done.code, done.out) == (2, "")


def test_markdown_cannot_be_broken_by_names(ranklens: Ranklens, folder: Path) -> None:
    (folder / "x|y.run").write_text(RUN)
    out = ranklens("check", "--qrels", "qrels.txt", "--run", "x|y.run", "--format", "md").out
    assert "x\\|y" in out
    assert "x|y" not in out
