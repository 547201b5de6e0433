"""Sentences of charts: who leads, who ties, what there is to say when there is nothing, and names that would fill a title."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from core import charts
from core.exports import sentences
from core.exports.sentences import LONGEST_NAME

HUGE = "x" * 5000


def curve(*means: tuple[str, int, float | None]) -> pl.DataFrame:
    return pl.DataFrame([(*row, None, None) for row in means], schema=charts.CURVE, orient="row")


def heat(*means: tuple[str, str, float | None, int]) -> pl.DataFrame:
    return pl.DataFrame(
        [(run, value, mean, None, n) for run, value, mean, n in means], schema=charts.HEATMAP, orient="row"
    )


def box(**medians: float) -> pl.DataFrame:
    return pl.DataFrame(
        [(run, 0.0, 0.0, at, 1.0, 1.0, at, 9) for run, at in medians.items()], schema=charts.BOX, orient="row"
    )


CURVES: dict[str, tuple[list[tuple[str, int, float | None]], str]] = {
    "one leads": ([("a", 1, 0.4), ("a", 5, 0.5), ("b", 1, 0.3), ("b", 5, 0.4)], "a leads at every cutoff, with linear gain"),
    "one leads, once level": (
        [("a", 1, 0.4), ("a", 5, 0.5), ("b", 1, 0.4), ("b", 5, 0.4)], "a leads at 1 of 2 cutoffs, with linear gain",
    ),
    "they are level": ([("a", 1, 0.4), ("b", 1, 0.4)], "No run leads at any cutoff, with linear gain"),
    "the lead changes once": (
        [("a", 1, 0.4), ("a", 5, 0.5), ("b", 1, 0.3), ("b", 5, 0.6)], "The lead changes with k: a at the top, b from k = 5",
    ),
    "the lead comes back": (
        [("a", 1, 0.4), ("a", 3, 0.1), ("a", 5, 0.7), ("b", 1, 0.3), ("b", 3, 0.6), ("b", 5, 0.6)],
        "The lead changes 2 times with k: a at k = 1, a at k = 5",
    ),
    "one run": ([("a", 5, 0.5), ("a", 1, 0.4)], "a scores 0.400 at k = 1 and 0.500 at k = 5, with linear gain"),
    "nothing can be computed": ([("a", 1, None), ("b", 1, None)], "No nDCG can be computed with linear gain"),
    "no run": ([], "No nDCG can be computed with linear gain"),
}  # fmt: skip


@pytest.mark.parametrize("case", CURVES)
def test_a_curve_says_who_leads(case: str) -> None:
    rows, said = CURVES[case]
    assert sentences.leads(curve(*rows), "linear") == said


HEATS: dict[str, tuple[list[tuple[str, str, float | None, int]], str]] = {
    "one is best": (
        [("a", "x", 0.4, 9), ("a", "y", 0.2, 9), ("a", "z", 0.9, 9), ("b", "x", 0.3, 9), ("b", "y", 0.3, 9), ("b", "z", 0.8, 9)],
        "a is best in 2 of 3 slices by intent",
    ),
    "as often": (
        [("a", "x", 0.4, 9), ("a", "y", 0.2, 9), ("b", "x", 0.3, 9), ("b", "y", 0.3, 9)], "a and b are each best in 1 of 2 slices by intent",
    ),
    "level": ([("a", "x", 0.4, 9), ("b", "x", 0.4, 9)], "No run is ahead of the others in any of 1 slice by intent"),
    "one run": ([("a", "x", 0.4, 12), ("a", "y", 0.3, 10), ("a", "z", 0.1, 9)], 'a is weakest in "y" by intent: 0.300'),
    "one run, small slices": ([("a", "x", 0.4, 9)], "a in 1 slice by intent, each of fewer than 10 queries"),
    "no mean": ([("a", "x", None, 9)], "No mean can be computed by intent"),
}  # fmt: skip


@pytest.mark.parametrize("case", HEATS)
def test_a_heat_map_says_who_is_best_where(case: str) -> None:
    rows, said = HEATS[case]
    assert sentences.best_in(heat(*rows), "intent") == said


def test_four_runs_that_are_best_as_often_are_counted() -> None:
    rows = [(run, value, 0.9 if run == value else 0.1, 20) for run in "abcd" for value in "abcd"]
    assert sentences.best_in(heat(*rows), "intent") == "4 runs are each best in 1 of 4 slices by intent"


@pytest.mark.parametrize(
    ("means", "said"),
    [
        ([("a", 0.4), ("b", 0.35)], "a has the highest mean nDCG@10: 0.400, 0.050 ahead of b"),
        ([("b", 0.35), ("a", 0.35), ("c", 0.1)], "b and a share the highest mean nDCG@10: 0.350"),
        ([("a", 0.4)], "a has a mean nDCG@10 of 0.400"),
        ([("a", None), ("b", 0.1)], "b has a mean nDCG@10 of 0.100"),
        ([("a", None)], "No mean nDCG@10 can be computed"),
        ([], "No mean nDCG@10 can be computed"),
    ],
)
def test_a_leaderboard_says_which_mean_is_highest(means: list[tuple[str, float | None]], said: str) -> None:
    assert sentences.highest(means, "nDCG@10") == said


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({"run": ["a", "b"], "P@5": [0.4, 0.3], "R@5": [0.5, 0.4], "AP": [0.1, 0.2]}, "a is best in 2 of 3 measures"),
        ({"run": ["a", "b"], "P@5": [0.4, 0.4]}, "No run is ahead of the others in any of 1 measure"),
        ({"run": ["a"], "P@5": [0.4], "R@5": [0.5]}, "a by 2 measures: from 0.400 (P@5) to 0.500 (R@5)"),
        ({"run": ["a"], "P@5": [None]}, "No mean can be computed"),
    ],
)
def test_a_table_of_measures_says_who_is_best_by_how_many(rows: dict[str, list[object]], said: str) -> None:
    frame = pl.DataFrame(rows, schema={"run": pl.String} | {name: pl.Float64 for name in rows if name != "run"})
    assert sentences.most_columns(frame, "measure") == said


@pytest.mark.parametrize(
    ("d", "said"),
    [
        ([0.1, 0.2, -0.3, 0.0], "new is better on 2 queries and worse on 1, of 4"),
        ([0.0, 1e-12], "new scores the same on all 2 queries"),
        ([0.0], "new scores the same on the one query"),
        ([], "new and the baseline share no scored query"),
    ],
)
def test_differences_say_how_many_queries_are_better_and_worse(d: list[float], said: str) -> None:
    assert sentences.moved(np.array(d), "new") == said


def test_the_spread_says_what_half_of_the_queries_score_and_how_many_score_nothing() -> None:
    ends = pl.DataFrame([("new", 3, 1, 9), ("old", 1, 1, 9)], schema=charts.ENDS, orient="row")
    assert sentences.at_zero(ends, "new", "old") == "new leaves 3 queries at 0, old 1"
    assert sentences.at_zero(ends, "old", "old") == "old leaves 1 query at 0"
    assert (
        sentences.middle(box(new=0.5, old=0.25), "new", "old")
        == "Half of the queries score 0.500 or more with new, 0.250 with old"
    )
    assert sentences.middle(box(old=0.25), "old", "old") == "Half of the queries score 0.250 or more with old"
    assert sentences.middle(box(), "old", "old") == "No score of old can be computed"
    assert (
        sentences.middle_of_slice(box(old=0.25), "buy", "old", "old")
        == 'In "buy" half of the queries score 0.250 or more with old'
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [("x", 9, 0.1, 0.3), ("y", 9, 0.4, 0.3), ("z", 9, 0.1, 0.2)],
            'new is ahead of old in 2 of 3 slices by intent, most in "x" (+0.200)',
        ),
        ([("x", 9, 0.3, 0.1)], 'new is ahead of old in none of 1 slice by intent; it falls most in "x" (−0.200)'),
        ([("x", 9, 0.3, 0.3), ("y", 9, 0.1, 0.1)], "new is level with old in every one of 2 slices by intent"),
        ([], "new is level with old in 0 slices by intent"),
    ],
)
def test_two_runs_in_slices_say_where_one_is_ahead(rows: list[tuple[str, int, float, float]], said: str) -> None:
    assert sentences.ahead_in(pl.DataFrame(rows, schema=charts.DUMBBELL, orient="row"), "old", "new", "intent") == said


Rank = tuple[str, int | None, int | None, float | None]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [("a", None, 1, 2.0), ("b", 2, 12, 1.0), ("c", 30, 3, 1.0)],
            "new brings 2 relevant documents into the top 10 and loses 1 of old",
        ),
        (
            [("a", 1, 2, 1.0), ("b", 2, 1, None)],
            "No relevant document enters or leaves the top 10 from old to new; 2 documents move",
        ),
        (
            [("a", 1, 1, 1.0)],
            "No relevant document enters or leaves the top 10 from old to new; not one document moves",
        ),
        ([], "No relevant document enters or leaves the top 10 from old to new; not one document moves"),
    ],
)
def test_what_moved_says_which_relevant_documents_came_and_went(rows: list[Rank], said: str) -> None:
    frame = pl.DataFrame([(doc, None, *rest) for doc, *rest in rows], schema=charts.BUMP, orient="row")
    assert sentences.entered(frame, "old", "new", 10) == said


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([(1, 1.0, 3.0), (2, 1.9, 1.0)], "new gains 2.900 of the ideal DCG of 4.000, most at rank 2 (1.900)"),
        ([(1, 0.0, 3.0)], "new gains nothing of the ideal DCG of 3.000"),
        ([(1, 0.0, 0.0)], "No document is relevant, so no rank can add anything"),
    ],
)
def test_the_ranks_of_a_query_say_what_is_gained_of_the_ideal(rows: list[tuple[int, float, float]], said: str) -> None:
    frame = pl.DataFrame([(*row, None, None) for row in rows], schema=charts.CONTRIBUTIONS, orient="row")
    assert sentences.added(frame, "new") == said


def test_judgments_say_how_many_are_relevant() -> None:
    assert sentences.graded(np.array([0.0, 1.0, 2.0]), 1, 2) == "3 judgments of 2 queries, 67% of them relevant"
    assert sentences.graded(np.array([]), 1, 0) == "0 judgments of 0 queries, 0% of them relevant"


NAMED: dict[str, Callable[[str], str]] = {
    "leads": lambda name: sentences.leads(curve((name, 1, 0.4), ("b", 1, 0.3)), "linear"),
    "best_in": lambda name: sentences.best_in(heat((name, name, 0.4, 20), ("b", name, 0.3, 20)), name),
    "highest": lambda name: sentences.highest([(name, 0.4), (name + "2", 0.3)], "nDCG@10"),
    "middle": lambda name: sentences.middle_of_slice(box(**{name: 0.2, "b": 0.1}), name, name, "b"),
    "moved": lambda name: sentences.moved(np.array([0.1]), name),
    "ahead_in": lambda name: sentences.ahead_in(
        pl.DataFrame([(name, 9, 0.1, 0.3)], schema=charts.DUMBBELL, orient="row"), name, name, name
    ),
}


@pytest.mark.parametrize("maker", NAMED)
def test_a_huge_name_is_cut_and_a_line_break_is_a_blank(maker: str) -> None:
    assert len(NAMED[maker](HUGE)) < 5 * LONGEST_NAME
    assert "\n" not in NAMED[maker]("two\nlines")
    assert "two lines" in NAMED[maker]("two\nlines")
