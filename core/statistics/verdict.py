"""Verdict: what the evidence says, as one of eight cases and one plain sentence that can be read out in a meeting."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from core.statistics.evidence import Evidence
from core.statistics.wording import about, decimals_for, exact, percent, plain, queries, signed

Case = Literal[
    "identical",
    "unanswered",
    "too-few",
    "few-queries",
    "better",
    "worse",
    "no-difference-that-matters",
    "no-clear-difference",
]
# Each case in a few words, for a table's cell.
CASES: dict[Case, str] = {
    "identical": "Same scores",
    "unanswered": "Mostly unanswered",
    "too-few": "Too few queries",
    "few-queries": "A few queries drive it",
    "better": "Better",
    "worse": "Worse",
    "no-difference-that-matters": "No difference that matters",
    "no-clear-difference": "No clear difference",
}

FEWEST_QUERIES = 25
FEWEST_CHANGED = 10
LARGEST_SHARE = 0.25
SKEW_RATIO = 0.28


@dataclass(frozen=True)
class Verdict:
    """The case that holds and its sentence. The sentence names the raw difference and never a p-value."""

    case: Case
    sentence: str

    @property
    def label(self) -> str:
        """The case in a few words."""
        return CASES[self.case]

    @property
    def role(self) -> Literal["better", "worse", "neutral"]:
        """Which colour it may have: only `better` and `worse` have one."""
        return self.case if self.case == "better" or self.case == "worse" else "neutral"

    @property
    def shows_p_value(self) -> bool:
        """Whether people's views may show a p-value beside it; JSON always does."""
        return self.case not in ("identical", "unanswered", "too-few")

    def as_json(self) -> dict[str, str]:
        """The two fields of CLI.md."""
        return {"case": self.case, "sentence": self.sentence}


def judge(evidence: Evidence) -> Verdict:
    """The first case that holds, in the order of `CASES`; better and worse by the simultaneous interval, never by p."""
    case = _case(evidence)
    return Verdict(case, _SENTENCES[case](evidence))


def _case(e: Evidence) -> Case:
    if e.n > 0 and e.changed == 0:
        return "identical"
    if e.answered is not None and 2 * min(e.answered.candidate, e.answered.baseline) < e.answered.judged:
        return "unanswered"
    if e.n < FEWEST_QUERIES or e.changed < FEWEST_CHANGED:
        return "too-few"
    if (e.largest_share or 0.0) > LARGEST_SHARE or (e.skew_ratio or 0.0) > SKEW_RATIO:
        return "few-queries"
    low, high = e.interval_simultaneous or (0.0, 0.0)
    if low > 0:
        return "better"
    if high < 0:
        return "worse"
    low, high = e.interval_90 or (-e.margin, e.margin)
    return "no-difference-that-matters" if -e.margin < low and high < e.margin else "no-clear-difference"


def _amount(e: Evidence) -> str:
    """The raw difference with its measure: `+0.041 nDCG@10`."""
    difference = e.difference or 0.0
    return f"{signed(difference, decimals_for(difference))} {e.measure}"


def _adjusted(e: Evidence) -> str:
    return f", adjusted for {e.comparisons} comparisons" if e.comparisons > 1 else ""


def _identical(e: Evidence) -> str:
    where = "the one query" if e.n == 1 else f"all {queries(e.n)}"
    return f"{e.candidate} and {e.baseline} score the same on {where}: no change in {e.measure}."


def _unanswered(e: Evidence) -> str:
    answered = e.answered
    if answered is None:
        raise ValueError("unanswered without counts")
    counts = [(e.candidate, answered.candidate), (e.baseline, answered.baseline)]
    poor = [f"{name} answers only {count:,}" for name, count in counts if 2 * count < answered.judged]
    amount = "" if e.difference is None else f"{_amount(e)}, but "
    return f"Not a fair comparison: {amount}{' and '.join(poor)} of the {answered.judged:,} judged queries."


def _too_few(e: Evidence) -> str:
    if e.n == 0:
        return f"There is nothing to compare: {e.candidate} and {e.baseline} share no scored query for {e.measure}."
    if e.n < FEWEST_QUERIES:
        return (
            f"Too few queries to judge: {_amount(e)} over {queries(e.n)}. "
            f"Shown for exploration only; a verdict needs at least {FEWEST_QUERIES}."
        )
    return (
        f"Too few changed queries to judge: {_amount(e)}, from {e.changed} of {queries(e.n)}. "
        f"Shown for exploration only; a verdict needs at least {FEWEST_CHANGED} that changed."
    )


def _few_queries(e: Evidence) -> str:
    if (e.largest_share or 0.0) > LARGEST_SHARE:
        name = "" if e.largest_query is None else f' ("{e.largest_query}")'
        why = f"one query{name} holds {percent(e.largest_share or 0.0)} of all change"
    else:
        why = "a handful of changes is far larger than the rest"
    low, high = e.leave_one_out or (0.0, 0.0)
    decimals = max(decimals_for(low), decimals_for(high))
    sides = "always above 0" if low > 0 else "always below 0" if high < 0 else "so a single query can turn its sign"
    return (
        f"A few queries drive this result: {_amount(e)} for {e.candidate} over {e.baseline}, but {why}. "
        f"Leave out any one query and it lies between {signed(low, decimals)} and {signed(high, decimals)}, {sides}."
    )


def _better_or_worse(e: Evidence) -> str:
    low, high = sorted(abs(bound) for bound in e.interval_simultaneous or (0.0, 0.0))
    size = abs(e.difference or 0.0)
    decimals = decimals_for(size)
    word = "better" if (e.difference or 0.0) > 0 else "worse"
    if round(low, decimals) == round(high, decimals):
        likely = "about the same on every query"
    else:
        least = "just above 0" if round(low, decimals) == 0 else plain(low, decimals)
        likely = f"likely between {least} and {plain(high, decimals)}"
    amount = f"{plain(size, decimals)} {e.measure}"
    return f"{e.candidate} is {word} than {e.baseline} by about {amount} ({likely}{_adjusted(e)})."


def _does_not_matter(e: Evidence) -> str:
    # The 90 % bounds behind this case are each comparison's own: saying "adjusted" here would be wrong.
    alone = f", each of the {e.comparisons} comparisons taken by itself" if e.comparisons > 1 else ""
    return (
        f"No difference that matters between {e.candidate} and {e.baseline}: {_amount(e)}, "
        f"and any change is likely smaller than {exact(e.margin)}{alone}."
    )


def _not_clear(e: Evidence) -> str:
    low, high = e.interval_simultaneous or (0.0, 0.0)
    decimals = max(decimals_for(low), decimals_for(high))
    least = about(e.detectable or 0.0)
    # `detectable` is for one comparison; with several it takes more, and the sentence must not promise otherwise.
    alone = " in a single comparison" if e.comparisons > 1 else ""
    return (
        f"No clear difference between {e.candidate} and {e.baseline}: {_amount(e)} "
        f"(likely between {signed(low, decimals)} and {signed(high, decimals)}{_adjusted(e)}). "
        f"With {queries(e.n)} only changes of about {least} or more would show{alone}."
    )


_SENTENCES: dict[Case, Callable[[Evidence], str]] = {
    "identical": _identical,
    "unanswered": _unanswered,
    "too-few": _too_few,
    "few-queries": _few_queries,
    "better": _better_or_worse,
    "worse": _better_or_worse,
    "no-difference-that-matters": _does_not_matter,
    "no-clear-difference": _not_clear,
}
