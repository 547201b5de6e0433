from dataclasses import replace
from itertools import permutations
from statistics import fmean

import numpy as np
import pytest

from core.comparison.comparison import Comparison
from core.comparison.pairs import against_baseline, differences
from core.comparison.sensitivity import Probe, outcome, sensitivity
from core.model.conventions import Conventions
from core.model.measure import Measure
from core.scoring.scenarios import scenarios
from core.statistics.interval import t_interval
from tests.comparison.made import collection, comparison_of
from tests.scoring.collections import naive, ranked

NDCG = Measure("nDCG", 5)


def probes(comparison: Comparison, measure: Measure = NDCG, **more: object) -> dict[str, Probe]:
    found = sensitivity(comparison, "new", "old", measure, **more).probes  # type: ignore[arg-type]
    assert len({probe.label for probe in found}) == len(found)
    return {probe.label: probe for probe in found}


def test_the_pair_is_the_one_that_compare_shows() -> None:
    made = collection().comparison
    pair = sensitivity(made, "new", "old", NDCG, comparisons=3).pair
    [shown] = against_baseline(made, "old", NDCG, ["new"], resample=False)
    assert (pair.difference, pair.interval, pair.wins, pair.losses) == (
        shown.difference,
        shown.interval,
        shown.wins,
        shown.losses,
    )
    assert pair.interval_simultaneous == t_interval(differences(made, "new", "old", NDCG).d, comparisons=3)


def test_another_cutoff_and_the_other_gain_are_that_measure_s_own_pair() -> None:
    made = collection().comparison
    found = probes(made)
    for label, measure in (("k = 10", NDCG.with_cutoff(10)), ("exponential gain", NDCG.with_gain("exponential"))):
        [pair] = against_baseline(made, "old", measure, ["new"], resample=False)
        assert (found[label].difference, found[label].interval) == (pair.difference, pair.interval)
        assert found[label].case == pair.verdict.case
    assert "k = 5" not in found


@pytest.mark.parametrize(
    ("rule", "label"), [("undefined", "undefined left out (1)"), ("missing", "missing left out (1)")]
)
def test_queries_left_out_are_left_out_as_the_convention_does_it(rule: str, label: str) -> None:
    found = probes(collection().comparison)[label]
    other = replace(collection().comparison, conventions=Conventions(**{rule: "exclude"}))  # type: ignore[arg-type]
    [pair] = against_baseline(other, "old", NDCG, ["new"], resample=False)
    assert found.n == pair.n == 39
    assert found.difference == pair.difference


def test_under_the_other_convention_the_probe_counts_them_as_0() -> None:
    strict = collection(conventions=Conventions(undefined="exclude", missing="exclude")).comparison
    found = probes(strict)
    assert {label: probe.n for label, probe in found.items() if probe.group == "Left out"} == {
        "undefined counted as 0 (1)": 39, "missing counted as 0 (1)": 39,
    }  # fmt: skip
    assert found["k = 10"].n == 38


def test_the_four_scenarios_are_those_of_scoring() -> None:
    made = collection().comparison
    for measure in (NDCG, NDCG.with_gain("exponential")):
        found = [probe for probe in probes(made, measure).values() if probe.group == "Unjudged"]
        expected = scenarios(made.qrels, made.run("old"), made.run("new"), measure, made.conventions)
        for probe, scenario in zip(found[:4], expected, strict=True):
            oracle = fmean(scenario.candidate.values - scenario.baseline.values)
            assert probe.difference == pytest.approx(oracle, abs=1e-12)
        assert len({round(probe.difference or 0, 9) for probe in found}) == 5


def test_the_condensed_measure_scores_the_judged_documents_only() -> None:
    made = collection()
    found = probes(made.comparison)["condensed nDCG'"]
    d = []
    for query, grades in made.grades.items():
        old, new = (
            {doc: at for doc, at in made.scored[run].get(query, {}).items() if doc in grades} for run in ("old", "new")
        )
        d.append(naive(grades, ranked(new), NDCG) - naive(grades, ranked(old), NDCG))
    assert found.difference == pytest.approx(fmean(d), abs=1e-12)


