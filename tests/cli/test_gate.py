"""`ranklens gate`: outcomes by exit code, reports in every format, what a team pins."""

import hashlib
import json
import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from core.cli import main
from core.comparison import open_comparison
from core.comparison.inputs import Inputs, Piece
from core.exports.bundle import write_bundle
from core.readers.files import Given
from tests.cli.conftest import Done, Ranklens

KEYS = {
    "outcome",
    "reasons",
    "difference",
    "interval",
    "lower_bound",
    "margin",
    "needed_n",
    "slices",
    "conventions",
    "inputs",
}


def qrels_of(queries: int) -> str:
    """Every query has one relevant document, d1, and one judged 0, d0."""
    return "".join(f"q{at:03} 0 d1 1\nq{at:03} 0 d0 0\n" for at in range(queries))


def run_of(ranks: list[int], tag: str = "x") -> str:
    """A run whose relevant document is at the rank given, behind as many unjudged ones; at rank 0 it is not returned."""
    lines = []
    for at, rank in enumerate(ranks):
        documents = [*(f"u{number}" for number in range(max(rank - 1, 0))), *(["d1"] if rank else []), "d0"]
        lines += [f"q{at:03} Q0 {doc} {place} {100 - place} {tag}\n" for place, doc in enumerate(documents, start=1)]
    return "".join(lines)


def at_rank(rank: int) -> float:
    """nDCG@10 of a query whose only relevant document is at this rank."""
    return 1 / math.log2(rank + 1) if rank else 0.0


@pytest.fixture(autouse=True)
def files(folder: Path) -> Path:
    """Eighty queries; `live` has each document second, `better` first, `worse` mostly third, `mixed` a little of both."""
    live = [2] * 80
    runs = {
        "live": live,
        "better": [1 if at % 2 else 2 for at in range(80)],
        "worse": [3 if at % 4 else 2 for at in range(80)],
        "mixed": [1 if at % 8 == 0 else 3 if at % 8 < 4 else 2 for at in range(80)],
        "hurt": [0 if at < 8 else 1 for at in range(80)],
    }
    (folder / "qrels.txt").write_text(qrels_of(80))
    for name, ranks in runs.items():
        (folder / f"{name}.run").write_text(run_of(ranks))
    groups = "".join(f"q{at:03},{'left' if at < 60 else 'right'}\n" for at in range(80))
    (folder / "queries.csv").write_text("query_id,side\n" + groups)
    return folder


def gate(ranklens: Ranklens, candidate: str, *more: str, baseline: str = "live.run", form: str = "json") -> Done:
    return ranklens(
        "gate", "--qrels", "qrels.txt", "--baseline", baseline, "--candidate", candidate, "--format", form, *more
    )


def test_a_better_candidate_passes_with_zero(files: Path, ranklens: Ranklens) -> None:
    done = gate(ranklens, "better.run")
    assert (done.code, done.err) == (0, "")
    found = done.json
    assert set(found) >= KEYS
    assert found["outcome"] == "pass"
    assert found["difference"] == pytest.approx((1 - at_rank(2)) / 2)
    assert (found["wins"], found["ties"], found["losses"], found["n"]) == (40, 40, 0, 80)
    assert (found["margin"], found["needed_n"]) == (0.02, None)
    assert found["inputs"]["qrels"]["sha256"] == hashlib.sha256((files / "qrels.txt").read_bytes()).hexdigest()
    assert [run["name"] for run in found["inputs"]["runs"]] == ["live", "better"]
    assert found["conventions"]["line"].startswith("nDCG@10 · linear gain (the grade)")


def test_a_regression_fails_with_one(ranklens: Ranklens) -> None:
    found = gate(ranklens, "worse.run")
    assert found.code == 1
    assert found.json["outcome"] == "fail"
    assert found.json["interval"][1] < 0
    assert "worse is worse than live" in found.json["reasons"][0]


def test_what_neither_bound_decides_exits_with_three_and_says_how_many_queries_would(ranklens: Ranklens) -> None:
    done = gate(ranklens, "mixed.run")
    assert (done.code, done.json["outcome"]) == (3, "not-enough-evidence")
    assert done.json["needed_n"] > 80
    assert f"About {done.json['needed_n']:,} queries would settle it." in done.json["reasons"][0]


