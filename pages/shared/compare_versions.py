"""Two versions of the judgments: how far they agree, which grades changed, and whether a verdict moves."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl
import streamlit as st

from core.comparison import Comparison
from core.comparison.qrels_versions import Agreement, Moved, agreement, order_tau, verdicts
from core.model.qrels import Qrels
from core.model.reading import Choice
from pages.shared import files, loading, view
from pages.shared.figure import exported
from pages.shared.files import Brought, Files
from pages.shared.text import count, difference, plain, quiet
from pages.shared.view import View

ALL = "All files joined"
SHOWN = 100


def draw(look: View) -> None:
    """Pick two versions, then say what is different."""
    state = loading.load(files.current(), view.conventions())
    versions: dict[str, Files] = {name: (file,) for name, file in named(state.of("qrels")).items()}
    second = _second()
    if second is not None:
        versions[f"{second.name} (only here)"] = (second,)
    if len(state.of("qrels")) > 1:
        versions[ALL] = state.of("qrels")
    st.header("Two versions of the judgments", anchor=False)
    if len(versions) < 2:
        st.markdown(
            ":gray[There is one file of judgments. Bring a second version here to hold it against the first; it does not join the comparison.]"
        )
        return
    names = list(versions)
    left, right = st.columns(2)
    before = left.selectbox("Before", names, key="v1", bind="query-params")
    after = right.selectbox("After", names, index=len(names) - 1, key="v2", bind="query-params")
    others = tuple(file for file in state.files if file not in state.of("qrels"))
    old, new = (_load((*versions[name], *others)) for name in (before, after))
    broken = [name for name, one in ((before, old), (after, new)) if one.qrels is None]
    for name in broken:
        st.error(f"{plain(name)} cannot be read as judgments.", icon=":material/error:")
    if old.qrels is None or new.qrels is None:
        return
    _told(old.qrels, new.qrels, old.comparison, new.comparison, look)


def named(qrels: Files) -> dict[str, Brought]:
    """The files by the names that people see, each name once."""
    found: dict[str, Brought] = {}
    for file in qrels:
        name, number = file.name, 2
        while name in found:
            name, number = f"{file.name} ({number})", number + 1
        found[name] = file
    return found


def _second() -> Brought | None:
    """A further version that was brought here: of this session, not of the comparison."""
    with st.popover("Bring another version", icon=":material/upload_file:"):
        upload = st.file_uploader("It is held against the judgments and does not join them", key="_version")
    if upload is not None:
        kept = files.shelf().keep(upload.name, upload.getvalue())
        st.session_state["_second_version"] = replace(kept, choice=Choice(role="qrels"))
    found: Brought | None = st.session_state.get("_second_version")
    return found


def _load(chosen: Files) -> loading.State:
    return loading.load(chosen, view.conventions())


def _told(before: Qrels, after: Qrels, old: Comparison | None, new: Comparison | None, look: View) -> None:
    """What is different, in sentences and tables."""
    found = agreement(before, after, view.conventions().relevance_level)
    moved = (
        verdicts(old, new, look.baseline, look.measure, look.candidates) if old is not None and new is not None else []
    )
    st.markdown(f"**{plain(answer(found, moved), 400)}**")
    st.markdown(f":gray[{plain(sentence(found), 600)}]")
    if old is not None and new is not None and len(old.names) > 1:
        tau = order_tau(old, new, look.measure)
        if tau is not None:
            quiet(
                f"The order of the runs agrees with Kendall's tau {tau:+.2f} (1: the same order, −1: turned around).".replace(
                    "-", "−"
                )
            )
    if moved:
        _verdicts(moved, answer(found, moved))
    if found.changed.height:
        left, right = st.columns([3, 2], gap="small")
        with left:
            _changed(found)
        with right:
            _crossed(found)
    if old is not None:
        quiet(plain(f"Before: {old.line(look.measure)}", 600))
    if new is not None:
        quiet(plain(f"After: {new.line(look.measure)}", 600))


def answer(found: Agreement, moved: Sequence[Moved]) -> str:
    """Does any verdict move? And how many judgments joined?"""
    movers = [one.before.candidate for one in moved if one.moves]
    if not moved:
        verdict = "There is no second run whose verdict could move."
    elif movers:
        verdict = f"{count(len(movers), 'verdict moves', 'verdicts move')}: {', '.join(movers[:5])}."
    else:
        verdict = "No verdict moves."
    joined = f" {count(found.added, 'judgment')} joined." if found.added else ""
    gone = f" {count(found.removed, 'judgment')} went." if found.removed else ""
    return f"{verdict}{joined}{gone}"


def sentence(found: Agreement) -> str:
    """How far the two agree."""
    if found.same is None or found.same_side is None:
        return "No pair of query and document is judged in both."
    changed = found.changed.height
    return (
        f"{count(found.both.height, 'pair is', 'pairs are')} judged in both: {found.same:.1%} have the same grade, "
        f"{count(changed, 'grade')} changed; {found.same_side:.1%} are on the same side of relevance (grade {found.level} and up)."
    )


def crossing(crossed: pl.DataFrame) -> str:
    """Which change of a grade is the most frequent. crossed: `before`, `after`, `pairs`."""
    turned = crossed.filter(pl.col("before") != pl.col("after")).sort("pairs", descending=True, maintain_order=True)
    if turned.is_empty():
        return "No grade became another"
    top = turned.row(0, named=True)
    return f"Most often {top['before']:g} became {top['after']:g}: {count(top['pairs'], 'pair')} of {turned['pairs'].sum():,} that changed"


def _verdicts(moved: Sequence[Moved], shows: str) -> None:
    rows = [
        {
            "run": one.before.candidate, "before": difference(one.before.difference), "verdict_before": one.before.verdict.label,
            "after": difference(one.after.difference), "verdict_after": one.after.verdict.label, "moves": "Moves" if one.moves else "Holds",
        }
        for one in moved
    ]  # fmt: skip
    column = st.column_config
    exported(
        pl.DataFrame(rows), hide_index=True, height="content", key="moved", alt="Every verdict before and after",
        finding=shows,
        column_config={
            "run": column.TextColumn("Run", pinned=True),
            "before": column.TextColumn("Difference before"),
            "verdict_before": column.TextColumn("Verdict before"),
            "after": column.TextColumn("Difference after"),
            "verdict_after": column.TextColumn("Verdict after"),
            "moves": column.TextColumn("The verdict"),
        },
    )  # fmt: skip


def _changed(found: Agreement) -> None:
    rows = found.changed
    st.markdown(f"### {count(rows.height, 'changed grade')}")
    column = st.column_config
    exported(
        rows.head(SHOWN), hide_index=True, height=420 if rows.height > 10 else "content", key="changed", alt="Pairs whose grade changed",
        finding=sentence(found),
        column_config={
            "query_id": column.TextColumn("Query", pinned=True), "doc_id": column.TextColumn("Document"),
            "before": column.NumberColumn("Before", format="%g"), "after": column.NumberColumn("After", format="%g"),
        },
    )  # fmt: skip
    if rows.height > SHOWN:
        quiet(f"The {SHOWN} largest changes of {rows.height:,}.")


def _crossed(found: Agreement) -> None:
    st.markdown("### Which grade became which")
    column = st.column_config
    exported(
        found.crossed, hide_index=True, height="content", key="crossed", alt="How often each grade became which",
        finding=crossing(found.crossed),
        column_config={
            "before": column.NumberColumn("Before", format="%g"), "after": column.NumberColumn("After", format="%g"),
            "pairs": column.NumberColumn("Pairs", format="%d"),
        },
    )  # fmt: skip
