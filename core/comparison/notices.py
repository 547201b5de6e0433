"""All notices of a comparison: what reading the files found, and what the files put together show."""

from collections.abc import Sequence

from core import health
from core.comparison.comparison import Comparison
from core.model.measure import Measure
from core.notices import Notice, in_reading_order


def main_measure(measures: Sequence[Measure]) -> Measure:
    """The measure that effects and undefined queries are told for: the first nDCG asked, else nDCG@10."""
    return next((measure for measure in measures if measure.name == "nDCG"), Measure("nDCG", 10))


def notices(comparison: Comparison, measures: Sequence[Measure]) -> tuple[Notice, ...]:
    """Every notice, the worst first; effects are on the mean of the main measure."""
    # A file that holds several runs says the same of each of them once.
    read = dict.fromkeys(comparison.qrels.notices)
    for part in (*comparison.runs, comparison.queries, comparison.documents):
        read |= dict.fromkeys(part.notices if part is not None else ())
    measure = main_measure(measures)
    told = health.with_effects(read, comparison.qrels, comparison.runs, measure, comparison.conventions)
    found = health.notices(
        comparison.qrels, comparison.runs, comparison.queries, measure, comparison.conventions, measures
    )
    return in_reading_order([*told, *found])
