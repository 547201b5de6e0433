"""Charts: pure functions from a documented frame to an altair chart, each with a description in words.

Every chart `x` has a schema constant for its frame and a `describe_x`; the frames of the Distributions charts are made
by `frames`, `sorted_bars` and `squares`. Charts carry no title: `titled` adds one for pictures.
"""

from core.charts.box_strip import BOX, STRIP, box_strip, describe_box_strip
from core.charts.bump import BUMP, bump, describe_bump
from core.charts.causes import CAUSES, causes, describe_causes
from core.charts.contributions import CONTRIBUTIONS, contributions, describe_contributions
from core.charts.curve import CURVE, curve, describe_curve
from core.charts.cusum import CUSUM, cusum, describe_cusum
from core.charts.dumbbell import DUMBBELL, describe_dumbbell, dumbbell
from core.charts.ecdf import ECDF, describe_ecdf, ecdf
from core.charts.ends import ENDS, describe_ends, ends
from core.charts.forest import FOREST, describe_forest, forest
from core.charts.frames import PER_QUERY, ecdf_points, sampled_scores, score_bins, score_quantiles, shares_at_ends
from core.charts.grade_histogram import GRADES, describe_grade_histogram, grade_bars, grade_histogram
from core.charts.heatmap import HEATMAP, describe_heatmap, heatmap
from core.charts.histogram import HISTOGRAM, describe_histogram, histogram
from core.charts.matrix import MATRIX, describe_matrix, matrix
from core.charts.scatter import MOST_POINTS, PAIRS, describe_scatter, scatter
from core.charts.scatter_squares import SQUARES, describe_scatter_squares, scatter_squares, squares
from core.charts.sensitivity import SENSITIVITY, describe_sensitivity, sensitivity
from core.charts.slice_forest import SLICE_FOREST, describe_slice_forest, slice_forest
from core.charts.small_multiples import SLICE_BINS, describe_small_multiples, slice_bins, small_multiples
from core.charts.sorted_differences import (
    DIFFERENCES,
    SORTED,
    describe_sorted_differences,
    sorted_bars,
    sorted_differences,
)
from core.charts.style import RunColours, run_colours
from core.charts.theme import Palette, configuration, palette
from core.charts.titled import titled
from core.charts.trend import TREND, describe_trend, trend

__all__ = [
    "BOX",
    "BUMP",
    "CAUSES",
    "CONTRIBUTIONS",
    "CURVE",
    "CUSUM",
    "DIFFERENCES",
    "DUMBBELL",
    "ECDF",
    "ENDS",
    "FOREST",
    "GRADES",
    "HEATMAP",
    "HISTOGRAM",
    "MATRIX",
    "MOST_POINTS",
    "PAIRS",
    "PER_QUERY",
    "SENSITIVITY",
    "SLICE_BINS",
    "SLICE_FOREST",
    "SORTED",
    "SQUARES",
    "STRIP",
    "TREND",
    "Palette",
    "RunColours",
    "box_strip",
    "bump",
    "causes",
    "configuration",
    "contributions",
    "curve",
    "cusum",
    "describe_box_strip",
    "describe_bump",
    "describe_causes",
    "describe_contributions",
    "describe_curve",
    "describe_cusum",
    "describe_dumbbell",
    "describe_ecdf",
    "describe_ends",
    "describe_forest",
    "describe_grade_histogram",
    "describe_heatmap",
    "describe_histogram",
    "describe_matrix",
    "describe_scatter",
    "describe_scatter_squares",
    "describe_sensitivity",
    "describe_slice_forest",
    "describe_small_multiples",
    "describe_sorted_differences",
    "describe_trend",
    "dumbbell",
    "ecdf",
    "ecdf_points",
    "ends",
    "forest",
    "grade_bars",
    "grade_histogram",
    "heatmap",
    "histogram",
    "matrix",
    "palette",
    "run_colours",
    "sampled_scores",
    "scatter",
    "scatter_squares",
    "score_bins",
    "score_quantiles",
    "sensitivity",
    "shares_at_ends",
    "slice_bins",
    "slice_forest",
    "small_multiples",
    "sorted_bars",
    "sorted_differences",
    "squares",
    "titled",
    "trend",
]
