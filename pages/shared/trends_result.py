"""One result against the one before it: the verdict, and every query that changed."""

import numpy as np
import polars as pl
import streamlit as st

from core import charts
from core.charts import sorted_bars
from core.exports import sentences
from core.history import Night
from core.history.course import Group, changes, compared
from core.statistics.evidence import Names
from core.statistics.paired import PairStatistics, compare_differences
from pages.shared.compare_pair import once
from pages.shared.figure import card, exported, line
from pages.shared.text import count, difference, plain, quiet
from pages.shared.trends import FIRST_CROSSED, Seen, called

MOST_ROWS = 200
SLICE, ALL = "The slice shown", "All queries"


def draw(seen: Seen) -> None:
    """Pick a result, and see what changed since the one before."""
    st.header("One result against the one before", anchor=False)
    left, right = st.columns([3, 1])
    with left:
        night = _pick(seen)
    with right:
        group = _queries(seen)
    before = seen.before(night)
    _about(night)
    if before is None:
        st.markdown(":gray[It is the first result of the series: there is none before it.]")
        return
    if what := changes(before.result, night.result):
        st.markdown(
            f":gray[It cannot be held against {plain(before.result.name)}, the one before: {plain(', '.join(what), 400)} changed. "
            "A new segment begins with it.]"
        )
        return
    _differences(seen, before, night, group)


def _pick(seen: Seen) -> Night:
    """Draw the picker; without a pick it is the first result that crossed, and the latest where none did."""
    nights = {called(night.result): night for night in reversed(seen.watched.whole.nights)}
    shown = seen.picked or seen.watched.whole.nights[-1]
    picked = st.selectbox(
        "Result", [FIRST_CROSSED, *nights], key="tr", bind="query-params", help="Also by a click in a chart. The address leads a colleague to it."
    )  # fmt: skip
    return nights.get(picked or "", shown)


def _queries(seen: Seen) -> Group | None:
    """Which queries are compared: those of the slice that is drawn, where there is one, or all."""
    if seen.group is None:
        return None
    picked = st.segmented_control("Queries", [SLICE, ALL], default=SLICE, required=True, key="tq", bind="query-params")
    return seen.group.group if picked == SLICE else None


def _about(night: Night) -> None:
    result = night.result
    parts = [f"{result.at:%Y-%m-%d %H:%M}", result.name, f"run {result.run}", f"qrels {result.qrels[:7]}"]
    parts += [f"commit {result.commit[:12]}"] if result.commit else []
    parts += [f"{count(result.missing, 'missing query', 'missing queries')}"] if result.missing else []
    quiet(plain(" · ".join(parts), 400))


def _differences(seen: Seen, before: Night, night: Night, group: Group | None) -> None:
    measure = seen.watched.whole.measure
    old, new = before.result, night.result
    if group is not None and group not in new.members:
        group = None
    rows = np.flatnonzero(compared(old, new, measure, group))
    scores = old.values(measure)[rows], new.values(measure)[rows]
    d = scores[1] - scores[0]
    ids = [new.query_ids[at] for at in rows.tolist()]
    found: PairStatistics = once(
        f"nights {old.id} {new.id} {measure} {group}",
        lambda: compare_differences(d, Names(new.name, old.name, measure), ids=ids, resample=False),
    )
    where = "" if group is None else f"{group[0]}: {group[1]}. "
    st.markdown(f"**{plain(where + found.verdict.sentence, 600)}**")
    quiet(
        f"{difference(found.difference)} {plain(seen.measure)} · {found.wins:,} better, {found.ties:,} the same, {found.losses:,} worse · "
        f"{count(found.badly_hurt, 'query', 'queries')} lost 0.30 or more"
    )
    table = pl.DataFrame({"query_id": ids, "before": scores[0], "after": scores[1], "difference": d}).join(
        _attributes(night), on="query_id", how="left", maintain_order="left"
    )
    shows = sentences.moved(d, new.name)
    left, right = st.columns([1, 1], gap="small")
    with left:
        bars = sorted_bars(table.select("query_id", "difference"))
        card(
            f"{new.name} minus {old.name}", charts.sorted_differences(bars, measure=seen.short), bars, key="nights", finding=shows,
            footer=new.lines[measure],
            description=charts.describe_sorted_differences(bars, candidate=new.name, baseline=old.name, measure=seen.short),
        )  # fmt: skip
    with right:
        _table(table, (old.name, new.name), shows, new.lines[measure])
    line(new.lines[measure])


def _table(table: pl.DataFrame, names: tuple[str, str], shows: str, footer: str) -> None:
    changed = table.filter(pl.col("difference").abs() > 1e-9).sort("difference", "query_id")
    with st.container(border=True, height="stretch"):
        st.markdown("### Queries that changed, the largest losses first")
        if changed.is_empty():
            st.markdown(":gray[None.]")
            return
        column = st.column_config
        exported(
            changed.head(MOST_ROWS), hide_index=True, key="nights_table", height=340, placeholder="–", alt="Queries that changed",
            finding=shows, footer=footer,
            column_config={
                "query_id": column.TextColumn("Query", pinned=True),
                "before": column.NumberColumn(names[0], format="%.3f"),
                "after": column.NumberColumn(names[1], format="%.3f"),
                "difference": column.NumberColumn("Difference", format="%+.3f"),
            },
        )  # fmt: skip
        if changed.height > MOST_ROWS:
            quiet(f"The first {MOST_ROWS:,} of {changed.height:,}.")


def _attributes(night: Night) -> pl.DataFrame:
    """What is known of the queries, a column each; of a query in several groups they stand side by side."""
    groups = night.result.groups
    named = {
        column: f"{column} " if column in ("query_id", "before", "after", "difference") else column
        for column in groups["column"].unique()
    }
    if groups.is_empty():
        return pl.DataFrame(schema={"query_id": pl.String})
    return (
        groups.with_columns(pl.col("column").replace(named))
        .group_by("query_id", "column", maintain_order=True)
        .agg(pl.col("value").str.join(" | "))
        .pivot("column", index="query_id", values="value", maintain_order=True)
    )
