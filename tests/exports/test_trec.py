"""TREC files: what is written is read back to the same ranking and the same scores, by us and by pytrec_eval."""

import pytest
import pytrec_eval

from core.comparison import Inputs, Piece, open_comparison
from core.exports.trec import per_query_file, qrels_file, run_file
from core.model.measure import DEFAULT_MEASURES, Measure
from core.readers.files import Given
from tests.comparison.made import collection, comparison_of

NDCG = Measure("nDCG", 10)


@pytest.mark.parametrize("ties", [True, False])
def test_judgments_and_runs_read_back_to_the_same_scores(ties: bool) -> None:
    made = collection(25, ties=ties).comparison
    files = [Given("qrels.txt", data=qrels_file(made).encode())] + [
        Given(f"{name}.txt", data=run_file(made, name).encode()) for name in made.names
    ]
    again = open_comparison(Inputs((Piece(files[0]),), tuple(Piece(file) for file in files[1:]), ()))
    assert again.qrels.judgments.equals(made.qrels.judgments)
    for before, after in zip(made.names, again.names, strict=True):
        for measure in DEFAULT_MEASURES:
            assert again.scores(after, measure).values.tolist() == made.scores(before, measure).values.tolist()


def test_pytrec_eval_gives_our_scores_from_the_files() -> None:
    made = collection(25).comparison
    judged = pytrec_eval.parse_qrel(iter(qrels_file(made).splitlines()))
    run = pytrec_eval.parse_run(iter(run_file(made, "new").splitlines()))
    found = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10"}).evaluate(run)
    ours = dict(zip(made.qrels.queries, made.scores("new", NDCG).values.tolist(), strict=True))
    assert len(found) == 24
    assert {query: values["ndcg_cut_10"] for query, values in found.items()} == {query: ours[query] for query in found}


def test_every_querys_values_and_the_mean_are_as_trec_eval_prints_them() -> None:
    made = collection(12).comparison
    rows = [
        line.split("\t")
        for line in per_query_file(made, "old", [NDCG, Measure("AP"), Measure("nDCG", 5, "exponential")]).splitlines()
    ]
    assert {row[0] for row in rows} == {"ndcg_cut_10", "map", "nDCG(dcg='exp-log2')@5"}
    ours = dict(zip(made.qrels.queries, made.scores("old", NDCG).values.tolist(), strict=True))
    written = {row[1]: row[2] for row in rows if row[0] == "ndcg_cut_10"}
    assert written == {query: f"{value:.4f}" for query, value in ours.items()} | {
        "all": f"{made.mean('old', NDCG):.4f}"
    }


def test_ids_with_blanks_are_divided_by_tabs_and_a_name_is_one_word() -> None:
    grades = {"q 1": {"d 1": 1.0, "d2": 0.0}}
    made = comparison_of(grades, {"my run": {"q 1": {"d 1": 2.0, "d2": 1.0}}})
    assert qrels_file(made) == "q 1\t0\td 1\t1\nq 1\t0\td2\t0\n"
    assert run_file(made, "my run").splitlines()[0] == "q 1\tQ0\td 1\t1\t2.0\tmy_run"


def test_fractional_grades_keep_their_fraction() -> None:
    made = comparison_of({"q": {"a": 0.5, "b": 2.0}}, {"r": {"q": {"a": 1.0}}})
    assert qrels_file(made) == "q 0 a 0.5\nq 0 b 2\n"
