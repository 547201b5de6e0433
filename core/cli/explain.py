"""`ranklens explain`: the arithmetic of one score, to its last digit."""

from pathlib import Path
from typing import Any

import click
import polars as pl

from core.cli import document
from core.cli.explain_more import more_blocks, more_json
from core.cli.options import CONVENTIONS, INPUTS, MEASURES, options, output, request
from core.cli.output import as_json, number, table, write
from core.cli.reading import read
from core.comparison import Comparison
from core.comparison.ranked_documents import ties
from core.errors import InputError, Problem
from core.model.measure import Measure
from core.scoring.explain import Explanation
from core.scoring.explain import explain as explanation


@click.command()
@options(INPUTS)
@click.option("--query", "query", metavar="ID", required=True, help="The query to take apart.")
@options(MEASURES, CONVENTIONS, output(("table", "json", "md")))
def explain(form: str, out: Path | None, query: str, **given: Any) -> None:
    """Follow one query's score: every rank's grade, gain × discount, the running sum, the ideal, what was not returned.

    \b
    ranklens explain --qrels qrels.txt --run bm25.run --query q7 --measure nDCG@10

    \b
    The seed example, by hand. The grades returned are 3, 1, 0, 2, and a document of grade 3 is not returned; k = 4.
        linear        DCG   3/log2(2) + 1/log2(3) + 0/log2(4) + 2/log2(5) = 4.4923
                      ideal 3/log2(2) + 3/log2(3) + 2/log2(4) + 1/log2(5) = 6.3235, nDCG@4 = 0.710
        exponential   the same with 7, 1, 0, 3 and 7, 7, 3, 1:            nDCG@4 = 0.669

    The JSON has schema, conventions, inputs, query (id, text), and explanations: for each run and measure its value, dcg, ideal_dcg, retrieved,
    missing, undefined, and the rows of ranking, ideal and not_returned; of an nDCG also its cause, the rows of would_fix (each judged
    document moved to rank 1, best first) and of moves (against the first run, null for that run). A tie names the ranks of one score: 3–5.
    """
    asked = request(given)
    comparison = read(asked)
    if query not in comparison.qrels.index:
        judged = [f'"{each}"' for each in comparison.qrels.queries]
        shown = ", ".join(judged[:5] + (["…"] if len(judged) > 5 else []))
        raise InputError(
            Problem("--query", None, f'the query "{query}" is not judged', f"the judged queries are {shown}")
        )
    found = {
        (name, measure): explanation(comparison.qrels, comparison.run(name), query, measure, comparison.conventions)
        for name in comparison.names
        for measure in asked.measures
    }
    if form == "json":
        write(as_json(_document(comparison, query, asked.measures, found)), out)
        return
    blocks = [_block(comparison, name, measure, each, markdown=form == "md") for (name, measure), each in found.items()]
    write("\n\n".join([_about(comparison, query), *blocks, comparison.line(asked.measures)]), out)


Found = dict[tuple[str, Measure], Explanation]


def _document(comparison: Comparison, query: str, measures: tuple[Measure, ...], found: Found) -> dict[str, Any]:
    """schema, conventions, inputs, query {id, text}, explanations: one for each run and measure."""
    return {
        "schema": document.SCHEMA,
        "conventions": document.conventions(comparison, measures),
        "inputs": document.inputs(comparison, measures),
        "query": {"id": query, "text": comparison.query_text(query)},
        "explanations": [
            {
                "run": name,
                "measure": str(measure),
                "value": each.value,
                "dcg": each.dcg,
                "ideal_dcg": each.ideal_dcg,
                "retrieved": each.retrieved,
                "missing": each.missing,
                "undefined": each.undefined,
                "ranking": _with_ties(comparison, name, each).to_dicts(),
                "ideal": each.ideal.to_dicts(),
                "not_returned": each.not_returned.to_dicts(),
                **more_json(comparison, name, query, measure),
            }
            for (name, measure), each in found.items()
        ],
    }


def _about(comparison: Comparison, query: str) -> str:
    text = comparison.query_text(query)
    return f"query {query}" + (f": {text}" if text else "")


def _with_ties(comparison: Comparison, name: str, each: Explanation) -> pl.DataFrame:
    """The ranking, with the tie that each document stands in."""
    return each.ranking.join(ties(comparison, name, each.query_id), on="rank", how="left", maintain_order="left")


def _block(comparison: Comparison, name: str, measure: Measure, each: Explanation, *, markdown: bool) -> str:
    """One run's arithmetic: its ranking, the ideal, what was not returned, the cause, what would fix it, and what moved."""
    head = f"{name}: {measure} = {number(each.value)}"
    if each.dcg is not None and each.ideal_dcg is not None and measure.name == "nDCG":
        head += f" = DCG {each.dcg:.4f} / ideal DCG {each.ideal_dcg:.4f}"
    if each.missing:
        head += " (missing: the run does not answer this query)"
    if each.undefined:
        head += " (undefined: no document is relevant, so the score is 0 whatever the run does)"
    parts = [head, _rows(_with_ties(comparison, name, each), "rank", gains=measure.uses_gain, markdown=markdown)]
    if measure.uses_gain and each.ideal.height and each.ideal_dcg is not None:
        k = measure.k or each.ideal.height
        parts += ["The ideal ranking:", _rows(each.ideal.head(k), "place", gains=True, markdown=markdown)]
    if each.not_returned.height:
        lost = [
            [row["doc_id"], f"{row['grade']:g}", number(row["loss"])]
            for row in each.not_returned.head(20).iter_rows(named=True)
        ]
        parts += [
            "Judged documents that are not in the top, and what each costs:",
            table(lost, ["document", "grade", "loss"], markdown=markdown),
        ]
    parts += more_blocks(comparison, name, each.query_id, measure, markdown=markdown)
    return "\n\n".join(part for part in parts if part)


def _rows(frame: pl.DataFrame, place: str, *, gains: bool, markdown: bool) -> str:
    if frame.is_empty():
        return ""
    rows = []
    tied = "tie" in frame.columns and frame["tie"].drop_nulls().len() > 0
    for row in frame.iter_rows(named=True):
        grade = "unjudged" if row["grade"] is None else f"{row['grade']:g}"
        cells = [row[place], row["doc_id"] or "(not kept)", grade]
        if gains:
            cells += [
                "–" if row["gain"] is None else f"{row['gain']:g}",
                f"{row['discount']:.4f}",
                *("–" if row[name] is None else f"{row[name]:.4f}" for name in ("contribution", "dcg")),
            ]
        else:
            cells.append(number(row["part"]))
        rows.append([*cells, row["tie"] or ""] if tied else cells)
    last = ["gain", "discount", "gain × discount", "DCG so far"] if gains else ["adds"]
    return table(rows, [place, "document", "grade", *last, *(["tied"] if tied else [])], markdown=markdown)
