"""Health notices: each is raised by what it is about, with count, examples and effect, and by nothing else."""

from typing import Any

import polars as pl
import pytest

from core.health import notices, with_effects
from core.model.conventions import Conventions
from core.model.measure import Measure
from core.model.metadata import QueryMetadata
from core.model.qrels import Source
from core.model.run import Run
from core.notices import Notice
from tests.scoring.collections import DIGEST, Grades, Scored, qrels_of, run_of

NDCG = Measure.parse("nDCG@10")
# Two queries with six judgments of three grades each, and a run of 10 documents that are all judged: nothing to say.
CALM: Grades = {query: {f"d{at}": at % 3 for at in range(10)} for query in ("q1", "q2")}
CALM_RUN: Scored = {query: {f"d{at}": float(-at) for at in range(10)} for query in ("q1", "q2")}


def raised(
    grades: Grades,
    *runs: Scored,
    measure: str = "nDCG@10",
    shown: str = "",
    metadata: dict[str, list[Any]] | None = None,
    columns: pl.DataFrame | None = None,
    **conventions: Any,
) -> dict[str, list[Notice]]:
    """The notices by code; runs are called A, B, …"""
    built: list[Run] = [run_of(grades, run, "ABC"[at]) for at, run in enumerate(runs)]
    table = QueryMetadata(pl.DataFrame(metadata), (Source("meta.csv", DIGEST),), 1) if metadata else None
    found: dict[str, list[Notice]] = {}
    measures = [Measure.parse(name) for name in shown.split()]
    qrels = qrels_of(grades, columns=columns)
    for notice in notices(qrels, built, table, Measure.parse(measure), Conventions(**conventions), measures):
        found.setdefault(notice.code, []).append(notice)
    return found


def only(found: dict[str, list[Notice]], code: str) -> Notice:
    (notice,) = found[code]
    assert notice.message.endswith(".")
    return notice


def readings(notice: Notice) -> dict[str, float | None]:
    assert notice.effect is not None
    return dict(notice.effect.readings)


def test_a_calm_collection_has_nothing_to_say() -> None:
    assert raised(CALM, CALM_RUN, CALM_RUN) == {}
    assert raised(CALM) == {}


def test_missing_queries_show_both_means() -> None:
    grades: Grades = CALM | {"q3": {f"d{at}": 2 for at in range(10)}}
    notice = only(raised(grades, CALM_RUN, measure="DCG@1"), "missing-queries")
    assert (notice.severity, notice.about, notice.count, notice.examples) == ("warning", "A", 1, ("q3",))
    assert notice.message == "A does not answer 1 of 3 judged queries; each scores 0 and stays in its mean."
    found = readings(only(raised(grades, CALM_RUN, measure="P@10"), "missing-queries"))
    assert found == {"zero": pytest.approx(0.4), "exclude": pytest.approx(0.6)}
    left_out = only(raised(grades, CALM_RUN, missing="exclude"), "missing-queries")
    assert left_out.message.endswith("; they are left out of its mean.")


def test_the_missing_effect_respects_what_is_done_with_undefined_queries() -> None:
    grades: Grades = {"a": {"d": 1}, "b": {"d": 1}, "c": {"d": 0}}
    run: Scored = {"a": {"d": 1}, "c": {"d": 1}}
    assert readings(only(raised(grades, run), "missing-queries")) == {"zero": pytest.approx(1 / 3), "exclude": 0.5}
    assert readings(only(raised(grades, run, undefined="exclude"), "missing-queries")) == {"zero": 0.5, "exclude": 1.0}


def test_undefined_queries_show_both_means() -> None:
    grades: Grades = CALM | {"q0": dict.fromkeys((f"d{at}" for at in range(10)), 0)}
    run: Scored = CALM_RUN | {"q0": CALM_RUN["q1"]}
    found = raised(grades, run, run, measure="RR@10")
    notice = only(found, "undefined-queries")
    assert (notice.severity, notice.about, notice.count, notice.examples) == ("warning", "qrels.txt", 1, ("q0",))
    assert readings(notice) == {"zero": pytest.approx(1 / 3), "exclude": pytest.approx(1 / 2)}
    assert notice.message == (
        "1 query has no document with a grade of 1 or more, so every run scores 0 there; it stays in the mean as 0 "
        "(effect shown for A)."
    )


def test_undefined_follows_the_measure() -> None:
    assert only(raised(CALM | {"q0": {"d": 1}}, measure="R@5", relevance_level=2), "undefined-queries").examples == (
        "q0",
    )
    assert "undefined-queries" not in raised(CALM | {"q0": {"d": 1}}, measure="nDCG@5", relevance_level=2)
    assert only(raised(CALM | {"q0": {"d": 0}}, measure="P@5"), "undefined-queries").effect is None


