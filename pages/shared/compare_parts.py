"""The verdict on a pair in its parts, each with what it means in plain words."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.comparison import Comparison
from core.comparison.pairs import differences
from core.statistics.interval import Interval
from core.statistics.paired import PairStatistics
from core.statistics.winning import sign_test_p
from pages.shared.compare_pair import resampled
from pages.shared.text import count, difference, plain, quiet, score
from pages.shared.view import View

NONE = "–"
SMALLEST = 1e-5  # what the sign flips can tell
TOO_FEW = "Too few queries, or too few that changed, for a p-value that means something."


@dataclass(frozen=True)
class Part:
    """One part: its name, its value, and what it means. A value of None is filled in once it is computed."""

    name: str
    value: str | None
    means: str


def draw(comparison: Comparison, look: View, pair: PairStatistics) -> Callable[[], None]:
    """Draw the parts as cards; what is returned fills in the p-values, the only slow part, when all else is drawn."""
    slots: dict[str, DeltaGenerator] = {}
    with st.grid(3, min_column_width=250):
        for part in (*parts(comparison, look, pair), *chance(comparison, look, pair)):
            with st.container(border=True, height="stretch", gap="xsmall"):
                place = st.empty()
                if part.value is None:
                    slots[part.name] = place
                place.metric(part.name, "…" if part.value is None else part.value)
                quiet(plain(part.means, 500))

    def fill() -> None:
        if slots:
            found = next(one for one in resampled(comparison, look) if one.candidate == pair.candidate)
            for name, value in (("p-value", found.p_value), (holm_name(look), found.p_holm)):
                if name in slots:
                    slots[name].metric(name, p_value(value))

    return fill


def parts(comparison: Comparison, look: View, pair: PairStatistics) -> list[Part]:
    """What the differences show, without a test."""
    old, new = (comparison.mean(name, look.measure, look.where) for name in (pair.baseline, pair.candidate))
    several = pair.comparisons > 1
    found = [
        Part(
            "Mean difference", difference(pair.difference),
            f"Mean {pair.measure} of {pair.candidate} ({score(new)}) minus {pair.baseline} ({score(old)}), on the same {_queries(pair.n)}.",
        ),
        Part(
            "95 % interval", interval(pair.interval),
            "Where the true difference likely lies: Student's paired t"
            + (", for this pair by itself." if several else ". The verdict is read from it."),
        ),
    ]  # fmt: skip
    if several:
        found.append(
            Part(
                f"95 % interval for {pair.comparisons} comparisons", interval(pair.interval_simultaneous),
                f"The same, wide enough for all {pair.comparisons} candidates at once (Bonferroni). The verdict is read from it.",
            )
        )  # fmt: skip
    found += [
        Part(
            "Better / same / worse", f"{pair.wins:,} / {pair.ties:,} / {pair.losses:,}",
            f"Queries that {pair.candidate} scores higher, the same (to nine decimals) and lower than {pair.baseline}.",
        ),
        Part(
            "Effect size", NONE if pair.effect_size is None else _signed(pair.effect_size, 2),
            "The mean difference divided by how much the differences vary from query to query (dz).",
        ),
        Part(
            "Smallest difference that would show", NONE if pair.detectable is None else f"{pair.detectable:.3f}",
            f"With {_queries(pair.n)} that vary like these, a true difference of this size is found in 80 of 100 tries (two-sided 5 %).",
        ),
        Part("Largest query", _share(pair), _largest(pair)),
        Part(
            "Badly hurt", f"{pair.badly_hurt:,} of {pair.n:,}",
            "Queries that lost 0.30 or more."
            + ("" if pair.badly_hurt_upper is None else f" Of all such queries it could be {pair.badly_hurt_upper:.1%} (one-sided 95 % bound)."),
        ),
    ]  # fmt: skip
    return found


def chance(comparison: Comparison, look: View, pair: PairStatistics) -> list[Part]:
    """The p-values. None of them decides the verdict; with too few queries none is shown."""
    shows = pair.verdict.shows_p_value
    meaning = (
        "How often a difference of means this large, either way, comes about when each query's sign is a coin toss. "
        "It is not the chance that the runs are equal."
    )
    found = [Part("p-value", None if shows else NONE, meaning if shows else TOO_FEW)]
    if pair.comparisons > 1:
        means = f"The same, adjusted (Holm) for looking at {pair.comparisons} candidates."
        found.append(Part(holm_name(look), None if shows else NONE, means if shows else TOO_FEW))
    d = differences(comparison, pair.candidate, pair.baseline, look.measure, look.where)
    sign = sign_test_p(d.d) if shows else None
    means = "Another question than the mean: the sign test's p-value for better against worse queries, ties left out."
    found.append(Part("Does it win more often?", _often(pair, sign) if shows else NONE, means if shows else TOO_FEW))
    return found


def holm_name(look: View) -> str:
    """The name of the adjusted p-value."""
    return f"p-value for {len(look.candidates)} comparisons"


def _often(pair: PairStatistics, p: float | None) -> str:
    if p is None:
        return NONE
    word = "Yes" if pair.wins > pair.losses else "It loses more often"
    return f"{word if p < 0.05 else 'Not clear'} (p {'' if p < SMALLEST else '= '}{p_value(p)})"


def _share(pair: PairStatistics) -> str:
    return NONE if pair.largest_share is None else f"{pair.largest_share:.0%} of all change"


def _largest(pair: PairStatistics) -> str:
    if pair.largest_query is None:
        return "No query changed."
    alone = f'Query "{pair.largest_query}" changed most.'
    if pair.leave_one_out is None:
        return alone
    low, high = pair.leave_one_out
    return f"{alone} Leave out any one query and the mean difference lies between {difference(low)} and {difference(high)}."


def interval(found: Interval | None) -> str:
    """`+0.012 to +0.034`; a dash where there is none."""
    return NONE if found is None else f"{difference(found[0])} to {difference(found[1])}"


def p_value(p: float | None) -> str:
    """A p-value to two significant digits, written out: `0.00012`."""
    if p is None:
        return NONE
    if p < SMALLEST:
        return "below 0.00001"
    digits = max(0, 1 - math.floor(math.log10(p)))
    return f"{p:.{digits}f}" if p < 0.1 else f"{p:.2f}"


def _signed(value: float, digits: int) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")


def _queries(number: int) -> str:
    return count(number, "query", "queries")
