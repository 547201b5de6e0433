"""Markdown: what a comparison shows, short enough for a pull request."""

from core.exports.scope import Scope
from core.exports.tables import leaderboard
from core.exports.text import in_markdown
from core.statistics.wording import counted

MOST_ALERTS = 5
MOST_NOTICES = 5
MOST_RUNS = 10


def markdown(scope: Scope) -> str:
    """The finding, the runs, what the mean hides, what is to know about the files, the conventions: about 25 lines."""
    found = scope.finding
    blocks = [f"### {in_markdown(found.title)}", in_markdown(found.sentence), _runs(scope)]
    alerts = [in_markdown(alert.sentence) for alert in scope.alerts]
    blocks += ["**Look at this**\n\n" + _listed(alerts, MOST_ALERTS)] if alerts else []
    notices = [
        f"{in_markdown(notice.about)}: {in_markdown(notice.message)}"
        for notice in scope.notices
        if notice.severity != "info"
    ]
    blocks += ["**About the files**\n\n" + _listed(notices, MOST_NOTICES)] if notices else []
    blocks.append(f"<sub>{in_markdown(leaderboard(scope).line)}</sub>")
    return "\n\n".join(blocks) + "\n"


def _runs(scope: Scope) -> str:
    both = scope.measure.uses_gain
    heads = [
        "run",
        str(scope.measure),
        *([f"{scope.other_gain.gain} gain"] if both else []),
        "difference",
        "95 % interval",
        "better / same / worse",
        "verdict",
    ]
    rows = [heads, [":--", *["--:"] * (len(heads) - 2), ":--"]]
    frame = leaderboard(scope).frame
    for row in frame.head(MOST_RUNS).iter_rows(named=True):
        between = "" if row["low"] is None else f"{row['low']:+.3f} to {row['high']:+.3f}"
        counts = "" if row["wins"] is None else f"{row['wins']:,} / {row['ties']:,} / {row['losses']:,}"
        name = in_markdown(row["run"])
        rows.append([
            f"**{name}**" if row["run"] == scope.leader else name, _score(row["mean"]), *([_score(row["other_gain"])] if both else []),
            "" if row["difference"] is None else f"{row['difference']:+.3f}", between, counts, row["verdict"],
        ])  # fmt: skip
    rows[0] = [in_markdown(head) for head in heads]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    more = frame.height - MOST_RUNS
    return table + (f"\n\n… and {counted(more, 'more run')}" if more > 0 else "")


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _listed(sentences: list[str], most: int) -> str:
    more = len(sentences) - most
    lines = [f"- {sentence}" for sentence in sentences[:most]]
    return "\n".join([*lines, f"- … and {more:,} more"] if more > 0 else lines)
