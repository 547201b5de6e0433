from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from core.statistics.bootstrap import bca_lower
from core.statistics.evidence import Names
from core.statistics.gating import Decision, GateRules, Release, decide, settling_n
from core.statistics.interval import t_interval, t_lower
from core.statistics.slice_family import Slice, SliceStatistics, slice_family
from tests.statistics.published import changes
from tests.statistics.test_verdict import spread

NAMES = Names("hybrid", "bm25", "nDCG@10")


def gate(d: npt.ArrayLike, rules: GateRules | None = None, **facts: Any) -> Decision:
    n = len(np.asarray(d))
    known = {"ids": [f"q{at}" for at in range(n)], "judged": max(n, 1), **facts}
    return decide(Release(d=d, names=NAMES, **known), rules)


def sliced(**values: npt.ArrayLike) -> list[SliceStatistics]:
    slices = [
        Slice("forum", value, "hybrid", "bm25", "nDCG@10", np.asarray(d, float), np.zeros(len(np.asarray(d))))
        for value, d in values.items()
    ]
    return slice_family(slices, alternative="less")


GOOD, SAME, BAD, WIDE = spread(400, 0.05, 0.15), spread(400, 0.0, 0.15), spread(400, -0.05, 0.1), spread(60, 0.0, 0.14)


def test_a_good_candidate_passes() -> None:
    found = gate(GOOD)
    assert (found.outcome, found.exit_code) == ("pass", 0)
    assert found.reasons == ("hybrid holds up against bm25: +0.050 nDCG@10 over 400 queries, and a loss is unlikely.",)
    assert found.needed_n is None
    assert found.interval == t_interval(GOOD)


def test_an_unchanged_mean_passes_where_its_loss_is_bounded_by_the_margin() -> None:
    found = gate(SAME)
    assert found.outcome == "pass"
    # Student's t alone: 1.6487 × .15 / √400 = .0124; the bootstrap may ask for a little more.
    assert found.lower_bound == pytest.approx(-0.0124, abs=5e-4)
    assert found.reasons == (
        (
            "hybrid holds up against bm25: 0.000 nDCG@10 over 400 queries. "
            f"The true loss could be as large as {-(found.lower_bound or 0):.3f}, and 0.02 is accepted."
        ),
    )


def test_a_planted_regression_fails() -> None:
    found = gate(BAD)
    assert (found.outcome, found.exit_code) == ("fail", 1)
    assert found.reasons == (
        (
            "hybrid is worse than bm25 by about 0.050 nDCG@10 (likely between 0.040 and 0.060, 400 queries); "
            "a loss beyond the accepted 0.02 cannot be ruled out."
        ),
    )


def test_neither_bound_decides_and_the_queries_that_would_are_named() -> None:
    found = gate(WIDE)
    assert (found.outcome, found.exit_code) == ("not-enough-evidence", 3)
    assert found.needed_n is not None
    assert found.reasons == (
        (
            "Not enough evidence: 0.000 nDCG@10 over 60 queries. The true loss could be as large as 0.030, more than the 0.02 that "
            f"is accepted, but it may as well be chance. About {found.needed_n} queries would settle it."
        ),
    )
    # One-sided t formula at a standard deviation of .14: 304; the BCa bound may ask for a few more or less.
    assert found.needed_n == pytest.approx(304, rel=0.05)


def test_the_lower_bound_is_the_lower_of_t_and_bca() -> None:
    losses = np.where(np.arange(100) < 3, -0.9, 0.01) + changes(100, sd=0.01)
    gains = -losses
    for d in (losses, gains):
        assert gate(d).lower_bound == min(t_lower(d) or 0, bca_lower(d) or 0)
    assert (bca_lower(losses) or 0) < (t_lower(losses) or 0)
    assert (t_lower(gains) or 0) < (bca_lower(gains) or 0)


def test_all_differences_zero_pass_even_with_few_queries() -> None:
    found = gate(np.zeros(5))
    assert (found.outcome, found.lower_bound, found.warnings) == ("pass", 0.0, ())
    assert found.reasons == ("hybrid scores the same as bm25 on all 5 queries (nDCG@10).",)


@pytest.mark.parametrize(("n", "outcome"), [(20, "not-enough-evidence"), (49, "not-enough-evidence"), (50, "pass")])
def test_fifty_queries_are_the_least(n: int, outcome: str) -> None:
    assert gate(spread(n, 0.2, 0.1)).outcome == outcome


def test_twenty_queries_are_not_enough_and_the_sentence_says_how_many_are() -> None:
    found = gate(spread(20, -0.2, 0.1))
    assert found.reasons == (
        (
            "Not enough evidence: −0.200 nDCG@10 over only 20 queries; the gate decides from 50 on. "
            f"About {found.needed_n} queries would settle it."
        ),
    )
    assert (found.needed_n or 0) >= 50


