"""Document sources: where a run's top, its gained and its lost gain come from."""

from typing import Any

import polars as pl
import streamlit as st

from core.comparison import Comparison
from core.comparison.sources import by_source, source_columns
from core.slices import NONE
from pages.shared.figure import exported, line
from pages.shared.kept import computed
from pages.shared.slicing import line as convention_line
from pages.shared.text import plain, quiet
from pages.shared.view import View

PARTS = {
    "top": ("Top {k}", "The share of the documents in the top that come from this source."),
    "gained": ("Gained", "The share of the gain (gain × discount) that its documents bring."),
    "lost": ("Lost", "The share of ideal DCG minus DCG that its documents lack. Below 0 where they stand above their ideal place."),
}  # fmt: skip


def draw(comparison: Comparison, look: View, run: str) -> None:
    """The shares of every source, the run beside the baseline; nothing where the documents have no such column."""
    columns = source_columns(comparison)
    if not columns:
        if comparison.documents is None:
            quiet(
                "With document metadata (doc_id and a source, say) this page also shows which sources the gain comes from."
            )
        return
    st.header("Where the gain comes from", anchor=False)
    picked = st.selectbox("Documents by", columns, key="docs", bind="query-params") if len(columns) > 1 else columns[0]
    names = list(dict.fromkeys([run, look.baseline]))
    found = {name: shares(comparison, look, name, picked) for name in names}
    with st.container(border=True):
        st.markdown(f"### {plain(_title(found[run], run))}")
        _table(look, found, picked, _title(found[run], run))
        mine = found[run]
        quiet(
            f"{plain(run)}: DCG {mine['gained'].sum():,.1f} gained and {mine['lost'].sum():,.1f} lost in all, which the sources add up to."
        )
        line(convention_line(comparison, look))


def shares(comparison: Comparison, look: View, name: str, column: str) -> pl.DataFrame:
    """SOURCES of a run, kept."""
    key = f"sources {comparison.key} {name} {look.measure} {column} {look.sliced}"
    task = (f"Counting {plain(column)}", lambda _: by_source(comparison, name, look.measure, column, look.where))
    found: pl.DataFrame = computed({key: task})[key]
    return found


def _title(found: pl.DataFrame, run: str) -> str:
    known = found.filter((pl.col("source") != NONE) & pl.col("lost_share").is_not_null())
    if known.is_empty() or found["lost"].sum() <= 0:
        return f"{run} loses no gain"
    most = known.sort("lost_share", descending=True, maintain_order=True).row(0, named=True)
    return f'{most["lost_share"]:.0%} of the gain that {run} loses is in "{most["source"]}"'


def _table(look: View, found: dict[str, pl.DataFrame], column: str, shows: str) -> None:
    sources = pl.concat([frame.select("source") for frame in found.values()]).unique(maintain_order=True)
    heads: dict[str, Any] = {"source": st.column_config.TextColumn(column, pinned=True)}
    shown = sources
    for part, (label, meaning) in PARTS.items():
        for at, (name, frame) in enumerate(found.items()):
            field = f"{part}{at}"
            side = frame.select("source", (100 * pl.col(f"{part}_share")).alias(field))
            shown = shown.join(side, on="source", how="left", maintain_order="left")
            title = f"{label.format(k=look.measure.k)}, {name}"
            if part == "lost":
                heads[field] = st.column_config.NumberColumn(title, format="%.1f %%", help=meaning)
            else:
                heads[field] = st.column_config.ProgressColumn(
                    title, format="%.1f %%", min_value=0, max_value=100, help=meaning
                )
    exported(
        shown, hide_index=True, height="content" if shown.height <= 14 else 520, key="sources", placeholder="–", column_config=heads,
        alt=f"Shares of the top, of the gained and of the lost gain by {column}", finding=shows,
    )  # fmt: skip
