"""Data health: what in the judgments and runs touches the numbers, counted and said in plain sentences."""

from collections.abc import Iterable, Sequence

from core.health.coverage import coverage_notices
from core.health.facts import GRADE_COUNTS, JUDGMENT_COUNTS, RUN_FACTS, grade_counts, judgment_counts, run_facts
from core.health.grades import grade_notices
from core.health.metadata import metadata_notices
from core.health.order import order_notices
from core.health.order import with_effects as _with_effects
from core.health.shown import Shown, shown
from core.health.unjudged import unjudged_notices
from core.model.conventions import Conventions
from core.model.measure import Measure
from core.model.metadata import QueryMetadata
from core.model.qrels import Qrels
from core.model.run import Run
from core.notices import Notice, in_reading_order

__all__ = [
    "GRADE_COUNTS",
    "JUDGMENT_COUNTS",
    "RUN_FACTS",
    "Shown",
    "grade_counts",
    "judgment_counts",
    "notices",
    "run_facts",
    "shown",
    "with_effects",
]


def notices(
    qrels: Qrels,
    runs: Sequence[Run],
    queries: QueryMetadata | None,
    measure: Measure,
    conventions: Conventions,
    measures: Sequence[Measure] = (),
) -> tuple[Notice, ...]:
    """What the files put together show, beside what reading each of them raised.

    measure   the one whose mean effects are told for; its cutoff (or 10) is the top that is looked at
    measures  all that are shown: runs are held against their deepest cutoff

    Returns notices in reading order. Raises InputError where custom gains lack a grade.
    """
    look = shown(qrels, runs, measure, conventions, measures)
    found = [*grade_notices(qrels), *coverage_notices(look), *unjudged_notices(look), *order_notices(look)]
    if queries is not None:
        found += metadata_notices(look, queries)
    return in_reading_order(found)


def with_effects(
    read: Iterable[Notice], qrels: Qrels, runs: Sequence[Run], measure: Measure, conventions: Conventions
) -> tuple[Notice, ...]:
    """The notices that reading the files raised, with their effect on the mean where only scoring can tell it.

    `score-direction` gets as_read and otherwise. Returns as many notices as given, in the same order.
    """
    return tuple(_with_effects(shown(qrels, runs, measure, conventions, ()), read))
