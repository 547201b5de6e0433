"""Is it real? Pure functions on per-query differences: intervals, p-values, verdicts, slices, the gate, drift.

Nothing depends on row order: sums are exact (`math.fsum`) and resampling starts from sorted values. Swapping two runs
flips signs exactly. What cannot be computed is None, never NaN.
"""
