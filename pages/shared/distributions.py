"""The charts of Distributions: how every run's scores are spread, and what changed query by query."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import streamlit as st

from core import charts
from core.comparison import Comparison
from core.comparison.pairs import differences
from core.exports import sentences
from pages.shared.compare_pair import once
from pages.shared.distributions_finding import focus
from pages.shared.figure import card, exported
from pages.shared.navigation import QUERIES
from pages.shared.slicing import line as convention_line
from pages.shared.text import count, plain, quiet
from pages.shared.view import View

FEW = 12  # more runs than this are too many for one picture: the first ones are shown, and it is said


def spread(comparison: Comparison, look: View, candidate: str | None) -> None:
    """Every run's scores: ECDF, histogram, box and strip, and the shares at 0 and at 1."""
    runs = shown(look, candidate)
    measure = str(look.measure)
    colours = charts.run_colours(comparison.names, focus(comparison.names, runs, [look.baseline, candidate or ""]))
    frames = once(f"spread {comparison.key} {look.key} {candidate}", lambda: _frames(comparison, look, runs))
    if len(runs) < len(look.runs):
        quiet(f"{len(look.runs):,} runs are chosen; the pictures show {len(runs)} of them, the pair among them.")
    about, against_ = candidate or look.baseline, look.baseline
    at_zero = sentences.at_zero(frames["ends"], about, against_)
    half = sentences.middle(frames["box"], about, against_)
    left, right = st.columns(2, gap="small")
    with left:
        ecdf = frames["ecdf"]
        card(
            "Share of queries at or below a score", charts.ecdf(ecdf, measure=measure, colours=colours), ecdf, key="ecdf", finding=at_zero,
            description=charts.describe_ecdf(ecdf, measure=measure), note="The lower the curve, the better the run.",
        )  # fmt: skip
    with right:
        bins = frames["bins"]
        card(
            "How the scores are spread", charts.histogram(bins, measure=measure, colours=colours), bins, key="histogram", finding=half,
            description=charts.describe_histogram(bins, measure=measure), note="Scores of exactly 0 and exactly 1 have bins of their own.",
        )  # fmt: skip
    left, right = st.columns(2, gap="small")
    with left:
        box, strip = frames["box"], frames["strip"]
        sample = f" Points are {strip['query_id'].n_unique():,} of the queries, the same for every run."
        event = card(
            "Box and strip", charts.box_strip(box, strip, measure=measure, colours=colours), box, key="box", finding=half,
            description=charts.describe_box_strip(box, measure=measure), selection="query",
            note=f"Box: the middle half; bar: median; hollow dot: mean; line: 5th to 95th percentile.{sample} Click a point to open its query.",
        )  # fmt: skip
        open_picked(event)
    with right:
        ends = frames["ends"]
        undefined = _undefined(comparison, look)
        aside = (
            f" {count(undefined, 'undefined query is', 'undefined queries are')} not counted here." if undefined else ""
        )
        card(
            "Queries at 0 and at 1", charts.ends(ends), ends, key="ends", finding=at_zero, description=charts.describe_ends(ends),
            note=f"At 0 nothing relevant stands in the top {look.measure.k}; at 1 the top could not be better.{aside}",
        )  # fmt: skip


def shown(look: View, candidate: str | None) -> list[str]:
    """The runs in the pictures: all up to twelve; of more the first ones and the pair."""
    if len(look.runs) <= FEW:
        return list(look.runs)
    pair = {look.baseline, candidate}
    room = FEW - len(pair & set(look.runs))
    others = [run for run in look.runs if run not in pair][:room]
    return [run for run in look.runs if run in pair or run in others]


def _frames(comparison: Comparison, look: View, runs: Sequence[str]) -> dict[str, pl.DataFrame]:
    """The frames of the four pictures; all queries that count are in them, binned where they are many."""
    every = per_query(comparison, look, runs)
    defined = per_query(comparison, look, runs, defined=True)
    return {
        "ecdf": charts.ecdf_points(every),
        "bins": charts.score_bins(every),
        "box": charts.score_quantiles(every),
        "strip": charts.sampled_scores(every),
        "ends": charts.shares_at_ends(defined),
    }


