"""Finding: what a comparison shows, as the title of a page and the sentence under it."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.comparison.comparison import Comparison
from core.model.measure import Measure
from core.statistics.paired import PairStatistics


@dataclass(frozen=True)
class Finding:
    """The answer in one line, and the verdict's own sentence; `candidate` is the run it is about, None for a single run."""

    title: str
    sentence: str
    candidate: str | None = None


def finding(comparison: Comparison, baseline: str, measure: Measure, pairs: Sequence[PairStatistics]) -> Finding:
    """What the runs show against the baseline: the candidate with the highest mean stands for all."""
    scored = [pair for pair in pairs if pair.difference is not None]
    if not scored:
        mean = comparison.scores(baseline, measure).mean
        known = (
            f"{baseline} scores {mean:.3f} {measure}"
            if mean is not None
            else f"{measure} of {baseline} cannot be computed"
        )
        return (
            Finding(known, "Bring a second run to compare.")
            if not pairs
            else Finding(known, pairs[0].verdict.sentence, pairs[0].candidate)
        )
    best = max(scored, key=lambda pair: pair.difference or 0.0)
    return Finding(_title(best, others=len(scored) - 1), best.verdict.sentence, best.candidate)


def _title(pair: PairStatistics, *, others: int) -> str:
    size = abs(pair.difference or 0.0)
    amount = f"{size:.3f}" if size >= 0.0005 else "less than 0.001"
    ahead = (pair.difference or 0.0) > 0
    none = "No run beats" if others else f"{pair.candidate} does not beat"
    return {
        "identical": f"{pair.candidate} and {pair.baseline} score the same",
        "unanswered": "Not a fair comparison: too many queries are unanswered",
        "too-few": f"{pair.candidate} is {amount} {'ahead of' if ahead else 'behind'} {pair.baseline}, on too few queries to judge",
        "few-queries": f"A few queries drive {pair.candidate} {'ahead of' if ahead else 'behind'} {pair.baseline}",
        "better": f"{pair.candidate} beats {pair.baseline} by {amount}",
        "worse": f"{none} {pair.baseline}"
        + (f": {pair.candidate} comes closest, {amount} behind" if others else f": it is {amount} behind"),
        "no-difference-that-matters": f"No difference that matters between {pair.candidate} and {pair.baseline}",
        "no-clear-difference": f"No clear difference between {pair.candidate} and {pair.baseline}",
    }[pair.verdict.case]
