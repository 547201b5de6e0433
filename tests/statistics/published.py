"""Published data and inputs that several tests share."""

import numpy as np

from core.statistics.differences import Array

# Student 1908, "The probable error of a mean": extra sleep in hours with two drugs, ten patients, first minus second.
SLEEP: Array = np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]) - np.array(
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
)
# Darwin 1876, in Fisher 1935, "The Design of Experiments" III: crossed minus self-fertilised maize, eighths of an inch.
MAIZE: Array = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], dtype=np.float64)
# Benjamini & Hochberg 1995, section 3.2: fifteen p-values of a heart trial.
HEART = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]  # fmt: skip


def changes(n: int, mean: float = 0.0, sd: float = 0.15, seed: int = 0) -> Array:
    """Differences like those of nDCG: half of the queries unchanged, the rest normal, with about this mean."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(n) < 0.5, 0.0, rng.normal(2 * mean, sd, n))
