"""Sensitivity: the pair read in other ways, as a picture and as a table. Does the verdict hold?"""

import polars as pl
import streamlit as st

from core import charts
from core.comparison import Comparison
from core.comparison.sensitivity import Probe, Sensitivity, sensitivity
from core.statistics.paired import PairStatistics
from pages.shared.compare_pair import once
from pages.shared.compare_parts import interval
from pages.shared.figure import card, exported
from pages.shared.text import count, plain
from pages.shared.view import CUTOFFS, View

WORDS = {"holds": "Holds", "changes": "Changes", "turns": "Turns around", "cannot be judged": "Too few to judge"}
COLOURS = {"Holds": "blue", "Changes": "orange", "Turns around": "orange", "Too few to judge": "gray"}


def draw(comparison: Comparison, look: View, pair: PairStatistics) -> None:
    """What was found, the picture of what can be judged, and the table of everything."""
    found = once(
        f"sensitivity {comparison.key} {look.key} {pair.candidate}",
        lambda: sensitivity(
            comparison, pair.candidate, pair.baseline, look.measure, where=look.where, comparisons=pair.comparisons, cutoffs=CUTOFFS
        ),
    )  # fmt: skip
    st.header(plain(title(found)), anchor=False)
    st.markdown(f":gray[{plain(sentence(found, pair), 600)}]")
    if not found.probes:
        return
    frame = picture(found)
    if pair.verdict.shows_p_value and frame.height:
        measure, main = str(look.measure), pair.difference or 0.0
        card(
            "The difference, read in other ways", charts.sensitivity(frame, measure=measure, main=main), frame, key="sensitivity",
            finding=title(found),
            description=charts.describe_sensitivity(frame, measure=measure, main=main),
            note="The dashed line is the difference as shown above; intervals are 95 %"
            + (f", for {pair.comparisons} comparisons." if pair.comparisons > 1 else "."),
        )  # fmt: skip
    _table(found, coloured=pair.verdict.shows_p_value)


def title(found: Sensitivity) -> str:
    """How many readings keep the verdict."""
    if not found.probes:
        return "Nothing to read in another way"
    if found.held == found.judged:
        return f"The verdict holds in all {found.judged:,} readings"
    return f"The verdict holds in {found.held:,} of {found.judged:,} readings"


def sentence(found: Sensitivity, pair: PairStatistics) -> str:
    """The verdict, and what moves it: first what turns it around."""
    if not found.probes:
        return "The pair shares no scored query."
    verdict = f"As shown: {pair.verdict.label.lower()}."
    turned = [probe.label for probe in found.probes if probe.outcome == "turns"]
    changed = [probe.label for probe in found.probes if probe.outcome == "changes"]
    parts = [
        f"{lead}: {_listed(labels)}."
        for lead, labels in (("It turns around", turned), ("It is another one", changed))
        if labels
    ]
    few = sum(probe.outcome == "cannot be judged" for probe in found.probes)
    if few:
        parts.append(f"{count(few, 'reading leaves', 'readings leave')} too few queries to judge.")
    return " ".join([verdict, *parts])


def _listed(labels: list[str], most: int = 4) -> str:
    rest = len(labels) - most
    return "; ".join(labels[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def picture(found: Sensitivity) -> pl.DataFrame:
    """SENSITIVITY: the readings that can be judged."""
    rows = [
        (probe.label, probe.difference, *(probe.interval or (None, None)), probe.outcome == "holds")
        for probe in found.probes
        if probe.outcome != "cannot be judged"
    ]
    return pl.DataFrame(rows, schema=charts.SENSITIVITY, orient="row")


def table(probes: tuple[Probe, ...]) -> pl.DataFrame:
    """Every reading as people read it."""
    rows = [
        {
            "label": probe.label, "outcome": [WORDS[probe.outcome]], "difference": probe.difference, "interval": interval(probe.interval),
            "n": probe.n, "verdict": probe.verdict, "group": probe.group,
        }
        for probe in probes
    ]  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)


def _table(found: Sensitivity, *, coloured: bool) -> None:
    column = st.column_config
    words = list(WORDS.values())
    exported(
        table(found.probes), hide_index=True, height="content", key="readings", placeholder="–", lazy=False,
        alt="Every other reading of the pair, and whether the verdict holds", finding=title(found),
        column_config={
            "group": column.TextColumn("Kind"),
            "label": column.TextColumn("What is different", width=230),
            "difference": column.NumberColumn("Difference", format="%+.3f", help="Candidate minus baseline."),
            "interval": column.TextColumn("95 % interval", help="The one the verdict is read from: for all candidates at once."),
            "n": column.NumberColumn("Queries", format="%d"),
            "verdict": column.TextColumn("Verdict"),
            "outcome": column.MultiselectColumn(
                "Does it hold?", options=words, color=[COLOURS[word] if coloured else "gray" for word in words],
                help="Whether the verdict is the one shown above. With too few queries left it cannot be said.",
            ),
        },
    )  # fmt: skip