def per_query(comparison: Comparison, look: View, runs: Sequence[str], *, defined: bool = False) -> pl.DataFrame:
    """PER_QUERY of some runs: the queries that count, of those looked at; without the undefined ones where asked."""
    queries = pl.Series(comparison.qrels.queries, dtype=pl.String)
    parts = []
    for run in runs:
        found = comparison.scores(run, look.measure)
        mask = found.counted if look.where is None else found.counted & look.where
        mask = mask & ~found.undefined if defined else mask
        columns = {"query_id": queries.filter(pl.Series(mask)), "score": pl.Series(found.values[mask]).fill_nan(None)}
        parts.append(pl.DataFrame(columns).select(pl.lit(run).alias("run"), "query_id", "score"))
    return pl.concat(parts).cast(charts.PER_QUERY) if parts else charts.PER_QUERY.to_frame()


def _undefined(comparison: Comparison, look: View) -> int:
    found = comparison.scores(look.baseline, look.measure)
    mask = found.undefined & found.counted
    return int((mask if look.where is None else mask & look.where).sum())


def changes(comparison: Comparison, look: View, candidate: str) -> None:
    """The difference of every query, sorted; a click on a bar opens its query."""
    frame = once(
        f"sorted {comparison.key} {look.key} {candidate}",
        lambda: charts.sorted_bars(
            pair_frame(comparison, look, candidate).select("query_id", difference=pl.col("b") - pl.col("a"))
        ),
    )
    grouped = int((frame["count"] > 1).sum())
    note = "Click a bar to open its query."
    if grouped:
        note += (
            f" {int(frame['count'].sum()):,} queries are too many for a bar each: those between the ends share bars."
        )
    event = card(
        f"{candidate} minus {look.baseline}, query by query", charts.sorted_differences(frame, measure=str(look.measure)), frame,
        key="sorted", selection="query", note=note, finding=_moved(comparison, look, candidate),
        description=charts.describe_sorted_differences(frame, candidate=candidate, baseline=look.baseline, measure=str(look.measure)),
    )  # fmt: skip
    open_picked(event)


def _moved(comparison: Comparison, look: View, candidate: str) -> str:
    """How many queries a candidate gains and loses on: the sentence of its pictures."""
    return sentences.moved(differences(comparison, candidate, look.baseline, look.measure, look.where).d, candidate)


def pair_frame(comparison: Comparison, look: View, candidate: str) -> pl.DataFrame:
    """PAIRS: every query that the pair is compared on, its scores in both runs, and its text."""
    at = differences(comparison, candidate, look.baseline, look.measure, look.where).queries
    ids = [comparison.qrels.queries[place] for place in at.tolist()]
    columns = {
        "query_id": ids,
        "text": [comparison.query_text(query) for query in ids],
        "a": comparison.scores(look.baseline, look.measure).values[at],
        "b": comparison.scores(candidate, look.measure).values[at],
    }
    return pl.DataFrame(columns, schema=charts.PAIRS)


def against(comparison: Comparison, look: View, candidate: str) -> None:
    """The candidate's scores against the baseline's, with a brush; the queries in it are listed below."""
    pairs = once(f"scatter {comparison.key} {look.key} {candidate}", lambda: pair_frame(comparison, look, candidate))
    old, measure = look.baseline, str(look.measure)
    many = pairs.height > charts.MOST_POINTS
    draw = charts.scatter_squares if many else charts.scatter
    described = charts.describe_scatter_squares if many else charts.describe_scatter
    frame = charts.squares(pairs) if many else pairs
    chart = draw(frame, a=old, b=candidate, measure=measure)
    # On a canvas: the brush is drawn as an image, which an SVG would have to name for people who listen.
    chart = chart.properties(usermeta={"embedOptions": {"renderer": "canvas"}})
    event = card(
        f"{candidate} against {look.baseline}", chart, frame, key="scatter", selection=["brush"] if many else ["brush", "query"],
        finding=_moved(comparison, look, candidate),
        description=described(frame, a=old, b=candidate, measure=measure),
        note="Drag over points to list their queries below." + ("" if many else " Click one to open it."),
    )  # fmt: skip
    open_picked(event)
    brushed(look, candidate, pairs, area(event))


