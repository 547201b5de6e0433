"""Sensitivity: one pair of runs read in other ways. Does the verdict hold?

Every probe changes one thing: the cutoff, the gain, which queries count, what unjudged documents are worth, the order of
tied scores. All are judged as the pair itself is: by the same interval, for as many comparisons.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from core.comparison.comparison import Comparison, Floats, Mask
from core.comparison.pairs import answered, differences
from core.comparison.unjudged import Regrading, pool, regradable, regrading
from core.model.measure import Measure
from core.scoring.engine import Selection, value
from core.scoring.hits import hits_of
from core.scoring.judged import Indices, judged
from core.scoring.readings import condensed
from core.scoring.ties import tie_orders
from core.statistics.evidence import MARGIN, Names
from core.statistics.interval import Interval
from core.statistics.paired import PairStatistics, compare_differences
from core.statistics.slice_family import FEWEST_QUERIES

Group = Literal["Cutoff", "Gain", "Left out", "Unjudged", "Ties", "Largest query", "Slice"]
Outcome = Literal["holds", "changes", "turns", "cannot be judged"]

CUTOFFS = (1, 3, 5, 10, 20, 50, 100)
MOST_SLICES = 12  # of one column, the largest
UNJUDGED_CASES = ("too-few", "unanswered")
MOST_KEPT = 24  # readings of a comparison, the last ones
T = TypeVar("T")
KEPT: WeakKeyDictionary[Comparison, OrderedDict[tuple[object, ...], Any]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Probe:
    """The pair read in one other way.

    label       what is different, in a few words
    n           queries compared
    difference  mean difference, None where nothing is left to compare
    interval    the 95 % interval that the verdict is read from: simultaneous where the family has several candidates
    case        the verdict's case; `verdict` is the same in a few words
    outcome     "holds": the same case · "turns": better became worse, or worse better · "changes": any other case ·
                "cannot be judged": too few queries are left, or too few changed
    """

    group: Group
    label: str
    n: int
    difference: float | None
    interval: Interval | None
    case: str
    verdict: str
    outcome: Outcome


@dataclass(frozen=True)
class Sensitivity:
    """The pair as it is, and every probe of it."""

    pair: PairStatistics
    probes: tuple[Probe, ...]

    @property
    def held(self) -> int:
        """In how many of the readings that can be judged the verdict holds."""
        return sum(probe.outcome == "holds" for probe in self.probes)

    @property
    def judged(self) -> int:
        """How many of the readings can be judged."""
        return sum(probe.outcome != "cannot be judged" for probe in self.probes)


@dataclass(frozen=True)
class _Asked:
    """What all probes of a pair share."""

    comparison: Comparison
    baseline: str
    candidate: str
    measure: Measure
    where: Mask | None
    comparisons: int
    margin: float

    def judge(self, d: Floats, where: Mask | None = None) -> PairStatistics:
        names = Names(self.candidate, self.baseline, str(self.measure))
        counts = answered(self.comparison, self.candidate, self.baseline, self.where if where is None else where)
        return compare_differences(
            d, names, comparisons=self.comparisons, margin=self.margin, answered=counts, resample=False
        )

    def read(self, name: str, reading: str) -> Floats:
        """A run's values when its ranking is read in another way; kept, because they depend on no other run and no slice."""
        return self._once((name, self.measure), lambda: _values(self.comparison, name, self.measure))[reading]

    def pooled(self) -> Regrading:
        """The pair's unjudged documents; kept, because they depend on no slice."""
        return self._once((self.baseline, self.candidate, self.measure), self._pool)

    def _pool(self) -> Regrading:
        k = self.measure.k or 0
        documents = pool(self.comparison, self.baseline, self.candidate, k, depth=k)
        return regrading(self.comparison, self.baseline, self.candidate, self.measure, documents)

    def _once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        kept = KEPT.setdefault(self.comparison, OrderedDict())
        found: T | None = kept.get(key)
        if found is None:
            found = kept[key] = make()
            while len(kept) > MOST_KEPT:
                kept.popitem(last=False)
        return found

    def inside(self, mask: Mask) -> Mask:
        return mask if self.where is None else mask & self.where


