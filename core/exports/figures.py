"""Figures: every chart of a comparison that can be taken away, each under the sentence that it shows."""

from collections.abc import Callable, Iterator, Sequence

import polars as pl

from core import charts
from core.comparison.causes import CAUSES, cause_counts, causes, headline
from core.exports import sentences
from core.exports.figure import Figure, shown_runs
from core.exports.figures_slices import MOST_VALUES, slices
from core.exports.figures_spread import changes, spread
from core.exports.scope import Scope
from core.scoring.scores import mean
from core.statistics.interval import t_interval
from core.statistics.wording import queries

CUTOFFS = (1, 3, 5, 10, 20, 50, 100)


def figures(scope: Scope, keys: Sequence[str] | None = None) -> list[Figure]:
    """The figures that the comparison has data for, in the order in which a report shows them; only some where keys are given."""
    kinds = None if keys is None else {key.partition("-")[0] for key in keys}
    makers = [make for kind, make in _MAKERS.items() if kinds is None or kind in kinds]
    return [figure for make in makers for figure in make(scope) if keys is None or figure.key in keys]


def figure_names(scope: Scope) -> dict[str, str]:
    """The figures' keys and what kind of chart each is, without drawing any."""
    column = [
        (f"slices-{at}-{kind}", f"{word} by {each.name}")
        for at, each in enumerate(scope.comparison.slices)
        if len(each.values) <= MOST_VALUES
        for kind, word in (("forest", "Differences"), ("means", "Means"))
        if kind == "means" or scope.candidates
    ]
    compared = bool(scope.candidates)
    gains = scope.measure.name == "nDCG" and scope.measure.gain != "custom"
    known = [
        *([("forest", "Difference from the baseline")] if compared else []), *column, ("spread-ecdf", "Share of queries at or below a score"),
        ("spread-histogram", "How the scores are spread"), ("spread-box", "Box and strip"), ("spread-ends", "Queries at 0 and at 1"),
        *([("changes-sorted", "What changed, query by query"), ("changes-scatter", "One run against the other")] if compared else []),
        *([(f"curve-{gain}", f"nDCG over k, {gain} gain") for gain in ("linear", "exponential")] if gains else []),
        *([("causes", "Why queries fall short")] if gains else []), ("grades", "Grades of the judgments"),
    ]  # fmt: skip
    return dict(known)


def figure(scope: Scope, key: str) -> Figure | None:
    """One figure by its key, without making the others; None where the comparison has no data for it."""
    return next(iter(figures(scope, [key])), None)


def _forest(scope: Scope) -> Iterator[Figure]:
    if not scope.pairs:
        return
    rows: list[tuple[str, float | None, float | None, float | None, str]] = [
        (scope.baseline, 0.0, None, None, "baseline")
    ]
    for pair in scope.pairs:
        low, high = pair.interval_simultaneous or (None, None)
        rows.append((pair.candidate, pair.difference, low, high, pair.verdict.case))
    frame = pl.DataFrame(rows, schema=charts.FOREST, orient="row")
    several = len(scope.pairs)
    interval = "95 % interval" if several == 1 else f"95 % interval for {several} comparisons"
    measure = str(scope.measure)
    yield Figure(
        "forest",
        "Difference from the baseline",
        scope.finding.title,
        f"Mean difference in {measure} from {scope.baseline} over {queries(scope.queries)}, paired by query, with its {interval}.",
        charts.forest(frame, measure=measure, interval=interval),
        frame,
        charts.describe_forest(frame, measure=measure),
        scope.line(),
    )


def _curves(scope: Scope) -> Iterator[Figure]:
    if scope.measure.name != "nDCG" or scope.measure.gain == "custom":
        return
    for at in (scope.measure, scope.other_gain):
        rows = []
        for run in shown_runs(scope):
            scope.comparison.all_scores(run, [at.with_cutoff(k) for k in CUTOFFS])
            for k in CUTOFFS:
                values = scope.comparison.counted(run, at.with_cutoff(k), scope.where)
                average = mean(values)
                low, high = (average is not None and t_interval(values)) or (None, None)
                rows.append((run, k, average, low, high))
        frame = pl.DataFrame(rows, schema=charts.CURVE, orient="row")
        colours = charts.run_colours(scope.comparison.names, shown_runs(scope))
        yield Figure(
            f"curve-{at.gain}",
            f"nDCG over k, {at.gain} gain",
            sentences.leads(frame, at.gain),
            f"Mean nDCG with {at.gain} gain at every cutoff k, with the 95 % interval of the mean.",
            charts.curve(frame, measure="nDCG", colours=colours),
            frame,
            charts.describe_curve(frame, measure=f"nDCG, {at.gain} gain"),
            scope.line([at.with_cutoff(k) for k in CUTOFFS]).replace(
                ", ".join(str(at.with_cutoff(k)) for k in CUTOFFS), "nDCG at k = 1 … 100"
            ),
        )


def _causes(scope: Scope) -> Iterator[Figure]:
    if scope.measure.name != "nDCG" or scope.measure.gain == "custom":
        return
    runs = shown_runs(scope)
    counts = cause_counts({run: causes(scope.comparison, run, scope.measure) for run in runs}, scope.where)
    frame = counts.filter(pl.col("count") > 0).select("run", "cause", "count")
    if frame.is_empty():
        return
    title = headline(counts, scope.leader, scope.measure.k or 0)
    order = [cause.label for cause in CAUSES]
    yield Figure(
        "causes", "Why queries fall short", title,
        "Every query has one cause, by fixed rules; near ideal is 0.95 or more.",
        charts.causes(frame, order=order), frame, charts.describe_causes(frame, order=order), scope.line(),
    )  # fmt: skip


def _grades(scope: Scope) -> Iterator[Figure]:
    grades = scope.comparison.qrels.grade
    frame, level = charts.grade_bars(grades), scope.comparison.conventions.relevance_level
    yield Figure(
        "grades", "Grades of the judgments", sentences.graded(grades, level, len(scope.comparison.qrels.queries)),
        f"Judgments by grade; relevant is grade {level} or more.",
        charts.grade_histogram(frame), frame, charts.describe_grade_histogram(frame),
        f"{scope.comparison.qrels.name} · qrels {scope.comparison.qrels.sha256[:7]}",
    )  # fmt: skip


_MAKERS: dict[str, Callable[[Scope], Iterator[Figure]]] = {
    "forest": _forest, "slices": slices, "spread": spread, "changes": changes, "curve": _curves, "causes": _causes, "grades": _grades,
}  # fmt: skip
