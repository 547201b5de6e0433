import numpy as np

from core.comparison.alerts import alerts, quick_alerts, slice_alerts
from core.comparison.comparison import Comparison
from core.comparison.pairs import against_baseline
from core.model.measure import Measure
from tests.comparison.made import collection, comparison_of, metadata_of
from tests.scoring.collections import Grades, Scored

NDCG = Measure("nDCG", 10)


def found(comparison: Comparison, measure: Measure = NDCG, **more: object) -> list[tuple[str, str]]:
    pairs = against_baseline(comparison, "old", measure, resample=False, **more)  # type: ignore[arg-type]
    told = alerts(comparison, "old", measure, pairs, **more)  # type: ignore[arg-type]
    return [(alert.code, alert.sentence) for alert in told]


def places(good: list[bool]) -> tuple[Grades, Scored]:
    """Judgments with one relevant document, and a run that has it first or third."""
    grades: Grades = {f"q{at:03}": {"a": 1.0, "b": 0.0, "c": 0.0} for at in range(len(good))}
    run = {query: {"a": 3.0 if first else 0.5, "b": 2.0, "c": 1.0} for query, first in zip(grades, good, strict=True)}
    return grades, run


def test_nothing_to_tell_is_no_alert() -> None:
    grades, run = places([True, False] * 30)
    assert found(comparison_of(grades, {"old": run, "new": run})) == []


def test_a_slice_that_fell_while_the_mean_did_not_is_told() -> None:
    grades, old = places([False] * 60 + [True] * 20)
    _, new = places([True] * 60 + [False] * 20)
    intents: list[str | None] = [*["lookup"] * 60, *["how-to"] * 20]
    made = comparison_of(grades, {"old": old, "new": new}, queries=metadata_of({"intent": intents}, list(grades)))
    assert found(made) == [
        (
            "slice-fell",
            '"how-to" (intent) fell by 0.500 nDCG@10 over 20 queries with new, although the mean of all queries is not worse.',
        )
    ]
    [alert] = slice_alerts(made, "old", NDCG, against_baseline(made, "old", NDCG, resample=False))
    assert (alert.candidate, alert.slice) == ("new", ("intent", "how-to"))
    # The other way round the mean is worse, which the verdict says already.
    assert not slice_alerts(made, "new", NDCG, against_baseline(made, "new", NDCG, ["old"], resample=False))


def test_gains_that_order_two_runs_differently_are_told_with_their_means() -> None:
    # Linear: (1/log2(3) + 1/2) · 1 against 3/log2(6) of an ideal of 3 + 1/log2(3) + 1/2; exponential weighs the 3 as 7.
    grades: Grades = {f"q{at}": {"top": 3.0, "s": 1.0, "t": 1.0} for at in range(30)}
    old = {query: {"x": 9.0, "y": 8.0, "z": 7.0, "u": 6.0, "top": 5.0} for query in grades}
    new = {query: {"s": 9.0, "t": 8.0} for query in grades}
    [(code, sentence)] = found(comparison_of(grades, {"old": old, "new": new}), Measure("nDCG", 10))[:1]
    linear = (3 + 1 / np.log2(3) + 1 / 2, (1 + 1 / np.log2(3)), 3 / np.log2(6))
    exponential = (7 + 1 / np.log2(3) + 1 / 2, (1 + 1 / np.log2(3)), 7 / np.log2(6))
    assert linear[1] > linear[2]
    assert exponential[1] < exponential[2]
    assert code == "gains-disagree"
    means = [f"{linear[at] / linear[0]:.3f}" for at in (1, 2)] + [
        f"{exponential[at] / exponential[0]:.3f}" for at in (1, 2)
    ]
    assert sentence == (
        f"The gain decides the order: with linear gain new is ahead of old ({means[0]} against {means[1]} nDCG@10), "
        f"with exponential gain behind it ({means[2]} against {means[3]})."
    )


def test_runs_judged_ten_points_apart_are_told_and_less_is_not() -> None:
    grades: Grades = {f"q{at}": {f"d{number}": 1.0 for number in range(10)} for at in range(30)}
    old = {query: {f"d{number}": float(number) for number in range(10)} for query in grades}
    new = {query: {("d" if number else "x") + str(number): float(number) for number in range(10)} for query in grades}
    judged = [
        (code, sentence)
        for code, sentence in found(comparison_of(grades, {"old": old, "new": new}))
        if code == "judged-apart"
    ]
    assert judged == [
        (
            "judged-apart",
            (
                "The runs are not judged alike: 10.0 of the top 10 documents (100 %) of old are judged, 9.0 of the top 10 documents (90 %) of new. "
                "Unjudged documents count as not relevant, so new may be better than it looks."
            ),
        )
    ]
    new["q0"] = old["q0"]
    assert not [code for code, _ in found(comparison_of(grades, {"old": old, "new": new})) if code == "judged-apart"]


def test_a_query_that_holds_more_than_a_quarter_of_all_change_is_told() -> None:
    grades: Grades = {f"q{at:02}": {"a": 1.0, **{f"n{number}": 0.0 for number in range(9)}} for at in range(40)}
    first = {"a": 99.0, **{f"n{number}": float(number) for number in range(9)}}
    old = {query: dict(first) for query in grades}
    new = {query: dict(first) for query in grades}
    new["q07"]["a"] = -1.0
    for at in range(10, 22):  # 1 / log2(10) − 1 / log2(11) each
        old[f"q{at}"]["a"], new[f"q{at}"]["a"] = 0.5, -0.5
    told = found(comparison_of(grades, {"old": old, "new": new}))
    big = 1 - 1 / np.log2(11)
    small = 12 * abs(1 / np.log2(10) - 1 / np.log2(11))
    assert big / (big + small) > 0.25
    assert told == [
        (
            "largest-query",
            f'One query ("q07") drives the difference between new and old: it holds {100 * big / (big + small):.0f} % of all change.',
        )
    ]


def test_too_few_changed_queries_are_the_verdict_s_own_words_and_no_alert() -> None:
    grades, old = places([True] * 30)
    _, new = places([False] + [True] * 29)
    assert found(comparison_of(grades, {"old": old, "new": new})) == []


def test_one_run_alone_has_no_alerts_and_other_measures_no_gains() -> None:
    made = collection().comparison
    assert quick_alerts(made, "old", NDCG, []) == ()
    pairs = against_baseline(made, "old", Measure("P", 5), resample=False)
    assert {alert.code for alert in quick_alerts(made, "old", Measure("P", 5), pairs)} <= {
        "judged-apart",
        "largest-query",
    }


def test_a_slice_filter_holds_for_the_alerts() -> None:
    grades: Grades = {f"q{at:02}": {f"d{number}": 1.0 for number in range(10)} for at in range(60)}
    old = {query: {f"d{number}": float(number) for number in range(10)} for query in grades}
    new = {
        query: {("d" if at >= 30 else "x") + str(number): float(number) for number in range(10)}
        for at, query in enumerate(grades)
    }
    made = comparison_of(grades, {"old": old, "new": new})
    assert "judged-apart" in dict(found(made, where=np.arange(60) < 30))
    assert "judged-apart" not in dict(found(made, where=np.arange(60) >= 30))
