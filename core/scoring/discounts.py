"""The discount of every rank that a cutoff can reach."""

import math

import numpy as np

from core.model.measure_names import LARGEST_CUTOFF

# log2(rank + 1) by rank; a gain is divided by it. Rank 0 does not exist and discounts to nothing.
# From the C library's log2, as trec_eval takes it: NumPy's own differs in the last bit on some machines.
LOG2 = np.array([math.inf, *(math.log2(rank + 1) for rank in range(1, LARGEST_CUTOFF + 1))])
