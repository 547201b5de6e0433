import json
import random
from typing import Any

import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from core.cli import ranklens
from pages.shared.compare_parts import p_value
from tests.comparison.made import collection
from tests.conftest import REPOSITORY
from tests.pages.dashboard import brought, headings, metrics, opened, qrels_text, said
from tests.scoring.collections import Grades, Scored

SAMPLE = REPOSITORY / "sample_data" / "support_search"
RUNS = ("bm25", "char-tfidf", "embeddings", "hybrid-rrf", "hybrid-rerank")


@pytest.fixture(scope="module")
def command_line() -> dict[tuple[str, str], dict[str, Any]]:
    """What `ranklens compare` says of the sample, by candidate and measure."""
    arguments = ["compare", "--qrels", str(SAMPLE / "qrels.txt"), "--queries", str(SAMPLE / "queries.csv")]
    arguments += [part for run in RUNS for part in ("--run", str(SAMPLE / f"{run}.run"))]
    arguments += ["--measure", "nDCG@10", "--measure", "nDCG(dcg='exp-log2')@5", "--format", "json"]
    result = CliRunner().invoke(ranklens, arguments)
    assert result.exit_code == 0, result.output
    return {(row["candidate"], row["measure"]): row for row in json.loads(result.stdout)["comparisons"]}


def signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


@pytest.mark.parametrize(
    ("measure", "address"), [("nDCG@10", {}), ("nDCG(dcg='exp-log2')@5", {"k": "5", "gain": "Exponential"})]
)
def test_every_part_is_the_number_of_the_command_line(
    command_line: dict[tuple[str, str], dict[str, Any]], measure: str, address: dict[str, str]
) -> None:
    row = command_line["hybrid-rrf", measure]
    app = opened("compare", address={"d": "sample", "vs": "hybrid-rrf", **address})
    shown = metrics(app)
    low, high = row["interval"]
    assert shown["Mean difference"] == signed(row["difference"])
    assert shown["95 % interval"] == f"{signed(low)} to {signed(high)}"
    low, high = row["interval_simultaneous"]
    assert shown["95 % interval for 4 comparisons"] == f"{signed(low)} to {signed(high)}"
    assert shown["Better / same / worse"] == f"{row['wins']} / {row['ties']} / {row['losses']}"
    assert shown["Effect size"] == f"{row['effect_size']:+.2f}".replace("-", "−")
    assert shown["Smallest difference that would show"] == f"{row['detectable']:.3f}"
    assert shown["Largest query"] == f"{row['largest_share']:.0%} of all change"
    assert shown["Badly hurt"] == f"{row['badly_hurt']} of {row['n']}"
    assert shown["p-value"] == p_value(row["p_value"])
    assert shown["p-value for 4 comparisons"] == p_value(row["p_holm"])
    assert row["verdict"]["sentence"] in said(app)


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (None, "–"),
        (1.0, "1.00"),
        (0.83, "0.83"),
        (0.0971, "0.097"),
        (0.00123, "0.0012"),
        (1e-5, "0.000010"),
        (9e-13, "below 0.00001"),
    ],
)
def test_a_p_value_is_written_out_with_two_digits(p: float | None, said: str) -> None:
    assert p_value(p) == said


def test_a_deep_link_restores_pair_measure_slice_and_part() -> None:
    app = opened(
        "compare",
        address={
            "d": "sample",
            "base": "embeddings",
            "vs": "bm25",
            "k": "5",
            "gain": "Exponential",
            "slice": "intent",
            "in": ["how-to"],
            "part": "All pairs",
        },
    )
    assert app.selectbox(key="vs").value == "bm25"
    assert "bm25" in app.title[0].value
    assert "embeddings" in app.title[0].value
    assert "nDCG@5 · exponential gain" in said(app)
    assert "intent = how-to" in said(app)
    assert "can be told apart" in app.header[0].value
    assert app.get("vega_lite_chart")


def test_only_the_part_that_is_open_is_drawn() -> None:
    for part, heading in (
        ("In parts", "The verdict in its parts"),
        ("Does it hold", "The verdict holds in"),
        ("Judge next", "Judge these first"),
        ("Versions", "Two versions of the judgments"),
    ):
        app = opened("compare", d="sample", vs="hybrid-rerank", part=part)
        assert [each.startswith(heading) for each in headings(app)] == [True], part


def test_without_files_the_page_says_what_it_answers_and_where_to_go() -> None:
    app = opened("compare")
    assert app.title[0].value == "Compare"
    assert "Bring judgments and two runs" in said(app)


def test_one_run_alone_says_what_is_needed() -> None:
    made = collection(queries=6)
    app = opened("compare", d=brought(made.grades, {"old": made.scored["old"]}))
    assert app.title[0].value == "A second run is needed to compare"
    assert not app.metric


def pair(queries: int, *, seed: int = 3) -> tuple[Grades, dict[str, Scored]]:
    chance = random.Random(seed)
    grades: Grades = {f"q{at:03}": {"a": 2.0, "b": 1.0, "c": 0.0} for at in range(queries)}
    old: Scored = {query: {"c": 3.0, "b": 2.0 + chance.random(), "a": chance.random()} for query in grades}
    new: Scored = {query: {"a": 3.0, "b": 2.0 + 2 * chance.random(), "x": chance.random()} for query in grades}
    return grades, {"old": old, "new": new}


