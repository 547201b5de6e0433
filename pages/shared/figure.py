"""The figure card: a chart under its finding, with a text alternative, its data as a table, and its export menu."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl
import streamlit as st

from core.charts.titled import Drawn
from core.exports.figures import figure
from core.model.measure import Measure
from pages.shared import export_menu, loading, scope, slicing, view
from pages.shared.text import plain, quiet


def card(
    title: str,
    chart: Drawn,
    frame: pl.DataFrame,
    *,
    key: str,
    description: str,
    note: str = "",
    control: Callable[[], object] | None = None,
    selection: str | Sequence[str] | None = None,
    finding: str = "",
    measures: Measure | Sequence[Measure] | None = None,
    footer: str | None = None,
) -> object:
    """Draw a chart in a card and return its selection event, where it has one.

    description  what the chart shows, in words
    note         stands small under it
    control      draws a widget of the card's own beside the title
    selection    the name, or names, of the chart's selections that the page listens to
    finding      what the chart shows in one sentence: the title of its picture, in place of the card's
    measures     what the convention line of its picture is about, where that is not the page's measure
    footer       that line itself, where the chart is about something else than the session's comparison
    """
    with st.container(border=True, height="stretch"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"### {plain(title)}", width="content")
            with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
                if control is not None:
                    with st.container(width=170):
                        control()
                with st.popover("Table", icon=":material/table:", key=f"table_{key}", type="tertiary"):
                    st.dataframe(frame, hide_index=True, alt=f"The data of the chart: {title}")
                shows = finding or partial(_finding, key, title)
                taken = export_menu.Taken(
                    key,
                    shows,
                    f"{title}. {note}".strip(),
                    lambda: _line(measures) if footer is None else footer,
                    frame,
                    chart,
                )
                export_menu.button(taken)
        event = st.altair_chart(  # type: ignore[call-overload]  # with or without a selection
            chart,
            key=f"chart_{key}",
            alt=description,
            width="stretch",
            **({"on_select": "rerun", "selection_mode": selection} if selection else {}),
        )
        if note:
            quiet(plain(note, 400))
    return event


def menu(title: str, chart: Drawn, frame: pl.DataFrame, *, key: str) -> None:
    """The export menu of a chart that stands beside others in one card."""
    export_menu.button(export_menu.Taken(key, title, "", lambda: _line(None), frame, chart))


def exported(
    frame: pl.DataFrame, *, key: str, alt: str, column_config: Mapping[str, Any] | None = None, **more: Any
) -> Any:
    """A table of a page as st.dataframe draws it, with its export menu below; what is exported has the heads that people see."""
    event = st.dataframe(frame, key=key, alt=alt, column_config=column_config, **more)
    heads = {
        name: _head(column) for name, column in (column_config or {}).items() if name in frame.columns and _head(column)
    }
    named = frame.rename(heads) if len({heads.get(name, name) for name in frame.columns}) == frame.width else frame
    with st.container(horizontal=True, horizontal_alignment="right"):
        export_menu.button(export_menu.Taken(key, alt, "", lambda: _line(None), named))
    return event


def _head(column: Any) -> str:
    """The head that a column's settings give it."""
    return column if isinstance(column, str) else str((column or {}).get("label") or "")


# The cards whose chart shows the same as one of the figures: their sentence is written there.
FIGURES = {
    "forest": "forest", "curve_linear": "curve-linear", "curve_exponential": "curve-exponential", "ecdf": "spread-ecdf",
    "histogram": "spread-histogram", "box": "spread-box", "ends": "spread-ends", "causes": "causes",
}  # fmt: skip


def _finding(key: str, title: str) -> str:
    """What a card's chart shows, in a sentence; its title where nothing shorter than the chart says it."""
    comparison = loading.comparison()
    if comparison is None or key not in FIGURES:
        return title
    found = figure(scope.current(comparison, view.current(comparison)), FIGURES[key])
    return title if found is None else found.finding


def _line(measures: Measure | Sequence[Measure] | None) -> str:
    comparison = loading.comparison()
    return "" if comparison is None else slicing.line(comparison, view.current(comparison), measures)


def line(text: str) -> None:
    """The convention line under the numbers that it belongs to."""
    quiet(plain(text, 600))