def test_queries_without_judgments_are_counted() -> None:
    notice = only(raised(CALM, CALM_RUN | {"z1": {"a": 1}, "z2": {"a": 1}}), "extra-queries")
    assert (notice.severity, notice.count, notice.examples) == ("info", 2, ("z1", "z2"))
    assert notice.message == "A answers 2 queries without judgments; they are left out."


def test_a_run_shallower_than_the_deepest_cutoff_is_told() -> None:
    notice = only(raised(CALM, CALM_RUN, shown="nDCG@10 R@100"), "shallow-run")
    assert (notice.severity, notice.count) == ("info", 2)
    assert "10 documents for a typical query, while measures look down to rank 100" in notice.message
    short: Scored = {query: dict(list(docs.items())[:4]) for query, docs in CALM_RUN.items()}
    assert only(raised(CALM, short), "shallow-run").severity == "warning"


def test_unjudged_documents_are_a_share_of_what_was_returned() -> None:
    half: Scored = {query: {f"d{at}": float(-at) for at in range(5, 15)} for query in ("q1", "q2")}
    notice = only(raised(CALM, CALM_RUN, half), "unjudged")
    assert (notice.about, notice.count) == ("B", 10)
    assert notice.examples == ("q1: d10", "q1: d11", "q1: d12", "q1: d13", "q1: d14")
    assert notice.message == (
        "10 documents in the top 10 of B (50%) nobody judged; they count as not relevant, while A has 0%, "
        "so the comparison may be unfair to B."
    )
    # Three documents, all judged: judged@10 is 0.3, and nothing is unjudged.
    few: Scored = {query: {"d1": 3.0, "d2": 2.0, "d3": 1.0} for query in ("q1", "q2")}
    assert "unjudged" not in raised(CALM, CALM_RUN, few)


def test_runs_that_are_judged_alike_and_enough_are_not_told() -> None:
    most: Scored = {
        query: {f"d{at}": float(-at) for at in range(4, 10)} | {f"x{at}": 1.0 + at for at in range(4)} for query in CALM
    }
    assert "unjudged" not in raised(CALM, most, most)
    assert only(raised(CALM, most, CALM_RUN), "unjudged").about == "A"


def test_ties_in_the_top_show_the_lowest_and_the_highest_mean() -> None:
    grades: Grades = {"a1": {"m": 1}}
    notice = only(raised(grades, {"a1": {"m": 1.0, "z": 1.0, "b": 1.0}}), "ties")
    assert (notice.severity, notice.about, notice.count, notice.examples) == ("warning", "A", 1, ("a1",))
    assert readings(notice) == {"low": 0.5, "high": 1.0}
    assert notice.effect is not None
    assert notice.effect.measure == "nDCG@10"


def test_ties_that_change_nothing_are_told_without_effect_and_ties_below_the_top_not_at_all() -> None:
    alike: Scored = CALM_RUN | {"q1": CALM_RUN["q1"] | {"d2": -2.0, "d5": -2.0}}
    notice = only(raised(CALM, alike), "ties")
    assert (notice.severity, notice.count, notice.effect) == ("info", 1, None)
    below: Scored = {query: docs | {"d8": -8.0, "d9": -8.0} for query, docs in CALM_RUN.items()}
    assert "ties" not in raised(CALM, below, measure="nDCG@8")
    unjudged: Scored = {query: docs | {"x": 5.0, "y": 5.0} for query, docs in CALM_RUN.items()}
    assert "ties" not in raised(CALM, unjudged)


def test_own_ids_show_the_mean_without_them() -> None:
    notice = only(raised({"x1": {"x7": 1}}, {"x1": {"x1": 1.0, "x7": 0.8}}), "own-id-retrieved")
    assert (notice.severity, notice.count, notice.examples) == ("warning", 1, ("x1",))
    assert readings(notice) == {"as_read": pytest.approx(0.6309297535714575), "otherwise": 1.0}


@pytest.mark.parametrize(
    ("grades", "code", "severity", "count", "examples"),
    [
        ([1.5, 2, 0.5], "fractional-grades", "info", 2, ("q: d0 (1.5)", "q: d2 (0.5)")),
        ([-1, 2, -2], "negative-grades", "info", 2, ("q: d0 (-1)", "q: d2 (-2)")),
        ([1, 0, 1], "binary-grades", "info", 2, ()),
        ([40, 39, 5], "large-grades", "warning", 2, ("q: d0 (40)", "q: d1 (39)")),
        ([1001, 1000, 999], "large-grades", "error", 1, ("q: d0 (1001)",)),
        ([1, 11, 1, 1], "outlier-grade", "warning", 1, ("q: d1 (11)",)),
        ([0, 1, 2], "few-judgments", "warning", 1, ("q (3)",)),
    ],
)
def test_grades_that_touch_the_numbers_are_told(
    grades: list[float], code: str, severity: str, count: int, examples: tuple[str, ...]
) -> None:
    notice = only(raised({"q": {f"d{at}": grade for at, grade in enumerate(grades)}}), code)
    assert (notice.severity, notice.about, notice.count, notice.examples) == (severity, "qrels.txt", count, examples)


