"""Versions of judgments: how far two of them agree, which grades changed, and whether a verdict moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from core.comparison.comparison import Comparison
from core.comparison.pairs import against_baseline
from core.model.measure import Measure
from core.model.qrels import Qrels
from core.statistics.agreement import kendall_tau
from core.statistics.paired import PairStatistics

# One row per pair judged in either version, sorted; a grade is null where that version does not judge the pair.
GRADES = pl.Schema({"query_id": pl.String, "doc_id": pl.String, "before": pl.Float64, "after": pl.Float64})
# One row per combination of grades that occurs among the pairs judged in both, sorted.
CROSSED = pl.Schema({"before": pl.Float64, "after": pl.Float64, "pairs": pl.UInt32})


@dataclass(frozen=True, eq=False)
class Agreement:
    """Two versions of judgments side by side.

    grades  GRADES
    level   the grade from which a document is relevant
    """

    grades: pl.DataFrame
    level: int

    @cached_property
    def both(self) -> pl.DataFrame:
        """The pairs judged in both versions."""
        return self.grades.filter(pl.col("before").is_not_null() & pl.col("after").is_not_null())

    @cached_property
    def changed(self) -> pl.DataFrame:
        """The pairs judged in both with another grade, the largest change first."""
        size = (pl.col("after") - pl.col("before")).abs()
        return self.both.filter(size > 0).sort(size, "query_id", "doc_id", descending=[True, False, False])

    @property
    def added(self) -> int:
        """Pairs that only the second version judges."""
        return self.grades.filter(pl.col("before").is_null()).height

    @property
    def removed(self) -> int:
        """Pairs that only the first version judges."""
        return self.grades.filter(pl.col("after").is_null()).height

    @property
    def same(self) -> float | None:
        """The share of the pairs judged in both that have the same grade, 0 to 1; None where there are none."""
        return 1 - self.changed.height / self.both.height if self.both.height else None

    @property
    def same_side(self) -> float | None:
        """The share of the pairs judged in both that are relevant in both or in neither, 0 to 1."""
        sides = (pl.col("before") >= self.level) == (pl.col("after") >= self.level)
        return self.both.filter(sides).height / self.both.height if self.both.height else None

    @cached_property
    def crossed(self) -> pl.DataFrame:
        """How often each grade became which: CROSSED."""
        counted = self.both.group_by("before", "after").len("pairs").sort("before", "after")
        return counted.select(pl.col(name).cast(kind) for name, kind in CROSSED.items())


def agreement(before: Qrels, after: Qrels, level: int = 1) -> Agreement:
    """Hold two versions against each other, pair by pair."""
    pair = ["query_id", "doc_id"]
    grades = (
        before.judgments.rename({"grade": "before"})
        .join(after.judgments.rename({"grade": "after"}), on=pair, how="full", coalesce=True)
        .sort(pair)
    )
    return Agreement(grades.select(GRADES.names()), level)


@dataclass(frozen=True, eq=False)
class Moved:
    """One candidate's verdict under both versions."""

    before: PairStatistics
    after: PairStatistics

    @property
    def moves(self) -> bool:
        """Whether the verdict is another one."""
        return self.before.verdict.case != self.after.verdict.case


def verdicts(
    before: Comparison, after: Comparison, baseline: str, measure: Measure, candidates: Sequence[str] | None = None
) -> list[Moved]:
    """Every candidate's verdict under both versions of the judgments, on all queries of each; the same runs are in both.

    A run that only one of the two could read is left out: it answers none of the other's queries.
    """
    names = [name for name in candidates or before.names if name in after.names and name in before.names]
    if baseline not in before.names or baseline not in after.names or not names:
        return []
    old, new = (
        {pair.candidate: pair for pair in against_baseline(version, baseline, measure, names, resample=False)}
        for version in (before, after)
    )
    return [Moved(old[name], new[name]) for name in names if name != baseline]


def order_tau(before: Comparison, after: Comparison, measure: Measure) -> float | None:
    """Kendall's tau of the runs' order under both versions, −1 to 1; None for fewer than two runs or where all are tied."""
    names = [name for name in before.names if name in after.names]
    means = [(before.mean(name, measure), after.mean(name, measure)) for name in names]
    known = [(old, new) for old, new in means if old is not None and new is not None]
    return kendall_tau(*zip(*known, strict=True)) if len(known) > 1 else None
