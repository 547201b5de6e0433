"""Notices of a comparison: what reading found and what the files put together show, in the order in which people read them."""

import pytest

from core.comparison import open_comparison
from core.comparison.inputs import Inputs, Piece
from core.comparison.notices import main_measure, notices
from core.model.conventions import Conventions
from core.model.measure import DEFAULT_MEASURES, Measure
from core.notices import TITLES, Notice, in_reading_order
from core.readers import Given

NDCG5 = Measure("nDCG", 5)


def told(qrels: str, run: str, queries: str = "", **conventions: str) -> tuple[Notice, ...]:
    pieces = [
        Piece(Given(name, data=text.encode())) for name, text in (("q.txt", qrels), ("r.run", run), ("m.csv", queries))
    ]
    inputs = Inputs((pieces[0],), (pieces[1],), (pieces[2],) if queries else ())
    found = open_comparison(inputs, Conventions(**conventions))  # type: ignore[arg-type]  # the names of conventions
    return notices(found, [Measure("P", 1), NDCG5])


def test_effects_are_told_for_the_first_ndcg_that_is_asked_for() -> None:
    assert main_measure([Measure("P", 1), NDCG5, Measure("nDCG", 10)]) == NDCG5
    assert main_measure([Measure("P", 1)]) == Measure("nDCG", 10)
    assert main_measure(DEFAULT_MEASURES) == Measure("nDCG", 10)
    effects = {notice.effect.measure for notice in told("a 0 d1 1\nb 0 d1 1\n", "a Q0 d1 1 1 m\n") if notice.effect}
    assert effects == {"nDCG@5"}


def test_notices_of_reading_and_of_health_come_together_the_worst_first() -> None:
    qrels = "a 0 d1 2000\na 0 d1 2000\na 0 d2 1\nb 0 d1 1\nc 0 d1 0\n"
    run = "# made by hand\na Q0 d1 1 5 m\na Q0 d1 2 5 m\na Q0 d2 3 5 m\nz Q0 d1 1 1 m\n"
    found = told(qrels, run, "query_id,intent\na,buy\nb,look\nb,buy\n")
    codes = [notice.code for notice in found]
    for code in ("duplicate-judgments", "duplicate-documents", "comments", "metadata-repeated"):  # reading found these
        assert code in codes
    for code in ("large-grades", "missing-queries", "undefined-queries", "ties", "extra-queries", "metadata-gaps"):
        assert code in codes
    assert codes[0] == "large-grades"
    severities = [("error", "warning", "info").index(notice.severity) for notice in found]
    assert severities == sorted(severities)
    for severity in (0, 1, 2):
        places = [
            list(TITLES).index(notice.code) for notice, each in zip(found, severities, strict=True) if each == severity
        ]
        assert places == sorted(places)


def test_missing_queries_say_the_mean_either_way_whatever_is_asked_for() -> None:
    for asked in ("zero", "exclude"):
        found = told("a 0 d1 1\nb 0 d1 1\n", "a Q0 d1 1 1 m\n", missing=asked)
        effect = next(notice.effect for notice in found if notice.code == "missing-queries")
        assert effect is not None
        assert dict(effect.readings) == {"zero": 0.5, "exclude": 1.0}


def test_tied_scores_say_the_lowest_and_the_highest_mean() -> None:
    found = told("a 0 d1 1\n", "a Q0 d1 1 1 m\na Q0 d2 2 1 m\na Q0 d3 3 0.5 m\n")
    effect = next(notice.effect for notice in found if notice.code == "ties")
    assert effect is not None
    assert dict(effect.readings) == {"low": pytest.approx(0.63093, abs=1e-5), "high": 1.0}


def test_a_notice_with_an_unknown_code_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="unknown notice code"):
        Notice("nonsense", "info", "x", "y", 1)


def test_five_examples_are_kept() -> None:
    assert len(Notice("ties", "info", "x", "y", 9, tuple("abcdefghi")).examples) == 5


def test_reading_order_does_not_depend_on_the_order_given() -> None:
    made = [Notice(code, "info", about, "y", 1) for code in ("ties", "comments", "unjudged") for about in ("a", "b")]
    assert in_reading_order(reversed(made)) == in_reading_order(made)
