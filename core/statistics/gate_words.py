"""Gate words: the reasons of a gate's decision as sentences that can stand in a pull request."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.statistics.evidence import Names
from core.statistics.interval import Interval
from core.statistics.slice_family import SliceStatistics
from core.statistics.wording import decimals_for, exact, percent, plain, queries, signed

SHOWN = 5


@dataclass(frozen=True)
class Amounts:
    """What the sentences speak of: the runs and the measure, the margin, how many queries and their mean difference."""

    names: Names
    margin: float
    n: int
    difference: float

    @property
    def amount(self) -> str:
        """`−0.004 nDCG@10`."""
        return f"{signed(self.difference, decimals_for(self.difference))} {self.names.measure}"

    def other_qrels(self, expected: str, found: str) -> str:
        """The judgments are not the ones that were pinned."""
        return (
            f"Not comparable: the qrels are {found[:12]}…, and {expected[:12]}… was expected. "
            "Score the baseline on the new qrels, then pin their digest."
        )

    def missing(self, name: str, missing: int, judged: int, allowed: float) -> str:
        """A run leaves too many queries unanswered."""
        limit = exact(allowed * 100)
        return f"{name} leaves {missing:,} of {judged:,} judged queries unanswered; up to {limit} % can be compared."

    def blind(self, name: str) -> str:
        """A run retrieves nothing that was judged."""
        return f"{name} has no judged document on top of any query: its score says nothing. Do its ids fit the qrels?"

    def nothing(self) -> str:
        """No query is left to compare."""
        return f"{self.names.candidate} and {self.names.baseline} share no scored query."

    def unknown(self, ids: Sequence[str]) -> str:
        """The must-not-break list names queries that are not compared."""
        return f"The must-not-break list names {queries(len(ids))} that cannot be compared: {_listed(ids)}."

    def identical(self) -> str:
        """Nothing changed."""
        return (
            f"{self.names.candidate} scores the same as {self.names.baseline} on all {queries(self.n)} "
            f"({self.names.measure})."
        )

    def too_few(self, fewest: int, needed: int) -> str:
        """Too few queries."""
        return (
            f"Not enough evidence: {self.amount} over only {queries(self.n)}; the gate decides from {fewest} on. "
            f"{_settled(needed)}"
        )

    def few_changed(self, changed: int, fewest: int, needed: int) -> str:
        """Too few queries changed."""
        return (
            f"Not enough evidence: {self.amount}, from only {changed} of {queries(self.n)}; the gate decides from "
            f"{fewest} changed queries on. {_settled(needed)}"
        )

    def passes(self, lower: float) -> str:
        """The lower bound is above −margin."""
        if lower >= 0:
            return (
                f"{self.names.candidate} holds up against {self.names.baseline}: {self.amount} over {queries(self.n)}, "
                "and a loss is unlikely."
            )
        return (
            f"{self.names.candidate} holds up against {self.names.baseline}: {self.amount} over {queries(self.n)}. "
            f"{self._loss(lower)}, and {exact(self.margin)} is accepted."
        )

    def fails(self, interval: Interval) -> str:
        """The interval lies below 0 and a loss beyond the margin is possible."""
        most, least = plain(-interval[0]), plain(-interval[1])
        least = "just above 0" if float(least.replace(",", "")) == 0 else least
        size = plain(-self.difference, decimals_for(self.difference))
        return (
            f"{self.names.candidate} is worse than {self.names.baseline} by about {size} {self.names.measure} "
            f"(likely between {least} and {most}, {queries(self.n)}); a loss beyond the accepted "
            f"{exact(self.margin)} cannot be ruled out."
        )

    def undecided(self, lower: float, needed: int | None) -> str:
        """Neither bound decides."""
        more = "" if needed is None else f" {_settled(needed)}"
        return (
            f"Not enough evidence: {self.amount} over {queries(self.n)}. {self._loss(lower)}, more than the "
            f"{exact(self.margin)} that is accepted, but it may as well be chance.{more}"
        )

    def _loss(self, lower: float) -> str:
        return f"The true loss could be as large as {plain(-lower, decimals_for(lower))}"

    def judge_more_of_baseline(self, candidate: float, baseline: float) -> str:
        """It would pass, but more of its documents are judged."""
        return self._judge_first(candidate, baseline, self.names.baseline, "pass")

    def judge_more_of_candidate(self, candidate: float, baseline: float) -> str:
        """It would fail, but fewer of its documents are judged."""
        return self._judge_first(candidate, baseline, self.names.candidate, "fail")

    def _judge_first(self, candidate: float, baseline: float, less: str, outcome: str) -> str:
        return (
            f"Not enough evidence: {self.amount} would {outcome}, but of what {self.names.candidate} ranks on top "
            f"{percent(candidate)} is judged, and of what {self.names.baseline} does {percent(baseline)}. "
            f"Judge these first: the unjudged documents on top of {less}."
        )

    def slice_fell(self, one: SliceStatistics) -> str:
        """A slice blocks."""
        return f"{_fall(one)}; no slice may lose more than {exact(2 * self.margin)}."

    def slice_may_have_fallen(self, one: SliceStatistics) -> str:
        """A slice is down, but small or unsure."""
        return f"{_fall(one)}; that may be chance, and is worth a look."

    def tail(self, count: int, allowed: float) -> str:
        """Too many queries lost 0.30 or more."""
        return (
            f"{count:,} of {queries(self.n)} lost 0.30 {self.names.measure} or more: above the accepted share of "
            f"{exact(allowed * 100)} % by more than chance."
        )

    def broke(self, ids: Sequence[str]) -> str:
        """Queries of the must-not-break list lost."""
        return f"{queries(len(ids))} of the must-not-break list lost {self.names.measure}: {_listed(ids)}."

    def hurt(self, count: int, worst: Sequence[str]) -> str:
        """Some queries lost 0.30 or more."""
        return f"{queries(count)} lost 0.30 {self.names.measure} or more; worst: {_listed(worst)}."

    def small(self, easy: int) -> str:
        """Fewer queries than it takes to be comfortable."""
        return f"With fewer than {easy} queries a harmful change slips through more easily; {self.n:,} were compared."


def _fall(one: SliceStatistics) -> str:
    size = abs(one.difference or 0.0)
    return f'"{one.value}" ({one.column}) fell by {plain(size, decimals_for(size))} {one.measure} over {queries(one.n)}'


def _settled(needed: int) -> str:
    return f"About {needed:,} queries would settle it."


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(f'"{one}"' for one in ids[:SHOWN])
    return f"{shown} and {len(ids) - SHOWN:,} more" if len(ids) > SHOWN else shown