def sensitivity(
    comparison: Comparison,
    candidate: str,
    baseline: str,
    measure: Measure,
    *,
    where: Mask | None = None,
    comparisons: int = 1,
    margin: float = MARGIN,
    cutoffs: Sequence[int] = CUTOFFS,
) -> Sensitivity:
    """Read a pair in every other way that applies to it.

    where        the queries looked at (a slice filter), shape (judged queries,)
    comparisons  how many candidates are read together, as in `against_baseline`
    Probes that would be the pair again (no query is missing, say) are there too, so that nothing seems forgotten.
    None at all where the pair cannot be computed or nothing is compared.
    """
    asked = _Asked(comparison, baseline, candidate, measure, where, comparisons, margin)
    found = differences(comparison, candidate, baseline, measure, where)
    pair = asked.judge(found.d)
    if not len(found.d):
        return Sensitivity(pair, ())
    kept = np.zeros(len(comparison.qrels.queries), bool)
    kept[found.queries] = True
    probes = [
        *_cutoffs(asked, pair, cutoffs),
        *_gain(asked, pair),
        *_left_out(asked, pair),
        *_unjudged(asked, pair, kept),
        *_ties(asked, pair, kept),
        *_largest(asked, pair, found.d, found.queries),
        *_slices(asked, pair, kept),
    ]
    return Sensitivity(pair, tuple(probes))


def _probe(group: Group, label: str, pair: PairStatistics, other: PairStatistics) -> Probe:
    case = other.verdict.case
    return Probe(
        group, label, other.n, other.difference, other.interval_simultaneous, case, other.verdict.label,
        outcome(pair.verdict.case, case),
    )  # fmt: skip


def outcome(before: str, after: str) -> Outcome:
    """What became of a verdict's case."""
    if after in UNJUDGED_CASES and before != after:
        return "cannot be judged"
    if before == after:
        return "holds"
    return "turns" if {before, after} == {"better", "worse"} else "changes"


def _cutoffs(asked: _Asked, pair: PairStatistics, cutoffs: Sequence[int]) -> Iterator[Probe]:
    others = [asked.measure.with_cutoff(k) for k in cutoffs if k != asked.measure.k]
    for name in (asked.baseline, asked.candidate):
        asked.comparison.all_scores(name, others)
    for other in others:
        yield _probe("Cutoff", f"k = {other.k}", pair, _by_measure(asked, other))


def _gain(asked: _Asked, pair: PairStatistics) -> Iterator[Probe]:
    if asked.measure.gain != "custom" and asked.measure.uses_gain:
        gain: Literal["linear", "exponential"] = "exponential" if asked.measure.gain == "linear" else "linear"
        yield _probe("Gain", f"{gain} gain", pair, _by_measure(asked, asked.measure.with_gain(gain)))


def _by_measure(asked: _Asked, measure: Measure) -> PairStatistics:
    found = differences(asked.comparison, asked.candidate, asked.baseline, measure, asked.where)
    return replace(asked, measure=measure).judge(found.d)


def _left_out(asked: _Asked, pair: PairStatistics) -> Iterator[Probe]:
    """Undefined and missing queries treated the other way than the conventions say."""
    old, new = (asked.comparison.scores(name, asked.measure) for name in (asked.baseline, asked.candidate))
    rules = asked.comparison.conventions
    missing, undefined = old.missing | new.missing, old.undefined
    # What the other rule leaves out stays out: one thing is changed at a time.
    stays = ~missing if rules.missing == "exclude" else np.ones(len(missing), bool)
    counted = stays & ~undefined if rules.undefined == "zero" else stays
    word = "left out" if rules.undefined == "zero" else "counted as 0"
    label = f"undefined {word} ({int(asked.inside(undefined).sum()):,})"
    yield _probe("Left out", label, pair, asked.judge((new.values - old.values)[asked.inside(counted)]))
    stays = ~undefined if rules.undefined == "exclude" else np.ones(len(missing), bool)
    counted = stays & ~missing if rules.missing == "zero" else stays
    word = "left out" if rules.missing == "zero" else "counted as 0"
    label = f"missing {word} ({int(asked.inside(missing).sum()):,})"
    yield _probe("Left out", label, pair, asked.judge((new.values - old.values)[asked.inside(counted)]))


