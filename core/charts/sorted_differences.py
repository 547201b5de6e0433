"""Sorted differences: what changed, query by query, from the largest gain to the largest loss."""

from typing import Final

import altair as alt
import numpy as np
import polars as pl

from core.charts.roles import role_colour
from core.charts.style import (
    BETTER,
    COUNT,
    INK,
    NEUTRAL,
    SAME,
    SIGNED,
    WORSE,
    difference_axis,
    exactly,
    layered,
    plural,
    signed,
)

# What it starts from: one row per query, unique, in any order. difference: candidate minus baseline, finite.
DIFFERENCES = pl.Schema({"query_id": pl.String, "difference": pl.Float64})
# One row per bar, from the largest gain to the largest loss. left … right: the places of its queries among all, 0 … n.
# difference: of its one query, or the mean of its `count` queries, which lie between low and high. query_id: null in a
# bar of several queries. Made by `sorted_bars`.
SORTED = pl.Schema(
    {
        "left": pl.Int64,
        "right": pl.Int64,
        "difference": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
        "count": pl.Int64,
        "query_id": pl.String,
    }
)

MOST_BARS: Final = 2_000
ENDS_KEPT: Final = 250
TIE: Final = 1e-9


def sorted_bars(differences: pl.DataFrame, *, keep: str | None = None, most: int = MOST_BARS) -> pl.DataFrame:
    """Sort the differences and, beyond `most` queries, put neighbours in bars of several: SORTED.

    differences: DIFFERENCES. Of more queries the 250 largest gains, the 250 largest losses and the query `keep` have a
    bar of their own; all others share bars of nearly equal counts. Every query is in exactly one bar. Equal differences
    stand in the order of their ids.
    """
    rows = exactly(differences, DIFFERENCES).sort(["difference", "query_id"], descending=[True, False])
    n = rows.height
    own = np.ones(n, dtype=np.bool_)
    if n > most:
        kept = min(ENDS_KEPT, most // 4)
        own[kept : n - kept] = False
        own |= (rows["query_id"] == keep).to_numpy() if keep is not None else False
        shared = max(1, -(-(n - 2 * kept) // (most - 2 * kept - 4)))
    else:
        shared = 1
    place = np.arange(n)
    starts = own | (place % shared == 0)
    starts[1:] |= own[:-1]
    bars = rows.with_columns(place=pl.Series(place), bar=pl.Series(np.cumsum(starts)))
    single = pl.len() == 1
    return (
        bars.group_by("bar", maintain_order=True)
        .agg(
            left=pl.col("place").min(),
            right=pl.col("place").max() + 1,
            low=pl.col("difference").min(),
            high=pl.col("difference").max(),
            count=pl.len(),
            query_id=pl.when(single).then(pl.col("query_id").first()),
            difference=pl.col("difference").mean(),
        )
        .select(pl.col(name).cast(kind) for name, kind in SORTED.items())
    )


def sorted_differences(frame: pl.DataFrame, *, measure: str, query: str | None = None) -> alt.LayerChart:
    """Draw a bar per query (or per group of queries, where there are many), best first.

    frame: SORTED. `query` is marked and named where it has a bar of its own. A click on a bar selects its query:
    selection "query" with the field query_id (null for a bar of several queries).
    """
    rows = _prepared(frame)
    n = int(rows["count"].sum())
    shown = [kind for kind in (BETTER, WORSE) if kind in set(rows["kind"])]
    places = alt.Axis(title=f"{plural(n, 'query', 'queries')}, best to worst", labels=False, grid=False)
    x = alt.X("left:Q", axis=places, scale=alt.Scale(domain=[0, max(1, n)], nice=False))
    y = alt.Y("difference:Q", axis=difference_axis(f"Difference in {measure}"), scale=alt.Scale(zero=True))
    click = alt.selection_point(name="query", fields=["query_id"], on="click", clear="dblclick")
    bars = alt.Chart(rows).mark_rect(tooltip=None)
    # Small bars are hard to hit, so invisible ones of the full height answer to the pointer.
    columns = alt.Chart(rows).mark_rect(opacity=0, cursor="pointer")
    zero = alt.Chart(pl.DataFrame({"difference": [0.0]})).mark_rule(color=NEUTRAL, tooltip=None)
    picked = rows.filter(pl.col("query_id") == query) if query is not None else rows.clear()
    middle = alt.X("middle:Q", axis=places)
    mark = alt.Chart(picked)
    near_end = picked.height == 1 and picked["middle"][0] > n / 2
    return layered(
        bars.encode(x=x, x2="right:Q", y=y, y2="zero:Q", color=role_colour(shown)),
        zero.encode(y=y),
        mark.mark_rule(color=INK, strokeDash=[3, 3], tooltip=None).encode(x=middle),
        mark.mark_point(shape="diamond", filled=True, size=90, color=INK, opacity=1).encode(
            x=middle, y=y, tooltip=_tooltip()
        ),
        mark.mark_text(
            color=INK, align="right" if near_end else "left", dx=-7 if near_end else 7, fontWeight=600, limit=150, y=8
        ).encode(x=middle, text="query_id:N", tooltip=alt.value(None)),
        columns.encode(x=x, x2="right:Q", tooltip=_tooltip()).add_params(click),
        height=320,
    )


def describe_sorted_differences(frame: pl.DataFrame, *, candidate: str, baseline: str, measure: str) -> str:
    """Say the largest gain and the largest loss, with their queries, and how many there are of each."""
    rows = _prepared(frame)
    if rows.is_empty():
        return f"No query to compare {candidate} with {baseline}."
    best, worst = rows.row(0, named=True), rows.row(-1, named=True)
    counts = {kind: int(rows.filter(pl.col("kind") == kind)["count"].sum()) for kind in (BETTER, WORSE)}
    about = "" if rows["count"].to_numpy().max() == 1 else "about "
    return (
        f"{measure} of {candidate} minus {baseline}, query by query: {about}{counts[BETTER]:,} of "
        f"{plural(int(rows['count'].sum()), 'query', 'queries')} better, {about}{counts[WORSE]:,} worse. "
        f"From {signed(best['high'])}{_named(best)} to {signed(worst['low'])}{_named(worst)}."
    )


def _prepared(frame: pl.DataFrame) -> pl.DataFrame:
    difference = pl.col("difference")
    kind = pl.when(difference > TIE).then(pl.lit(BETTER)).when(difference < -TIE).then(pl.lit(WORSE))
    return exactly(frame, SORTED).with_columns(
        kind=kind.otherwise(pl.lit(SAME)), middle=(pl.col("left") + pl.col("right")) / 2, zero=pl.lit(0.0)
    )


def _named(row: dict[str, object]) -> str:
    return f" (query {row['query_id']})" if row["query_id"] is not None else ""


def _tooltip() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("query_id:N", title="Query"),
        alt.Tooltip("difference:Q", title="Difference", format=SIGNED),
        alt.Tooltip("count:Q", title="Queries in this bar", format=COUNT),
        alt.Tooltip("low:Q", title="Lowest", format=SIGNED),
        alt.Tooltip("high:Q", title="Highest", format=SIGNED),
    ]