@pytest.mark.parametrize(
    ("grades", "code"),
    [
        ([1.0, 2.0, 0.0], "fractional-grades"),
        ([0, 1, 2], "negative-grades"),
        ([0, 2], "binary-grades"),
        ([1, 0.5], "binary-grades"),
        ([0], "binary-grades"),
        ([30, 0], "large-grades"),
        ([1, 11, 11], "outlier-grade"),
        ([1, 5], "outlier-grade"),
        ([9], "outlier-grade"),
        ([0, 1, 2, 3, 0], "few-judgments"),
    ],
)
def test_usual_grades_are_not_told(grades: list[float], code: str) -> None:
    assert code not in raised({"q": {f"d{at}": grade for at, grade in enumerate(grades)}})


def test_few_judgments_need_a_third_of_the_queries() -> None:
    many: Grades = {f"q{at}": CALM["q1"] for at in range(7)}
    assert only(raised(many | {f"z{at}": {"d": 1} for at in range(4)}), "few-judgments").count == 4
    assert "few-judgments" not in raised(many | {f"z{at}": {"d": 1} for at in range(3)})


def test_gaps_in_the_metadata_are_counted_by_column() -> None:
    metadata: dict[str, list[Any]] = {
        "query_id": ["q1", "q9"],
        "text": ["how?", "what?"],
        "intent": [None, "x"],
        "length": [2.0, None],
    }
    notice = only(raised(CALM, metadata=metadata), "metadata-gaps")
    assert (notice.severity, notice.about, notice.count, notice.examples) == ("info", "meta.csv", 2, ("q1", "q2"))
    assert notice.message == (
        '1 judged query has no row in the metadata; there is no value in "intent" for 1 query. Slices show them as (none).'
    )
    assert raised(CALM, metadata={"query_id": ["q1", "q2"], "intent": ["a", "b"]}) == {}


def scales(narrow: int, wide: int) -> tuple[Grades, dict[str, list[Any]]]:
    """Queries of two sources: grades to 1 in tickets, to 4 in docs."""
    grades: Grades = {f"t{at}": dict.fromkeys("abcde", 1) for at in range(narrow)}
    grades |= {f"w{at}": dict(zip("abcde", range(5), strict=True)) for at in range(wide)}
    ids = sorted(grades)
    return grades, {"query_id": ids, "source": ["tickets" if query[0] == "t" else "docs" for query in ids]}


def test_a_group_that_lacks_the_top_grades_is_told_where_chance_does_not_explain_it() -> None:
    grades, metadata = scales(5, 5)
    notice = only(raised(grades, metadata=metadata), "mixed-scales")
    assert (notice.severity, notice.count, notice.examples) == ("warning", 5, ("source = tickets: up to 1",))
    few, metadata = scales(1, 5)
    assert "mixed-scales" not in raised(few, metadata=metadata)
    grades, metadata = scales(5, 5)
    known = pl.DataFrame({"query_id": metadata["query_id"], "source": metadata["source"]})
    assert "mixed-scales" not in raised(grades, metadata=metadata, columns=known)


def test_the_direction_of_scores_shows_the_mean_of_the_other_reading() -> None:
    grades: Grades = {"q": {"a": 1}}
    run = run_of(grades, {"q": {"a": 1.0, "b": 2.0, "c": 3.0}})
    read = [
        Notice("score-direction", "warning", "bm25", "The ranks rise with the scores.", 1),
        Notice("header", "info", "bm25.txt", "The file has no header.", 1),
        Notice("score-direction", "warning", "another run", "The ranks rise with the scores.", 1),
    ]
    direction, header, other = with_effects(read, qrels_of(grades), [run], NDCG, Conventions())
    assert readings(direction) == {"as_read": 0.5, "otherwise": 1.0}
    assert (header, other) == (read[1], read[2])


def test_a_run_that_answers_nothing_is_told_and_not_fatal() -> None:
    notice = only(raised(CALM, {"q1": {}}), "missing-queries")
    assert (notice.count, readings(notice)) == (2, {"zero": 0.0, "exclude": None})
