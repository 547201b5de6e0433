"""Limits: sizes as people read them."""

import pytest

from core.model.limits import in_words


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1500, "1.5 kB"), (12_345, "12 kB"), (999_499, "999 kB"),
        (999_500, "1 MB"), (1_000_000, "1 MB"), (1_040_000, "1 MB"), (3_450_000, "3.5 MB"), (9_960_000, "10 MB"), (200_000_000, "200 MB"),
        (2_000_000_000, "2,000 MB"),
    ],
)  # fmt: skip
def test_a_size_is_told_in_the_unit_that_fits_it(size: int, said: str) -> None:
    assert in_words(size) == said
