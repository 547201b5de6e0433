"""Report: a comparison as one HTML file that works without a network: text, tables, charts, and what the numbers rest on."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any, Final

import polars as pl

from core.charts import Palette, configuration
from core.exports.brand import PNG, Brand
from core.exports.figure import Figure
from core.exports.figures import figures
from core.exports.picture import bare_picture, bundled_script, plain_specification
from core.exports.scope import Scope
from core.exports.table import as_text
from core.exports.tables import inputs, leaderboard, slices, worst_queries
from core.exports.text import printed
from core.model.version import version
from core.notices import Notice
from core.statistics.wording import counted, queries

PICTURED: Final = (1280, 520)
LABEL: Final = 12.5
MOST_QUERIES: Final = 20
SHOWN: Final = (
    "spread-ecdf",
    "spread-box",
    "changes-sorted",
    "changes-scatter",
    "curve-linear",
    "curve-exponential",
    "causes",
)
HEADS: Final[Mapping[str, str]] = {
    "run": "Run", "mean": "Mean", "other_gain": "Other gain", "difference": "Difference", "low": "95 % from", "high": "to",
    "wins": "Better", "ties": "Same", "losses": "Worse", "verdict": "Verdict", "answered": "Answered", "column": "Attribute",
    "value": "Slice", "queries": "Queries", "baseline_mean": "Baseline", "p_bh": "p (BH)", "finding": "Finding", "query": "Query",
    "text": "Text", "baseline": "Baseline", "score": "Score", "cause": "Cause", "role": "Role", "name": "Name", "rows": "Rows",
    "sha256": "SHA-256",
}  # fmt: skip
WORDS: Final = {"error": "Wrong as it is", "warning": "Look at this", "info": "Good to know"}
READINGS: Final = {
    "low": "lowest", "high": "highest", "zero": "counted as 0", "exclude": "left out", "as_read": "as read", "otherwise": "the other way",
}  # fmt: skip


def report(scope: Scope, *, brand: Brand | None = None) -> str:
    """The report of a comparison; the same comparison gives the same text.

    Nothing in it is fetched: its policy lets no request out, its scripts are the ones written here, by their digests. Every
    text from a file is escaped. Charts follow the reader's light or dark; on paper they are pictures.
    """
    looks = brand or Brand()
    found = shown(scope)
    script, data = _asset("report.js"), _data(found, looks)
    bundle = bundled_script().replace("</script", "<\\/script")
    hashes = " ".join(f"'sha256-{_sha256(each)}'" for each in (bundle, script))
    policy = f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    head = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
        f"<title>{_text(scope.finding.title)}</title><style>{_style(looks)}</style></head>",
    ]
    body = ["<body><main>", *_body(scope, found, looks), "</main>"]
    tail = [
        f'<script type="application/json" id="charts">{data}</script>',
        f"<script>{bundle}</script><script>{script}</script></body></html>",
    ]
    return "\n".join([*head, *body, *tail]) + "\n"


def shown(scope: Scope) -> list[Figure]:
    """The charts of the report: of the slices only the attribute that tells most; all others stand on the Share page."""
    at = scope.comparison.slices.index(scope.telling) if scope.telling is not None else -1
    keys = ["forest", f"slices-{at}-forest", f"slices-{at}-means", *SHOWN]
    return [found for found in figures(scope, keys) if found.key in keys]


def _body(scope: Scope, found: Sequence[Figure], looks: Brand) -> Iterator[str]:
    yield "<header>"
    if looks.logo:
        kind = "png" if looks.logo.startswith(PNG) else "jpeg"
        yield f'<img class="logo" alt="{escape(looks.name or "Logo")}" src="data:image/{kind};base64,{_base64(looks.logo)}">'
    yield f"<h1>{_text(scope.finding.title)}</h1><p class=lead>{_text(scope.finding.sentence)}</p>"
    counts = f"{counted(len(scope.runs), 'run')} · {queries(scope.queries)} · {scope.measure.label}"
    yield f"<p class=quiet>{_text(counts)}</p></header>"
    if scope.alerts:
        yield (
            "<section><h2>Look at this</h2><ul>"
            + "".join(f"<li>{_text(a.sentence)}</li>" for a in scope.alerts)
            + "</ul></section>"
        )
    table = leaderboard(scope)
    yield f"<section><h2>Leaderboard</h2>{_table(table.frame, 'Runs, the best mean first', roles=True)}{_line(table.line)}</section>"
    yield "<section><h2>Charts</h2>"
    for at, each in enumerate(found):
        yield _figure(at, each, looks)
    yield "</section>"
    every = slices(scope).frame
    if not every.is_empty():
        told = every.filter(pl.col("finding").is_in(["fell", "rose"]))
        yield "<section><h2>Slices</h2>"
        yield _table(told, "Slices that fell or rose clearly") if not told.is_empty() else "<p>No slice stands out.</p>"
        yield f"<details><summary>All {counted(every.height, 'slice')}</summary>{_table(every, 'Every slice')}</details>"
        yield f"{_line(scope.line())}</section>"
    worst = worst_queries(scope, MOST_QUERIES)
    if not worst.frame.is_empty():
        yield f"<section><h2>{_text(worst.title)}</h2>{_table(worst.frame, worst.title)}{_line(worst.line)}</section>"
    yield "<section><h2>Data health</h2>" + _notices(scope.notices) + "</section>"
    yield f"<section><h2>Conventions and files</h2><p>{_text(table.line)}</p>{_table(inputs(scope).frame, 'Input files')}"
    yield f"<p class=quiet>Made with Ranklens {_text(version())}.</p></section>"


def _figure(at: int, each: Figure, looks: Brand) -> str:
    """A chart: drawn by the script where there is one, a picture on paper and everywhere else."""
    still = _base64(bare_picture(each.chart, brand=looks, size=PICTURED).png())
    return (
        f"<figure><h3>{_text(each.finding)}</h3><p class=quiet>{_text(each.method)}</p>"
        f'<div class="live" id="chart-{at}" role="img" aria-label="{_attribute(each.description)}" hidden></div>'
        f'<img class="still" alt="{_attribute(each.description)}" src="data:image/png;base64,{still}">'
        f"<details><summary>Data</summary>{_table(each.frame, each.name, most=200)}</details>"
        f"<figcaption>{_text(each.footer)}</figcaption></figure>"
    )


def _table(frame: pl.DataFrame, caption: str, *, most: int = 500, roles: bool = False) -> str:
    names, rows, right = as_text(frame.head(most), HEADS)
    rows = [[printed(cell) for cell in row] for row in rows]
    classes = [" class=n" if each else "" for each in right]
    head = "".join(f"<th scope=col{mark}>{_text(name)}</th>" for name, mark in zip(names, classes, strict=True))
    lines = []
    for row in rows:
        cells = [f"<td{mark}>{_text(cell)}</td>" for cell, mark in zip(row, classes, strict=True)]
        if roles and {"Better", "Worse"} & set(row):
            cells = [
                cell.replace("<td>Better<", "<td class=better>Better<").replace("<td>Worse<", "<td class=worse>Worse<")
                for cell in cells
            ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    more = f"<p class=quiet>The first {most:,} of {frame.height:,} rows.</p>" if frame.height > most else ""
    caption = f"<caption>{_text(caption)}</caption>"
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{_attribute(caption[9:-10])}"><table>{caption}<thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>{more}"
    )


def _notices(notices: Sequence[Notice]) -> str:
    if not notices:
        return "<p>Nothing in these files needs a word.</p>"
    return (
        "<ul class=notices>"
        + "".join(f"<li><b>{WORDS[n.severity]}: {_text(n.title)}.</b> {_notice(n)}</li>" for n in notices)
        + "</ul>"
    )


def _notice(notice: Notice) -> str:
    parts = [_text(f"{notice.about}: {notice.message}")]
    if notice.effect is not None:
        readings = ", ".join(
            f"{READINGS.get(name, name)} {'–' if value is None else f'{value:.3f}'}"
            for name, value in notice.effect.readings
        )
        parts.append(_text(f"Mean {notice.effect.measure}: {readings}."))
    if notice.examples:
        parts.append(f"<span class=quiet>Such as {_text(', '.join(notice.examples[:5]))}.</span>")
    return " ".join(parts)


def _data(found: Sequence[Figure], looks: Brand) -> str:
    """The charts as JSON that can stand in a page: no character in it ends a script."""
    palettes = {mode: looks.palette(mode) for mode in ("light", "dark")}
    told = {
        "charts": [plain_specification(each.chart) for each in found],
        "configs": {mode: _configuration(colours) for mode, colours in palettes.items()},
    }
    text = json.dumps(told, ensure_ascii=True, sort_keys=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _configuration(colours: Palette) -> dict[str, Any]:
    fit = {"autosize": {"type": "fit-x", "contains": "padding", "resize": True}}
    # Where a title is wider than its axis (on a phone) it ends with an ellipsis.
    narrow = {"axisX": {"titleLimit": {"expr": "width"}}}
    return configuration(colours, label=LABEL, font=FONTS) | fit | narrow


FONTS: Final = '"Source Sans 3", "Source Sans Pro", system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'


def _style(looks: Brand) -> str:
    light, dark = looks.palette("light"), looks.palette("dark")
    return f":root{{{_variables(light)}}}@media (prefers-color-scheme: dark){{:root{{{_variables(dark)}}}}}" + _asset(
        "report.css"
    ).replace("/*PAPER*/", f":root{{{_variables(light)}}}").replace("FONTS", FONTS)


def _variables(colours: Palette) -> str:
    pairs = {
        "ground": colours.background, "ink": colours.ink, "soft": colours.soft, "line": colours.line, "better": colours.categorical[0],
        "worse": colours.categorical[1],
    }  # fmt: skip
    return "".join(f"--{name}:{value};" for name, value in pairs.items())


def _asset(name: str) -> str:
    return files("core.exports").joinpath("assets", name).read_text("utf-8")


def _line(text: str) -> str:
    return f"<p class=quiet>{_text(text)}</p>"


def _text(text: object) -> str:
    return escape(printed(text))


def _attribute(text: str) -> str:
    return escape(" ".join(printed(text).split())[:1500])


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
