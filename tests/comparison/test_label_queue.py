from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from core.comparison.label_queue import QUEUE, direction, label_queue, together
from core.comparison.pairs import against_baseline, differences
from core.comparison.unjudged import POOL, pool, regradable, regrading
from core.exports.table import to_csv
from core.model.conventions import Conventions
from core.model.measure import Measure
from core.readers import read_qrels, recognise
from tests.comparison.made import Made, collection, comparison_of, titles_of
from tests.scoring.collections import ranked

NDCG = Measure("nDCG", 4)


def judged_too(made: Made, query: str, document: str) -> float:
    """The mean difference when one more document has the top grade, from a comparison made anew."""
    grades = {name: dict(of_query) for name, of_query in made.grades.items()}
    grades[query][document] = 3.0
    again = comparison_of(grades, made.scored, conventions=made.comparison.conventions)
    return fmean(differences(again, "new", "old", NDCG).d)


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize(
    "conventions",
    [
        Conventions(),
        Conventions(undefined="exclude"),
        Conventions(missing="exclude"),
        Conventions(missing="exclude", undefined="exclude"),
    ],
)
def test_a_document_changes_the_mean_as_judging_it_would(
    gain: str, conventions: Conventions, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = collection(queries=12, conventions=conventions)
    measure = replace(NDCG, gain=gain)  # type: ignore[arg-type]
    monkeypatch.setitem(globals(), "NDCG", measure)
    found = label_queue(made.comparison, "new", "old", measure)
    before = fmean(differences(made.comparison, "new", "old", measure).d)
    assert found.height > 15
    for row in found.iter_rows(named=True):
        assert row["change"] == pytest.approx(judged_too(made, row["query_id"], row["doc_id"]) - before, abs=1e-12)


def test_what_moves_nothing_is_not_in_the_queue_and_everything_else_is() -> None:
    made = collection(queries=12)
    found = {
        (row["query_id"], row["doc_id"])
        for row in label_queue(made.comparison, "new", "old", NDCG).iter_rows(named=True)
    }
    before = fmean(differences(made.comparison, "new", "old", NDCG).d)
    expected = {
        (query, doc)
        for query in made.grades
        for run in made.scored.values()
        for doc in ranked(run.get(query, {}))[:4]
        if doc not in made.grades[query] and abs(judged_too(made, query, doc) - before) > 1e-9
    }
    assert found == expected


def test_the_queue_starts_with_what_moves_most_and_a_better_run_is_tried_downwards() -> None:
    made = collection().comparison
    every = label_queue(made, "new", "old", NDCG)
    sizes = every["change"].abs().to_numpy()
    assert (np.diff(sizes) <= 1e-12).all()
    down, up = (label_queue(made, "new", "old", NDCG, way) for way in ("down", "up"))
    assert (down["change"] < 0).all()
    assert (up["change"] > 0).all()
    assert down.height + up.height == every.height
    assert label_queue(made, "new", "old", NDCG, most=3).rows() == every.head(3).rows()


@pytest.mark.parametrize(
    ("case", "way"), [("better", "down"), ("worse", "up"), ("no-clear-difference", "either"), ("few-queries", "either")]
)
def test_a_verdict_is_moved_against_its_side(case: str, way: str) -> None:
    assert direction(case) == way  # type: ignore[arg-type]


def test_rows_say_the_ranks_in_both_runs_the_text_and_the_title() -> None:
    grades = {"q1": {"a": 2.0}}
    scored = {"old": {"q1": {"a": 3.0, "x": 2.0, "b": 1.5, "y": 1.0}}, "new": {"q1": {"y": 3.0, "a": 2.0}}}
    made = comparison_of(grades, scored, documents=titles_of({"x": "Title of x", "z": "none of these"}))
    found = label_queue(made, "new", "old", Measure("nDCG", 2))
    assert found.schema == QUEUE
    rows = {row["doc_id"]: row for row in found.iter_rows(named=True)}
    assert set(rows) == {"x", "y"}
    assert (rows["x"]["rank_baseline"], rows["x"]["rank_candidate"], rows["x"]["title"]) == (2, None, "Title of x")
    assert (rows["y"]["rank_baseline"], rows["y"]["rank_candidate"], rows["y"]["title"]) == (4, 1, None)
    assert rows["x"]["query_text"] is rows["x"]["relevance"] is None


def test_all_of_them_together_are_the_pair_after_such_judging() -> None:
    made = collection()
    queue = label_queue(made.comparison, "new", "old", NDCG, "down")
    grades = {name: dict(of_query) for name, of_query in made.grades.items()}
    for row in queue.iter_rows(named=True):
        grades[row["query_id"]][row["doc_id"]] = 3.0
    [after] = against_baseline(comparison_of(grades, made.scored), "old", NDCG, ["new"], resample=False)
    found = together(made.comparison, "new", "old", NDCG, queue)
    assert found.difference == pytest.approx(after.difference, abs=1e-12)
    assert (found.n, found.verdict.case) == (after.n, after.verdict.case)
    assert together(made.comparison, "new", "old", NDCG, queue.clear()).difference == pytest.approx(
        against_baseline(made.comparison, "old", NDCG, ["new"], resample=False)[0].difference, abs=1e-12
    )


def test_a_slice_filter_leaves_only_its_queries_and_weighs_by_them() -> None:
    made = collection()
    where = np.arange(40) < 10
    found = label_queue(made.comparison, "new", "old", NDCG, where=where)
    assert set(found["query_id"]) <= {f"q{at:02}" for at in range(10)}
    whole = {
        (row["query_id"], row["doc_id"]): row["change"]
        for row in label_queue(made.comparison, "new", "old", NDCG).iter_rows(named=True)
    }
    for row in found.iter_rows(named=True):
        assert row["change"] == pytest.approx(4 * whole[row["query_id"], row["doc_id"]], abs=1e-12)


def test_where_everything_is_judged_or_nothing_returned_the_queue_is_empty() -> None:
    made = comparison_of({"q": {"a": 1.0, "b": 0.0}}, {"old": {"q": {"a": 1.0}}, "new": {"q": {"b": 1.0}}})
    found = label_queue(made, "new", "old", NDCG)
    assert found.schema == QUEUE
    assert found.is_empty()
    assert pool(made, "old", "new", 4).schema == POOL


def test_a_filled_queue_is_read_as_judgments_that_join(tmp_path: Path) -> None:
    made = collection().comparison
    queue = label_queue(made, "new", "old", NDCG).head(8)
    filled = queue.with_columns(relevance=queue["rank_baseline"].fill_null(3).cast(str).replace_strict({}, default="2"))
    (tmp_path / "label-queue.csv").write_text(to_csv(filled), "utf-8")
    (tmp_path / "qrels.txt").write_text(
        "".join(
            f"{row['query_id']} 0 {row['doc_id']} {row['grade']:g}\n"
            for row in made.qrels.judgments.iter_rows(named=True)
        ),
        "utf-8",
    )
    reading = recognise(tmp_path / "label-queue.csv")
    assert (reading.role, reading.possible) == ("qrels", ("qrels",))
    joined = read_qrels([tmp_path / "qrels.txt", tmp_path / "label-queue.csv"])
    assert joined.judgments.height == made.qrels.judgments.height + 8
    got = {(row["query_id"], row["doc_id"]): row["grade"] for row in joined.judgments.iter_rows(named=True)}
    assert all(got[row["query_id"], row["doc_id"]] == 2.0 for row in queue.iter_rows(named=True))


def test_texts_in_the_file_cannot_run_in_a_spreadsheet() -> None:
    made = comparison_of(
        {"=1+1": {"a": 2.0}},
        {"old": {"=1+1": {"a": 2.0}}, "new": {"=1+1": {"@x": 2.0}}},
        documents=titles_of({"@x": "+cmd|' /C calc'!A0"}),
    )
    line = to_csv(label_queue(made, "new", "old", NDCG)).splitlines()[1]
    assert line.startswith("'=1+1,,'@x,'+cmd|' /C calc'!A0,")


@pytest.mark.parametrize(
    "measure", [Measure("P", 5), Measure("nDCG", 200), Measure("nDCG", 5, "custom", ((1.0, 5.0),)), Measure("AP")]
)
def test_only_ndcg_down_to_the_documents_kept_can_be_tried(measure: Measure) -> None:
    made = collection().comparison
    assert not regradable(measure)
    with pytest.raises(ValueError, match="down to rank 100"):
        regrading(made, "old", "new", measure, pool(made, "old", "new", 5))