@pytest.mark.parametrize(("undecided", "code"), [("pass", 0), ("warn", 0), ("fail", 1)])
def test_undecided_sets_the_exit_and_the_word_stays(ranklens: Ranklens, undecided: str, code: int) -> None:
    done = gate(ranklens, "mixed.run", "--undecided", undecided)
    assert (done.code, done.json["outcome"], done.json["exit_code"]) == (code, "not-enough-evidence", code)
    assert any("--undecided warn" in warning for warning in done.json["warnings"]) == (undecided == "warn")


def test_the_same_run_passes_whatever_its_size(files: Path, ranklens: Ranklens) -> None:
    (files / "qrels.txt").write_text(qrels_of(3))
    done = gate(ranklens, "live.run")
    assert (done.code, done.json["outcome"]) == (0, "pass")


def test_twenty_queries_are_not_enough(files: Path, ranklens: Ranklens) -> None:
    (files / "qrels.txt").write_text(qrels_of(20))
    done = gate(ranklens, "worse.run")
    assert (done.code, done.json["outcome"]) == (3, "not-enough-evidence")
    assert done.json["needed_n"] >= 50


def test_other_judgments_than_the_pinned_ones_are_not_compared(files: Path, ranklens: Ranklens) -> None:
    digest = hashlib.sha256((files / "qrels.txt").read_bytes()).hexdigest()
    assert gate(ranklens, "better.run", "--expect-qrels", digest.upper()).code == 0
    (files / "qrels.txt").write_text(qrels_of(80) + "q000 0 d2 1\n")
    done = gate(ranklens, "better.run", "--expect-qrels", digest)
    assert (done.code, done.json["outcome"]) == (2, "not-comparable")
    assert done.json["reasons"][0].startswith("Not comparable: the qrels are ")
    assert done.json["reasons"][0] in done.err


@pytest.mark.parametrize("lost", [0, 1])
def test_up_to_one_query_in_a_hundred_may_be_missing(files: Path, ranklens: Ranklens, lost: int) -> None:
    (files / "qrels.txt").write_text(qrels_of(100))
    (files / "live.run").write_text(run_of([2] * 100))
    (files / "part.run").write_text(run_of([1] * (99 - lost)))
    done = gate(ranklens, "part.run")
    assert (done.code, done.json["outcome"]) == ((0, "pass") if lost == 0 else (2, "not-comparable"))


@pytest.mark.parametrize("text", ["", "other Q0 d1 1 1 x\n"])
def test_a_run_that_answers_nothing_is_refused(files: Path, ranklens: Ranklens, text: str) -> None:
    (files / "empty.run").write_text(text)
    done = gate(ranklens, "empty.run")
    assert done.code == 2
    assert set(done.json) >= KEYS
    assert done.json["outcome"] == "not-comparable"
    assert done.json["difference"] is None
    assert done.json["error"]["problems"][0]["file"] == "empty.run"
    assert done.err.startswith("empty.run")


def test_a_run_without_a_judged_document_on_top_is_refused(files: Path, ranklens: Ranklens) -> None:
    lines = [f"q{at:03} Q0 x{place} {place} {100 - place} x\n" for at in range(80) for place in range(1, 21)]
    (files / "blind.run").write_text("".join(lines) + "q000 Q0 d1 99 0.5 x\n")
    done = gate(ranklens, "blind.run")
    assert (done.code, done.json["outcome"]) == (2, "not-comparable")
    assert "no judged document" in done.json["reasons"][0]


def test_a_guarded_slice_that_fell_fails_a_candidate_whose_mean_rose(files: Path, ranklens: Ranklens) -> None:
    # "left" (60 queries) falls from second to third place, "right" (20) rises from second to first by far more.
    (files / "qrels.txt").write_text(qrels_of(130))
    (files / "live.run").write_text(run_of([2] * 130))
    (files / "traded.run").write_text(run_of([3 if at < 60 else 1 for at in range(130)]))
    (files / "queries.csv").write_text(
        "query_id,side\n" + "".join(f"q{at:03},{'left' if at < 60 else 'right'}\n" for at in range(130))
    )
    free = gate(ranklens, "traded.run")
    assert (free.code, free.json["difference"] > 0) == (0, True)
    done = gate(ranklens, "traded.run", "--queries", "queries.csv", "--slice", "side")
    assert (done.code, done.json["outcome"]) == (1, "fail")
    assert done.json["reasons"] == [
        f'"left" (side) fell by {at_rank(2) - at_rank(3):.3f} nDCG@10 over 60 queries; no slice may lose more than 0.04.'
    ]
    assert {part["value"]: part["n"] for part in done.json["slices"]} == {"left": 60, "right": 70}


