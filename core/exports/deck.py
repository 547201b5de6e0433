"""Deck: a slide deck (.pptx, 16:9) about a comparison, each slide under the sentence that it shows."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal

from pptx import Presentation

from core.comparison.slice_finding import slice_finding
from core.exports import sentences
from core.exports.archive import timeless
from core.exports.brand import Brand
from core.exports.column_widths import Cell
from core.exports.figure import Figure
from core.exports.figures import figure
from core.exports.picture import bare_picture
from core.exports.scope import Scope
from core.exports.slide import HEIGHT, WIDTH, Page, set_theme_font
from core.exports.tables import inputs, leaderboard, worst_queries
from core.statistics.wording import counted, queries, signed

Slide = Literal["title", "leaderboard", "forest", "distribution", "slices", "worst", "conventions"]
SLIDES: Final[Mapping[Slide, str]] = {
    "title": "Title with the verdict",
    "leaderboard": "Leaderboard",
    "forest": "Differences from the baseline",
    "distribution": "Distribution over the queries",
    "slices": "Slices",
    "worst": "Worst queries with their texts",
    "conventions": "Conventions and data health",
}
MOST_RUNS: Final = 10
MOST_QUERIES: Final = 8
MOST_NOTICES: Final = 6
# A deck says when it was made by who presents it, not by the clock of the server: the same comparison gives the same bytes.
MADE: Final = datetime(2000, 1, 1)


@dataclass(frozen=True, eq=False)
class _Deck:
    scope: Scope
    brand: Brand
    prs: Any

    def page(self, headline: str, method: str = "", *, line: str | None = None) -> Page:
        """A new slide with its headline."""
        page = Page(self.prs, self.brand)
        page.headline(headline, method)
        page.foot(self.scope.line() if line is None else line)
        return page


def deck(scope: Scope, slides: Sequence[Slide] = tuple(SLIDES), *, brand: Brand | None = None) -> bytes:
    """The deck with these slides in this order; a slide for which the comparison has no data is left out.

    Headlines, tables and notes are text that can be edited; charts are pictures with a description. The same comparison
    gives the same bytes.
    """
    prs = Presentation()
    prs.slide_width, prs.slide_height = WIDTH, HEIGHT
    set_theme_font(prs)
    made = _Deck(scope, brand or Brand(), prs)
    for name in slides:
        _MAKERS[name](made)
    about = prs.core_properties
    about.title, about.author, about.last_modified_by, about.revision = (
        _plain(scope.finding.title),
        "Ranklens",
        "Ranklens",
        1,
    )
    about.created = about.modified = MADE
    into = io.BytesIO()
    prs.save(into)
    return timeless(into.getvalue())


def _title(made: _Deck) -> None:
    scope, page = made.scope, Page(made.prs, made.brand)
    page.cover(scope.finding.title, scope.finding.sentence)
    counts = f"{counted(len(scope.runs), 'run')} · {queries(scope.queries)} · {scope.measure.label}"
    page.text(counts, top=5.35, size=18, soft=True)
    page.foot(scope.line())
    page.notes(
        [scope.finding.title + ".", scope.finding.sentence, *(alert.sentence for alert in scope.alerts), scope.line()]
    )


def _leaderboard(made: _Deck) -> None:
    scope = made.scope
    table = leaderboard(scope)
    rows = table.frame.head(MOST_RUNS)
    headline = sentences.highest(list(table.frame.select("run", "mean").iter_rows()), str(scope.measure))
    both = scope.measure.uses_gain
    page = made.page(
        headline,
        f"Mean over {queries(scope.queries)}, differences from {scope.baseline} with their 95 % interval",
        line=table.line,
    )
    gain = {"linear": "linear", "exponential": "exponential"}.get(scope.other_gain.gain if both else "", "")
    heads = [
        "Run",
        str(scope.measure.label).split(",")[0],
        *([f"{gain} gain"] if both else []),
        "Difference",
        "95 % interval",
        "Better / same / worse",
        "Verdict",
    ]
    cells: list[list[Cell]] = []
    for row in rows.iter_rows(named=True):
        role = {"Better": "better", "Worse": "worse"}.get(row["verdict"], "")
        between = "" if row["low"] is None else f"{signed(row['low'])} to {signed(row['high'])}"
        counts = "" if row["wins"] is None else f"{row['wins']:,} / {row['ties']:,} / {row['losses']:,}"
        cells.append([
            Cell(row["run"], bold=row["run"] == scope.leader), Cell(_score(row["mean"]), right=True),
            *([Cell(_score(row["other_gain"]), right=True)] if both else []),
            Cell("" if row["difference"] is None else signed(row["difference"]), right=True), Cell(between, right=True),
            Cell(counts, right=True), Cell(row["verdict"], role=role),
        ])  # fmt: skip
    shares = [2.6, 1.2, *([1.6] if both else []), 1.3, 2.1, 2.1, 2.5]
    page.table(heads, cells, shares)
    more = table.frame.height - rows.height
    page.notes([
        f"{headline}.", *(pair.verdict.sentence for pair in scope.pairs),
        *([f"{counted(more, 'more run')} below these."] if more else []), table.line,
    ])  # fmt: skip


def _forest(made: _Deck) -> None:
    found, pairs = figure(made.scope, "forest"), made.scope.pairs
    if found is None:
        return
    if len(pairs) > 1:
        found = replace(found, finding=_standing(made.scope))
    _pictured(made, found, [pair.verdict.sentence for pair in pairs])


def _standing(scope: Scope) -> str:
    """How many of the runs are clearly better or worse than the baseline."""
    cases, several, baseline = [pair.verdict.case for pair in scope.pairs], len(scope.pairs), scope.baseline
    better, worse = cases.count("better"), cases.count("worse")
    if not better and not worse:
        return f"None of {several:,} runs differs clearly from {baseline}"
    if not better:
        return f"{worse:,} of {several:,} runs {'is' if worse == 1 else 'are'} clearly worse than {baseline}, none clearly better"
    rest = f", {worse:,} clearly worse" if worse else ""
    return f"{better:,} of {several:,} runs {'is' if better == 1 else 'are'} clearly better than {baseline}{rest}"


def _distribution(made: _Deck) -> None:
    found = figure(made.scope, "changes-sorted") or figure(made.scope, "spread-histogram")
    spread = figure(made.scope, "spread-ends")
    if found is not None:
        _pictured(made, found, [f"{spread.finding}."] if spread is not None else [])


def _slices(made: _Deck) -> None:
    scope, column = made.scope, made.scope.telling
    if column is None:
        return
    at = scope.comparison.slices.index(column)
    found = figure(scope, f"slices-{at}-means")
    if found is None:
        return
    if scope.parts.get(column.name):
        told = slice_finding(scope.parts[column.name], scope.pairs)
        found = replace(found, finding=told.title)
        _pictured(made, found, [told.sentence, *(alert.sentence for alert in scope.alerts if alert.slice)])
    else:
        _pictured(made, found, [])


def _worst(made: _Deck) -> None:
    scope, table = made.scope, worst_queries(made.scope, MOST_QUERIES)
    if table.frame.is_empty():
        return
    compared, texts = scope.leader != scope.baseline, table.frame["text"].null_count() < table.frame.height
    against = f" against {scope.baseline}" if compared else ""
    page = made.page(
        table.title, f"{scope.measure} of each query with {scope.leader}{against}, and why, by fixed rules"
    )
    heads = [
        "Query",
        *(["Text"] if texts else []),
        *([scope.baseline] if compared else []),
        scope.leader,
        *(["Difference"] if compared else []),
        "Cause",
    ]
    cells = [
        [
            Cell(row["query"], bold=True), *([Cell(row["text"] or "")] if texts else []),
            *([Cell(_score(row["baseline"]), right=True)] if compared else []), Cell(_score(row["score"]), right=True),
            *([Cell("–" if row["difference"] is None else signed(row["difference"]), right=True, role="worse")] if compared else []),
            Cell(row["cause"]),
        ]
        for row in table.frame.iter_rows(named=True)
    ]  # fmt: skip
    shares = [1.2, *([3.9] if texts else []), *([1.3] if compared else []), 1.5, *([1.3] if compared else []), 3.4]
    page.table(heads, cells, shares)
    page.notes([f"{table.title}.", "Undefined queries are not among them: no run can score there.", table.line])


def _conventions(made: _Deck) -> None:
    scope = made.scope
    told = [notice for notice in scope.notices if notice.severity != "info"] or list(scope.notices)
    serious = sum(notice.severity == "error" for notice in scope.notices)
    headline = (
        "Nothing in the files needs a word" if not scope.notices
        else f"{counted(serious, 'thing')} in the files must be mended" if serious
        else f"The numbers stand on {queries(len(scope.comparison.qrels.queries))}; {counted(len(told), 'thing')} to know"
    )  # fmt: skip
    page = made.page(headline, "How the numbers are made, and what in the files touches them", line="")
    page.paragraphs([("Conventions", [scope.line(leaderboard_measures(scope))])], left=0, across=1.0, top=1.95)
    notes = [f"{notice.about}: {notice.message}" for notice in told[:MOST_NOTICES]]
    more = len(told) - len(notes)
    notes += [f"… and {more:,} more"] if more > 0 else []
    files = [f"{row['name']}  {row['sha256'][:12]}" for row in inputs(scope).frame.head(10).iter_rows(named=True)]
    page.paragraphs([("Data health", notes or ["Nothing to tell."])], left=0, across=0.62, top=2.95)
    page.paragraphs([("Files, by SHA-256", files)], left=0.66, across=0.34, top=2.95)
    page.notes([f"{headline}.", *(f"{notice.about}: {notice.message}" for notice in scope.notices)])


def leaderboard_measures(scope: Scope) -> list[Any]:
    """The measures that the deck shows."""
    return [scope.measure, scope.other_gain] if scope.measure.uses_gain else [scope.measure]


def _pictured(made: _Deck, found: Figure, said: Sequence[str]) -> None:
    """A chart as a picture below its headline."""
    page = made.page(found.finding, found.method, line=found.footer)
    drawn = bare_picture(found.chart, brand=made.brand)
    page.picture(drawn.png(1.5), found.description)
    page.notes([f"{found.finding}.", found.method, *said, found.description, found.footer])


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _plain(text: str) -> str:
    return text[:250]


_MAKERS: Mapping[Slide, Callable[[_Deck], None]] = {
    "title": _title, "leaderboard": _leaderboard, "forest": _forest, "distribution": _distribution, "slices": _slices, "worst": _worst,
    "conventions": _conventions,
}  # fmt: skip
