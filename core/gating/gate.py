"""The gate: from a comparison of two runs to the decision, with everything that a report of it says."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.comparison import Comparison
from core.comparison.comparison import Floats, Mask
from core.comparison.pairs import by_slice, compared
from core.model.frames import TOP_DEPTH
from core.model.measure import Measure
from core.slices import SliceColumn
from core.statistics.bootstrap import RESAMPLES
from core.statistics.differences import TIE, badly_hurt, outcomes
from core.statistics.evidence import Names
from core.statistics.gating import Decision, GateRules, Outcome, Release, decide
from core.statistics.sign_flip import FLIPS, SEED
from core.statistics.slice_family import SliceStatistics


@dataclass(frozen=True, kw_only=True)
class Gated:
    """A decision on two runs of a comparison, and the numbers around it.

    means           of candidate and baseline over the queries compared, None where there are none
    wins … losses   queries of the candidate that are better, the same (to 1e-9) and worse
    badly_hurt      queries that lost 0.30 or more
    judged          judged@k of candidate and baseline, 0 to 1, None where there is no query
    watched, lost   how long the must-not-break list is, and which of it lost
    """

    decision: Decision
    rules: GateRules
    candidate: str
    baseline: str
    measure: Measure
    means: tuple[float | None, float | None]
    wins: int
    ties: int
    losses: int
    badly_hurt: int
    judged: tuple[float, float] | None
    watched: int
    lost: tuple[str, ...]

    @property
    def outcome(self) -> Outcome:
        """pass, fail, not-comparable or not-enough-evidence."""
        return self.decision.outcome

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why, in sentences."""
        return self.decision.reasons

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 2 not comparable, 3 not enough evidence."""
        return self.decision.exit_code

    def as_json(self) -> dict[str, Any]:
        """The gate's fields of CLI.md, then what else went into the decision: rules, counts, seed."""
        new, old = self.means
        judged = self.judged or (None, None)
        return {
            **self.decision.as_json(),
            "warnings": list(self.decision.warnings),
            "candidate": self.candidate,
            "baseline": self.baseline,
            "measure": str(self.measure),
            "n": self.decision.n,
            "mean_candidate": new,
            "mean_baseline": old,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "badly_hurt": self.badly_hurt,
            "judged": {"k": judged_depth(self.measure), "candidate": judged[0], "baseline": judged[1]},
            "must_not_break": {"queries": self.watched, "lost": list(self.lost)},
            "rules": asdict(self.rules) | {"seed": SEED, "resamples": RESAMPLES, "flips": FLIPS},
        }


def gate(
    comparison: Comparison,
    candidate: str,
    baseline: str,
    measure: Measure,
    *,
    rules: GateRules | None = None,
    slices: Sequence[SliceColumn] = (),
    must_not_break: Sequence[str] = (),
    expect_qrels: str | None = None,
) -> Gated:
    """Decide on a candidate by the rules of `core.statistics.gating`.

    slices          the columns whose groups are guarded
    must_not_break  ids of queries that may not lose anything
    expect_qrels    the SHA-256 that the judgments are pinned to
    """
    rules = rules or GateRules()
    rows = compared(comparison, candidate, baseline, measure)
    new, old = (comparison.scores(name, measure).values[rows] for name in (candidate, baseline))
    ids = [query for query, inside in zip(comparison.qrels.queries, rows.tolist(), strict=True) if inside]
    judged = _judged(comparison, candidate, baseline, measure, rows)
    watched = tuple(dict.fromkeys(must_not_break))
    release = Release(
        d=new - old, ids=ids, names=Names(candidate, baseline, str(measure)), judged=len(comparison.qrels.queries),
        missing=(len(comparison.missing(candidate)), len(comparison.missing(baseline))),
        qrels=None if expect_qrels is None else (expect_qrels, comparison.qrels.sha256),
        blind=[name for name in (candidate, baseline) if _blind(comparison, name, measure)], judged_share=judged,
        low_grades=bool((comparison.qrels.grade <= 0).any()),
        slices=_guarded(comparison, candidate, baseline, measure, slices, rules), must_not_break=watched,
    )  # fmt: skip
    counts = outcomes(new - old)
    return Gated(
        decision=decide(release, rules), rules=rules, candidate=candidate, baseline=baseline, measure=measure,
        means=(comparison.mean(candidate, measure, rows), comparison.mean(baseline, measure, rows)),
        wins=counts.wins, ties=counts.ties, losses=counts.losses, badly_hurt=badly_hurt(new - old), judged=judged,
        watched=len(watched), lost=_lost(watched, ids, new - old),
    )  # fmt: skip


def _guarded(
    comparison: Comparison,
    candidate: str,
    baseline: str,
    measure: Measure,
    slices: Sequence[SliceColumn],
    rules: GateRules,
) -> list[SliceStatistics]:
    """Every group of the guarded columns, with the p-values of a fall."""
    return [
        part
        for column in slices
        for part in by_slice(
            comparison, baseline, measure, column, [candidate], margin=rules.margin, alternative="less"
        )
    ]


def _lost(watched: Sequence[str], ids: Sequence[str], d: Floats) -> tuple[str, ...]:
    """The queries of the must-not-break list that lost anything."""
    of_list = set(watched)
    return tuple(query for query, one in zip(ids, d.tolist(), strict=True) if query in of_list and one < -TIE)


def judged_depth(measure: Measure) -> int:
    """The k of the judged guard: the measure's cutoff, 100 where the whole run counts."""
    return measure.k or TOP_DEPTH


def _judged(
    comparison: Comparison, candidate: str, baseline: str, measure: Measure, rows: Mask
) -> tuple[float, float] | None:
    at_k = Measure("Judged", judged_depth(measure))
    new, old = (comparison.mean(name, at_k, rows) for name in (candidate, baseline))
    return None if new is None or old is None else (new, old)


def _blind(comparison: Comparison, name: str, measure: Measure) -> bool:
    found = comparison.scores(name, Measure("Judged", judged_depth(measure))).values
    return not np.any(found > 0)