def test_an_attribute_in_which_all_queries_are_alike_guards_nothing_and_is_told(
    files: Path, ranklens: Ranklens
) -> None:
    (files / "queries.csv").write_text(
        "query_id,side\n" + "".join(f"q{at:03},left\n" for at in range(80)) + "other,right\n"
    )
    done = gate(ranklens, "better.run", "--queries", "queries.csv", "--slice", "side")
    assert (done.code, done.json["slices"]) == (0, [])
    assert 'All judged queries have the same "side", so it guards no slice.' in done.json["warnings"]


def test_a_tail_of_badly_hurt_queries_fails_and_one_is_a_warning(files: Path, ranklens: Ranklens) -> None:
    done = gate(ranklens, "hurt.run")
    assert done.code == 1
    assert "8 of 80 queries lost 0.30" in done.json["reasons"][0]
    (files / "one.run").write_text(run_of([0, *[1] * 79]))
    one = gate(ranklens, "one.run")
    assert one.code == 0
    assert any(warning.startswith("1 query lost 0.30") and '"q000"' in warning for warning in one.json["warnings"])


def test_a_query_of_the_must_not_break_list_fails_on_any_loss(files: Path, ranklens: Ranklens) -> None:
    (files / "one.run").write_text(run_of([3, *[1] * 79]))
    (files / "list.txt").write_text("\ufeff# the search box on the front page\nq001\n\n q000 \n")
    done = gate(ranklens, "one.run", "--must-not-break", "list.txt")
    assert (done.code, done.json["must_not_break"]) == (1, {"queries": 2, "lost": ["q000"]})
    (files / "list.txt").write_text("q001\n")
    assert gate(ranklens, "one.run", "--must-not-break", "list.txt").code == 0
    (files / "list.txt").write_text("q001\nq999\n")
    unknown = gate(ranklens, "one.run", "--must-not-break", "list.txt")
    assert (unknown.code, unknown.json["outcome"]) == (2, "not-comparable")
    assert '"q999"' in unknown.json["reasons"][0]


def test_input_comes_before_everything_else(files: Path, ranklens: Ranklens) -> None:
    (files / "list.txt").write_text("q999\n")
    (files / "part.run").write_text(run_of([3] * 40))
    done = gate(ranklens, "part.run", "--must-not-break", "list.txt", "--expect-qrels", "0" * 64)
    assert done.code == 2
    assert len(done.json["reasons"]) == 3


def test_a_run_that_is_judged_far_less_cannot_fail_and_one_judged_far_more_cannot_pass(
    files: Path, ranklens: Ranklens
) -> None:
    # The judged run has the document second among judged ones, the other third among unjudged ones: 0.131 less everywhere.
    grades = "".join(f"q{at:03} 0 z{n} 0\n" for at in range(80) for n in range(9))
    (files / "qrels.txt").write_text(qrels_of(80) + grades)
    for name, documents in (
        ("judged", ["z0", "d1", *(f"z{n}" for n in range(1, 9))]),
        ("unjudged", ["u0", "u1", "d1", *(f"u{n}" for n in range(2, 9))]),
    ):
        lines = [f"q{at:03} Q0 {doc} {n} {50 - n} x\n" for at in range(80) for n, doc in enumerate(documents)]
        (files / f"{name}.run").write_text("".join(lines))
    for candidate, baseline in (("unjudged", "judged"), ("judged", "unjudged")):
        done = gate(ranklens, f"{candidate}.run", baseline=f"{baseline}.run")
        assert (done.code, done.json["outcome"]) == (3, "not-enough-evidence")
        shares = {"judged": 1.0, "unjudged": 0.1}
        assert done.json["judged"] == {"k": 10, "candidate": shares[candidate], "baseline": shares[baseline]}
    # Without a grade of 0 or below, judged means relevant, and the same runs decide.
    (files / "qrels.txt").write_text(qrels_of(80).replace("d0 0", "d0 1"))
    assert gate(ranklens, "unjudged.run", baseline="judged.run").code == 1


