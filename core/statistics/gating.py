"""Gating: the decision whether a candidate may be released, from its differences and a few facts about the input."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.statistics.bootstrap import bca_lower
from core.statistics.differences import TIE, Array, as_differences, badly_hurt, moments, outcomes
from core.statistics.evidence import MARGIN, Names
from core.statistics.gate_words import Amounts
from core.statistics.interval import Interval, t_interval, t_lower, t_quantile
from core.statistics.power import needed_n
from core.statistics.shares import exact_lower
from core.statistics.slice_family import SliceStatistics

Outcome = Literal["pass", "fail", "not-comparable", "not-enough-evidence"]
EXIT_CODES: dict[Outcome, int] = {"pass": 0, "fail": 1, "not-comparable": 2, "not-enough-evidence": 3}


@dataclass(frozen=True)
class GateRules:
    """What a team pins before it looks; the defaults are the documented ones.

    margin           the loss of the mean that would be accepted, in the measure's unit
    fewest_queries   below it there is not enough evidence, as with fewer than `fewest_changed` changed queries
    easy_queries     below it a warning: harm slips through more easily
    missing_share    share of judged queries that a run may leave unanswered
    judged_gap       difference of judged@k from which unjudged documents may explain the result
    hurt_share       share of badly hurt queries that is accepted
    slice_queries    from this size on a slice can block
    """

    margin: float = MARGIN
    fewest_queries: int = 50
    fewest_changed: int = 10
    easy_queries: int = 200
    missing_share: float = 0.01
    judged_gap: float = 0.10
    hurt_share: float = 0.02
    slice_queries: int = 50

    def __post_init__(self) -> None:
        """Refuse a margin that no candidate could be held to."""
        if not self.margin >= 0 or math.isinf(self.margin):
            raise ValueError(f"a margin of {self.margin}")


@dataclass(frozen=True, eq=False, kw_only=True)
class Release:
    """What is known of a candidate and its baseline.

    d, ids          differences (candidate minus baseline) and the ids of their queries, same order
    judged          judged queries; `missing` are those left unanswered by the candidate and by the baseline
    qrels           digests expected and found, None where none was pinned
    blind           names of runs without a judged document in any top k
    judged_share    judged@k of candidate and baseline, 0 to 1, None where unknown
    low_grades      whether the qrels hold grades of 0 or below; else judged means relevant, and the guard is off
    slices          of `slice_family(…, alternative="less")`
    must_not_break  ids of queries that may not lose anything
    """

    d: npt.ArrayLike
    ids: Sequence[str]
    names: Names
    judged: int
    missing: tuple[int, int] = (0, 0)
    qrels: tuple[str, str] | None = None
    blind: Sequence[str] = ()
    judged_share: tuple[float, float] | None = None
    low_grades: bool = False
    slices: Sequence[SliceStatistics] = ()
    must_not_break: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The outcome with its reasons in words, and the numbers behind it; None where they cannot be computed.

    lower_bound  the lower of the t and BCa one-sided 95 % bounds of the mean difference
    needed_n     queries that would settle it, where there was not enough evidence
    """

    outcome: Outcome
    reasons: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    n: int = 0
    difference: float | None = None
    interval: Interval | None = None
    lower_bound: float | None = None
    margin: float
    needed_n: int | None = None
    slices: tuple[SliceStatistics, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 2 not comparable, 3 not enough evidence."""
        return EXIT_CODES[self.outcome]

    def as_json(self) -> dict[str, object]:
        """The decision's own fields of CLI.md."""
        return {
            "outcome": self.outcome,
            "reasons": list(self.reasons),
            "difference": self.difference,
            "interval": None if self.interval is None else list(self.interval),
            "lower_bound": self.lower_bound,
            "margin": self.margin,
            "needed_n": self.needed_n,
            "slices": [one.as_json() for one in self.slices],
        }


def decide(release: Release, rules: GateRules | None = None) -> Decision:
    """Pass, fail, not comparable or not enough evidence: the first that holds, in this order.

    Input (not comparable) → all differences 0 (pass) → number of queries and of changed ones (not enough evidence) →
    slices, tail, must-not-break list (fail) → bounds, where the judged guard turns both into not enough evidence.
    Passing means that the lower bound is above −margin; failing that the two-sided 95 % interval lies below 0.
    """
    rules = rules or GateRules()
    d = as_differences(release.d)
    words = Amounts(release.names, rules.margin, len(d), moments(d).mean or 0.0)
    if broken_input := _input_problems(release, d, rules, words):
        return Decision(outcome="not-comparable", reasons=broken_input, n=len(d), margin=rules.margin)
    lower = _lower_bound(d)
    outcome, reasons, needed = _outcome(release, d, rules, words, lower)
    return Decision(
        outcome=outcome,
        reasons=reasons,
        warnings=_warnings(release, d, rules, words),
        n=len(d),
        difference=moments(d).mean,
        interval=t_interval(d),
        lower_bound=lower,
        margin=rules.margin,
        needed_n=needed,
        slices=tuple(release.slices),
    )


def _lower_bound(d: Array) -> float | None:
    bounds = [bound for bound in (t_lower(d), bca_lower(d)) if bound is not None]
    return min(bounds, default=None)


def _input_problems(release: Release, d: Array, rules: GateRules, words: Amounts) -> tuple[str, ...]:
    found = []
    if release.qrels is not None and release.qrels[0] != release.qrels[1]:
        found.append(words.other_qrels(*release.qrels))
    runs = (release.names.candidate, release.names.baseline)
    for name, missing in zip(runs, release.missing, strict=True):
        if missing > rules.missing_share * release.judged:
            found.append(words.missing(name, missing, release.judged, rules.missing_share))
    found += [words.blind(name) for name in release.blind]
    if len(d) == 0:
        found.append(words.nothing())
    if unknown := sorted(set(release.must_not_break) - set(release.ids)):
        found.append(words.unknown(unknown))
    return tuple(found)


def _outcome(
    release: Release, d: Array, rules: GateRules, words: Amounts, lower: float | None
) -> tuple[Outcome, tuple[str, ...], int | None]:
    """The outcome of comparable runs, with its reasons and the queries needed."""
    changed = outcomes(d).changed
    if changed == 0:
        return "pass", (words.identical(),), None
    if len(d) < rules.fewest_queries or changed < rules.fewest_changed:
        for_changed = math.ceil(len(d) * rules.fewest_changed / changed)
        needed = max(rules.fewest_queries, for_changed, settling_n(d, lower, rules.margin) or 0)
        if len(d) < rules.fewest_queries:
            return "not-enough-evidence", (words.too_few(rules.fewest_queries, needed),), needed
        return "not-enough-evidence", (words.few_changed(changed, rules.fewest_changed, needed),), needed
    if blocked := _blocks(release, d, rules, words):
        return "fail", blocked, None
    return _by_bounds(release, d, rules, words, lower)


def _by_bounds(
    release: Release, d: Array, rules: GateRules, words: Amounts, lower: float | None
) -> tuple[Outcome, tuple[str, ...], int | None]:
    interval = t_interval(d)
    if lower is None or interval is None:
        raise ValueError("bounds of fewer than two queries")
    candidate, baseline = release.judged_share or (0.0, 0.0)
    gap = candidate - baseline if release.low_grades else 0.0
    if lower > -rules.margin:
        if gap >= rules.judged_gap - TIE:
            return "not-enough-evidence", (words.judge_more_of_baseline(candidate, baseline),), None
        return "pass", (words.passes(lower),), None
    if interval[1] < 0:
        if gap <= -rules.judged_gap + TIE:
            return "not-enough-evidence", (words.judge_more_of_candidate(candidate, baseline),), None
        return "fail", (words.fails(interval),), None
    needed = settling_n(d, lower, rules.margin)
    return "not-enough-evidence", (words.undecided(lower, needed),), needed


def _blocks(release: Release, d: Array, rules: GateRules, words: Amounts) -> tuple[str, ...]:
    """Reasons to fail whatever the mean does: a slice, the tail, a query that must not break."""
    found = [words.slice_fell(one) for one in release.slices if slice_blocks(one, rules)]
    hurt = badly_hurt(d)
    if (exact_lower(hurt, len(d)) or 0.0) > rules.hurt_share:
        found.append(words.tail(hurt, rules.hurt_share))
    if broken := _broken(release, d):
        found.append(words.broke(broken))
    return tuple(found)


def slice_blocks(one: SliceStatistics, rules: GateRules) -> bool:
    """Whether a slice alone fails the candidate: it is large enough, surely down (Holm), and by more than twice the margin."""
    sure = one.n >= rules.slice_queries and one.p_holm is not None and one.p_holm < 0.05
    return sure and _slice_fell(one, rules)


def _slice_fell(one: SliceStatistics, rules: GateRules) -> bool:
    return one.difference is not None and one.difference < -2 * rules.margin


def _broken(release: Release, d: Array) -> list[str]:
    watched = set(release.must_not_break)
    return sorted(query for query, one in zip(release.ids, d, strict=True) if query in watched and one < -TIE)


def _warnings(release: Release, d: Array, rules: GateRules, words: Amounts) -> tuple[str, ...]:
    found = []
    if outcomes(d).changed == 0:
        return ()
    if rules.fewest_queries <= len(d) < rules.easy_queries:
        found.append(words.small(rules.easy_queries))
    if hurt := badly_hurt(d):
        worst = np.lexsort((np.asarray(release.ids), d))[: min(hurt, 5)]
        found.append(words.hurt(hurt, [release.ids[int(at)] for at in worst]))
    found += [
        words.slice_may_have_fallen(one)
        for one in release.slices
        if one.n >= 10 and _slice_fell(one, rules) and not slice_blocks(one, rules)
    ]
    if outcomes(d).changed < rules.fewest_changed or len(d) < rules.fewest_queries:
        # The list is not decisive here, and its loss must still be seen.
        found += [words.broke(broken)] if (broken := _broken(release, d)) else []
    return tuple(found)


def settling_n(d: Array, lower: float | None, margin: float) -> int | None:
    """Queries of this kind with which the gate decides 4 times in 5; None where no number would do.

    If that many would let an unchanged candidate pass, they are the answer; with so many already there, the smaller of
    what passes and what fails at the difference seen. The spread is the one that the lower bound implies, so that a BCa
    bound below the t bound asks for more.
    """
    found = moments(d)
    if found.mean is None or not found.sd or lower is None:
        return None
    spread = (found.mean - lower) * math.sqrt(found.n) / t_quantile(found.n - 1, 0.05)
    unchanged = needed_n(margin / spread, sides=1)
    if unchanged is not None and unchanged > found.n:
        return unchanged
    passes = needed_n((found.mean + margin) / spread, sides=1) if found.mean > -margin else None
    fails = needed_n(found.mean / spread) if found.mean < 0 else None
    options = [n for n in (passes, fails) if n is not None]
    return max(min(options), found.n + 1) if options else None
