"""Figure: one chart of a comparison to be taken away, under the sentence that it shows."""

from dataclasses import dataclass

import polars as pl

from core.charts.titled import Drawn
from core.exports.scope import Scope

MOST_RUNS = 12


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart to take away.

    key          its own name among the figures, safe as a file's name
    name         what kind of chart it is, for a list of them
    finding      what it shows, in one sentence: its title
    method       how that was measured, under the title
    description  everything in it, in words
    footer       the convention line
    """

    key: str
    name: str
    finding: str
    method: str
    chart: Drawn
    frame: pl.DataFrame
    description: str
    footer: str


def shown_runs(scope: Scope) -> tuple[str, ...]:
    """The runs in pictures that hold a curve or a row for each: the first twelve, the baseline and the leader among them."""
    needed = {scope.baseline, scope.leader}
    room = MOST_RUNS - len(needed)
    others = [run for run in scope.runs if run not in needed][:room]
    return tuple(run for run in scope.runs if run in needed or run in others)
