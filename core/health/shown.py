"""What is shown: the judgments, the runs, the measure that effects are told for, and the runs' scores by it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.model.conventions import Conventions
from core.model.measure import Measure
from core.model.qrels import Qrels
from core.model.run import Run
from core.notices import Effect
from core.scoring.hits import Hits, answered_queries, hits_of
from core.scoring.judged import Judged, Mask, judged
from core.scoring.scores import Scores, score_hits

# The cutoff at which documents are looked at where the measure has none.
USUAL_CUTOFF = 10


@dataclass(frozen=True, eq=False)
class Shown:
    """The inputs as they are looked at.

    measure   the one that effects are told for
    measures  all that are shown
    """

    qrels: Qrels
    runs: tuple[Run, ...]
    measure: Measure
    conventions: Conventions
    measures: tuple[Measure, ...]

    @property
    def n(self) -> int:
        """How many queries are judged."""
        return len(self.qrels.queries)

    @property
    def k(self) -> int:
        """The cutoff of the measure, 10 where it has none."""
        return self.measure.k or USUAL_CUTOFF

    @property
    def deepest(self) -> int:
        """The deepest cutoff shown."""
        return max((measure.k for measure in (self.measure, *self.measures) if measure.k), default=USUAL_CUTOFF)

    @property
    def facts(self) -> Judged:
        """What the judgments alone decide."""
        return judged(self.qrels)

    @cached_property
    def scores(self) -> tuple[Scores, ...]:
        """Each run's scores by the measure, in the runs' order."""
        return tuple(self.score(hits_of(run), ~answered_queries(run, self.n)) for run in self.runs)

    def score(self, hits: Hits, missing: Mask) -> Scores:
        """The scores of hits by the measure."""
        return score_hits(hits, missing, self.facts, [self.measure], self.conventions)[self.measure]

    def effect(self, **readings: float | None) -> Effect:
        """The effect of something on the measure's mean, by the names of its readings."""
        return Effect(str(self.measure), tuple(readings.items()))

    def ids(self, mask: Mask) -> tuple[str, ...]:
        """The first ids of some queries."""
        return tuple(self.qrels.queries[at] for at in mask.nonzero()[0][:5])


def shown(
    qrels: Qrels, runs: Sequence[Run], measure: Measure, conventions: Conventions, measures: Sequence[Measure]
) -> Shown:
    """Put together what is looked at."""
    return Shown(qrels, tuple(runs), measure, conventions, tuple(measures))


def counted(number: int, thing: str, things: str | None = None) -> str:
    """A number with its noun: `1 query`, `1,204 queries`."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"
