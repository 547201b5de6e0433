"""Slice finding: the slice that fell is named, small ones never are, and a single run has a weakest slice."""

from pathlib import Path

import numpy as np

from core.comparison import Comparison, Inputs, Piece, open_comparison
from core.comparison.pairs import against_baseline, by_slice
from core.comparison.slice_finding import macro_and_micro, slice_finding, weakest_slice
from core.model.measure import Measure
from core.readers.files import Given
from tests.comparison.collections import comparison_of, ranked
from tests.scoring.collections import Grades, Scored

NDCG = Measure("nDCG", 10)


def planted(sizes: dict[str, int], shifts: dict[str, int]) -> Comparison:
    """A baseline that puts the one relevant document at rank 3 ± 1, and a run that moves it by so many places in each slice."""
    grades: Grades = {}
    base: Scored = {}
    new: Scored = {}
    ids, values = [], []
    for value, size in sizes.items():
        for at in range(size):
            query = f"{value}{at:03}"
            place = 2 + at % 3
            for scores, rank in ((base, place), (new, min(9, max(0, place + shifts.get(value, 0))))):
                order = [f"n{other}" for other in range(9)]
                order.insert(rank, "rel")
                scores[query] = ranked(*order)
            grades[query] = {"rel": 1.0}
            ids.append(query)
            values.append(value)
    return comparison_of(grades, {"base": base, "new": new}, queries={"query_id": ids, "source": values})


def found_in(comparison: Comparison, baseline: str = "base") -> tuple[str, str]:
    parts = [part for column in comparison.slices for part in by_slice(comparison, baseline, NDCG, column)]
    found = slice_finding(parts, against_baseline(comparison, baseline, NDCG))
    return found.title, found.sentence


def test_the_slice_that_fell_is_named_beside_the_mean_that_rose() -> None:
    title, sentence = found_in(planted({"up": 80, "down": 20}, {"up": -1, "down": 3}))
    assert title.startswith('"down" fell by 0.1')
    assert " with new, while its mean rose by 0.0" in title
    assert sentence.startswith('source "down": nDCG@10 0.')
    assert "over 20 queries, 95 % interval −0." in sentence
    assert sentence.endswith("1 more slice differs clearly.")


def test_a_slice_of_six_queries_is_never_a_finding() -> None:
    title, sentence = found_in(planted({"same": 80, "down": 6}, {"down": 6}))
    assert title == "No slice stands out"
    assert sentence.startswith("Of 1 slice with 10 queries or more none differs")


def test_where_nothing_fell_the_highest_rise_is_named() -> None:
    title, _ = found_in(planted({"up": 40, "same": 40}, {"up": -2}))
    assert title.startswith('No slice fell; new gains most in "up", by 0.')


def test_a_fall_with_a_worse_mean_says_no_more_than_the_fall() -> None:
    title, _ = found_in(planted({"down": 40, "same": 40}, {"down": 5}))
    assert title.startswith('"down" fell by 0.')
    assert title.endswith(" with new")


def test_slices_that_are_all_small_are_not_judged() -> None:
    assert found_in(planted({"one": 6, "other": 6}, {"one": 5}))[0] == "No slice is large enough to judge"


def test_a_single_run_has_a_weakest_slice() -> None:
    comparison = planted({"easy": 20, "hard": 20, "tiny": 3}, {"hard": 4, "easy": -2, "tiny": 9})
    found = weakest_slice(comparison, "new", NDCG, comparison.slices)
    assert found.title.startswith('new is weakest in "hard": 0.')
    nowhere = np.zeros(len(comparison.qrels.queries), bool)
    assert (
        weakest_slice(comparison, "new", NDCG, comparison.slices, nowhere).title == "No slice is large enough to judge"
    )


def test_macro_counts_groups_once_and_micro_counts_queries() -> None:
    macro, micro = macro_and_micro({"a": (1.0, 3), "b": (0.0, 1), "none": (None, 0)})
    assert (macro, micro) == (0.5, 0.75)
    assert macro_and_micro({"none": (None, 0)}) == (None, None)


def test_gis_is_the_forum_that_fell_while_the_mean_rose(shared: Path) -> None:
    folder = shared / "data" / "cqadupstack_synthruns"

    def piece(name: str) -> Piece:
        return Piece(Given.of(str(folder / name)))

    runs = (piece("runs/baseline.run"), piece("runs/candidate.run"))
    comparison = open_comparison(Inputs((piece("qrels.txt"),), runs, (piece("query_metadata.tsv"),)))
    title, sentence = found_in(comparison, "baseline")
    assert title.startswith('"gis" fell by 0.')
    assert " with candidate, while its mean rose by 0.0" in title
    assert sentence.startswith('source "gis": nDCG@10')
    assert comparison.slices[0].mask("gis").sum() == 200
