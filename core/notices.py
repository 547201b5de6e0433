"""Notices: what a reader of a number must know about the files behind it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["info", "warning", "error"]
EXAMPLES = 5

# Every code there is, in the order in which people read them, with what it is about in two or three words.
TITLES: dict[str, str] = {
    "id-mismatch": "Ids do not meet",
    "missing-queries": "Missing queries",
    "unjudged": "Unjudged documents",
    "undefined-queries": "Undefined queries",
    "conflicting-judgments": "Conflicting judgments",
    "duplicate-documents": "Repeated documents",
    "score-direction": "Score direction",
    "rank-score-conflict": "Rank against score",
    "constant-scores": "Constant scores",
    "ties": "Tied scores",
    "near-ties": "Nearly tied scores",
    "own-id-retrieved": "Query's own id retrieved",
    "lines-left-out": "Lines left out",
    "large-grades": "Large grades",
    "outlier-grade": "One odd grade",
    "mixed-scales": "Mixed grade scales",
    "negative-grades": "Negative grades",
    "fractional-grades": "Fractional grades",
    "labels-mapped": "Words read as grades",
    "grades-absent": "No grades given",
    "binary-grades": "Binary grades",
    "few-judgments": "Few judgments",
    "shallow-run": "Shallow run",
    "infinite-scores": "Infinite scores",
    "rank-only-run": "Ranks without scores",
    "duplicate-judgments": "Repeated judgments",
    "second-column": "Second column",
    "extra-queries": "Queries without judgments",
    "unrated-queries": "Unrated queries",
    "id-damage": "Damaged ids",
    "id-variants": "Ids that nearly agree",
    "encoding": "Encoding",
    "header": "No header",
    "comments": "Comment lines",
    "several-runs": "Several runs in a file",
    "renamed-run": "Renamed run",
    "metadata-gaps": "Gaps in the metadata",
    "metadata-repeated": "Repeated metadata",
    "list-values": "Lists in one cell",
    "empty-document-list": "Empty document lists",
}


@dataclass(frozen=True)
class Effect:
    """What a notice does to one measure's mean: the named readings, null where one cannot be computed.

    The names are low/high, zero/exclude, as_read/otherwise; `id-mismatch` states the overlap in its message instead.
    """

    measure: str
    readings: tuple[tuple[str, float | None], ...]

    def as_json(self) -> dict[str, object]:
        """{"measure": …, name: value, …}."""
        return {"measure": self.measure, **dict(self.readings)}


@dataclass(frozen=True)
class Notice:
    """One fact about the inputs: a stable code, one plain sentence, a count, up to 5 examples, and its effect.

    about    the run's name, or the file's
    offered  repairs of ids that together would mend it, as `core.readers.repairs` writes them; not in the JSON
    """

    code: str
    severity: Severity
    about: str
    message: str
    count: int
    examples: tuple[str, ...] = ()
    effect: Effect | None = None
    offered: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a code that the catalogue does not know, and keep five examples."""
        if self.code not in TITLES:
            raise ValueError(f"unknown notice code {self.code!r}")
        object.__setattr__(self, "examples", tuple(self.examples)[:EXAMPLES])

    @property
    def title(self) -> str:
        """The code in two or three words for people."""
        return TITLES[self.code]

    def as_json(self) -> dict[str, object]:
        """The fields of CLI.md; `effect` only where there is one."""
        row: dict[str, object] = {
            "code": self.code,
            "severity": self.severity,
            "about": self.about,
            "count": self.count,
            "examples": list(self.examples),
            "message": self.message,
        }
        if self.effect is not None:
            row["effect"] = self.effect.as_json()
        return row


def in_reading_order(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Errors before warnings before infos, then in the catalogue's order, then as given."""
    severity = {"error": 0, "warning": 1, "info": 2}
    place = {code: at for at, code in enumerate(TITLES)}
    return tuple(sorted(notices, key=lambda notice: (severity[notice.severity], place[notice.code], notice.about)))
