"""Charts: pure functions from a documented frame to an altair chart, each with a description in words.

Every chart `x` has a schema constant for its frame and a `describe_x`; the frames of the Distributions charts are made
by `frames`, `sorted_bars` and `squares`. Charts carry no title: `titled` adds one for pictures.
"""

from core.charts.box_strip import BOX, STRIP, box_strip, describe_box_strip
from core.charts.curve import CURVE, curve, describe_curve
from core.charts.ecdf import ECDF, describe_ecdf, ecdf
from core.charts.ends import ENDS, describe_ends, ends
from core.charts.forest import FOREST, describe_forest, forest
from core.charts.frames import PER_QUERY, ecdf_points, sampled_scores, score_bins, score_quantiles, shares_at_ends
from core.charts.grade_histogram import GRADES, describe_grade_histogram, grade_bars, grade_histogram
from core.charts.heatmap import HEATMAP, describe_heatmap, heatmap
from core.charts.histogram import HISTOGRAM, describe_histogram, histogram
from core.charts.scatter import MOST_POINTS, PAIRS, describe_scatter, scatter
from core.charts.scatter_squares import SQUARES, describe_scatter_squares, scatter_squares, squares
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

__all__ = [
    "BOX",
    "CURVE",
    "DIFFERENCES",
    "ECDF",
    "ENDS",
    "FOREST",
    "GRADES",
    "HEATMAP",
    "HISTOGRAM",
    "MOST_POINTS",
    "PAIRS",
    "PER_QUERY",
    "SORTED",
    "SQUARES",
    "STRIP",
    "Palette",
    "RunColours",
    "box_strip",
    "configuration",
    "curve",
    "describe_box_strip",
    "describe_curve",
    "describe_ecdf",
    "describe_ends",
    "describe_forest",
    "describe_grade_histogram",
    "describe_heatmap",
    "describe_histogram",
    "describe_scatter",
    "describe_scatter_squares",
    "describe_sorted_differences",
    "ecdf",
    "ecdf_points",
    "ends",
    "forest",
    "grade_bars",
    "grade_histogram",
    "heatmap",
    "histogram",
    "palette",
    "run_colours",
    "sampled_scores",
    "scatter",
    "scatter_squares",
    "score_bins",
    "score_quantiles",
    "shares_at_ends",
    "sorted_bars",
    "sorted_differences",
    "squares",
    "titled",
]
