import pytest

from core.statistics.wording import about, counted, decimals_for, exact, percent, plain, queries, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0412, "+0.041"),
        (-0.0412, "−0.041"),
        (0.0, "0.000"),
        (-0.0001, "0.000"),
        (0.0004, "0.000"),
        (1234.5, "+1,234.500"),
    ],
)
def test_differences_have_three_digits_and_a_sign_unless_they_round_to_nothing(value: float, text: str) -> None:
    assert signed(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0004, "+0.0004"), (-0.00002, "−0.00002"), (0.041, "+0.041"), (0.0, "0.000"), (1e-12, "0.000")],
)
def test_a_small_difference_gets_the_digits_that_it_needs(value: float, text: str) -> None:
    assert signed(value, decimals_for(value)) == text


def test_other_numbers_read_as_people_write_them() -> None:
    assert (plain(0.5), plain(-0.5)) == ("0.500", "−0.500")
    assert (about(0.0613), about(0.05), about(0.0313), about(0.0002)) == ("0.06", "0.05", "0.031", "0.0002")
    assert (exact(0.02), exact(0.015), exact(1.0), exact(0.1 + 0.2)) == ("0.02", "0.015", "1", "0.3")
    assert percent(0.314) == "31 %"
    assert (queries(1), queries(0), queries(6980)) == ("1 query", "0 queries", "6,980 queries")
    assert counted(2, "night") == "2 nights"
