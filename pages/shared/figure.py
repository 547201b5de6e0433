"""The figure card: a chart under its finding, with a text alternative, its data as a table, and the convention line."""

from collections.abc import Callable, Sequence

import altair as alt
import polars as pl
import streamlit as st

from pages.shared.text import plain, quiet


def card(
    title: str,
    chart: alt.TopLevelMixin,
    frame: pl.DataFrame,
    *,
    key: str,
    description: str,
    note: str = "",
    control: Callable[[], object] | None = None,
    selection: str | Sequence[str] | None = None,
) -> object:
    """Draw a chart in a card and return its selection event, where it has one.

    description  what the chart shows, in words
    note         stands small under it
    control      draws a widget of the card's own beside the title
    selection    the name, or names, of the chart's selections that the page listens to
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
        event = st.altair_chart(  # type: ignore[call-overload]  # any chart class of altair, with or without a selection
            chart,
            key=f"chart_{key}",
            alt=description,
            width="stretch",
            **({"on_select": "rerun", "selection_mode": selection} if selection else {}),
        )
        if note:
            quiet(plain(note, 400))
    return event


def line(text: str) -> None:
    """The convention line under the numbers that it belongs to."""
    quiet(plain(text, 600))
