"""The parts of the JSON contract that several commands print: conventions, inputs, queries, notices, numbers."""

from collections.abc import Sequence
from typing import Any

from core.comparison import Comparison
from core.comparison.notices import main_measure
from core.model.measure import Measure
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Source
from core.model.version import version
from core.notices import Notice

SCHEMA = 1
RECALL = Measure("R", 100)


def head(comparison: Comparison, measures: Sequence[Measure], notices: Sequence[Notice]) -> dict[str, Any]:
    """What stands first in the JSON of `score`, `check` and `compare`."""
    measure = main_measure(measures)
    return {
        "schema": SCHEMA,
        "ranklens": version(),
        "conventions": conventions(comparison, measures),
        "inputs": inputs(comparison, measures),
        "queries": {
            "judged": len(comparison.qrels.queries),
            "undefined": list(comparison.undefined(measure)),
            "undefined_binary": list(comparison.undefined(RECALL)),
            "missing": {name: list(missing) for name in comparison.names if (missing := comparison.missing(name))},
        },
        "notices": [notice.as_json() for notice in notices],
    }


def conventions(comparison: Comparison, measures: Sequence[Measure]) -> dict[str, Any]:
    """The conventions, and the line that states them."""
    asked = comparison.conventions
    found: dict[str, Any] = {
        "line": comparison.line(measures),
        "missing": asked.missing,
        "undefined": asked.undefined,
        "order": asked.order,
    }
    return found | {"conflicts": asked.conflicts, "own_ids": asked.own_ids, "relevance_level": asked.relevance_level}


def inputs(comparison: Comparison, measures: Sequence[Measure]) -> dict[str, Any]:
    """The files behind the numbers: names, digests, counts; no path. `scored` queries are those in the main measure's mean."""
    qrels = comparison.qrels
    found: dict[str, Any] = {
        "qrels": {
            "name": qrels.name,
            "sha256": qrels.sha256,
            "judgments": qrels.judgments.height,
            "queries": len(qrels.queries),
        },
        "runs": [_run(comparison, name, main_measure(measures)) for name in comparison.names],
    }
    if len(qrels.sources) > 1:
        found["qrels"]["files"] = [_source(source) for source in qrels.sources]
    if comparison.queries is not None:
        found["queries"] = _metadata(comparison.queries)
    if comparison.documents is not None:
        found["documents"] = _metadata(comparison.documents)
    return found


def _run(comparison: Comparison, name: str, measure: Measure) -> dict[str, Any]:
    run, missing = comparison.run(name), comparison.missing(name)
    left_out = set(missing if comparison.conventions.missing == "exclude" else ())
    left_out |= set(comparison.undefined(measure) if comparison.conventions.undefined == "exclude" else ())
    found: dict[str, Any] = {
        "name": name, "sha256": run.source.sha256, "rows": run.rows, "queries": run.queries, "missing": len(missing),
        "extra": run.extra, "scored": len(comparison.qrels.queries) - len(left_out),
    }  # fmt: skip
    if run.metadata:
        found["metadata"] = dict(run.metadata)
    return found


def _metadata(metadata: QueryMetadata | DocumentMetadata) -> dict[str, Any]:
    return {
        "files": [_source(source) for source in metadata.sources],
        "rows": metadata.rows,
        "columns": metadata.table.columns[1:],
    }


def _source(source: Source) -> dict[str, str]:
    return {"name": source.name, "sha256": source.sha256}
