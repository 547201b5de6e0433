"""Drill-down: one query, its score taken apart for up to six runs beside the ideal ranking."""

from dataclasses import dataclass
from typing import Any

import polars as pl
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.comparison import Comparison
from core.comparison.causes import CAUSES
from core.model.measure import Gain, Measure
from core.scoring.explain import Explanation, explain
from pages.shared import drill_down_mending, drill_down_rankings, queries_filters, slicing
from pages.shared.figure import exported, line
from pages.shared.queries_facts import causes_of, marks_of, shown_runs
from pages.shared.queries_filters import MARKS, Listed
from pages.shared.queries_list import open_query
from pages.shared.queries_notes import Notes
from pages.shared.text import count, difference, plain, score
from pages.shared.view import View

SEED_HELP = """
A run returns documents with the grades **3, 1, 0, 2**, and a document of grade **3** is not returned; k = 4.

| | linear gain: the grade | exponential gain: 2^grade − 1 |
|---|---|---|
| DCG: gain / log2(rank + 1), added up | 3/1.000 + 1/1.585 + 0/2.000 + 2/2.322 = 4.492 | 7/1.000 + 1/1.585 + 0/2.000 + 3/2.322 = 8.923 |
| ideal DCG: all judged documents, best first | 3/1.000 + 3/1.585 + 2/2.000 + 1/2.322 = 6.323 | 7/1.000 + 7/1.585 + 3/2.000 + 1/2.322 = 13.347 |
| nDCG@4 | 4.492 / 6.323 = **0.710** | 8.923 / 13.347 = **0.669** |

An unjudged document gains 0. A document that is judged and not returned still stands in the ideal ranking, so missing it costs.
"""


@dataclass(frozen=True, eq=False)
class Query:
    """One query as it is shown.

    at     its place in Qrels.queries
    name   its text, or its id where it has none
    run    the run that the page is about
    runs   up to six runs beside each other
    found  by run: its arithmetic with the view's gain, and with the other one
    """

    id: str
    at: int
    name: str
    run: str
    runs: tuple[str, ...]
    found: dict[str, tuple[Explanation, Explanation]]


def draw(comparison: Comparison, look: View, notes: Notes, query: str, title: DeltaGenerator) -> None:
    """The whole page of one query; its title goes where the page has a place for it."""
    head = st.container()
    with st.expander("The list that next and previous follow"):
        queries_filters.draw(look, notes)
    found = queries_filters.listed(comparison, look, notes)
    if query not in comparison.qrels.index:
        title.title("This query is not judged", anchor=False)
        with head:
            st.markdown(f':gray["{plain(query)}" is not among the {len(comparison.qrels.queries):,} judged queries.]')
            st.button(
                "All queries", key="_back", shortcut="B", icon=":material/arrow_back:", on_click=open_query, args=("",)
            )
        return
    one = _taken_apart(comparison, look, found.run, query)
    title.title(plain(_title(look, one), 300), anchor=False)
    with head:
        _head(comparison, look, found, one)
    st.header("Scores", anchor=False)
    _scores(comparison, look, one)
    drill_down_rankings.draw(comparison, look, one.run, one.runs, one.found)
    drill_down_mending.draw(comparison, look, one.run, query, notes)
    with st.expander("How a score is made, by an example", icon=":material/help:"):
        st.markdown(SEED_HELP)


def _taken_apart(comparison: Comparison, look: View, run: str, query: str) -> Query:
    runs = shown_runs(look, run)
    measures = (look.measure, _other(look.measure))
    found = {
        name: tuple(
            explain(comparison.qrels, comparison.run(name), query, each, comparison.conventions) for each in measures
        )
        for name in runs
    }
    return Query(query, comparison.qrels.index[query], comparison.query_text(query) or query, run, runs, found)  # type: ignore[arg-type]  # a pair for the two measures


def _other(measure: Measure) -> Measure:
    return measure.with_gain("exponential" if measure.gain == "linear" else "linear")


def _head(comparison: Comparison, look: View, listed: Listed, one: Query) -> None:
    about = [f"query {one.id}"] if one.name != one.id else []
    about += [f"{name}: {value}" for name, value in _attributes(comparison, one.id)]
    if about:
        st.markdown(f":gray[{plain(' · '.join(about), 600)}]")
    slicing.said(look)
    ids = listed.ids(comparison)
    place = ids.index(one.id) if one.id in ids else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "All queries", key="_back", shortcut="B", icon=":material/arrow_back:", on_click=open_query, args=("",)
        )
        before = ids[place - 1] if place else ""
        after = (
            ids[place + 1] if place is not None and place + 1 < len(ids) else ids[0] if place is None and ids else ""
        )
        st.button(
            "Previous", key="_previous", shortcut="P", icon=":material/chevron_left:", disabled=not before, on_click=open_query, args=(before,)
        )  # fmt: skip
        st.button(
            "Next",
            key="_next",
            shortcut="N",
            icon=":material/chevron_right:",
            disabled=not after,
            on_click=open_query,
            args=(after,),
        )
        where = f"{place + 1:,} of {len(ids):,}" if place is not None else f"not among the {len(ids):,} of the list"
        st.markdown(f":gray[{where} · {plain(listed.said, 200)}]", width="content")