def test_files_of_several_runs_are_refused(files: Path, ranklens: Ranklens) -> None:
    (files / "two.run").write_text(run_of([1] * 80, "one") + run_of([2] * 80, "two"))
    done = gate(ranklens, "two.run")
    assert done.code == 2
    assert "the files hold 3 runs" in done.json["reasons"][0]


def test_runs_are_named_and_standard_input_is_a_run(files: Path, ranklens: Ranklens) -> None:
    done = ranklens(
        "gate", "--qrels", "qrels.txt", "--baseline", "live.run", "--candidate", "v2=-", "--format", "json",
        stdin=(files / "better.run").read_bytes(),
    )  # fmt: skip
    assert (done.code, done.json["candidate"]) == (0, "v2")


def test_the_same_input_gives_the_same_bytes_whatever_the_order_of_lines(files: Path, ranklens: Ranklens) -> None:
    for form in ("json", "md", "junit", "table"):
        first = gate(ranklens, "mixed.run", "--queries", "queries.csv", "--slice", "side", form=form)
        again = gate(ranklens, "mixed.run", "--queries", "queries.csv", "--slice", "side", form=form)
        assert (first.code, first.out) == (again.code, again.out)
    before = gate(ranklens, "mixed.run").json
    lines = (files / "mixed.run").read_text().splitlines(keepends=True)
    (files / "mixed.run").write_text("".join(reversed(lines)))
    after = gate(ranklens, "mixed.run").json
    assert {**before, "inputs": None} == {**after, "inputs": None}


# --- what a team pins


CONFIG = """
qrels = "qrels.txt"
baseline = "live.run"
queries = ["queries.csv"]
slice = "side"
margin = 0.03
undecided = "warn"
relevance-level = 1
"""


def test_a_file_pins_options_and_the_command_line_wins(files: Path, ranklens: Ranklens) -> None:
    pins = files / "pins"
    pins.mkdir()
    for name in ("qrels.txt", "live.run", "queries.csv"):
        (files / name).rename(pins / name)
    (pins / "gate.toml").write_text(CONFIG)
    done = ranklens("gate", "--config", "pins/gate.toml", "--candidate", "better.run", "--format", "json")
    assert (done.code, done.json["margin"], len(done.json["slices"])) == (0, 0.03, 2)
    asked = ranklens(
        "gate", "--config", "pins/gate.toml", "--candidate", "better.run", "--margin", "0.5", "--format", "json"
    )
    assert asked.json["margin"] == 0.5
    assert str(files) not in asked.out


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("margn = 1", 'gate.toml: unknown key "margn"', 'did you mean "margin"?'),
        ("must_not_break = 'x'", 'gate.toml: unknown key "must_not_break"', 'did you mean "must-not-break"?'),
        ("format = 'json'", 'gate.toml: unknown key "format"', "the keys are"),
        ("margin = -1", 'gate.toml: "margin": -1', None),
        ("margin = true", 'gate.toml: "margin": a text or a number is wanted', None),
        ("margin = [0.1]", 'gate.toml: "margin": one value is wanted, not a list', None),
        ("undecided = 'maybe'", "gate.toml: \"undecided\": 'maybe' is not one of", None),
        ("strict = 'yes'", 'gate.toml: "strict": true or false is wanted', None),
        ("expect-qrels = 'abc'", 'gate.toml: "expect-qrels": "abc" is not a SHA-256', None),
        ("[gate]\nmargin = 1", 'gate.toml: unknown key "gate"', "the keys are"),
        ("margin = x", "gate.toml: is not TOML: Invalid value (at line 1, column 10)", None),
        ("slice = [1.5, {a = 1}]", 'gate.toml: "slice": a text or a number is wanted', None),
    ],
)
def test_a_file_that_pins_nonsense_is_refused_by_key(
    files: Path, ranklens: Ranklens, text: str, message: str, hint: str | None
) -> None:
    (files / "gate.toml").write_text(text)
    done = gate(ranklens, "better.run", "--config", "gate.toml")
    assert done.code == 2
    assert done.err.startswith(message), done.err
    assert done.json["outcome"] == "not-comparable"
    if hint:
        assert f"hint: {hint}" in done.err


