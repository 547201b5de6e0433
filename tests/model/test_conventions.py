"""The convention line says what a number means, in one line, everywhere the same."""

import pytest

from core.model.conventions import Conventions, convention_line
from core.model.measure import DEFAULT_MEASURES, Measure

DIGEST = "3f2a91c" + "0" * 57

REST = "120 queries · missing = 0 · undefined = 0 (1) · ties: trec_eval · qrels 3f2a91c"
LINES = {
    "nDCG(dcg='exp-log2')@10": "nDCG@10 · exponential gain (2^grade − 1) · ideal from all judged documents · ",
    "nDCG@5": "nDCG@5 · linear gain (the grade) · ideal from all judged documents · ",
    "nDCG(gains={1:1,2:10})@5": "nDCG@5 · own gains (1 → 1, 2 → 10) · ideal from all judged documents · ",
    "DCG@5": "DCG@5 · linear gain (the grade) · ",
    "R@100": "R@100 · relevant from grade 1 · ",
    "P(rel=2)@10": "P(rel=2)@10 · ",
}


@pytest.mark.parametrize(("name", "line"), LINES.items())
def test_a_measure_is_stated_with_all_that_its_number_depends_on(name: str, line: str) -> None:
    said = convention_line(Measure.parse(name), Conventions(), queries=120, undefined=1, qrels_sha256=DIGEST)
    assert said == line + REST


def test_what_is_not_the_default_is_said() -> None:
    conventions = Conventions("exclude", "exclude", "score64", "last", "drop", 2)
    line = convention_line(Measure.parse("AP"), conventions, queries=1, qrels_sha256=DIGEST)
    assert line == (
        "AP · relevant from grade 2 · 1 query · missing = left out · undefined = left out · "
        "ties: trec_eval, 64-bit scores · queries' own ids dropped · judged twice: last · qrels 3f2a91c"
    )
    assert "order: the file's ranks" in convention_line(
        Measure.parse("AP"), Conventions(order="rank"), queries=1, qrels_sha256=DIGEST
    )


def test_several_measures_share_a_line() -> None:
    line = convention_line(DEFAULT_MEASURES, Conventions(), queries=6980, qrels_sha256=DIGEST)
    assert line == (
        "nDCG@10, nDCG(dcg='exp-log2')@10, R@100, RR@10, Success@10, P@10, AP@100, Judged@10 · "
        "linear gain (the grade) · exponential gain (2^grade − 1) · ideal from all judged documents · "
        "relevant from grade 1 · 6,980 queries · missing = 0 · undefined = 0 · ties: trec_eval · qrels 3f2a91c"
    )
