"""What all charts share: how runs get their colours, the two greys, number formats, sizes.

Decisions
- No run and no verdict has a colour here. A scale has a domain only; its range is the theme's categorical range, whose
  first two colours mean better and worse, so a chart follows a change of the theme without being made again.
- NEUTRAL is one grey with at least 3:1 against both page backgrounds (3.9 on white, 4.7 on #0F141C).
- Text marks take their colour from the page's background at the moment of drawing (Vega's signal `background`),
  because themes do not colour them.
- Names of runs, ids and texts are values in columns with fixed names, in scale domains and in axis or legend values.
  They are never field names and never part of an expression; the order of an axis is its scale's domain, because a
  sort by a list would be compiled to an expression that holds the names.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import altair as alt
import polars as pl

Layer: TypeAlias = alt.Chart | alt.LayerChart

NEUTRAL: Final = "#758196"
INK: Final = alt.ExprRef("luminance(background) > 0.4 ? '#111927' : '#EEF1F7'")

SCORE: Final = ".3f"
SIGNED: Final = "+.3f"
SHARE: Final = ".0%"
SHARE_FINE: Final = ".1%"
COUNT: Final = ",d"

COLOURED: Final = 6
DASHES: Final = ([1, 0], [6, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2])
SHAPES: Final = ("circle", "diamond", "square", "triangle-up", "cross", "triangle-down")
BETTER, WORSE, SAME = "Better", "Worse", "Same"
NEITHER: Final = "Neither"
# Names get room where there is some: a phone keeps it for the plot.
NAME_LIMIT: Final = alt.ExprRef("width < 420 ? 100 : 240")
LEGEND_COLUMNS: Final = alt.ExprRef("width < 420 ? 2 : width < 700 ? 3 : 6")

VERDICT_WORDS: Final = {
    "better": BETTER,
    "worse": WORSE,
    "baseline": "Baseline",
    "identical": "Same score on every query",
    "unanswered": "Too many queries unanswered",
    "too-few": "Too few queries to judge",
    "few-queries": "A few queries drive the result",
    "no-difference-that-matters": "No difference that matters",
    "no-clear-difference": "No clear difference",
}


@dataclass(frozen=True)
class RunColours:
    """Which runs of a comparison have a colour: at most six, in the order of the theme's categorical colours.

    The runs in `grey` are drawn in NEUTRAL, behind the others.
    """

    coloured: tuple[str, ...]
    grey: tuple[str, ...] = ()

    def colour(self, shown: Iterable[str], *, legend: alt.Legend | None = None) -> alt.Color:
        """The colour channel on "run"; `shown` are the runs in the chart, and only they stand in the legend."""
        return alt.Color(
            "run:N", title=None, scale=alt.Scale(domain=list(self.coloured)), legend=self._only(shown, legend)
        )

    def dash(self, shown: Iterable[str], *, legend: alt.Legend | None = None) -> alt.StrokeDash:
        """The dash channel on "run": the second cue for lines, in the same order as the colours."""
        dashes = [DASHES[at % len(DASHES)] for at in range(len(self.coloured))]
        scale = alt.Scale(domain=list(self.coloured), range=dashes)
        return alt.StrokeDash("run:N", title=None, scale=scale, legend=self._only(shown, legend))

    def shape(self, shown: Iterable[str], *, legend: alt.Legend | None = None) -> alt.Shape:
        """The shape channel on "run": the second cue for points, in the same order as the colours."""
        scale = alt.Scale(domain=list(self.coloured), range=list(SHAPES[: len(self.coloured)]))
        return alt.Shape("run:N", title=None, scale=scale, legend=self._only(shown, legend))

    def split(self, frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The rows of coloured runs, and those of all others."""
        inside = pl.col("run").is_in(list(self.coloured))
        return frame.filter(inside), frame.filter(~inside)

    def _only(self, shown: Iterable[str], legend: alt.Legend | None) -> alt.Legend | None:
        if legend is None:
            return None
        present = set(shown)
        described = legend.copy()
        described["values"] = [name for name in self.coloured if name in present]
        return described


