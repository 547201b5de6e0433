"""Gains: what a grade is worth."""

import numpy as np
import numpy.typing as npt

from core.errors import InputError, Problem
from core.model.measure import Measure
from core.model.measure_names import plain

Floats = npt.NDArray[np.float64]

# 2^1024 overflows a double; sums of gains need room below it.
LARGEST_EXPONENTIAL = 1000.0


def gain_of(grade: Floats, measure: Measure) -> Floats:
    """The gain of each grade under a measure's gain.

    A grade of 0 or below gains 0, unless a custom map names it. Fractional grades are used as they are.

    Returns an array of the grades' shape, 0 or more; NaN for the exponential gain of a grade above 1,000.
    Raises InputError where a custom map lacks a positive grade.
    Source: linear as trec_eval's ndcg_cut; exponential Burges et al. 2005.
    """
    if measure.gain == "custom":
        return mapped(grade, measure)
    positive = np.maximum(grade, 0.0)
    return positive if measure.gain == "linear" else exponential(positive)


def exponential(positive: Floats) -> Floats:
    """2^grade − 1, exact for whole grades up to 53."""
    small = np.minimum(positive, LARGEST_EXPONENTIAL)
    whole = np.floor(small)
    # ldexp is exact for whole grades; the fraction adds its own factor, which is exactly 1 for them.
    powers = np.ldexp(np.exp2(small - whole), whole.astype(np.int32))
    return np.where(positive > LARGEST_EXPONENTIAL, np.nan, powers - 1.0)


def mapped(grade: Floats, measure: Measure) -> Floats:
    """The gains of a custom map; a grade of 0 or below that it lacks gains 0, a positive one is refused."""
    grades = np.array([grade for grade, _ in measure.gains])
    gains = np.array([gain for _, gain in measure.gains])
    place = np.minimum(np.searchsorted(grades, grade), len(grades) - 1)
    found = grades[place] == grade
    lacking = np.unique(grade[~found & (grade > 0)])
    if len(lacking):
        named = ", ".join(plain(value) for value in lacking[:5].tolist())
        raise InputError(
            Problem(
                "",
                None,
                f"the gains given lack {len(lacking):,} of the grades in the judgments: {named}",
                "give a gain for every positive grade, such as 1=1,2=10",
            )
        )
    return np.where(found, gains[place], 0.0)