@pytest.mark.parametrize(("changed", "outcome"), [(9, "not-enough-evidence"), (10, "pass")])
def test_ten_changed_queries_are_the_least(changed: int, outcome: str) -> None:
    d = np.r_[np.zeros(200 - changed), np.full(changed, 0.05)]
    found = gate(d)
    assert found.outcome == outcome
    if changed == 9:
        assert found.reasons[0].startswith("Not enough evidence: +0.002 nDCG@10, from only 9 of 200 queries; ")
        assert (found.needed_n or 0) >= 223


DIGESTS = ("3f2a91c" + "0" * 57, "77ab" + "0" * 60)
INPUT = [
    ({"qrels": DIGESTS}, "Not comparable: the qrels are 77ab00000000…, and 3f2a91c00000… was expected. "),
    ({"missing": (5, 0)}, "hybrid leaves 5 of 400 judged queries unanswered; up to 1 % can be compared."),
    ({"missing": (0, 5)}, "bm25 leaves 5 of 400 judged queries unanswered; up to 1 % can be compared."),
    ({"blind": ["hybrid"]}, "hybrid has no judged document on top of any query: "),
    ({"must_not_break": ["q1", "zz"]}, 'The must-not-break list names 1 query that cannot be compared: "zz".'),
]


@pytest.mark.parametrize(("facts", "reason"), INPUT)
def test_what_cannot_be_compared_is_not_judged(facts: dict[str, Any], reason: str) -> None:
    for d in (GOOD, np.zeros(400)):
        found = gate(d, **facts)
        assert (found.outcome, found.exit_code) == ("not-comparable", 2)
        assert (found.difference, found.interval, found.lower_bound, found.needed_n) == (None, None, None, None)
        assert found.reasons[0].startswith(reason)


def test_every_reason_not_to_compare_is_named_at_once() -> None:
    found = gate([], judged=400, missing=(400, 400), blind=["hybrid", "bm25"], qrels=DIGESTS)
    assert len(found.reasons) == 6
    assert found.reasons[-1] == "hybrid and bm25 share no scored query."


def test_a_missing_query_in_a_hundred_and_a_known_digest_are_accepted() -> None:
    assert gate(GOOD, missing=(4, 4), qrels=(DIGESTS[0], DIGESTS[0])).outcome == "pass"


def test_a_slice_of_fifty_that_fell_blocks_a_better_mean() -> None:
    found = gate(GOOD, slices=sliced(gis=spread(50, -0.08, 0.1), tex=spread(60, 0.1, 0.1)))
    assert found.outcome == "fail"
    assert found.reasons == ('"gis" (forum) fell by 0.080 nDCG@10 over 50 queries; no slice may lose more than 0.04.',)
    assert [one.value for one in found.slices] == ["gis", "tex"]


@pytest.mark.parametrize(
    ("d", "warned"),
    [
        (spread(49, -0.08, 0.1), True),  # too small to block
        (spread(50, -0.08, 1.0), True),  # may be chance
        (spread(50, -0.039, 0.01), False),  # within twice the margin
        (spread(9, -0.5, 0.01), False),  # too small to mention
    ],
)
def test_a_slice_that_is_small_unsure_or_hardly_down_does_not_block(d: npt.ArrayLike, warned: bool) -> None:
    found = gate(GOOD, slices=sliced(gis=d))
    assert found.outcome == "pass"
    assert any(one.endswith("that may be chance, and is worth a look.") for one in found.warnings) == warned


def test_a_tail_of_badly_hurt_queries_blocks_where_it_is_above_two_percent_beyond_chance() -> None:
    # Exact one-sided 95 % lower bounds of Clopper & Pearson: 14 of 400 is 2.1 %, 13 of 400 is 1.9 %.
    gains = spread(400, 0.06, 0.05)
    d13, d14 = (np.where(np.arange(400) < hurt, -0.3, gains) for hurt in (13, 14))
    assert gate(d13).outcome == "pass"
    found = gate(d14)
    assert found.outcome == "fail"
    assert found.reasons == (
        "14 of 400 queries lost 0.30 nDCG@10 or more: above the accepted share of 2 % by more than chance.",
    )


def test_any_badly_hurt_query_is_a_warning_that_names_the_worst() -> None:
    d = GOOD.copy()
    d[[7, 3]] = -0.4, -0.5
    assert gate(d).warnings == ('2 queries lost 0.30 nDCG@10 or more; worst: "q3", "q7".',)


def test_a_query_that_must_not_break_fails_on_any_loss() -> None:
    d = np.abs(GOOD) + 0.001
    d[5], d[6], d[7] = -2e-9, -1e-9, 0.0
    assert gate(d, must_not_break=["q6", "q7", "q8"]).outcome == "pass"
    found = gate(d, must_not_break=["q5", "q6"])
    assert found.outcome == "fail"
    assert found.reasons == ('1 query of the must-not-break list lost nDCG@10: "q5".',)


