"""TREC files: judgments, runs and every query's values in the formats that the field's other tools read."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from core.comparison import Comparison
from core.model.measure import Measure

BLANKS = r"\s"


def qrels_file(comparison: Comparison) -> str:
    """The judgments as read, under the conventions asked: `query 0 document grade`.

    TREC's columns are divided by blanks; where an id has one, columns are divided by tabs. Ids with tabs cannot occur.
    """
    rows = comparison.qrels.judgments.select("query_id", pl.lit("0").alias("iteration"), "doc_id", _number("grade"))
    return _lines(rows)


def run_file(comparison: Comparison, name: str) -> str:
    """The first 100 documents of every judged query that a run answers: `query Q0 document rank score name`.

    The score is the 32-bit score that ranked; where ties or a rank column decided, it is made from the rank, so that every
    tool ranks alike.
    """
    run = comparison.run(name)
    ids = pl.Series("query_id", comparison.qrels.queries, dtype=pl.String)
    top = run.top.with_columns(query_id=ids.gather(run.top["query"]))
    made = (1.0 / (1.0 + top["rank"].cast(pl.Float64))) if _unsure(top) else top["score"]
    # A tag is one word.
    tag = "_".join(name.split()) or "run"
    rows = top.select(
        "query_id", pl.lit("Q0").alias("q0"), "doc_id", pl.col("rank").cast(pl.String),
        pl.Series("score", list(map(repr, made.to_list())), dtype=pl.String), pl.lit(tag).alias("tag"),
    )  # fmt: skip
    return _lines(rows)


def per_query_file(comparison: Comparison, name: str, measures: Sequence[Measure]) -> str:
    """Every query's values with a run as `measure query value`, four decimals, the mean under `all`: what `trec_eval -q` prints."""
    lines = []
    found = comparison.all_scores(name, measures)
    for measure, scores in found.items():
        label = _trec_name(measure)
        lines += [
            f"{label}\t{query}\t{value:.4f}"
            for query, value, counted in zip(
                comparison.qrels.queries, scores.values.tolist(), scores.counted.tolist(), strict=True
            )
            if counted and not np.isnan(value)
        ]
        if scores.mean is not None:
            lines.append(f"{label}\tall\t{scores.mean:.4f}")
    return "".join(f"{line}\n" for line in lines)


def _trec_name(measure: Measure) -> str:
    """trec_eval's name of a measure where it has one, else ours; neither has a blank."""
    names = {"nDCG": "ndcg_cut", "P": "P", "R": "recall", "Success": "success", "AP": "map_cut", "RR": "recip_rank"}
    if measure.gain != "linear" or measure.rel is not None or measure.name not in names:
        return str(measure).replace(" ", "")
    if measure.k is None:
        return {"nDCG": "ndcg", "AP": "map", "RR": "recip_rank"}.get(measure.name, str(measure))
    return str(measure) if measure.name == "RR" else f"{names[measure.name]}_{measure.k}"


def _unsure(top: pl.DataFrame) -> bool:
    """Whether the scores alone do not give this order: absent, tied, or another order was asked for."""
    if top["score"].null_count():
        return True
    falls = pl.col("score").cast(pl.Float32).diff().over("query") < 0
    return not bool(top.select((falls | (pl.col("rank") == 1)).fill_null(True).all()).item())


def _number(name: str) -> pl.Expr:
    whole = pl.col(name) == pl.col(name).floor()
    return (
        pl.when(whole)
        .then(pl.col(name).cast(pl.Int64).cast(pl.String))
        .otherwise(pl.col(name).cast(pl.String))
        .alias(name)
    )


def _lines(rows: pl.DataFrame) -> str:
    blanks = rows.select(
        pl.any_horizontal(pl.col(name).str.contains(BLANKS).any() for name in ("query_id", "doc_id"))
    ).item()
    return rows.write_csv(separator="\t" if blanks else " ", include_header=False, quote_style="never")