def _title(look: View, one: Query) -> str:
    found = one.found[one.run][0]
    name = one.name if len(one.name) <= 120 else one.name[:119] + "…"
    if found.undefined:
        return f"{name}: undefined, no document is relevant"
    if found.missing:
        return f"{name}: {one.run} does not answer it"
    if found.value is None:
        return f"{name}: {look.measure} cannot be computed"
    other = one.found[look.baseline][0].value
    if one.run == look.baseline or other is None:
        return f"{name}: {one.run} scores {score(found.value)}"
    d = found.value - other
    beside = "as much as" if abs(d) < 0.0005 else f"{abs(d):.3f} {'more' if d > 0 else 'less'} than"
    return f"{name}: {one.run} scores {score(found.value)}, {beside} {look.baseline}"


def _attributes(comparison: Comparison, query: str) -> list[tuple[str, str]]:
    """What the metadata say of the query, beside its text."""
    found: list[tuple[str, str]] = []
    tables = [comparison.queries.table if comparison.queries is not None else None, comparison.qrels.columns]
    for table in tables:
        if table is not None:
            for row in table.filter(pl.col("query_id") == query).iter_rows(named=True):
                found += [
                    (name, f"{value:g}" if isinstance(value, float) else str(value))
                    for name, value in row.items()
                    if name not in ("query_id", "text") and value is not None
                ]
    return found


def _scores(comparison: Comparison, look: View, one: Query) -> None:
    """Each run's DCG, ideal DCG and nDCG in both gains, its cause and its notices."""
    gains = [look.measure.gain, _other(look.measure).gain]
    base = one.found[look.baseline][0].value
    causes = causes_of(comparison, look, one.runs)
    rows = []
    for name in one.runs:
        mine = one.found[name][0]
        row: dict[str, Any] = {"run": name}
        for at, each in enumerate(one.found[name]):
            row |= {f"ndcg{at}": each.value, f"dcg{at}": each.dcg, f"ideal{at}": each.ideal_dcg}
        row["difference"] = None if name == look.baseline or mine.value is None or base is None else mine.value - base
        row["cause"] = CAUSES[int(causes[name][one.at])].label
        row["marks"] = [MARKS[mark] for mark, mask in marks_of(comparison, look, name).items() if mask[one.at]]
        row["retrieved"] = mine.retrieved
        rows.append(row)
    heads = _columns(look, gains)
    order = ["run", "ndcg0", "difference", "cause", "dcg0", "ideal0", "ndcg1", "dcg1", "ideal1", "retrieved", "marks"]
    told = "; ".join(f"{row['run']} {score(row['ndcg0'])}, {difference(row['difference'])}" for row in rows)
    exported(
        pl.DataFrame(rows, infer_schema_length=None), hide_index=True, key="query_scores", column_order=order, placeholder="–",
        row_height=40, height="content", column_config=heads, alt=f"Each run's score on this query: {told}", finding=_title(look, one),
    )  # fmt: skip
    more = len(look.runs) - len(one.runs)
    line(
        comparison.line([look.measure, _other(look.measure)])
        + (f" · {count(more, 'more run')} not shown" if more > 0 else "")
    )


def _columns(look: View, gains: list[Gain]) -> dict[str, Any]:
    """How each column of the scores is shown."""
    column = st.column_config
    number, badges = column.NumberColumn, list(MARKS.values())
    heads: dict[str, Any] = {"run": column.TextColumn("Run", pinned=True)}
    k = look.measure.k
    for at, gain in enumerate(gains):
        heads |= {
            f"ndcg{at}": number(
                f"nDCG@{k}, {gain}", format="%.3f", help="DCG divided by ideal DCG; 0 where the query is undefined."
            ),
            f"dcg{at}": number(f"DCG, {gain}", format="%.4f", help="Gain × discount, added up over the top k."),
            f"ideal{at}": number(
                f"Ideal DCG, {gain}", format="%.4f", help="The same for all judged documents, best first."
            ),
        }
    heads |= {
        "difference": number("Difference", format="%+.3f", help=f"Minus {look.baseline}'s {look.measure}."),
        "cause": column.TextColumn("Cause"),
        "marks": column.MultiselectColumn("Notices", options=badges, color=["gray"] * len(badges)),
        "retrieved": number("Returned", format="%d", help="Documents returned in all."),
    }
    return heads