def run_colours(names: Sequence[str], focus: Sequence[str] = ()) -> RunColours:
    """Give the runs of a comparison their colours, the same on every chart.

    names  all runs of the comparison, in its order: with six or fewer each has a colour, whatever is in focus
    focus  beyond six: the runs to colour, in this order, the first six of them; without any, the comparison's first six
    """
    if len(names) <= COLOURED:
        return RunColours(tuple(names))
    known = [name for name in dict.fromkeys(focus) if name in set(names)]
    coloured = tuple((known or list(names))[:COLOURED])
    return RunColours(coloured, tuple(name for name in names if name not in set(coloured)))


def line_legend() -> alt.Legend:
    """A legend of short strokes above the plot, in as many columns as fit."""
    return alt.Legend(
        orient="top",
        title=None,
        columns=LEGEND_COLUMNS,
        symbolType="stroke",
        symbolSize=320,
        symbolStrokeWidth=2.5,
        symbolOpacity=1,
    )


def exactly(frame: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    """The columns of the schema and no others, with its types.

    Raises polars' ColumnNotFoundError or InvalidOperationError where the frame does not fit: a mistake of the caller.
    """
    return frame.select(pl.col(name).cast(kind) for name, kind in schema.items())


def in_order(frame: pl.DataFrame, column: str) -> list[str]:
    """The distinct values of a text column in the order in which they first appear."""
    return [str(value) for value in frame[column].unique(maintain_order=True).to_list()]


def signed(value: float | None) -> str:
    """`+0.041`, `−0.012`, `0.000`; `–` where there is no number."""
    if value is None:
        return "–"
    text = f"{value:+.3f}".replace("-", "−")
    return "0.000" if text[1:] == "0.000" else text


def texts(values: pl.Series, how: Callable[[Any], str], *, missing: str | None = None) -> pl.Series:
    """What each value is called, `missing` where there is none.

    Called here and not by polars, as an expression would: its threads would wait for Python, while whoever holds Python may
    be turning a table into one of pandas, as Streamlit does, and waits for its threads. Neither would ever go on.
    """
    return pl.Series([missing if value is None else how(value) for value in values.to_list()], dtype=pl.String)


def signed_text(values: pl.Series) -> pl.Series:
    """The same as `signed`, for a column."""
    return texts(values, signed, missing=signed(None))


def named_rows(values: Sequence[str], field: str = "run", *, padding: float = 0.2, labelled: bool = True) -> alt.Y:
    """A y channel with one row a name, from above in the order given.

    The rows divide the height evenly: the middle of row i is at (i + 0.5) / rows.
    """
    axis = (
        alt.Axis(labelOverlap=False, labelLimit=NAME_LIMIT, domain=False, ticks=False, grid=False) if labelled else None
    )
    scale = alt.Scale(domain=list(values), paddingInner=padding, paddingOuter=padding / 2)
    return alt.Y(f"{field}:N", title=None, axis=axis, scale=scale)


def rows_height(rows: int, each: int = 38, rest: int = 80) -> int:
    """The height of a chart with one row a name, in pixels, with its axis."""
    return each * max(1, rows) + rest


def difference_axis(title: str | None, *, ticks: int = 5) -> alt.Axis:
    """An axis of differences: signed, not flush, so that the outer labels stand under their ticks."""
    zero = "datum.value == 0 ? '0' : datum.label"
    return alt.Axis(title=title, format="+.3~f", tickCount=ticks, labelFlush=False, domain=False, labelExpr=zero)


def score_scale(bounded: bool) -> alt.Scale:
    """0 to 1 for measures that are bounded, else from 0 to what the data needs."""
    return alt.Scale(domain=[0, 1], nice=False) if bounded else alt.Scale(zero=True, nice=True)


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 query`, `1,200 queries`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def layered(*layers: Layer, height: int) -> alt.LayerChart:
    """The layers over one another, the first behind, as wide as the page and `height` pixels high."""
    whole: alt.LayerChart = alt.LayerChart(layer=with_rows(*layers)).properties(height=height)
    return whole


def with_rows(*layers: Layer) -> list[Layer]:
    """The layers that have a row, because Vega has no extent for the scales of others; one with a selection stays."""

    def stays(layer: Layer) -> bool:
        rows = layer.data if isinstance(layer, alt.Chart) else None
        return not (isinstance(rows, pl.DataFrame) and rows.is_empty() and layer.params is alt.Undefined)

    return [layer for layer in layers if stays(layer)] or list(layers)