def _unjudged(asked: _Asked, pair: PairStatistics, kept: Mask) -> Iterator[Probe]:
    """The four scenarios of the unjudged documents, and the condensed measure that leaves them out."""
    if regradable(asked.measure):
        parts = asked.pooled()
        old, new = (ranks <= parts.k for ranks in parts.ranks)
        for label, graded in (
            ("unjudged worth 0", np.zeros(len(old), bool)),
            ("unjudged at the top grade", old | new),
            (f"only {asked.candidate}'s at the top grade", new & ~old),
            (f"only {asked.baseline}'s at the top grade", old & ~new),
        ):
            if graded.any():
                baseline, candidate = parts.values(graded)
                yield _probe("Unjudged", label, pair, asked.judge((candidate - baseline)[kept]))
            else:
                yield _probe("Unjudged", label, pair, pair)
    before, after = (asked.read(name, "condensed") for name in (asked.baseline, asked.candidate))
    yield _probe("Unjudged", f"condensed {asked.measure.name}'", pair, asked.judge((after - before)[kept]))


def _ties(asked: _Asked, pair: PairStatistics, kept: Mask) -> Iterator[Probe]:
    """The worst order of tied scores for one run with the best for the other, both ways."""
    for label, for_old, for_new in (
        (f"ties worst for {asked.candidate}", "best", "worst"),
        (f"ties best for {asked.candidate}", "worst", "best"),
    ):
        old, new = asked.read(asked.baseline, for_old), asked.read(asked.candidate, for_new)
        yield _probe("Ties", label, pair, asked.judge((new - old)[kept]))


def _values(comparison: Comparison, name: str, measure: Measure) -> dict[str, Floats]:
    """A run's values when its ranking is read in other ways. An undefined query stays one: it belongs to the judgments."""
    run, level = comparison.run(name), comparison.conventions.relevance_level
    ties = tie_orders(run, measure, level)
    rankings = {"condensed": condensed(hits_of(run)), "worst": ties.worst, "best": ties.best}
    facts = judged(comparison.qrels)
    return {reading: value(Selection(hits), facts, measure, level) for reading, hits in rankings.items()}


def _largest(asked: _Asked, pair: PairStatistics, d: Floats, queries: Indices) -> Iterator[Probe]:
    if pair.largest_index is not None and len(d) > 1:
        name = asked.comparison.qrels.queries[int(queries[pair.largest_index])]
        yield _probe("Largest query", f'without query "{name}"', pair, asked.judge(np.delete(d, pair.largest_index)))


def _slices(asked: _Asked, pair: PairStatistics, kept: Mask) -> Iterator[Probe]:
    """Every group of every attribute left out: those of 10 queries or more, at most the 12 largest of an attribute."""
    old, new = (asked.comparison.scores(name, asked.measure).values for name in (asked.baseline, asked.candidate))
    for column in asked.comparison.slices:
        sizes = (column.members & kept).sum(axis=1)
        order = [at for at in np.argsort(-sizes, kind="stable")[:MOST_SLICES] if sizes[at] >= FEWEST_QUERIES]
        for at in sorted(order):
            rest = kept & ~column.members[at]
            if rest.any():
                label = f'without {column.name} "{column.values[at]}"'
                yield _probe("Slice", label, pair, asked.judge((new - old)[rest], asked.inside(~column.members[at])))
