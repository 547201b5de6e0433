"""A series as the Trends page sees it: read from the store, watched, and the choices that the address holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

import sample_data
from core.errors import InputError, Problem
from core.history import (
    Course,
    Finding,
    Night,
    Result,
    Series,
    Watched,
    finding,
    read_series,
    series_names,
    state_of,
    watched,
)
from core.model.measure import Measure
from core.store import Folder, Store, open_store, where
from pages.shared.kept import computed
from pages.shared.text import plain

SAMPLE = "Sample history"
SAMPLE_SERIES = "Support search, nightly"
FIRST = "First of its segment"
STANDS_OUT = "What stands out"
FIRST_CROSSED = "The first that crossed"
CHARTS = ("chart_trend", "chart_trend_slice")


@dataclass(frozen=True, eq=False)
class Seen:
    """The series looked at.

    group   the slice beside all queries, None where none is asked for and none stands out
    picked  the result that is held against the one before it
    """

    series: Series
    watched: Watched
    finding: Finding
    group: Course | None
    picked: Night | None
    line: str

    @property
    def measure(self) -> str:
        """The measure's name for people."""
        return Measure.parse(self.watched.whole.measure).label

    @property
    def short(self) -> str:
        """The measure without its gain, for an axis; the convention line says the gain."""
        measure = Measure.parse(self.watched.whole.measure)
        return f"{measure.name}{measure.at}"

    def before(self, night: Night) -> Night | None:
        """The night before one, None for the first."""
        nights = self.watched.whole.nights
        at = nights.index(night)
        return nights[at - 1] if at else None


def recorded() -> tuple[str, ...]:
    """The series in this server's store; none where it cannot be read, which is told elsewhere."""
    try:
        return tuple(series_names(open_store()))
    except InputError:
        return ()


def names() -> tuple[str, ...]:
    """All series that can be looked at: the recorded ones, then the sample."""
    return (*recorded(), SAMPLE)


def asked() -> bool:
    """Whether the address names a series, or this session has looked at one."""
    return bool(st.session_state.get("series") or st.query_params.get("series") or st.session_state.get("_series"))


def look_at_sample() -> None:
    """Look at the sample history: for a button's on_click."""
    _look_at(SAMPLE)


def _look_at(name: str) -> None:
    """Make a series the one that the picker, which is not drawn yet, begins with; it does not put that into the address itself."""
    st.session_state["series"] = name
    st.query_params["series"] = name


def pick_from_charts() -> None:
    """Take a click on a night over into the picker, once, before the picker is drawn."""
    for chart in CHARTS:
        event = st.session_state.get(chart)
        points = (event["selection"].get("night") or []) if event else []
        seen = repr(points)
        if points and points[-1].get("result") and seen != st.session_state.get(f"_{chart}"):
            st.session_state["_night"] = points[-1]["result"]
        st.session_state[f"_{chart}"] = seen


def draw_controls(known: Sequence[str]) -> Seen:
    """Draw the choices of series, measure, baseline and slice, and return what they come to."""
    last = st.session_state.get("_series")
    if last is not None and last in known and "series" not in st.session_state and not st.query_params.get("series"):
        _look_at(last)  # another page was looked at, and the picker was not drawn there
    with st.container(border=True):
        one, two, three, four = st.columns([1.4, 1, 1.4, 1.4])
        with one:
            # Nothing picked is the default, so that what is picked always stands in the address.
            picked = st.selectbox("Series", known, index=None, placeholder=known[0], key="series", bind="query-params")
        st.session_state["_series"] = picked
        name = picked or known[0]
        series = _series(name)
        with two:
            measure = _measure(series)
        with three:
            baseline = _baseline(series)
        found = _watched(name, series, measure, baseline)
        told = finding(found)
        with four:
            group = _group(found, told)
    return Seen(series, found, told, group, _picked(found, told), _line(found))


def problems_said(seen: Seen) -> None:
    """What is damaged, above everything else."""
    for problem in seen.series.problems:
        st.error(plain(problem, 400), icon=":material/error:")


def called(result: Result) -> str:
    """How a result is called in pickers: when, its label, and the beginning of its id."""
    return f"{result.at:%Y-%m-%d %H:%M} {result.name} ({result.id[:6]})"


def _store(name: str) -> tuple[Store, str]:
    return (
        (Folder(Path(sample_data.__file__).parent / "history"), SAMPLE_SERIES)
        if name == SAMPLE
        else (open_store(), name)
    )


def _series(name: str) -> Series:
    try:
        store, series = _store(name)
        key = f"series {where()} {name} {state_of(store, series)}"
        found: Series = computed({key: ("Reading the series", lambda _: read_series(store, series))})[key]
    except InputError as error:
        return Series(name, (), tuple(error.problems))
    return found or Series(name, (), (Problem(name, None, "has no result"),))


def _measure(series: Series) -> str:
    known = list(dict.fromkeys(measure for result in reversed(series.results) for measure in result.measures))
    known.sort(key=lambda measure: not measure.startswith("nDCG"))
    picked = st.selectbox("Measure", known or ["nDCG@10"], key="tm", bind="query-params")
    return picked or (known or ["nDCG@10"])[0]


def _baseline(series: Series) -> Result | None:
    options = {called(result): result for result in series.results}
    picked = st.selectbox(
        "Baseline", [FIRST, *options], key="tb", bind="query-params",
        help="What results are held against where qrels, query set and conventions are the same; elsewhere it is the first of their segment.",
    )  # fmt: skip
    return options.get(picked or "")


def _group(found: Watched, told: Finding) -> Course | None:
    courses = {f"{one.group[0]}: {one.group[1]}": one for one in found.slices if one.group and one.nights}
    picked = st.selectbox(
        "Slice", [STANDS_OUT, *courses], key="ts", bind="query-params", help="Drawn beside all queries. Slices of 10 queries or more are watched."
    )  # fmt: skip
    if picked in courses:
        return courses[picked]
    standing = told.alert if told.alert and told.alert.group else next((one for one in found.alerts if one.group), None)
    return None if standing is None else next(one for one in found.slices if one.group == standing.group)


def _picked(found: Watched, told: Finding) -> Night | None:
    """The night asked for, by a click or in the address; else the first that crossed in what the title says, else the latest."""
    nights = {called(night.result): night for night in found.whole.nights}
    clicked = st.session_state.pop("_night", None)
    by_id = {night.result.id: name for name, night in nights.items()}
    if clicked in by_id:
        st.session_state["tr"] = by_id[clicked]
    wanted = nights.get(st.session_state.get("tr") or st.query_params.get("tr", ""))
    if wanted is not None:
        return wanted
    if told.alert is not None:
        return next(
            (night for night in nights.values() if night.result.id == told.alert.first.result.id), found.whole.latest
        )
    return found.whole.latest


def _watched(name: str, series: Series, measure: str, baseline: Result | None) -> Watched:
    ids = "".join(result.id for result in series.results)
    key = f"watched {where()} {name} {ids} {measure} {baseline.id if baseline else ''}"
    work = ("Watching for drift", lambda _: watched(series.results, measure, baseline=baseline))
    found: Watched = computed({key: work})[key]
    return found


def _line(found: Watched) -> str:
    latest = found.whole.latest
    return latest.result.lines[found.whole.measure] if latest else ""