def test_ties_are_the_extremes_over_all_orders_of_tied_documents() -> None:
    grades = {"q": {"a": 3.0, "b": 0.0, "c": 1.0}}
    scored = {"old": {"q": {"a": 2.0, "b": 2.0, "x": 2.0, "c": 1.0}}, "new": {"q": {"c": 5.0, "a": 4.0, "b": 4.0}}}
    found = probes(comparison_of(grades, scored), Measure("nDCG", 2))

    def every(run: str) -> list[float]:
        documents = scored[run]["q"]
        orders = [
            order
            for order in permutations(documents)
            if [documents[doc] for doc in order] == sorted(documents.values(), reverse=True)
        ]
        assert len(orders) > 1
        return [naive(grades["q"], list(order), Measure("nDCG", 2)) for order in orders]

    worst, best = [probe for probe in found.values() if probe.group == "Ties"]
    assert worst.difference == pytest.approx(min(every("new")) - max(every("old")), abs=1e-12)
    assert best.difference == pytest.approx(max(every("new")) - min(every("old")), abs=1e-12)


def test_the_largest_query_and_every_slice_are_left_out_in_turn() -> None:
    made = collection()
    d = differences(made.comparison, "new", "old", NDCG)
    found = probes(made.comparison)
    at = int(np.abs(d.d).argmax())
    name = made.comparison.qrels.queries[d.queries[at]]
    assert found[f'without query "{name}"'].difference == pytest.approx(fmean(np.delete(d.d, at)), abs=1e-12)
    assert found['without intent "lookup"'].difference == pytest.approx(fmean(d.d[1::2]), abs=1e-12)
    assert found['without intent "how-to"'].n == 20
    assert not any("query length" in label for label in found)  # all texts are of one length


def test_a_slice_filter_holds_for_every_probe() -> None:
    made = collection().comparison
    where = np.arange(40) < 30
    found = probes(made, where=where)
    assert found["k = 10"].n == 30
    assert found["undefined left out (1)"].n == 29
    assert found['without intent "lookup"'].n == 15
    oracle = probes(made)["ties worst for new"]
    assert found["ties worst for new"].difference != oracle.difference


def test_swapping_the_runs_turns_every_sign() -> None:
    made = collection(ties=False).comparison
    there = {
        probe.label: probe.difference
        for probe in sensitivity(made, "new", "old", NDCG).probes
        if probe.group in ("Cutoff", "Gain", "Slice")
    }
    back = {probe.label: probe.difference for probe in sensitivity(made, "old", "new", NDCG).probes}
    assert there
    assert all(back[label] == -(value or 0.0) for label, value in there.items())


def test_runs_that_are_the_same_hold_whatever_is_changed_but_what_one_alone_returned() -> None:
    made = collection()
    same = comparison_of(made.grades, {"old": made.scored["old"], "new": made.scored["old"]})
    found = sensitivity(same, "new", "old", NDCG)
    assert found.pair.verdict.case == "identical"
    assert {probe.group for probe in found.probes if probe.outcome != "holds"} == {"Ties"}  # orders that cannot be both
    assert not [probe for probe in found.probes if probe.group == "Largest query"]


def test_what_cannot_be_computed_has_no_probes() -> None:
    made = comparison_of({"q": {"a": 2000.0}}, {"old": {"q": {"a": 1.0}}, "new": {"q": {"b": 1.0}}})
    assert sensitivity(made, "new", "old", NDCG.with_gain("exponential")).probes == ()


def test_one_query_is_too_few_in_every_probe_and_that_holds() -> None:
    made = comparison_of({"q": {"a": 2.0, "b": 1.0}}, {"old": {"q": {"a": 1.0}}, "new": {"q": {"b": 1.0}}})
    found = sensitivity(made, "new", "old", NDCG)
    assert {probe.case for probe in found.probes if probe.n} == {"too-few"}
    assert found.held == found.judged == len(found.probes)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("better", "better", "holds"),
        ("better", "worse", "turns"),
        ("worse", "better", "turns"),
        ("better", "no-clear-difference", "changes"),
        ("better", "few-queries", "changes"),
        ("no-clear-difference", "better", "changes"),
        ("better", "too-few", "cannot be judged"),
        ("better", "unanswered", "cannot be judged"),
        ("too-few", "too-few", "holds"),
        ("too-few", "better", "changes"),
    ],
)
def test_what_became_of_a_verdict(before: str, after: str, expected: str) -> None:
    assert outcome(before, after) == expected


def test_the_naive_ranking_is_the_runs_own() -> None:
    made = collection()
    top = made.comparison.run("old").top.filter(query=3)
    assert top["doc_id"].to_list() == ranked(made.scored["old"]["q03"])
