"""The figure card: a chart under its finding, with a text alternative, its data as a table, and its export menu."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl
import streamlit as st

from core.charts.titled import Drawn
from core.model.measure import Measure
from pages.shared import export_menu, loading, slicing, view
from pages.shared.text import plain, quiet


def card(
    title: str,
    chart: Drawn,
    frame: pl.DataFrame,
    *,
    key: str,
    finding: str | Callable[[], str],
    description: str,
    note: str = "",
    control: Callable[[], object] | None = None,
    selection: str | Sequence[str] | None = None,
    measures: Measure | Sequence[Measure] | None = None,
    footer: str | None = None,
) -> object:
    """Draw a chart in a card and return its selection event, where it has one.

    finding      what the chart shows in one sentence, or what gives it: the title of its picture, in place of the card's
    description  everything in the chart, in words
    note         stands small under it
    control      draws a widget of the card's own beside the title
    selection    the name, or names, of the chart's selections that the page listens to
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
                taken = export_menu.Taken(
                    key,
                    finding,
                    f"{title}. {note}".strip(),
                    partial(_footer, footer, measures),
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


def menu(finding: str, title: str, chart: Drawn, frame: pl.DataFrame, *, key: str) -> None:
    """The export menu of a chart that stands beside others in one card: its sentence, and under it what the chart is called."""
    export_menu.button(export_menu.Taken(key, finding, title, partial(_footer, None, None), frame, chart))


def exported(
    frame: pl.DataFrame,
    *,
    key: str,
    alt: str,
    finding: str | Callable[[], str],
    column_config: Mapping[str, Any] | None = None,
    footer: str | None = None,
    **more: Any,
) -> Any:
    """A table of a page as st.dataframe draws it, with its export menu below; what is exported has the heads that people see.

    finding  what the table shows in one sentence, or what gives it: the title of its picture; `alt`, what it holds, stands under that
    footer   the convention line, where the table is about something else than the session's comparison
    """
    event = st.dataframe(frame, key=key, alt=alt, column_config=column_config, **more)
    heads = {
        name: _head(column) for name, column in (column_config or {}).items() if name in frame.columns and _head(column)
    }
    named = frame.rename(heads) if len({heads.get(name, name) for name in frame.columns}) == frame.width else frame
    with st.container(horizontal=True, horizontal_alignment="right"):
        export_menu.button(export_menu.Taken(key, finding, alt, partial(_footer, footer, None), named))
    return event


def _head(column: Any) -> str:
    """The head that a column's settings give it."""
    return column if isinstance(column, str) else str((column or {}).get("label") or "")


def _footer(footer: str | None, measures: Measure | Sequence[Measure] | None) -> str:
    """The convention line of a picture: the one given, else that of the session's comparison for these measures, or for the page's."""
    if footer is not None:
        return footer
    comparison = loading.comparison()
    return "" if comparison is None else slicing.line(comparison, view.current(comparison), measures)


def line(text: str) -> None:
    """The convention line under the numbers that it belongs to."""
    quiet(plain(text, 600))
