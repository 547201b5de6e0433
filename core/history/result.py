"""Result: what is kept of one run on one night, enough to compare it with any other night, query by query."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from core.comparison import Comparison
from core.errors import InputError, Problem
from core.model.measure import Measure

# One row per group of a way to slice and query in it, in the columns' and groups' own order, queries sorted.
GROUPS = pl.Schema({"column": pl.String, "value": pl.String, "query_id": pl.String})
LONGEST_NAME = 200

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Conventions = Mapping[str, str | int]


@dataclass(frozen=True, eq=False, kw_only=True)
class Result:
    """One recorded result of a series.

    id            names it in its series: 32 hexadecimal digits, the same for the same input
    at            when, in UTC
    qrels         SHA-256 of the judgments' files; `judgments` and `queries` are of the judgments as read and of the judged ids
    means         measure → mean over the queries that count, None where it cannot be computed
    slices        (column, value, queries, measure → mean) of every group
    scores        query_id and one Float64 column per measure, a row per judged query, sorted; null where it does not count
    groups        GROUPS
    """

    id: str
    series: str
    at: datetime
    label: str | None
    commit: str | None
    run: str
    run_sha256: str
    rows: int
    missing: int
    qrels_name: str
    qrels: str
    judgments: str
    queries: str
    judged: int
    conventions: Conventions
    lines: Mapping[str, str]
    measures: tuple[str, ...]
    means: Mapping[str, float | None]
    slices: tuple[tuple[str, str, int, Mapping[str, float | None]], ...]
    scores: pl.DataFrame
    groups: pl.DataFrame

    @property
    def comparable(self) -> tuple[object, ...]:
        """Results with the same of this can be joined by a line: qrels, query set, conventions."""
        return (self.qrels, self.judgments, self.queries, tuple(sorted(self.conventions.items())))

    @property
    def name(self) -> str:
        """What people call it: its label, else its commit, else its run."""
        return self.label or (self.commit[:10] if self.commit else self.run)

    @cached_property
    def query_ids(self) -> tuple[str, ...]:
        """The judged queries, sorted."""
        return tuple(self.scores["query_id"].to_list())

    def values(self, measure: str) -> Floats:
        """The scores of a measure, NaN where a query does not count: shape (judged queries,). Raises KeyError for an unknown one."""
        if measure not in self.measures:
            raise KeyError(measure)
        return self.scores[measure].fill_null(np.nan).to_numpy()

    @cached_property
    def members(self) -> Mapping[tuple[str, str], Mask]:
        """(column, value) → which of the judged queries are in that group: shape (judged queries,)."""
        place = {query: at for at, query in enumerate(self.query_ids)}
        found: dict[tuple[str, str], Mask] = {}
        for column, value, query in self.groups.iter_rows():
            found.setdefault((column, value), np.zeros(len(place), bool))[place[query]] = True
        return found


def result_of(
    comparison: Comparison,
    measures: tuple[Measure, ...],
    series: str,
    *,
    at: datetime | None = None,
    label: str | None = None,
    commit: str | None = None,
) -> Result:
    """What is kept of a comparison of one run.

    at  when; now where it is not given. The same input is then the same result all day (UTC), so that a repeated job adds
        nothing, and a new one on the next day.
    Raises InputError for no run or several, and for a name of a series that is none.
    """
    if len(comparison.names) != 1:
        names = ", ".join(f'"{name}"' for name in comparison.names)
        message = f"{len(comparison.names)} runs were given: {names}"
        raise InputError(
            Problem("--run", None, message, "a series takes one run at a time; give each a series of its own")
        )
    moment = (at or datetime.now(UTC)).astimezone(UTC)
    known = {"series": checked_name(series), "label": label, "commit": commit, **_known(comparison, measures)}
    scores, groups = _scores(comparison, measures), _groups(comparison)
    when = moment.isoformat() if at is not None else moment.date().isoformat()
    identity = json.dumps([known, when, _digest(scores), _digest(groups)], sort_keys=True)
    return Result(
        **known,
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32],
        at=moment,
        slices=tuple(_slices(comparison, comparison.names[0], measures)),
        scores=scores,
        groups=groups,
    )


def _known(comparison: Comparison, measures: tuple[Measure, ...]) -> dict[str, Any]:
    """The fields of a result that the files and the conventions give."""
    [run], qrels = comparison.runs, comparison.qrels
    scored = comparison.all_scores(run.name, measures)
    return {
        "run": run.name, "run_sha256": run.source.sha256, "rows": run.rows, "missing": len(comparison.missing(run.name)),
        "qrels_name": qrels.name, "qrels": qrels.sha256, "judgments": _digest(qrels.judgments),
        "queries": hashlib.sha256("\n".join(qrels.queries).encode()).hexdigest(), "judged": len(qrels.queries),
        "conventions": asdict(comparison.conventions),
        "lines": {str(measure): comparison.line(measure) for measure in measures},
        "measures": tuple(str(measure) for measure in measures),
        "means": {str(measure): found.mean for measure, found in scored.items()},
    }  # fmt: skip


def _scores(comparison: Comparison, measures: tuple[Measure, ...]) -> pl.DataFrame:
    columns: dict[str, pl.Series] = {"query_id": pl.Series(comparison.qrels.queries, dtype=pl.String)}
    for measure, found in comparison.all_scores(comparison.names[0], measures).items():
        columns[str(measure)] = pl.Series(np.where(found.counted, found.values, np.nan)).fill_nan(None)
    return pl.DataFrame(columns)


def checked_name(series: str) -> str:
    """The name of a series, if it is one: any text on one line. Raises InputError otherwise."""
    name = series.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        message = f"{series[:60]!r} is no name for a series"
        raise InputError(Problem("SERIES", None, message, f"1 to {LONGEST_NAME} letters on one line"))
    return name


def _groups(comparison: Comparison) -> pl.DataFrame:
    ids = np.array(comparison.qrels.queries, dtype=object)
    rows = [
        (column.name, value, query)
        for column in comparison.slices
        for value, members in zip(column.values, column.members, strict=True)
        for query in ids[members]
    ]
    return pl.DataFrame(rows, schema=GROUPS, orient="row")


def _slices(
    comparison: Comparison, name: str, measures: tuple[Measure, ...]
) -> list[tuple[str, str, int, Mapping[str, float | None]]]:
    return [
        (
            column.name,
            value,
            int(members.sum()),
            {str(measure): comparison.mean(name, measure, members) for measure in measures},
        )
        for column in comparison.slices
        for value, members in zip(column.values, column.members, strict=True)
    ]


def _digest(frame: pl.DataFrame) -> str:
    """Of the values as text, so that another version of the frame library does not change it."""
    return hashlib.sha256(frame.write_csv().encode()).hexdigest()
