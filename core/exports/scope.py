"""Scope: what of a comparison an export is about, and what it shows there."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.comparison import Comparison
from core.comparison.alerts import Alert, alerts
from core.comparison.comparison import Mask
from core.comparison.finding import Finding, finding
from core.comparison.notices import notices
from core.comparison.pairs import against_baseline, by_slice
from core.model.measure import Measure
from core.notices import Notice
from core.slices import SliceColumn
from core.statistics.paired import PairStatistics
from core.statistics.slice_family import SliceStatistics


@dataclass(frozen=True, eq=False)
class Scope:
    """One measure, the runs, the run they are held against, the queries looked at: what a page shows, to be taken away.

    where   the queries of the slice filter, shape (judged queries,); None for all
    sliced  the filter as (column, values), None where there is none
    """

    comparison: Comparison
    measure: Measure
    baseline: str
    runs: tuple[str, ...]
    where: Mask | None = None
    sliced: tuple[str, tuple[str, ...]] | None = None

    @classmethod
    def of(cls, comparison: Comparison, *, baseline: str | None = None, measure: Measure | None = None) -> "Scope":
        """All runs and all queries of a comparison, by nDCG@10 against the first run unless told otherwise."""
        return cls(comparison, measure or Measure("nDCG", 10), baseline or comparison.names[0], comparison.names)

    @property
    def candidates(self) -> tuple[str, ...]:
        """The runs other than the baseline."""
        return tuple(run for run in self.runs if run != self.baseline)

    @property
    def other_gain(self) -> Measure:
        """The same measure with the other gain."""
        return self.measure.with_gain("exponential" if self.measure.gain == "linear" else "linear")

    @property
    def queries(self) -> int:
        """How many judged queries are looked at."""
        return len(self.comparison.qrels.queries) if self.where is None else int(self.where.sum())

    def line(self, measures: Measure | Sequence[Measure] | None = None) -> str:
        """The convention line of the numbers taken away, with the slice."""
        found = self.comparison.line(measures or self.measure)
        if self.sliced is None:
            return found
        return f"{found} · {self.sliced[0]} = {', '.join(self.sliced[1])} ({self.queries:,} of them)"

    @cached_property
    def pairs(self) -> list[PairStatistics]:
        """Every candidate against the baseline; no p-values, which no verdict needs."""
        if not self.candidates:
            return []
        return against_baseline(
            self.comparison, self.baseline, self.measure, self.candidates, where=self.where, resample=False
        )

    @cached_property
    def finding(self) -> Finding:
        """The answer: the title, and the verdict's sentence."""
        return finding(self.comparison, self.baseline, self.measure, self.pairs)

    @property
    def leader(self) -> str:
        """The run that the title is about: the best candidate, or the only run."""
        return self.finding.candidate or self.baseline

    @property
    def pair(self) -> PairStatistics | None:
        """The leader against the baseline."""
        return next((pair for pair in self.pairs if pair.candidate == self.finding.candidate), None)

    @cached_property
    def parts(self) -> dict[str, list[SliceStatistics]]:
        """Every group of every column, for every candidate."""
        if not self.candidates:
            return {}
        return {
            column.name: by_slice(
                self.comparison, self.baseline, self.measure, column, self.candidates, where=self.where
            )
            for column in self.comparison.slices
        }

    @property
    def telling(self) -> SliceColumn | None:
        """The column with the deepest fall, else with the highest rise, else the first there is."""
        columns = self.comparison.slices
        findings = [part for parts in self.parts.values() for part in parts if part.finding]
        if not findings:
            return columns[0] if columns else None
        most = min(findings, key=lambda part: part.difference or 0.0)
        most = most if most.fell else max(findings, key=lambda part: part.difference or 0.0)
        return next(column for column in columns if column.name == most.column)

    @cached_property
    def alerts(self) -> tuple[Alert, ...]:
        """What the mean does not say by itself."""
        return alerts(self.comparison, self.baseline, self.measure, self.pairs, self.where) if self.pairs else ()

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """What the files say that touches the numbers, the worst first."""
        return notices(self.comparison, [self.measure, self.other_gain])
