"""Alerts on the Overview: what the mean does not say by itself, each with the way to look closer."""

from collections.abc import Sequence

import streamlit as st

from core.comparison import Comparison
from core.comparison.alerts import Alert, quick_alerts, slice_alerts
from core.statistics.paired import PairStatistics
from pages.shared.kept import computed
from pages.shared.slicing import look_at
from pages.shared.text import plain
from pages.shared.view import View

SHOWN = 4


def draw(comparison: Comparison, look: View, pairs: Sequence[PairStatistics]) -> None:
    """The first few, the others on demand. Slices are resampled, so what they give is kept."""
    asked = (comparison, look.baseline, look.measure, pairs, look.where)
    key = f"slice alerts {comparison.key} {look.key}"
    found: Sequence[Alert] = (
        *computed({key: ("Looking for slices that fell", lambda _: slice_alerts(*asked))})[key],
        *quick_alerts(*asked),
    )
    if not found:
        return
    with st.container(border=True, gap="xsmall"):
        st.markdown("### What the mean does not say")
        for at, alert in enumerate(found[:SHOWN]):
            _draw_one(alert, at)
        if len(found) > SHOWN:
            with st.expander(f"{len(found) - SHOWN:,} more", type="compact"):
                for at, alert in enumerate(found[SHOWN:], SHOWN):
                    _draw_one(alert, at)


def _draw_one(alert: Alert, at: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
        st.markdown(f":orange[:material/warning:] {plain(alert.sentence, 400)}", width="stretch")
        if alert.slice is not None:
            column, value = alert.slice
            st.button(
                "Look at it",
                key=f"alert_{at}",
                type="tertiary",
                icon=":material/filter_alt:",
                on_click=look_at,
                args=(column, [value]),
            )
