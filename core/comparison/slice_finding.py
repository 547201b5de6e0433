"""Slice finding: what the slices show, as the title of a page and the sentence under it."""

from collections.abc import Mapping, Sequence

from core.comparison.comparison import Comparison, Mask
from core.comparison.finding import Finding
from core.model.measure import Measure
from core.slices import NONE, SliceColumn
from core.statistics.evidence import MARGIN
from core.statistics.paired import PairStatistics
from core.statistics.slice_family import FEWEST_QUERIES, SliceStatistics
from core.statistics.wording import counted, plain, queries, signed


def slice_finding(
    parts: Sequence[SliceStatistics], pairs: Sequence[PairStatistics], *, margin: float = MARGIN
) -> Finding:
    """What the slices of one measure show against the baseline: the deepest fall before the highest rise.

    parts  every group of every column for every candidate; only findings are named, so no small group ever is
    pairs  the same candidates on all queries looked at
    """
    findings = sorted((part for part in parts if part.finding), key=lambda part: (part.difference or 0.0, -part.n))
    fell = [part for part in findings if part.fell]
    whole = {pair.candidate: pair for pair in pairs}
    if fell:
        deepest = fell[0]
        title = f'"{deepest.value}" fell by {_size(deepest)} with {deepest.candidate}{_meanwhile(whole.get(deepest.candidate))}'
        return Finding(title, f"{_said(deepest)} {_more(len(findings))}".strip(), deepest.candidate)
    if findings:
        highest = findings[-1]
        title = f'No slice fell; {highest.candidate} gains most in "{highest.value}", by {_size(highest)}'
        return Finding(title, f"{_said(highest)} {_more(len(findings))}".strip(), highest.candidate)
    large = sum(part.p_bh is not None for part in parts)
    if not large:
        return Finding(
            "No slice is large enough to judge",
            f"Each has fewer than {FEWEST_QUERIES} queries that both runs score on.",
        )
    sentence = (
        f"Of {counted(large, 'slice')} with {FEWEST_QUERIES} queries or more none differs from the baseline by {margin:g} or more "
        "beyond what chance and the number of looks explain (Benjamini–Hochberg, 5 %)."
    )
    return Finding("No slice stands out", sentence)


def weakest_slice(
    comparison: Comparison, name: str, measure: Measure, columns: Sequence[SliceColumn], where: Mask | None = None
) -> Finding:
    """Where a single run scores lowest: the slice of 10 queries or more with the lowest mean."""
    overall = comparison.mean(name, measure, where)
    rows: list[tuple[float, str, str, int]] = []
    for column in columns:
        for value, members in zip(column.values, column.members, strict=True):
            inside = members if where is None else members & where
            mean = comparison.mean(name, measure, inside)
            size = len(comparison.counted(name, measure, inside))
            if value != NONE and size >= FEWEST_QUERIES and mean is not None:
                rows.append((mean, value, column.name, size))
    if not rows or overall is None:
        return Finding("No slice is large enough to judge", f"Each has fewer than {FEWEST_QUERIES} queries.")
    mean, value, column_name, size = min(rows)
    sentence = (
        f'Mean {measure} over {queries(size)} with {column_name} "{value}", against {overall:.3f} over all. '
        "Bring a second run to see where it gains and where it falls."
    )
    return Finding(f'{name} is weakest in "{value}": {mean:.3f}', sentence, name)


def macro_and_micro(means: Mapping[str, tuple[float | None, int]]) -> tuple[float | None, float | None]:
    """The mean over groups, each counting once, and the mean over their queries; None where no group has a mean.

    means  by group: its mean and how many queries it is over
    """
    known = [(mean, size) for mean, size in means.values() if mean is not None and size]
    if not known:
        return None, None
    return sum(mean for mean, _ in known) / len(known), sum(mean * size for mean, size in known) / sum(
        size for _, size in known
    )


def _size(part: SliceStatistics) -> str:
    return plain(abs(part.difference or 0.0))


def _meanwhile(pair: PairStatistics | None) -> str:
    if pair is None or pair.difference is None or pair.verdict.case == "worse":
        return ""
    if pair.verdict.case == "better":
        return f", while its mean rose by {pair.difference:.3f}"
    return (
        ", while its mean hardly changed" if abs(pair.difference) < MARGIN else ", while its mean is not clearly worse"
    )


def _said(part: SliceStatistics) -> str:
    low, high = part.interval or (None, None)
    between = "" if low is None or high is None else f", 95 % interval {signed(low)} to {signed(high)}"
    return (
        f'{part.column} "{part.value}": {part.measure} {_mean(part.mean_baseline)} → {_mean(part.mean_candidate)} '
        f"over {queries(part.n)}{between}."
    )


def _more(findings: int) -> str:
    return (
        ""
        if findings < 2
        else f"{findings - 1:,} more {'slice differs' if findings == 2 else 'slices differ'} clearly."
    )


def _mean(value: float | None) -> str:
    return "–" if value is None else plain(value)
