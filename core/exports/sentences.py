"""Sentences: what a chart shows, from the chart's own frame, as the title of its picture.

None of them is ever empty: where there is nothing to tell, that is what they say. Equal means no run is ahead. A name that
would fill the title is cut.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from core.statistics.differences import TIE
from core.statistics.slice_family import FEWEST_QUERIES
from core.statistics.wording import counted, plain, queries, signed

LONGEST_NAME: Final = 60

Floats = npt.NDArray[np.float64]


def short(name: str) -> str:
    """A name as it stands in a sentence: on one line, and cut where it is very long."""
    line = " ".join(name.split())
    return line if len(line) <= LONGEST_NAME else f"{line[: LONGEST_NAME - 1]}…"


def leads(curve: pl.DataFrame, gain: str) -> str:
    """Which run leads at which cutoff. curve: CURVE."""
    known = curve.drop_nulls("mean")
    if known.is_empty():
        return f"No nDCG can be computed with {gain} gain"
    if known["run"].n_unique() == 1:
        first, last = (known.sort("k").row(at, named=True) for at in (0, -1))
        ends = f"{plain(first['mean'])} at k = {first['k']} and {plain(last['mean'])} at k = {last['k']}"
        return f"{short(first['run'])} scores {ends}, with {gain} gain"
    tops = _best(known, "k")
    alone = [(k, short(runs[0])) for k, runs in sorted(tops.items()) if len(runs) == 1]
    if not alone:
        return f"No run leads at any cutoff, with {gain} gain"
    (first_k, first_run), (last_k, last_run) = alone[0], alone[-1]
    turns = [later for (_, before), later in pairwise(alone) if later[1] != before]
    if not turns:
        where = "at every cutoff" if len(alone) == len(tops) else f"at {len(alone)} of {len(tops)} cutoffs"
        return f"{first_run} leads {where}, with {gain} gain"
    if len(turns) == 1:
        return f"The lead changes with k: {first_run} at the top, {last_run} from k = {turns[0][0]}"
    return f"The lead changes {len(turns)} times with k: {first_run} at k = {first_k}, {last_run} at k = {last_k}"


def best_in(heat: pl.DataFrame, by: str) -> str:
    """Which run is best in how many slices; where a single run scores lowest. heat: HEATMAP, by: the column's name."""
    known, by = heat.drop_nulls("mean"), short(by)
    if known.is_empty():
        return f"No mean can be computed by {by}"
    slices = counted(known["slice"].n_unique(), "slice")
    if known["run"].n_unique() == 1:
        large = known.filter(pl.col("n") >= FEWEST_QUERIES)
        run = short(known["run"][0])
        if large.is_empty():
            return f"{run} in {slices} by {by}, each of fewer than {FEWEST_QUERIES} queries"
        low = large.sort("mean", "slice").row(0, named=True)
        return f'{run} is weakest in "{short(low["slice"])}" by {by}: {plain(low["mean"])}'
    return _most_often(_best(known, "slice").values(), f"{slices} by {by}")


def most_columns(table: pl.DataFrame, what: str) -> str:
    """Which run is best in how many columns. table: a column run, then numbers of which more is better; what: their name, such as measure."""
    numbers = [name for name in table.columns if name != "run"]
    known = table.unpivot(on=numbers, index="run", variable_name="column", value_name="mean").drop_nulls("mean")
    if known.is_empty():
        return "No mean can be computed"
    columns = counted(known["column"].n_unique(), what)
    if known["run"].n_unique() == 1:
        high, low = (
            known.sort("mean", descending=down, maintain_order=True).row(0, named=True) for down in (True, False)
        )
        run = short(high["run"])
        return f"{run} by {columns}: from {plain(low['mean'])} ({low['column']}) to {plain(high['mean'])} ({high['column']})"
    return _most_often(_best(known, "column").values(), columns)


def highest(means: Sequence[tuple[str, float | None]], measure: str) -> str:
    """Which run has the highest mean, and how far it is ahead. means: every run with its mean, in any order."""
    known = sorted(((mean, run) for run, mean in means if mean is not None), key=lambda pair: -pair[0])
    if not known:
        return f"No mean {measure} can be computed"
    top = [run for mean, run in known if known[0][0] - mean <= TIE]
    if len(top) > 1:
        return f"{_listed(top)} share the highest mean {measure}: {plain(known[0][0])}"
    ahead = "" if len(known) == 1 else f", {plain(known[0][0] - known[1][0])} ahead of {short(known[1][1])}"
    word = "has a" if len(known) == 1 else "has the highest"
    return f"{short(top[0])} {word} mean {measure}{' of' if len(known) == 1 else ':'} {plain(known[0][0])}{ahead}"


def at_zero(ends: pl.DataFrame, run: str, baseline: str) -> str:
    """How many queries score 0 with a run, and with the baseline where it is another. ends: ENDS."""
    zeros = {row["run"]: row["zeros"] for row in ends.iter_rows(named=True)}
    said = f"{short(run)} leaves {queries(zeros.get(run, 0))} at 0"
    return said if run == baseline else f"{said}, {short(baseline)} {zeros.get(baseline, 0):,}"