def area(event: object) -> dict[str, tuple[float, float]] | None:
    """The brushed area, as ranges of the baseline's scores (a) and the candidate's (b); None where nothing is brushed."""
    found = _selected(event, "brush")
    if not isinstance(found, Mapping) or not {"a", "b"} <= set(found):
        return None
    return {side: (float(min(found[side])), float(max(found[side]))) for side in ("a", "b")}


def inside(pairs: pl.DataFrame, brush: dict[str, tuple[float, float]]) -> pl.DataFrame:
    """The rows of PAIRS within an area, the largest difference first."""
    difference = pl.col("b") - pl.col("a")
    within = pl.all_horizontal(pl.col(side).is_between(low, high) for side, (low, high) in brush.items())
    return (
        pairs.filter(within)
        .with_columns(difference=difference)
        .sort(difference.abs(), "query_id", descending=[True, False])
    )


def brushed(look: View, candidate: str, pairs: pl.DataFrame, brush: dict[str, tuple[float, float]] | None) -> None:
    """The queries in the brushed area, as a table; a click on a row opens the query."""
    if brush is None:
        return
    rows = inside(pairs, brush)
    st.markdown(f"### {count(rows.height, 'query', 'queries')} in the area")
    if rows.is_empty():
        st.markdown(":gray[No query scores in this area. Drag over some points.]")
        return
    column = st.column_config
    known = rows["text"].null_count() < rows.height
    (low, high), (least, most) = brush["a"], brush["b"]
    picked = exported(
        rows.select("query_id", *(["text"] if known else []), "a", "b", "difference"),
        hide_index=True, lazy=False, key=f"brushed_{look.key}_{candidate}_{sorted(brush.items())}", on_select="rerun", selection_mode="single-row",
        placeholder="–", height="content" if rows.height <= 12 else 460, alt="The queries in the brushed area",
        finding=f"{count(rows.height, 'query scores', 'queries score')} {low:.2f} to {high:.2f} with {look.baseline} "
        f"and {least:.2f} to {most:.2f} with {candidate}",
        column_config={
            "query_id": column.TextColumn("Query", pinned=True),
            "text": column.TextColumn("Text", width="large"),
            "a": column.NumberColumn(look.baseline, format="%.3f"),
            "b": column.NumberColumn(candidate, format="%.3f"),
            "difference": column.NumberColumn("Difference", format="%+.3f", help="Candidate minus baseline."),
        },
    )  # fmt: skip
    places = picked["selection"]["rows"]
    if places and places[0] < rows.height:
        open_query(rows["query_id"][places[0]])


def convention(comparison: Comparison, look: View) -> None:
    """The convention line of all numbers of the page."""
    quiet(plain(convention_line(comparison, look), 600))


def _selected(event: object, name: str) -> Any:
    try:
        return event["selection"].get(name)  # type: ignore[index]  # Streamlit's own dictionary
    except (TypeError, KeyError):
        return None


def open_picked(event: object) -> None:
    """Open the query of a mark that was clicked; marks of several queries have none."""
    found = _selected(event, "query")
    rows = found if isinstance(found, Sequence) else ()
    query = next((row.get("query_id") for row in rows if isinstance(row, Mapping)), None)
    if query:
        open_query(str(query))


def open_query(query: str) -> None:
    """Go to the page of one query."""
    st.switch_page(QUERIES, query_params={"q": query})