def test_a_broken_query_is_still_named_where_there_is_not_enough_evidence() -> None:
    d = spread(20, 0.2, 0.1)
    d[0] = -0.1
    found = gate(d, must_not_break=["q0"])
    assert found.outcome == "not-enough-evidence"
    assert found.warnings == ('1 query of the must-not-break list lost nDCG@10: "q0".',)


def test_blocking_reasons_are_all_named() -> None:
    d = np.where(np.arange(400) < 40, -0.5, 0.2)
    found = gate(d, slices=sliced(gis=np.full(50, -0.2)), must_not_break=["q0", "q39", "q40"])
    assert found.outcome == "fail"
    assert len(found.reasons) == 3
    assert found.reasons[2] == '2 queries of the must-not-break list lost nDCG@10: "q0", "q39".'


JUDGED = [
    # difference, judged share of candidate and baseline, low grades in the qrels, outcome
    (GOOD, (0.80, 0.71), True, "pass"),
    (GOOD, (0.80, 0.70), True, "not-enough-evidence"),
    (GOOD, (0.70, 0.95), True, "pass"),
    (GOOD, (0.95, 0.70), False, "pass"),
    (BAD, (0.71, 0.80), True, "fail"),
    (BAD, (0.70, 0.80), True, "not-enough-evidence"),
    (BAD, (0.95, 0.70), True, "fail"),
    (BAD, (0.70, 0.95), False, "fail"),
]


@pytest.mark.parametrize(("d", "judged", "low", "outcome"), JUDGED)
def test_unjudged_documents_can_turn_a_pass_or_a_fail(
    d: npt.ArrayLike, judged: tuple[float, float], low: bool, outcome: str
) -> None:
    found = gate(d, judged_share=judged, low_grades=low)
    assert found.outcome == outcome
    if outcome == "not-enough-evidence":
        less = "bm25" if judged[0] > judged[1] else "hybrid"
        assert found.reasons[0].endswith(f"Judge these first: the unjudged documents on top of {less}.")
        assert found.needed_n is None


def test_the_judged_guard_does_not_undo_a_block() -> None:
    found = gate(BAD, judged_share=(0.5, 0.9), low_grades=True, must_not_break=["q0"])
    assert found.outcome == "fail"


def test_a_margin_of_a_team_counts_and_a_senseless_one_is_refused() -> None:
    assert gate(SAME, GateRules(margin=0.01)).outcome == "not-enough-evidence"
    assert gate(WIDE, GateRules(margin=0.05)).outcome == "pass"
    assert gate(GOOD, GateRules(margin=0.0)).outcome == "pass"
    for margin in (-0.01, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="a margin of"):
            GateRules(margin=margin)


def test_fewer_than_two_hundred_queries_are_a_warning() -> None:
    small = "With fewer than 200 queries a harmful change slips through more easily; 199 were compared."
    assert gate(spread(199, 0.05, 0.1)).warnings == (small,)
    assert gate(spread(200, 0.05, 0.1)).warnings == ()


def test_the_json_has_the_fields_of_the_command_line() -> None:
    row = gate(GOOD, slices=sliced(gis=spread(50, 0.0, 0.1))).as_json()
    assert list(row) == ["outcome", "reasons", "difference", "interval", "lower_bound", "margin", "needed_n", "slices"]
    assert row["margin"] == 0.02
    assert isinstance(row["interval"], list)


def test_the_same_queries_in_another_order_decide_the_same() -> None:
    d = changes(80, -0.01, seed=3)
    order = np.random.default_rng(0).permutation(80)
    one, other = gate(d), gate(d[order], ids=[f"q{at}" for at in order])
    assert one == other


@pytest.mark.parametrize(("mean", "margin"), [(0.0, 0.02), (-0.015, 0.02), (-0.03, 0.02), (0.01, 0.0)])
def test_the_number_that_settles_it_is_more_than_there_are(mean: float, margin: float) -> None:
    d = spread(300, mean, 0.4)
    lower = t_lower(d)
    assert lower is not None
    assert lower <= -margin
    needed = settling_n(d, lower, margin)
    assert needed is not None
    assert needed > 300


def test_the_number_that_settles_it_follows_the_published_formula() -> None:
    # One-sided, 80 % of unchanged candidates pass a margin of .02: 350 queries at a standard deviation of .15.
    d = spread(60, -0.03, 0.15)
    assert settling_n(d, t_lower(d), 0.02) == 350
    # With 400 queries an unchanged candidate would have passed: the loss that was seen decides, here by failing:
    # two-sided, dz = .012 / .15 = .08 needs 1,229; passing would need dz = .008 / .15 one-sided, 2,175.
    enough = spread(400, -0.012, 0.15)
    assert settling_n(enough, t_lower(enough), 0.02) == pytest.approx(1229, abs=1)


def test_no_number_settles_what_does_not_vary_or_has_no_bound() -> None:
    assert settling_n(np.full(60, -0.02), -0.02, 0.02) is None
    assert settling_n(np.array([0.1]), None, 0.02) is None
