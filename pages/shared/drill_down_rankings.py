"""The rankings of one query: all runs beside the ideal one, then each with its arithmetic."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import streamlit as st

from core import charts
from core.comparison import Comparison
from core.comparison.ranked_documents import documents, ideal_in_words, ranked_documents, sum_in_words
from core.exports import sentences
from core.model.measure_names import plain as plain_number
from core.scoring.explain import Explanation
from pages.shared.figure import card, exported
from pages.shared.text import count, plain, quiet, score
from pages.shared.view import View

SNIPPET = 240
UNJUDGED = "unjudged"
Found = Mapping[str, tuple[Explanation, Explanation]]


def draw(comparison: Comparison, look: View, run: str, runs: Sequence[str], found: Found) -> None:
    """The rankings side by side, and the arithmetic of each run, that of the run which the page is about first."""
    rows = {name: ranked_documents(comparison, name, found[name][0]) for name in runs}
    st.header("Rankings beside the ideal one", anchor=False)
    _side_by_side(comparison, look, rows, found)
    st.header("How each score is made", anchor=False)
    first = [run, *(name for name in runs if name != run)]
    for place, name in zip(st.tabs([plain(name) for name in first]), first, strict=True):
        with place:
            _arithmetic(comparison, look, name, rows[name], found[name])


def grade_badges(grade: float | None, tie: str | None = None) -> list[str]:
    """A grade as a badge, and the tie that its document stands in as another."""
    return [UNJUDGED if grade is None else plain_number(grade), *([f"tied {tie}"] if tie else [])]


def badge_column(label: str, values: Sequence[Sequence[str]]) -> Any:
    """A column of such badges: what gains is blue, everything else grey."""
    options = list(dict.fromkeys(badge for row in values for badge in row))
    colours = ["blue" if _gains(badge) else "gray" for badge in options]
    return st.column_config.MultiselectColumn(label, options=options, color=colours, width="small")


def _gains(badge: str) -> bool:
    return badge[:1].isdigit() and badge != "0"


def _side_by_side(comparison: Comparison, look: View, rows: dict[str, pl.DataFrame], found: Found) -> None:
    """One row per rank, the ideal ranking first, then each run's document and grade."""
    k = look.measure.k or 10
    ideal = found[next(iter(rows))][0].ideal.head(k)
    titles = _titles(
        comparison, [*ideal["doc_id"].to_list(), *(doc for frame in rows.values() for doc in frame["doc_id"].to_list())]
    )
    depth = min(k, max([ideal.height, *(frame.height for frame in rows.values())]))
    if not depth:
        st.info("No document is relevant and none is returned.", icon=":material/hourglass_empty:")
        return
    columns: dict[str, list[object]] = {"rank": list(range(1, depth + 1))}
    heads: dict[str, Any] = {"rank": st.column_config.NumberColumn("Rank", width=50, pinned=True)}
    sides = [("Ideal ranking", _by_rank(ideal, "place", depth))]
    sides += [
        (f"{name}, {score(found[name][0].value)}", _by_rank(frame, "rank", depth)) for name, frame in rows.items()
    ]
    for at, (label, side) in enumerate(sides):
        columns[f"doc{at}"] = [
            None if row is None else titles.get(row["doc_id"], row["doc_id"] or "(not kept)") for row in side
        ]
        badges = [[] if row is None else grade_badges(row["grade"], row.get("tie")) for row in side]
        columns[f"grade{at}"] = list(badges)
        heads[f"doc{at}"] = st.column_config.TextColumn(label, width="medium")
        heads[f"grade{at}"] = badge_column("Grade", badges)
    exported(
        pl.DataFrame(columns, strict=False), hide_index=True, key="side_by_side", placeholder=" ", row_height=36,
        height="content" if depth <= 20 else 760,
        column_config=heads, alt=f"The top {depth} of the ideal ranking and of {', '.join(rows)}",
        finding=sentences.highest([(name, found[name][0].value) for name in rows], str(look.measure)).replace("mean ", "", 1),
    )  # fmt: skip
    quiet("Blue grades gain. Unjudged documents gain 0. Tied documents share one score; their order is by document id.")


def _by_rank(frame: pl.DataFrame, place: str, depth: int) -> list[dict[str, Any] | None]:
    known = {row[place]: row for row in frame.iter_rows(named=True)}
    return [known.get(rank) for rank in range(1, depth + 1)]


def _titles(comparison: Comparison, ids: Sequence[str | None]) -> dict[str, str]:
    """Document id → title, where the metadata give one."""
    known = documents(comparison, [doc for doc in dict.fromkeys(ids) if doc is not None])
    if "title" not in known.columns:
        return {}
    return {doc: title for doc, title in known.select("doc_id", "title").iter_rows() if title}


def _arithmetic(
    comparison: Comparison, look: View, name: str, rows: pl.DataFrame, found: tuple[Explanation, Explanation]
) -> None:
    """One run: both gains in words, the bars against the ideal, every rank, and what was not returned."""
    for each in found:
        st.markdown(f"**{each.measure.gain.capitalize()} gain:** {plain(_in_words(each), 900)}")
    mine = found[0]
    if mine.missing:
        st.info(f"{plain(name)} does not answer this query. It scores 0.", icon=":material/block:")
    left, right = st.columns([2, 3], gap="small")
    with left:
        _bars(look, name, mine)
    with right, st.container(border=True, height="stretch"):
        st.markdown("### Every rank")
        if rows.is_empty():
            st.markdown(":gray[Nothing is returned.]")
        else:
            _ranks(name, rows, mine)
    _not_returned(comparison, name, mine)


