"""What the command line refuses: exit code 2, reasons on stderr, and the same reasons as JSON where JSON was asked for."""

from pathlib import Path

import pytest

from tests.cli.conftest import RUN, Ranklens

SCORE = ("score", "--qrels", "qrels.txt", "--run", "bm25.run")
COMPARE = ("compare", "--qrels", "qrels.txt", "--run", "bm25.run")
HELP = "ranklens score --help shows what there is"
MEASURES = (
    "these exist: nDCG@10, nDCG(dcg='exp-log2')@10, nDCG(gains={1:1,2:10})@10, DCG@10, IDCG@10, R@100, P@10, P(rel=2)@10, Success@10, "
    "RR@10, RR, AP@100, AP, Judged@10; cutoffs are whole numbers from 1 to 1,000"
)
GAINS = "write gains as grade=gain, such as 1=1,2=10"
REPAIR = "write SIDE:IDS:KIND, such as qrels:query:decimal or run:document:chunk=#"

# arguments → the file (or option) that is named, what is said, the hint
REFUSED: dict[str, tuple[tuple[str, ...], tuple[str, str, str | None]]] = {
    "an unknown option": ((*SCORE, "--zzzz", "5"), ("", "No such option '--zzzz'.", HELP)),
    "an unknown command": (
        ("rank",),
        ("", "No such command 'rank'.", "ranklens --help shows what there is"),
    ),
    "an option left out": (("score", "--qrels", "qrels.txt"), ("", "Missing option '--run'.", HELP)),
    "an unknown value": (
        (*SCORE, "--missing", "skip"),
        ("", "Invalid value for '--missing': 'skip' is not one of 'zero', 'exclude'.", HELP),
    ),
    "an unknown conflicts rule": (
        (*SCORE, "--conflicts", "lowest"),
        ("", "Invalid value for '--conflicts': 'lowest' is not one of 'highest', 'last', 'mean', 'refuse'.", HELP),
    ),
    "a relevance level of 0": (
        (*SCORE, "--relevance-level", "0"),
        ("", "Invalid value for '--relevance-level': 0 is not in the range x>=1.", HELP),
    ),
    "a margin of 0": (
        (*COMPARE, "--margin", "0"),
        ("", "Invalid value for '--margin': 0.0 is not in the range x>0.", "ranklens compare --help shows what there is"),
    ),
    "a margin that is no number": (
        (*COMPARE, "--margin", "nan"),
        ("", "Invalid value for '--margin': nan is not a number to compare with.", "ranklens compare --help shows what there is"),
    ),
    "an unknown measure": ((*SCORE, "-m", "nDGC@10"), ("", '"nDGC@10" is not a measure', MEASURES)),
    "a cutoff of 0": (
        (*SCORE, "-m", "nDCG@0"),
        ("", '"nDCG@0": the cutoff "0" is not a whole number from 1 to 1,000', MEASURES),
    ),
    "a cutoff of 10^9": (
        (*SCORE, "-m", "P@1000000000"),
        ("", '"P@1000000000": the cutoff "1000000000" is not a whole number from 1 to 1,000', MEASURES),
    ),
    "gains that are no numbers": ((*SCORE, "--gains", "1=x"), ("", '"1=x" is not a grade and its gain', GAINS)),
    "gains that lack a grade": (
        (*SCORE, "--gains", "1=1,2=2"),
        ("", "the gains given lack 1 of the grades in the judgments: 3", "give a gain for every positive grade, such as 1=1,2=10"),
    ),
    "labels without grades": (
        (*SCORE, "--labels", "E=3,S"),
        ("--labels", '"S" is not LABEL=GRADE', 'write --labels "E=3,S=2,C=1,I=0"'),
    ),
    "a grade that is not a number": (
        (*SCORE, "--labels", "E=nan"),
        ("--labels", '"E=nan" is not LABEL=GRADE', 'write --labels "E=3,S=2,C=1,I=0"'),
    ),
    "an unknown repair": ((*SCORE, "--repair", "run:query:upper"), ("", '"run:query:upper" is not a repair', REPAIR)),
    "a repair that lacks its value": (
        (*SCORE, "--repair", "run:query:prefix"),
        ("", '"run:query:prefix" is not a repair', REPAIR),
    ),
    "a run that nobody brought": (
        (*SCORE, "--lower-is-better", "dense"),
        ("--lower-is-better", 'there is no run called "dense"', 'the runs are "bm25"'),
    ),
    "a baseline that nobody brought": (
        (*COMPARE, "--baseline", "dense"),
        ("--baseline", 'there is no run called "dense"', 'the runs are "bm25"'),
    ),
    "a slice without metadata": (
        (*COMPARE, "--slice", "intent"),
        ("--slice", 'the queries have no attribute "intent" to slice by', "give the queries' attributes with --queries"),
    ),
    "a slice that is not in the metadata": (
        (*COMPARE, "--queries", "queries.csv", "--slice", "source"),
        ("--slice", 'the queries have no attribute "source" to slice by', 'there are "intent", "query length"'),
    ),
    "a query that is not judged": (
        ("explain", "--qrels", "qrels.txt", "--run", "bm25.run", "--query", "q9"),
        ("--query", 'the query "q9" is not judged', 'the judged queries are "q1", "q2", "q3", "q4"'),
    ),
    "a file that is not there": (
        ("score", "--qrels", "no.txt", "--run", "bm25.run"),
        ("no.txt", "there is no such file", None),
    ),
    "a folder": (("score", "--qrels", ".", "--run", "bm25.run"), (".", "is a folder, not a file", None)),
    "columns without a file": (
        (*SCORE, "--columns", "query_id,intent"),
        ("--columns", '"query_id,intent" names no file', "write --columns FILE=query_id,intent"),
    ),
    "an encoding without a file": (
        (*SCORE, "--encoding", "latin-1"),
        ("--encoding", '"latin-1" names no file', "write --encoding FILE=latin-1"),
    ),
    "an encoding of another file": (
        (*SCORE, "--encoding", "other.run=latin-1"),
        ("--encoding/--columns", '"other.run" is none of the files given', None),
    ),
    "an unknown encoding": (
        (*SCORE, "--encoding", "bm25.run=klingon"),
        ("bm25.run", 'the encoding "klingon" is not known', "try windows-1252 or utf-16"),
    ),
    "standard input twice": (
        ("score", "--qrels", "-", "--run", "x=-"),
        ("-", "standard input can be only one of the files", "name the others"),
    ),
    "an output that cannot be written": (
        (*SCORE, "--out", "no/such/folder.json"),
        (str(Path("no/such/folder.json")), "cannot be written: No such file or directory", None),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_judged_ends_with_2_and_says_why_on_both_channels(ranklens: Ranklens, case: str) -> None:
    arguments, (file, message, hint) = REFUSED[case]
    done = ranklens(*arguments, "--format", "json")
    assert done.code == 2
    assert done.problems == [{"file": file, "line": None, "message": message, "hint": hint}]
    said = f"{file}: {message}\n" if file else f"{message}\n"
    assert done.err == said + (f"hint: {hint}\n" if hint else "")


@pytest.mark.parametrize("form", [("--format=json",), ("--format", "json")])
def test_either_way_of_asking_for_json_gets_json_when_refused(ranklens: Ranklens, form: tuple[str, ...]) -> None:
    assert ranklens(*SCORE, "-m", "x", *form).problems[0]["message"] == '"x" is not a measure'


def test_without_json_a_refusal_leaves_standard_output_empty(ranklens: Ranklens) -> None:
    done = ranklens(*SCORE, "-m", "x")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith('"x" is not a measure\nhint: ')


def test_every_broken_line_is_told_with_its_line_number(ranklens: Ranklens, folder: Path) -> None:
    lines = RUN.splitlines()
    lines[1] = "q1 Q0 d2 2 n/a bm25"
    lines[4] = "q2 Q0 d9 1"
    (folder / "bm25.run").write_text("\n".join(lines) + "\n")
    done = ranklens(*SCORE, "--format", "json")
    assert done.code == 2
    assert [(problem["file"], problem["line"]) for problem in done.problems] == [("bm25.run", 2), ("bm25.run", 5)]
    assert done.problems[0]["message"] == 'score "n/a" is not a number'
    assert 'bm25.run:2: score "n/a" is not a number\n' in done.err
    assert "bm25.run:5: " in done.err


def test_twenty_broken_lines_are_told_and_how_many_more_there_are(ranklens: Ranklens, folder: Path) -> None:
    broken = "".join(f"q1 Q0 x{at} {at} n/a bm25\n" for at in range(1, 36))
    (folder / "bm25.run").write_text("".join(RUN * 9) + broken)
    done = ranklens(*SCORE, "--format", "json")
    first = len(RUN.splitlines()) * 9 + 1
    assert [problem["line"] for problem in done.problems] == list(range(first, first + 20))
    assert done.err.splitlines()[-1] == "… and 15 more"


def test_the_problems_of_all_runs_are_told_at_once(ranklens: Ranklens, folder: Path) -> None:
    (folder / "one.run").write_text(RUN.replace(" 8 ", " x "))
    (folder / "two.run").write_text(RUN.replace(" 7 ", " y "))
    done = ranklens(
        "score", "--qrels", "qrels.txt", "--run", "one.run", "--run", "bm25.run", "--run", "two.run", "--format", "json"
    )
    assert [(problem["file"], problem["line"]) for problem in done.problems] == [("one.run", 2), ("two.run", 3)]


def test_a_run_and_judgments_that_are_exchanged_are_refused_with_the_way_out(ranklens: Ranklens) -> None:
    done = ranklens("score", "--qrels", "bm25.run", "--run", "qrels.txt", "--format", "json")
    assert done.code == 2
    assert done.problems[0]["file"] == "bm25.run"
    assert "looks like a run" in done.problems[0]["message"]
    assert "exchanged" in done.problems[0]["hint"]


def test_queries_that_do_not_meet_are_shown_from_both_sides(ranklens: Ranklens, folder: Path) -> None:
    (folder / "bm25.run").write_text(RUN.replace("q", "topic-"))
    done = ranklens(*SCORE, "--format", "json")
    assert done.code == 2
    message = done.problems[0]["message"]
    assert message.startswith("no query in common: ")
    assert '"q1"' in message
    assert '"topic-1"' in message


@pytest.mark.parametrize(
    "data",
    [b"", b"\n\n", b"\x00\x01\x02", b"\xff\xfe", b"\x1f\x8b\x08broken", b"PK\x03\x04broken", b"PAR1broken", b"{", b"["],
)
def test_damaged_files_end_in_a_message_never_in_a_traceback(ranklens: Ranklens, folder: Path, data: bytes) -> None:
    (folder / "qrels.txt").write_bytes(data)
    done = ranklens(*SCORE, "--format", "json")
    assert done.code == 2
    assert done.problems[0]["file"] == "qrels.txt"
    assert "Traceback" not in done.err


@pytest.mark.parametrize("k", ["0", "-1", "1000000000", "x", "05", "1.5", ""])
@pytest.mark.parametrize("command", ["score", "compare", "check", "explain"])
def test_a_cutoff_that_would_kill_native_code_is_refused_by_every_command(
    ranklens: Ranklens, command: str, k: str
) -> None:
    arguments = [command, *SCORE[1:], "--measure", f"nDCG@{k}", *(["--query", "q1"] if command == "explain" else [])]
    done = ranklens(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert f"nDCG@{k}" in done.err
