"""Paired: one candidate against the baseline, and a family of candidates against it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy.typing as npt

from core.statistics.differences import as_differences
from core.statistics.evidence import MARGIN, Answered, Evidence, Names, gather
from core.statistics.families import holm
from core.statistics.sign_flip import sign_flip_p
from core.statistics.verdict import Verdict, judge


@dataclass(frozen=True, kw_only=True)
class PairStatistics(Evidence):
    """The evidence with its p-values and its verdict.

    p_value  two-sided sign-flip p, 0 to 1; None at n = 0, or where it was not asked for
    p_holm   the same, adjusted for the family
    """

    p_value: float | None
    p_holm: float | None
    verdict: Verdict

    def as_json(self) -> dict[str, object]:
        """One entry of `comparisons` in CLI.md."""
        row = {name: getattr(self, name) for name in _JSON}
        for name in ("interval", "interval_simultaneous"):
            row[name] = None if row[name] is None else list(row[name])
        return {**row, "verdict": self.verdict.as_json()}


_JSON = (
    "candidate", "baseline", "measure", "n", "difference", "interval", "interval_simultaneous", "p_value", "p_holm",
    "wins", "ties", "losses", "effect_size", "detectable", "largest_share", "badly_hurt",
)  # fmt: skip


def compare_differences(
    d: npt.ArrayLike,
    names: Names | None = None,
    *,
    comparisons: int = 1,
    margin: float = MARGIN,
    answered: Answered | None = None,
    ids: Sequence[str] | None = None,
    resample: bool = True,
) -> PairStatistics:
    """Everything about one pair, from its per-query differences (candidate minus baseline, same queries, any order).

    `comparisons` is the size of the family whose verdicts are read together. `resample=False` leaves out the p-value,
    the only slow part; no verdict depends on it. Raises ValueError where a difference is not a finite number.
    """
    array = as_differences(d)
    evidence = gather(array, names or Names(), comparisons=comparisons, margin=margin, answered=answered, ids=ids)
    p = sign_flip_p(array) if resample else None
    known = {field.name: getattr(evidence, field.name) for field in fields(Evidence)}
    return PairStatistics(**known, p_value=p, p_holm=p if comparisons == 1 else None, verdict=judge(evidence))


@dataclass(frozen=True, eq=False)
class Pair:
    """One candidate of a family: its name, its differences to the baseline, and what `compare_differences` may know."""

    candidate: str
    d: npt.ArrayLike
    answered: Answered | None = None
    ids: Sequence[str] | None = None


def compare_family(
    pairs: Sequence[Pair], baseline: str, measure: str, *, margin: float = MARGIN, resample: bool = True
) -> list[PairStatistics]:
    """All candidates against one baseline on one measure, in the order given, adjusted for being several."""
    found = [
        compare_differences(
            pair.d,
            Names(pair.candidate, baseline, measure),
            comparisons=len(pairs),
            margin=margin,
            answered=pair.answered,
            ids=pair.ids,
            resample=resample,
        )
        for pair in pairs
    ]
    adjusted = holm([one.p_value for one in found])
    return [replace(one, p_holm=p) for one, p in zip(found, adjusted, strict=True)]