def _in_words(found: Explanation) -> str:
    if found.dcg is None or found.ideal_dcg is None:
        return "cannot be computed, as a grade is above 1,000"
    quotient = (
        f"{found.dcg:.3f} / {found.ideal_dcg:.3f} = {score(found.value)}"
        if found.ideal_dcg
        else "undefined, counted as 0"
    )
    return f"DCG {sum_in_words(found)}; ideal DCG {ideal_in_words(found)}; {found.measure.name}{found.measure.at} = {quotient}"


def _bars(look: View, name: str, found: Explanation) -> None:
    k = look.measure.k or 10
    ranks = pl.DataFrame({"rank": range(1, k + 1)}, schema={"rank": pl.Int64})
    mine = found.ranking.select(pl.col("rank").cast(pl.Int64), "doc_id", "grade", gained="contribution")
    best = found.ideal.head(k).select(pl.col("place").cast(pl.Int64).alias("rank"), ideal="contribution")
    frame = ranks.join(mine, on="rank", how="left").join(best, on="rank", how="left").sort("rank")
    frame = frame.with_columns(pl.col("gained", "ideal").fill_null(0.0)).select(charts.CONTRIBUTIONS.names())
    card(
        "What each rank adds",
        charts.contributions(frame),
        frame,
        key=f"contributions_{name}",
        finding=lambda: sentences.added(frame, name),
        description=f"{name}: {charts.describe_contributions(frame)}",
        note=f"Gain × discount, {look.measure.gain} gain, against the ideal ranking.",
    )


def _ranks(name: str, rows: pl.DataFrame, found: Explanation) -> None:
    badges = [grade_badges(grade, tie) for grade, tie in rows.select("grade", "tie").iter_rows()]
    column = st.column_config
    number = column.NumberColumn
    extra = [each for each in rows.columns if each not in (*OWN, "title", "text")]
    shown = rows.with_columns(
        grade=pl.Series(badges, dtype=pl.List(pl.String)), doc_id=pl.col("doc_id").fill_null("(not kept)")
    )
    if "text" in shown.columns:
        shown = shown.with_columns(text=pl.col("text").str.slice(0, SNIPPET))
    order = ["rank", "doc_id", "grade", "gain", "discount", "contribution", "dcg", "title", *extra, "text"]
    exported(
        shown, hide_index=True, key=f"ranks_{name}", placeholder="–", height=380, alt=f"Every rank of {name} with its arithmetic",
        finding=f"{sentences.short(name)}: DCG {sum_in_words(found)}",
        column_order=[each for each in order if each in shown.columns],
        column_config={
            "rank": number("Rank", width=50, pinned=True),
            "doc_id": column.TextColumn("Document", width="small"),
            "grade": badge_column("Grade", badges),
            "gain": number("Gain", format="%.4g", width=60, help="What the grade is worth."),
            "discount": number("× discount", format="%.4f", width=80, help="1 / log2(rank + 1)"),
            "contribution": number("= adds", format="%.4f", width=80),
            "dcg": number("DCG so far", format="%.4f", width=90),
            "title": column.TextColumn("Title", width="medium"),
            "text": column.TextColumn("Text", width="large"),
        },
    )  # fmt: skip


OWN = ("rank", "doc_id", "grade", "gain", "discount", "contribution", "dcg", "part", "tie")


def _not_returned(comparison: Comparison, name: str, found: Explanation) -> None:
    """The relevant documents that are not in the top, with what each costs."""
    lacking = found.not_returned
    if lacking.is_empty():
        return
    k = found.measure.k or 10
    depth = "" if found.retrieved <= k else f", of {found.retrieved:,} returned"
    st.markdown(f"### {count(lacking.height, 'relevant document')} not in the top {k}{depth}")
    rows = lacking.select("doc_id", "grade", "place", "loss")
    if comparison.documents is not None:
        known = documents(comparison, rows["doc_id"].to_list())
        rows = rows.join(known, on="doc_id", how="left", maintain_order="left")
        if "text" in rows.columns:
            rows = rows.with_columns(text=pl.col("text").str.slice(0, SNIPPET))
    column = st.column_config
    exported(
        rows, hide_index=True, key=f"lacking_{name}", placeholder="–", height="content" if rows.height <= 8 else 320,
        alt=f"Relevant documents that {name} does not have in its top {k}",
        finding=f"{count(lacking.height, 'relevant document')} not in the top {k} of {sentences.short(name)}; "
        f"the dearest costs {score(max(lacking['loss'].to_list()))}",
        column_config={
            "doc_id": column.TextColumn("Document"),
            "grade": column.NumberColumn("Grade", format="%g"),
            "place": column.NumberColumn("Ideal rank", format="%d"),
            "loss": column.NumberColumn("Costs", format="%.3f", help="What the nDCG lacks without it at its ideal place."),
            "title": "Title", "text": "Text",
        },
    )  # fmt: skip