def middle(box: pl.DataFrame, run: str, baseline: str) -> str:
    """What half of the queries score with a run, and with the baseline where it is another. box: BOX."""
    medians = dict(box.select("run", "median").iter_rows())
    mine, base = medians.get(run), medians.get(baseline)
    if mine is None:
        return f"No score of {short(run)} can be computed"
    said = f"Half of the queries score {plain(mine)} or more with {short(run)}"
    return said if base is None or run == baseline else f"{said}, {plain(base)} with {short(baseline)}"


def middle_of_slice(box: pl.DataFrame, value: str, run: str, baseline: str) -> str:
    """The same of the queries of one slice. box: BOX of these."""
    said = middle(box, run, baseline)
    return f'In "{short(value)}" {said[0].lower()}{said[1:]}'


def moved(d: Floats, run: str) -> str:
    """On how many queries a run is better and worse. d: differences to the baseline, shape (queries,)."""
    better, worse = int((d > TIE).sum()), int((d < -TIE).sum())
    if not len(d):
        return f"{short(run)} and the baseline share no scored query"
    if not better and not worse:
        return (
            f"{short(run)} scores the same on all {queries(len(d))}"
            if len(d) > 1
            else f"{short(run)} scores the same on the one query"
        )
    return f"{short(run)} is better on {queries(better)} and worse on {worse:,}, of {len(d):,}"


def ahead_in(dumbbell: pl.DataFrame, a: str, b: str, by: str) -> str:
    """In how many slices b is ahead of a, and where most. dumbbell: DUMBBELL."""
    d = (dumbbell["b"] - dumbbell["a"]).to_numpy()
    ahead, of = int((d > TIE).sum()), f"{counted(len(d), 'slice')} by {short(by)}"
    if not len(d) or (np.abs(d) <= TIE).all():
        return f"{short(b)} is level with {short(a)} in {'every one of ' if len(d) > 1 else ''}{of}"
    most = int(d.argmax() if ahead else d.argmin())
    where = f'"{short(dumbbell["slice"][most])}" ({signed(float(d[most]))})'
    if not ahead:
        return f"{short(b)} is ahead of {short(a)} in none of {of}; it falls most in {where}"
    return f"{short(b)} is ahead of {short(a)} in {ahead:,} of {of}, most in {where}"


def entered(bump: pl.DataFrame, baseline: str, candidate: str, k: int) -> str:
    """Which relevant documents enter and leave the top k of one query. bump: BUMP."""
    old, new = (pl.col(name).is_not_null() & (pl.col(name) <= k) for name in ("before", "after"))
    seen = bump.filter(old | new)
    relevant = seen.filter(pl.col("grade") > 0)
    gained, lost = relevant.filter(~old).height, relevant.filter(~new).height
    if gained or lost:
        return f"{short(candidate)} brings {counted(gained, 'relevant document')} into the top {k} and loses {lost:,} of {short(baseline)}"
    changed = seen.filter(pl.col("before").ne_missing(pl.col("after"))).height
    rest = "not one document moves" if not changed else f"{counted(changed, 'document moves', 'documents move')}"
    return f"No relevant document enters or leaves the top {k} from {short(baseline)} to {short(candidate)}; {rest}"


def added(contributions: pl.DataFrame, run: str) -> str:
    """How much of the ideal DCG a run gains on one query, and at which rank most. contributions: CONTRIBUTIONS."""
    gained, ideal = float(contributions["gained"].sum()), float(contributions["ideal"].sum())
    if ideal <= 0:
        return "No document is relevant, so no rank can add anything"
    if gained <= 0:
        return f"{short(run)} gains nothing of the ideal DCG of {plain(ideal)}"
    top = contributions.sort("gained", "rank", descending=[True, False]).row(0, named=True)
    return f"{short(run)} gains {plain(gained)} of the ideal DCG of {plain(ideal)}, most at rank {top['rank']} ({plain(top['gained'])})"


def graded(grades: Floats, level: int, judged: int) -> str:
    """How many judgments there are, and which share is relevant. grades: shape (judgments,); judged: the queries."""
    share = int((grades >= level).sum()) / max(1, len(grades))
    return f"{counted(len(grades), 'judgment')} of {queries(judged)}, {share:.0%} of them relevant"


def _best(known: pl.DataFrame, by: str) -> dict[object, list[str]]:
    """The runs with the highest mean of each group, in the order of the groups; more than one where they tie."""
    top = known.filter(pl.col("mean") >= pl.col("mean").max().over(by) - TIE)
    return dict(top.group_by(by, maintain_order=True).agg("run").iter_rows())


def _most_often(tops: Iterable[list[str]], of: str) -> str:
    wins: dict[str, int] = {}
    for runs in tops:
        if len(runs) == 1:
            wins[runs[0]] = wins.get(runs[0], 0) + 1
    if not wins:
        return f"No run is ahead of the others in any of {of}"
    most = max(wins.values())
    first = [run for run, number in wins.items() if number == most]
    verb = "is best" if len(first) == 1 else "are each best"
    return f"{_listed(first)} {verb} in {most:,} of {of}"


def _listed(runs: Sequence[str], most: int = 3) -> str:
    if len(runs) > most:
        return f"{len(runs):,} runs"
    names = [short(run) for run in runs]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
