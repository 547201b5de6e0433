"""Measure: what is measured, as a value that prints as its own name and parses back."""

from dataclasses import dataclass, replace
from functools import cached_property

from core.model.measure_names import (
    LARGEST_CUTOFF,
    LARGEST_GRADE,
    Gain,
    Gains,
    Name,
    check_gains,
    parse_gains,
    parse_name,
    plain,
    refuse,
)

__all__ = ["DEFAULT_MEASURES", "Gain", "Gains", "Measure", "Name", "parse_gains"]

GAIN_NAMES = ("nDCG", "DCG", "IDCG")
LEVEL_NAMES = ("R", "P", "Success", "RR", "AP")
NEEDS_CUTOFF = ("nDCG", "DCG", "IDCG", "R", "P", "Success", "Judged")
PEOPLE_SAY = {"R": "Recall", "P": "Precision", "Success": "Hit rate", "RR": "MRR", "AP": "MAP"}
MEANINGS = {
    "nDCG": "How close the top {k} come to the best possible order; better documents and higher places count more.",
    "DCG": "The gains of the top {k}, each divided by log2(rank + 1), added up.",
    "IDCG": "The DCG that the best possible order of the judged documents would have in its top {k}.",
    "R": "The share of the relevant documents that stand in the top {k}.",
    "P": "The share of the top {k} that is relevant.",
    "Success": "The share of queries with a relevant document in the top {k}.",
    "RR": "One divided by the rank of the first relevant document, 0 where there is none in {all}.",
    "AP": "The precision at each relevant document in {all}, averaged over all relevant documents.",
    "Judged": "The share of the top {k} that somebody judged.",
}


@dataclass(frozen=True)
class Measure:
    """What is measured, named as ir_measures names it.

    name   which measure
    k      the cutoff, 1 … 1,000; None is the whole run, for RR and AP only
    gain   what a grade is worth to nDCG, DCG and IDCG: the grade, 2^grade − 1, or a map
    gains  the map grade → gain of "custom", sorted by grade; a grade of 0 or below that it lacks gains 0
    rel    the grade from which a document is relevant; None is the conventions' level

    Raises InputError where the parts do not make a measure, so a measure that cannot be computed does not exist.
    """

    name: Name
    k: int | None = None
    gain: Gain = "linear"
    gains: Gains = ()
    rel: int | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be computed; all nonsense has one message form."""
        if self.name not in MEANINGS:
            raise refuse(f'"{self.name}" is not a measure')
        if self.k is None and self.name in NEEDS_CUTOFF:
            raise refuse(f"{self.name} needs a cutoff, such as {self.name}@10")
        if self.k is not None and (type(self.k) is not int or not 1 <= self.k <= LARGEST_CUTOFF):
            raise refuse(f"{self.name}: the cutoff {self.k!r} is not a whole number from 1 to {LARGEST_CUTOFF:,}")
        if (self.gain != "linear" or self.gains) and not self.uses_gain:
            raise refuse(f"{self.name} does not use a gain")
        if self.gain not in ("linear", "exponential", "custom") or (self.gain == "custom") != bool(self.gains):
            raise refuse(f"{self.name}: {self.gain!r} is not a gain, or its map is missing")
        if self.gains and check_gains(self.gains) != tuple(sorted(self.gains)):
            object.__setattr__(self, "gains", tuple(sorted(self.gains)))
        if self.rel is not None and (not self.uses_relevance_level or not 1 <= self.rel <= LARGEST_GRADE):
            raise refuse(
                f"{self.name}(rel={self.rel}): the relevance level belongs to R, P, Success, RR and AP, from 1"
            )

    @classmethod
    def parse(cls, text: str) -> "Measure":
        """Read a name: `nDCG@10`, `nDCG(dcg='exp-log2')@10`, and what trec_eval and others say, as `ndcg_cut_10`.

        Raises InputError with a hint that lists what exists.
        """
        return cls(*parse_name(text))

    def __str__(self) -> str:
        """The canonical name, as ir_measures prints it; `parse` reads it back to the same value."""
        inside = {
            "exponential": "(dcg='exp-log2')",
            "custom": f"(gains={{{','.join(f'{plain(grade)}:{plain(gain)}' for grade, gain in self.gains)}}})",
            "linear": "" if self.rel is None else f"(rel={self.rel})",
        }[self.gain]
        return f"{self.name}{inside}{self.at}"

    @property
    def at(self) -> str:
        """`@10`, or nothing where the whole run counts."""
        return "" if self.k is None else f"@{self.k}"

    @property
    def uses_gain(self) -> bool:
        """Whether grades count by their gain (nDCG, DCG, IDCG)."""
        return self.name in GAIN_NAMES

    @property
    def uses_relevance_level(self) -> bool:
        """Whether a document is relevant or not, from a grade on (R, P, Success, RR, AP)."""
        return self.name in LEVEL_NAMES

    @property
    def bounded(self) -> bool:
        """Whether its values lie from 0 to 1 (all but DCG and IDCG)."""
        return self.name not in ("DCG", "IDCG")

    @cached_property
    def label(self) -> str:
        """A short name for people: `nDCG@10, exponential gain`, `Recall@100`, `MRR`."""
        name = f"{PEOPLE_SAY.get(self.name, self.name)}{self.at}"
        if self.uses_gain:
            return f"{name}, {self.gain} gain" if self.gain != "custom" else f"{name}, own gains"
        return name if self.rel is None else f"{name}, grade ≥ {self.rel}"

    @property
    def meaning(self) -> str:
        """One sentence that says what it measures, for a hover text."""
        return MEANINGS[self.name].format(k=self.k, all="the whole run" if self.k is None else f"the top {self.k}")

    def with_cutoff(self, k: int | None) -> "Measure":
        """The same measure at another cutoff. Raises InputError where there is no such cutoff."""
        return replace(self, k=k)

    def with_gain(self, gain: Gain, gains: Gains = ()) -> "Measure":
        """The same measure with another gain. Raises InputError where the measure uses none."""
        return replace(self, gain=gain, gains=gains)


DEFAULT_MEASURES: tuple[Measure, ...] = (
    Measure("nDCG", 10),
    Measure("nDCG", 10, "exponential"),
    Measure("R", 100),
    Measure("RR", 10),
    Measure("Success", 10),
    Measure("P", 10),
    Measure("AP", 100),
    Measure("Judged", 10),
)