def test_too_few_queries_show_no_p_value_and_no_colour() -> None:
    token = brought(*pair(12))
    app = opened("compare", d=token)
    assert "on too few queries to judge" in app.title[0].value
    assert (metrics(app)["p-value"], metrics(app)["Does it win more often?"]) == ("–", "–")
    held = opened("compare", d=token, part="Does it hold")
    assert not held.get("vega_lite_chart")
    table = held.dataframe[0]
    assert "blue" not in table.proto.columns
    assert "orange" not in table.proto.columns
    pairs = opened("compare", d=token, part="All pairs")
    assert pairs.dataframe[-1].value["p"].tolist() == ["–"]


def test_enough_queries_show_them() -> None:
    token = brought(*pair(40))
    app = opened("compare", d=token)
    assert app.title[0].value.startswith("new beats old by ")
    assert metrics(app)["p-value"] == "0.000010"
    held = opened("compare", d=token, part="Does it hold")
    assert held.get("vega_lite_chart")
    assert "blue" in held.dataframe[-1].proto.columns


def test_runs_that_are_the_same_are_said_to_be() -> None:
    grades, scored = pair(30)
    token = brought(grades, {"old": scored["old"], "new": scored["old"]})
    app = opened("compare", d=token)
    assert app.title[0].value == "new and old score the same"
    assert metrics(app)["Mean difference"] == "+0.000"
    assert metrics(app)["p-value"] == "–"
    for part in ("Does it hold", "All pairs", "Judge next", "Versions"):
        opened("compare", d=token, part=part)


def test_one_query_gives_words_in_every_part() -> None:
    token = brought(*pair(1))
    for part in ("In parts", "Does it hold", "All pairs", "Judge next", "Versions"):
        text = said(opened("compare", d=token, part=part))
        assert "nan" not in text.casefold().replace("finance", "")
    assert metrics(opened("compare", d=token))["95 % interval"] == "–"


def test_nothing_judged_in_the_top_is_no_error() -> None:
    grades: Grades = {f"q{at:02}": {"a": 1.0} for at in range(30)}
    old: Scored = {query: {f"x{at}": 9.0 - at for at in range(5)} for query in grades}
    new: Scored = {query: {f"y{at}": 9.0 - at for at in range(5)} for query in grades}
    token = brought(grades, {"old": old, "new": new})
    assert opened("compare", d=token).title[0].value == "new and old score the same"
    queue = opened("compare", d=token, part="Judge next")
    assert headings(queue) == ["Judge these first: 300 unjudged documents that would move the difference"]


def test_the_queue_names_no_columns_that_nothing_is_known_of() -> None:
    grades, scored = pair(30)
    for query in grades:
        scored["old"][query]["y"] = 2.5
    queue = opened("compare", d=brought(grades, scored), part="Judge next").dataframe[0].value
    assert list(queue.columns) == ["query_id", "doc_id", "rank_baseline", "rank_candidate", "change"]
    sampled = opened("compare", d="sample", vs="hybrid-rerank", part="Judge next").dataframe[0].value
    assert {"query_text", "title"} <= set(sampled.columns)


def test_where_all_is_judged_there_is_nothing_to_judge_first() -> None:
    grades, scored = pair(30)
    for query in grades:
        del scored["new"][query]["x"]
    app = opened("compare", d=brought(grades, scored), part="Judge next")
    assert app.header[0].value == "No unjudged document could move the verdict by itself"
    assert not app.get("download_button")


def joined() -> str:
    grades, scored = pair(40)
    more = {
        "judged later.csv": "query_id,query_text,doc_id,relevance\n"
        + "".join(f"{query},some text,x,2\n" for query in list(grades)[:9])
    }
    return brought(grades, scored, **more)


def test_judgments_that_joined_are_counted_with_what_became_of_the_verdicts() -> None:
    app = opened("compare", d=joined(), part="Versions")
    assert app.selectbox(key="v1").value == "qrels.txt"
    assert app.selectbox(key="v2").value == "All files joined"
    assert "9 judgments joined." in said(app)
    assert "120 pairs are judged in both: 100.0% have the same grade, 0 grades changed" in said(app)
    assert app.dataframe[0].value["run"].tolist() == ["new"]


def test_a_version_brought_here_is_held_against_the_judgments_and_does_not_join_them() -> None:
    grades, scored = pair(40)
    turned = {query: {"a": 0.0, "b": 1.0, "c": 2.0} for query in grades}
    app = opened("compare", d=brought(grades, scored), part="Versions")
    assert "There is one file of judgments" in said(app)
    app.file_uploader(key="_version").set_value([("turned.txt", qrels_text(turned).encode(), "text/plain")])
    app.run()
    assert not app.exception
    assert "1 verdict moves: new." in said(app)
    assert "33.3% have the same grade, 80 grades changed" in said(app)
    assert "120 judgments" not in said(app)
    assert app.title[0].value.startswith("new beats old")


def test_a_version_that_cannot_be_read_is_said_to_be_so() -> None:
    app = opened("compare", d=brought(*pair(30)), part="Versions")
    app.file_uploader(key="_version").set_value([("not judgments.txt", b"hello\n", "text/plain")])
    app.run()
    assert not app.exception
    assert "cannot be read as judgments" in app.error[0].value


def test_names_from_files_are_text_and_never_markdown() -> None:
    grades, scored = pair(30)
    token = brought(grades, {"old": scored["old"], "![x](http:evil)": scored["new"]})
    for part in ("In parts", "Does it hold", "All pairs", "Judge next"):
        app = opened("compare", d=token, part=part)
        raw = [each.value for each in (*app.title, *app.header, *app.markdown)]
        assert not [text for text in raw if "![x]" in text], part


def test_the_page_is_the_first_thing_of_a_session_and_app_py_runs_around_it() -> None:
    app: AppTest = opened("compare", d="sample")
    assert app.session_state["_app"]
    assert app.sidebar.selectbox(key="base").value == "bm25"
