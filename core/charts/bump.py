"""Bump: where the documents of one query moved from the baseline's ranking to the candidate's."""

import altair as alt
import polars as pl

from core.charts.style import INK, NEUTRAL, exactly, layered, plural

# One row per document in the top k of either run, unique. before, after: its rank in the baseline and in the candidate,
# from 1, null where it is not in that run's list. grade: null where it is unjudged.
BUMP = pl.Schema({"doc_id": pl.String, "title": pl.String, "before": pl.Int64, "after": pl.Int64, "grade": pl.Float64})

ROW = 26
PADDING = 0.62
# Left of the first run and right of the second, on a scale of two points.
LABEL_ROOM = alt.ExprRef(f"width * {PADDING / (1 + 2 * PADDING):.3f} - 16")


def bump(frame: pl.DataFrame, *, baseline: str, candidate: str, k: int) -> alt.LayerChart:
    """Draw a line per document between its two ranks; those that moved are strong, judged ones coloured by grade.

    frame: BUMP. Documents below rank k on one side, or not there at all, end in a row of their own under the ranks.
    Unjudged documents are dashed and grey with hollow ends.
    """
    rows = _long(frame, baseline, candidate, k)
    judged, unjudged = rows.filter(pl.col("grade").is_not_null()), rows.filter(pl.col("grade").is_null())
    x, y = _axes(baseline, candidate, k)
    strength = alt.condition("datum.moved", alt.value(1), alt.value(0.4))
    width = alt.condition("datum.moved", alt.value(2.6), alt.value(1.4))
    tooltip, colour = _tooltip(), _grade_colour(judged)
    lines = alt.Chart(judged).mark_line(tooltip=None).encode(x=x, y=y, detail="doc_id:N", color=colour)
    dashed = alt.Chart(unjudged).mark_line(color=NEUTRAL, strokeDash=[4, 3], tooltip=None)
    ends = alt.Chart(judged).mark_point(filled=True, size=90).encode(x=x, y=y, color=colour, tooltip=tooltip)
    hollow = alt.Chart(unjudged).mark_point(
        filled=True, fill=alt.ExprRef("background"), stroke=NEUTRAL, strokeWidth=1.8, size=70, opacity=1
    )
    listed = rows.filter(pl.col("rank").is_not_null() & (pl.col("rank") <= k))
    left, right = listed.filter(pl.col("run") == baseline), listed.filter(pl.col("run") == candidate)
    return layered(
        dashed.encode(x=x, y=y, detail="doc_id:N", opacity=strength, strokeWidth=width),
        lines.encode(opacity=strength, strokeWidth=width),
        hollow.encode(x=x, y=y, tooltip=tooltip),
        ends.encode(opacity=alt.value(1)),
        alt.Chart(left)
        .mark_text(align="right", dx=-9, color=INK, limit=LABEL_ROOM, tooltip=None)
        .encode(x=x, y=y, text="label:N"),
        alt.Chart(right)
        .mark_text(align="left", dx=9, color=INK, limit=LABEL_ROOM, tooltip=None)
        .encode(x=x, y=y, text="label:N"),
        height=ROW * (k + 1) + 90,
    )


def describe_bump(frame: pl.DataFrame, *, baseline: str, candidate: str, k: int) -> str:
    """Say how many documents rose, fell, came in and dropped out, and the largest move of a judged one."""
    rows = exactly(frame, BUMP).with_columns(
        before=pl.when(pl.col("before") <= k).then(pl.col("before")),
        after=pl.when(pl.col("after") <= k).then(pl.col("after")),
    )
    moved = rows.with_columns(up=pl.col("before") - pl.col("after"))
    counts = (
        int((moved["up"] > 0).sum()),
        int((moved["up"] < 0).sum()),
        int((moved["before"].is_null() & moved["after"].is_not_null()).sum()),
        int((moved["after"].is_null() & moved["before"].is_not_null()).sum()),
    )
    words = (
        f"{plural(rows.height, 'document')} in the top {k} from {baseline} to {candidate}: {counts[0]} rose, "
        f"{counts[1]} fell, {counts[2]} came in, {counts[3]} dropped out."
    )
    known = moved.filter(pl.col("grade").is_not_null() & pl.col("up").is_not_null() & (pl.col("up") != 0))
    if known.height:
        most = known.sort(pl.col("up").abs(), descending=True, maintain_order=True).row(0, named=True)
        words += (
            f" The largest move of a judged one: {most['doc_id']} (grade {most['grade']:g}) from rank "
            f"{most['before']} to {most['after']}."
        )
    return words


def _long(frame: pl.DataFrame, baseline: str, candidate: str, k: int) -> pl.DataFrame:
    """Two rows per document, one for each run, with the row in which it is drawn."""
    rows = exactly(frame, BUMP)
    shown = [pl.when(pl.col(side) <= k).then(pl.col(side)).otherwise(k + 1) for side in ("before", "after")]
    title = pl.coalesce(pl.col("title"), pl.col("doc_id"))
    kept = rows.with_columns(moved=shown[0] != shown[1], label=title)
    return pl.concat(
        kept.select("doc_id", "title", "grade", "moved", "label", run=pl.lit(run), rank=pl.col(side), place=place)
        for run, side, place in ((baseline, "before", shown[0]), (candidate, "after", shown[1]))
    )


def _axes(baseline: str, candidate: str, k: int) -> tuple[alt.X, alt.Y]:
    """The two runs side by side, and the ranks from above with one row more for what is below them."""
    axis = alt.Axis(
        orient="top", labelAngle=0, labelOverlap=False, labelLimit=150, domain=False, ticks=False, grid=False
    )
    x = alt.X(
        "run:N", title=None, axis=axis, scale=alt.Scale(type="point", domain=[baseline, candidate], padding=PADDING)
    )
    below = f"datum.value > {int(k)} ? 'below' : datum.label"
    ranks = alt.Axis(title="Rank", values=_ticks(k), grid=False, labelExpr=below, format="d", labelFlush=False)
    scale = alt.Scale(domain=[0.5, k + 1.5], reverse=True, nice=False, zero=False)
    y = alt.Y("place:Q", axis=ranks, scale=scale)
    return x, y


def _grade_colour(judged: pl.DataFrame) -> alt.Color:
    """The theme's sequential colours from their middle on: grade 0 or below can still be told from the page."""
    grades = sorted(set(judged["grade"]))
    highest = max([1.0, *grades])
    scale = alt.Scale(domain=[-highest, highest], range="ramp", clamp=True)
    legend = alt.Legend(title="Grade", orient="top", type="symbol", values=grades[-6:], format="~g", symbolOpacity=1)
    return alt.Color("grade:Q", scale=scale, legend=legend if grades else None)


def _ticks(k: int) -> list[int]:
    every = 1 if k <= 25 else 10
    return [*(rank for rank in range(1, k + 1) if rank == 1 or rank % every == 0), k + 1]


def _tooltip() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("doc_id:N", title="Document"),
        alt.Tooltip("title:N", title="Title"),
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("rank:Q", title="Rank"),
        alt.Tooltip("grade:Q", title="Grade", format="~g"),
    ]