def test_a_pinned_file_that_is_not_there_is_told(ranklens: Ranklens) -> None:
    done = gate(ranklens, "better.run", "--config", "none.toml")
    assert (done.code, done.err) == (2, "none.toml: cannot be opened: No such file or directory\n")


# --- a bundle as the baseline


def bundle(files: Path, *runs: str) -> None:
    inputs = Inputs(
        qrels=(Piece(Given.of(files / "qrels.txt")),),
        runs=tuple(Piece(Given.of(files / run)) for run in runs),
        queries=(Piece(Given.of(files / "queries.csv")),),
    )
    (files / "live.ranklens").write_bytes(write_bundle(open_comparison(inputs)))


def test_a_bundle_is_a_baseline_with_its_numbers_and_its_query_metadata(files: Path, ranklens: Ranklens) -> None:
    bundle(files, "live.run")
    of_file = gate(ranklens, "mixed.run", "--queries", "queries.csv", "--slice", "side").json
    done = gate(ranklens, "mixed.run", "--slice", "side", baseline="live.ranklens")
    for key in ("outcome", "reasons", "difference", "interval", "lower_bound", "slices", "needed_n"):
        assert done.json[key] == of_file[key]


def test_a_bundle_of_several_runs_is_asked_which(files: Path, ranklens: Ranklens) -> None:
    bundle(files, "live.run", "worse.run")
    done = gate(ranklens, "better.run", baseline="live.ranklens")
    assert (done.code, done.json["reasons"]) == (2, ['live.ranklens: holds several runs: "live", "worse"'])
    named = gate(ranklens, "better.run", baseline="worse=live.ranklens")
    assert (named.code, named.json["baseline"]) == (0, "worse")
    wrong = gate(ranklens, "better.run", baseline="x=live.ranklens")
    assert wrong.json["reasons"] == ['live.ranklens: holds no run "x": "live", "worse"']


def test_a_bundle_of_other_judgments_or_conventions_is_not_compared(files: Path, ranklens: Ranklens) -> None:
    bundle(files, "live.run")
    other = gate(ranklens, "better.run", "--order", "rank", baseline="live.ranklens")
    assert other.code == 2
    assert "was made with --order score: not comparable" in other.json["reasons"][0]
    (files / "qrels.txt").write_text(qrels_of(81))
    done = gate(ranklens, "better.run", baseline="live.ranklens")
    assert (done.code, done.json["outcome"]) == (2, "not-comparable")
    assert "was made with the qrels" in done.json["reasons"][0]


# --- reports


def test_the_table_says_the_outcome_first_and_the_conventions_last(ranklens: Ranklens) -> None:
    lines = gate(ranklens, "better.run", form="table").out.splitlines()
    assert lines[0] == "Pass: better against live, nDCG@10"
    assert lines[-1].startswith("nDCG@10 · linear gain")


def test_markdown_for_a_pull_request_is_short_and_escapes_names(files: Path, ranklens: Ranklens) -> None:
    (files / "evil.run").write_text((files / "better.run").read_text())
    groups = "".join(f"q{at:03},g{at % 8}|<b>\n" for at in range(80))
    (files / "queries.csv").write_text("query_id,group\n" + groups)
    done = gate(ranklens, "*evil* @all=evil.run", "--queries", "queries.csv", "--slice", "group", form="md")
    assert done.code == 0
    assert done.out.startswith("### Pass: \\*evil\\* \\@all against live, nDCG\\@10\n")
    assert len(done.out.splitlines()) < 30
    assert "<b>" not in done.out.replace("\\<b\\>", "")


def test_markdown_of_a_refusal_holds_the_reasons(files: Path, ranklens: Ranklens) -> None:
    (files / "empty.run").write_text("")
    done = gate(ranklens, "empty.run", "--out", "gate.md", form="md")
    assert (done.code, done.out) == (2, "")
    assert (files / "gate.md").read_text().startswith("### Not comparable: the files could not be read\n\n- empty.run")


