"""Box and strip: the middle of each run's scores as a box, some of its queries as points."""

import altair as alt
import polars as pl

from core.charts.style import (
    COUNT,
    INK,
    NEUTRAL,
    SCORE,
    RunColours,
    exactly,
    layered,
    named_rows,
    plural,
    rows_height,
    score_scale,
    with_rows,
)

# One row per run, in the order to list them: quantiles and mean of its n queries' scores, in the measure's unit.
# Made by `frames.score_quantiles`.
BOX = pl.Schema(
    {
        "run": pl.String,
        "p5": pl.Float64,
        "q1": pl.Float64,
        "median": pl.Float64,
        "q3": pl.Float64,
        "p95": pl.Float64,
        "mean": pl.Float64,
        "n": pl.Int64,
    }
)
# At most 300 queries, the same ones for every run, sorted by run, then query_id. offset: where the point stands across
# its row, −1 … 1, fixed by the query id. Made by `frames.sampled_scores`.
STRIP = pl.Schema({"run": pl.String, "query_id": pl.String, "score": pl.Float64, "offset": pl.Float64})


def box_strip(
    box: pl.DataFrame, strip: pl.DataFrame, *, measure: str, colours: RunColours, bounded: bool = True
) -> alt.LayerChart:
    """Draw a row per run: points of its queries, a box from the first to the third quartile, the median as a bar.

    box: BOX. strip: STRIP. The line reaches from the 5th to the 95th percentile; the hollow dot is the mean.
    A click on a point selects its query: selection "query" with the field query_id.
    """
    rows = exactly(box, BOX)
    shown = rows["run"].to_list()
    axis = alt.Axis(title=f"{measure} of a query", tickCount=6, format=".1f" if bounded else "~g", labelFlush=False)
    scale = score_scale(bounded)

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", axis=axis, scale=scale)

    summary = alt.Chart(rows).encode(y=named_rows(shown, padding=0.25), tooltip=_tooltip(measure))
    over = alt.Chart(rows).encode(y=named_rows(shown, padding=0.25, labelled=False), tooltip=_tooltip(measure))
    boxes = alt.LayerChart(
        layer=[
            summary.mark_bar(color=NEUTRAL, opacity=0.3, height=alt.RelativeBandSize(0.6), cornerRadius=2).encode(
                x=x("q1"), x2="q3:Q"
            ),
            summary.mark_rule(color=INK, strokeWidth=1).encode(x=x("p5"), x2="p95:Q"),
        ]
    )
    middles = alt.LayerChart(
        layer=[
            over.mark_tick(color=INK, thickness=3).encode(x=x("median")),
            over.mark_point(
                filled=True, fill=alt.ExprRef("background"), stroke=INK, strokeWidth=1.5, size=45, opacity=1
            ).encode(x=x("mean")),
        ]
    )
    dots = _dots(exactly(strip, STRIP), shown, x("score"), measure, colours)
    whole: alt.LayerChart = layered(boxes, dots, middles, height=rows_height(rows.height, each=46)).resolve_scale(
        y="independent"
    )
    return whole


def describe_box_strip(box: pl.DataFrame, *, measure: str) -> str:
    """Say every run's median and middle half."""
    rows = exactly(box, BOX)
    parts = [
        f"{row['run']} {row['median']:.3f} ({row['q1']:.3f} to {row['q3']:.3f})" for row in rows.iter_rows(named=True)
    ]
    count = int(rows["n"].head(1).sum())
    return f"Median {measure} of {plural(count, 'query', 'queries')} with the middle half: " + "; ".join(parts) + "."


def _dots(points: pl.DataFrame, shown: list[str], x: alt.X, measure: str, colours: RunColours) -> alt.LayerChart:
    """The queries as points, on a numeric y scale that lies over the rows.

    A yOffset would be simpler, but Vega-Lite compiles the rows' names into an expression for it.
    """
    row = pl.col("run").replace_strict(shown, list(range(len(shown))), return_dtype=pl.Float64)
    placed = points.with_columns(y=row + 0.5 + 0.36 * pl.col("offset")).drop("offset")
    inside, outside = colours.split(placed)
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[0, max(1, len(shown))], reverse=True, nice=False, zero=False))
    tooltip = [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("query_id:N", title="Query"),
        alt.Tooltip("score:Q", title=measure, format=SCORE),
    ]
    click = alt.selection_point(name="query", fields=["query_id"], on="click", clear="dblclick")
    bright = alt.Chart(inside).mark_circle(size=22, opacity=0.5, cursor="pointer").add_params(click)
    grey = alt.Chart(outside).mark_circle(size=22, opacity=0.4, color=NEUTRAL)
    both = with_rows(
        grey.encode(x=x, y=y, tooltip=tooltip),
        bright.encode(x=x, y=y, tooltip=tooltip, color=colours.colour(shown)),
    )
    return alt.LayerChart(layer=both)


def _tooltip(measure: str) -> list[alt.Tooltip]:
    names = {"p5": "5th percentile", "q1": "First quartile", "median": "Median", "q3": "Third quartile"}
    names |= {"p95": "95th percentile", "mean": f"Mean {measure}"}
    return [
        alt.Tooltip("run:N", title="Run"),
        *(alt.Tooltip(f"{name}:Q", title=title, format=SCORE) for name, title in names.items()),
        alt.Tooltip("n:Q", title="Queries", format=COUNT),
    ]
