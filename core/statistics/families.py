"""Families: p-values adjusted for being several. None stands for a comparison without a p-value and is not counted."""

from collections.abc import Sequence

Ps = Sequence[float | None]


def bonferroni(ps: Ps) -> list[float | None]:
    """Each p times the size of the family, at most 1."""
    size = sum(p is not None for p in ps)
    return [None if p is None else min(1.0, p * size) for p in ps]


def holm(ps: Ps) -> list[float | None]:
    """Holm's step-down p-values (Holm 1979): the chance of any false finding in the family is held."""
    order = _smallest_first(ps)
    adjusted: list[float | None] = [None] * len(ps)
    reached = 0.0
    for place, (p, at) in enumerate(order):
        reached = max(reached, min(1.0, p * (len(order) - place)))
        adjusted[at] = reached
    return adjusted


def benjamini_hochberg(ps: Ps) -> list[float | None]:
    """Benjamini and Hochberg's step-up p-values (1995): the share of false findings among the findings is held."""
    order = _smallest_first(ps)
    adjusted: list[float | None] = [None] * len(ps)
    reached = 1.0
    for place, (p, at) in reversed(list(enumerate(order))):
        reached = min(reached, p * len(order) / (place + 1))
        adjusted[at] = reached
    return adjusted


def _smallest_first(ps: Ps) -> list[tuple[float, int]]:
    return sorted((p, at) for at, p in enumerate(ps) if p is not None)