@pytest.mark.parametrize(
    ("candidate", "more", "counts", "element"),
    [
        ("better.run", (), ("0", "0", "0"), None),
        ("worse.run", (), ("1", "0", "0"), "failure"),
        ("mixed.run", (), ("1", "0", "0"), "failure"),
        ("mixed.run", ("--undecided", "warn"), ("0", "0", "1"), "skipped"),
        ("better.run", ("--expect-qrels", "0" * 64), ("0", "1", "0"), "error"),
        ("nothing.run", (), ("0", "1", "0"), "error"),
    ],
)
def test_junit_tells_each_outcome_as_build_servers_do(
    ranklens: Ranklens, candidate: str, more: tuple[str, ...], counts: tuple[str, ...], element: str | None
) -> None:
    done = gate(ranklens, candidate, *more, form="junit")
    root = ElementTree.fromstring(done.out)  # noqa: S314 - our own text
    suite = root[0]
    assert tuple(suite.attrib[name] for name in ("failures", "errors", "skipped")) == counts
    assert [child.tag for child in suite[0]] == ([element] if element else ["system-out"])


def test_junit_has_a_case_for_each_slice_that_can_block_and_survives_any_name(files: Path, ranklens: Ranklens) -> None:
    (files / "queries.csv").write_text(
        "query_id,side\n" + "".join(f"q{at:03},{side}\n" for at, side in enumerate(['"<&>"""'] * 60 + ["x"] * 20))
    )
    done = gate(ranklens, "worse.run", "--queries", "queries.csv", "--slice", "side", form="junit")
    suite = ElementTree.fromstring(done.out)[0]  # noqa: S314 - our own text
    assert [(case.attrib["name"], [child.tag for child in case]) for case in suite] == [
        ("worse against live, nDCG@10", ["failure"]),
        ('side: <&>"', ["failure"]),
    ]


def test_github_gets_annotations_and_nobody_else_does(ranklens: Ranklens, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "::" not in gate(ranklens, "worse.run").err
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    failed = gate(ranklens, "worse.run")
    assert failed.err.startswith("::error title=Ranklens%3A fail::worse is worse than live by about 0.")
    assert failed.json["outcome"] == "fail"
    assert "::notice title=Ranklens%3A pass::" in gate(ranklens, "better.run").err
    warned = gate(ranklens, "mixed.run", "--undecided", "warn")
    assert warned.err.startswith("::warning title=Ranklens%3A not enough evidence::Not enough evidence: ")
    refused = gate(ranklens, "100%\n,:=nothing.run")
    assert "100%25" not in refused.err.splitlines()[0]
    assert "::error title=Ranklens%3A not comparable::" in refused.err
    assert all(line.startswith(("::", "nothing.run", "hint")) for line in refused.err.splitlines())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--expect-qrels", "abc"), '"abc" is not a SHA-256'),
        (("--measure", "nDGC@10"), "nDGC@10"),
        (("--margin", "nan"), "nan"),
        (("--undecided", "maybe"), "maybe"),
        (("--slice", "nothing"), 'no attribute "nothing"'),
        (("--nonsense",), "No such option"),
        (("--must-not-break", "none.txt"), "none.txt"),
    ],
)
def test_what_is_asked_wrongly_is_refused_in_the_gates_own_object(
    ranklens: Ranklens, arguments: tuple[str, ...], said: str
) -> None:
    done = gate(ranklens, "better.run", *arguments)
    assert done.code == 2
    assert set(done.json) >= KEYS
    assert done.json["outcome"] == "not-comparable"
    assert said in done.err
    assert json.dumps(done.json["reasons"]) != "[]"


def test_every_number_of_the_decision_is_in_the_json(ranklens: Ranklens) -> None:
    found: dict[str, Any] = gate(ranklens, "mixed.run").json
    assert found["rules"] == {
        "margin": 0.02, "fewest_queries": 50, "fewest_changed": 10, "easy_queries": 200, "missing_share": 0.01,
        "judged_gap": 0.1, "hurt_share": 0.02, "slice_queries": 50, "seed": 20_240_607, "resamples": 9_999, "flips": 99_999,
    }  # fmt: skip
    assert found["judged"]["k"] == 10


def test_a_gate_by_another_measure_and_gains_of_ones_own(ranklens: Ranklens) -> None:
    assert gate(ranklens, "better.run", "--measure", "RR").json["measure"] == "RR"
    assert gate(ranklens, "better.run", "--measure", "RR").json["judged"]["k"] == 100
    own = gate(ranklens, "better.run", "--gains", "1=5")
    assert own.json["measure"] == "nDCG(gains={1:5})@10"


def test_help_teaches_the_exit_codes() -> None:
    assert main(["gate", "--help"]) == 0
