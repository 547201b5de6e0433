"""`ranklens report` and `ranklens open`: the same comparison in every format, from files or from a bundle."""

import zipfile
from pathlib import Path

import pytest

from tests.cli.conftest import Ranklens

FILES = ("--qrels", "qrels.txt", "--run", "bm25.run", "--run", "new=bm25.run", "--queries", "queries.csv")


@pytest.fixture
def bundle(ranklens: Ranklens, folder: Path) -> str:
    done = ranklens("report", *FILES, "--format", "bundle", "--out", "meeting.ranklens")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert (folder / "meeting.ranklens").is_file()
    return "meeting.ranklens"


@pytest.mark.parametrize("form", ["md", "html"])
def test_markdown_and_pages_go_to_standard_output_or_a_file_and_are_the_same_from_a_bundle(
    ranklens: Ranklens, folder: Path, bundle: str, form: str
) -> None:
    printed = ranklens("report", *FILES, "--format", form)
    assert printed.code == 0
    assert "new and bm25 score the same" in printed.out
    assert ranklens("report", bundle, "--format", form).out == printed.out
    assert ranklens("report", bundle, "--format", form, "--out", "report.txt").out == ""
    assert (folder / "report.txt").read_text("utf-8") == printed.out


def test_markdown_is_the_default(ranklens: Ranklens) -> None:
    assert ranklens("report", *FILES).out.startswith("### new and bm25 score the same\n")


@pytest.mark.parametrize("form", ["table", "json", "csv", "md"])
def test_open_prints_what_score_prints(ranklens: Ranklens, bundle: str, form: str) -> None:
    for more in ((), ("-m", "nDCG@5", "-m", "AP"), ("--per-query",)):
        scored = ranklens("score", *FILES, "--format", form, *more)
        opened = ranklens("open", bundle, "--format", form, *more)
        assert (opened.code, opened.out) == (0, scored.out)


def test_a_deck_is_a_file_with_the_slides_asked_for(ranklens: Ranklens, folder: Path, bundle: str) -> None:
    done = ranklens("report", bundle, "--format", "pptx", "--slides", "leaderboard,title", "--out", "deck.pptx")
    assert done.code == 0
    with zipfile.ZipFile(folder / "deck.pptx") as archive:
        assert len([name for name in archive.namelist() if name.startswith("ppt/slides/slide")]) == 2


def test_the_baseline_and_the_measure_are_chosen(ranklens: Ranklens, bundle: str) -> None:
    text = ranklens("report", bundle, "--baseline", "new", "-m", "AP", "-m", "nDCG@5").out
    assert text.startswith("### bm25 and new score the same")
    assert "| nDCG@5 |" in text.replace("run | ", "")


def test_conventions_travel_with_a_bundle(ranklens: Ranklens) -> None:
    assert ranklens("report", *FILES, "--missing", "exclude", "--format", "bundle", "--out", "b").code == 0
    assert "missing = left out" in ranklens("report", "b").out


REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "a file without a place": ((*FILES, "--format", "pptx"), "--out: a pptx is a file: say where to write it"),
    "nothing": ((), "--qrels: is missing"),
    "no run": (("--qrels", "qrels.txt"), "--run: is missing"),
    "a bundle and files": (("qrels.txt", *FILES), "--qrels/--run: a link or a bundle brings its own judgments and runs"),
    "no bundle": (("qrels.txt",), "qrels.txt: is not a bundle"),
    "no such bundle": (("none.ranklens",), "none.ranklens: there is no such file"),
    "an unknown baseline": ((*FILES, "--baseline", "x"), '--baseline: there is no run called "x"'),
    "an unknown slide": ((*FILES, "--slides", "title,x"), '--slides: "x" is not a slide'),
    "an unknown measure": ((*FILES, "-m", "nDCG@0"), "nDCG"),
    "no brand": ((*FILES, "--brand", "none.toml"), "none.toml: cannot be read"),
    "no place": ((*FILES, "--out", "none/x.md"), "none/x.md: cannot be written"),
}  # fmt: skip


@pytest.mark.parametrize("name", [*REFUSED])
def test_what_cannot_be_made_is_refused_with_a_reason(ranklens: Ranklens, name: str) -> None:
    arguments, reason = REFUSED[name]
    done = ranklens("report", *arguments)
    assert (done.code, done.out) == (2, "")
    assert reason in done.err
    assert "Traceback" not in done.err


def test_open_refuses_with_json_where_json_was_asked_for(ranklens: Ranklens) -> None:
    done = ranklens("open", "qrels.txt", "--format", "json")
    assert done.code == 2
    assert done.problems[0]["message"] == "is not a bundle"
