"""Present mode (`?present=1`): a page as one screen for a wall or a screenshot, 16:9, in large type, without controls.

The page's own finding and its two main pictures take the place of the page; they are drawn with sizes of their own, because
the type of a page is set once for the whole server.
"""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.charts.headline import footline, headline
from core.charts.theme import Mode
from core.charts.titled import Drawn, untitled
from core.exports.figure import Figure
from core.exports.figures import figures
from core.exports.scope import Scope
from core.exports.table import to_chart
from core.exports.tables import Table, leaderboard, notice_rows, worst_queries
from pages.shared import export_menu, loading, saved_view, view
from pages.shared.empty import nothing_yet
from pages.shared.scope import current as current_scope

PARAMETER = "present"
WIDTH = 1780
# What headline, pictures and footline may take together, of 1080; without Streamlit's bar there is more.
ROOM, EMBEDDED_ROOM = 860, 940
MARGIN = 20
LABEL = 21
# The family as the page has loaded it.
FONT = '"Source Sans", "Source Sans Pro", sans-serif'


def on() -> bool:
    """Whether the address asks for it."""
    return st.query_params.get(PARAMETER) == "1"


def presentable(page: str) -> bool:
    """Whether a page has a screen of its own."""
    return page in _SCREENS


def draw(page: str) -> None:
    """The screen of a page, by its address. What the sidebar would read from the address is read here."""
    address = {key: st.query_params.get_all(key) for key in st.query_params}
    st.session_state.update(saved_view.from_address(address))
    comparison = loading.comparison()
    if comparison is None:
        nothing_yet("Nothing to present", "Bring judgments and runs to see.")
        return
    st.session_state.update(saved_view.fitting(saved_view.from_address(address), comparison))
    scope = current_scope(comparison, view.current(comparison))
    mode: Mode = "dark" if st.context.theme.type == "dark" else "light"
    title, sentence, parts, foot = _SCREENS.get(page, _overview)(scope)
    colours = export_menu.brand().palette(mode)
    if st.context.is_embedded:
        # Streamlit takes the room above a page away with its bar.
        st.space(MARGIN)
    head = headline(title, sentence, colours=colours, width=WIDTH, font=FONT)
    st.altair_chart(head, key="present_head", theme=None, width="content", alt=f"{title}. {sentence}")
    line = footline(foot, colours=colours, width=WIDTH, font=FONT)
    room = EMBEDDED_ROOM if st.context.is_embedded else ROOM
    across, high = WIDTH // max(1, len(parts)), int(room - head.height - line.height)
    columns = st.columns(len(parts), gap="medium") if parts else []
    for at, (place, (chart, said)) in enumerate(zip(columns, parts, strict=True)):
        drawn = untitled(chart, colours=colours, size=(across, high), label=LABEL, font=FONT)
        place.altair_chart(drawn, key=f"present_{at}", theme=None, width="stretch", alt=said)
    st.altair_chart(line, key="present_foot", theme=None, width="content", alt=foot)


Screen = tuple[str, str, list[tuple[Drawn, str]], str]


def _overview(scope: Scope) -> Screen:
    found = figures(scope, ["forest"])
    return (
        scope.finding.title,
        scope.finding.sentence,
        [_table(leaderboard(scope), BOARD), *_drawn(found)],
        scope.line(),
    )


def _distributions(scope: Scope) -> Screen:
    found = figures(scope, ["spread-ecdf", "changes-sorted"])
    return _screen(scope, found, found[-1:])


def _slices(scope: Scope) -> Screen:
    if scope.telling is None:
        return _overview(scope)
    at = scope.comparison.slices.index(scope.telling)
    found = figures(scope, [f"slices-{at}-forest", f"slices-{at}-means"])
    return _screen(scope, found, found[:1])


def _queries(scope: Scope) -> Screen:
    found = figures(scope, ["causes"])
    title, sentence, parts, line = _screen(scope, found, found)
    worst = worst_queries(scope, 8)
    return title, sentence, [*parts, *([_table(worst, WORST)] if worst.frame.height else [])], line


def _compare(scope: Scope) -> Screen:
    found = figures(scope, ["changes-sorted", "changes-scatter"])
    title, sentence, parts, line = _screen(scope, found, [])
    return title, sentence, parts or _drawn(figures(scope, ["forest"])), line


def _data(scope: Scope) -> Screen:
    found, told = figures(scope, ["grades"]), notice_rows(scope)
    title, sentence, parts, line = _screen(scope, found, found)
    return title, sentence, [*parts, *([_table(told, NOTICES)] if told.frame.height else [])], line


_SCREENS: Mapping[str, Callable[[Scope], Screen]] = {
    "overview": _overview, "distributions": _distributions, "slices": _slices, "queries": _queries, "compare": _compare, "data": _data,
}  # fmt: skip
# The columns of a table that fit half a screen.
BOARD = ("run", "mean", "difference", "wins", "losses", "verdict")
WORST = ("query", "text", "score", "difference")
NOTICES = ("about", "notice", "count")


def _screen(scope: Scope, found: Sequence[Figure], telling: Sequence[Figure]) -> Screen:
    """The finding of one of the figures, or the page's."""
    title = telling[0].finding if telling else scope.finding.title
    sentence = telling[0].method if telling else scope.finding.sentence
    return title, sentence, _drawn(found), scope.line()


def _drawn(found: Sequence[Figure]) -> list[tuple[Drawn, str]]:
    return [(each.chart, each.description) for each in found]


def _table(table: Table, columns: Sequence[str]) -> tuple[Drawn, str]:
    return to_chart(table.frame.select(columns))
