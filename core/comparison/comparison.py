"""Comparison: judgments and runs put together; the only thing that pages, charts, exports and the command line receive."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from threading import Lock

import numpy as np
import numpy.typing as npt
import polars as pl

from core.model.conventions import Conventions, convention_line
from core.model.measure import Measure
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Qrels
from core.model.run import Run
from core.scoring.scores import Scores, mean, score
from core.slices import SliceColumn, slice_columns

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

# One row per run × measure, runs in their order; mean_excluding_undefined differs from mean only where undefined > 0.
MEANS = pl.Schema(
    {
        "run": pl.String, "measure": pl.String, "mean": pl.Float64, "mean_excluding_undefined": pl.Float64,
        "scored": pl.UInt32, "missing": pl.UInt32, "undefined": pl.UInt32,
    }
)  # fmt: skip

# One row per run × judged query × measure, runs in their order, queries sorted; score null where it cannot be computed.
PER_QUERY = pl.Schema(
    {
        "run": pl.String,
        "query_id": pl.String,
        "measure": pl.String,
        "score": pl.Float64,
        "missing": pl.Boolean,
        "undefined": pl.Boolean,
        "counted": pl.Boolean,
    }
)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Judgments, the runs held against them, what is known of queries and documents, and the conventions of every number.

    Runs have names of their own. Scores are computed when asked for and kept.
    """

    qrels: Qrels
    runs: tuple[Run, ...]
    queries: QueryMetadata | None = None
    documents: DocumentMetadata | None = None
    conventions: Conventions = Conventions()
    _scores: dict[tuple[str, Measure], Scores] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The runs' names in their order."""
        return tuple(run.name for run in self.runs)

    def run(self, name: str) -> Run:
        """The run of a name. Raises KeyError where there is none."""
        for run in self.runs:
            if run.name == name:
                return run
        raise KeyError(name)

    def scores(self, name: str, measure: Measure) -> Scores:
        """A run's scores of one measure; see `core.scoring.score` for what it raises."""
        return self.all_scores(name, [measure])[measure]

    def all_scores(self, name: str, measures: Sequence[Measure]) -> dict[Measure, Scores]:
        """A run's scores of several measures, in the order asked; those not there yet are computed in one go."""
        absent = [measure for measure in measures if (name, measure) not in self._scores]
        if absent:
            found = score(self.qrels, self.run(name), absent, self.conventions)
            with self._lock:
                self._scores.update({(name, measure): scores for measure, scores in found.items()})
        return {measure: self._scores[name, measure] for measure in measures}

    def counted(self, name: str, measure: Measure, where: Mask | None = None) -> Floats:
        """A run's values on the queries that count, of those in `where` (a slice): shape (queries counted,)."""
        found = self.scores(name, measure)
        return found.values[found.counted if where is None else found.counted & where]

    def mean(self, name: str, measure: Measure, where: Mask | None = None) -> float | None:
        """A run's mean on all queries that count, or on those in `where`; None where there are none or one cannot be computed."""
        return mean(self.counted(name, measure, where))

    def means(self, measures: Sequence[Measure]) -> pl.DataFrame:
        """MEANS of every run by every measure."""
        rows = [
            (
                name,
                str(measure),
                found.mean,
                found.mean_excluding_undefined,
                int(found.counted.sum()),
                int(found.missing.sum()),
                int(found.undefined.sum()),
            )
            for name in self.names
            for measure, found in self.all_scores(name, measures).items()
        ]
        return pl.DataFrame(rows, schema=MEANS, orient="row")

    def per_query(self, measures: Sequence[Measure]) -> pl.DataFrame:
        """PER_QUERY of every run by every measure."""
        frames = [
            found.frame(self.qrels).select(
                pl.lit(name).alias("run"),
                "query_id",
                pl.lit(str(measure)).alias("measure"),
                "score",
                "missing",
                "undefined",
                "counted",
            )
            for name in self.names
            for measure, found in self.all_scores(name, measures).items()
        ]
        return pl.concat(frames) if frames else pl.DataFrame(schema=PER_QUERY)

    def undefined(self, measure: Measure) -> tuple[str, ...]:
        """The queries for which a measure is undefined; they belong to the judgments, so every run has the same."""
        mask = self.scores(self.names[0], measure).undefined if self.runs else ()
        return tuple(query for query, out in zip(self.qrels.queries, mask, strict=True) if out) if len(mask) else ()

    def missing(self, name: str) -> tuple[str, ...]:
        """The judged queries that a run does not answer."""
        answered = set(self.run(name).answered["query"].to_list())
        return tuple(query for at, query in enumerate(self.qrels.queries) if at not in answered)

    @cached_property
    def texts(self) -> dict[str, str]:
        """Query id → its text, where the metadata give one."""
        if self.queries is None or "text" not in self.queries.table.columns:
            return {}
        return {query: text for query, text in self.queries.table.select("query_id", "text").iter_rows() if text}

    def query_text(self, query: str) -> str | None:
        """A query's text, or None."""
        return self.texts.get(query)

    def line(self, measures: Measure | Sequence[Measure]) -> str:
        """The convention line that goes with scores of these measures."""
        first = measures if isinstance(measures, Measure) else measures[0]
        return convention_line(
            measures,
            self.conventions,
            queries=len(self.qrels.queries),
            qrels_sha256=self.qrels.sha256,
            undefined=len(self.undefined(first)),
        )

    @cached_property
    def slices(self) -> tuple[SliceColumn, ...]:
        """Every way to group the judged queries."""
        return slice_columns(self.qrels, self.queries)

    @cached_property
    def key(self) -> str:
        """A digest of everything that a number depends on: what caches of results are keyed by."""
        found = hashlib.sha256(repr(sorted(asdict(self.conventions).items())).encode())
        for run in self.runs:
            found.update(f"\0{run.name}\0{run.source.sha256}\0{run.rows}\0".encode())
            for frame in (run.hits, run.answered):
                found.update(digest(frame))
        found.update(digest(self.qrels.judgments))
        for metadata in (self.queries, self.documents):
            found.update(b"" if metadata is None else digest(metadata.table))
        return found.hexdigest()


def digest(frame: pl.DataFrame) -> bytes:
    """SHA-256 over the hashes of a frame's rows, and its schema: equal frames have equal digests, whatever lies under a null."""
    rows = frame.hash_rows(seed=7) if frame.width else pl.Series(dtype=pl.UInt64)
    return hashlib.sha256(repr(frame.schema).encode() + rows.to_numpy().tobytes()).digest()
