"""Blanks: the pass over bytes gives what splitting every line gives, at the edges of its pieces too."""

import random

import pytest

from core.readers import blanks


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 10, 15, 16, 17, 18, 100, 1000])
def test_collapsed_lines_are_those_of_a_plain_split(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blanks, "PIECE", 8)
    chance = random.Random(size)
    for _ in range(50):
        data = bytes(chance.choices(b"ab \t\n", k=size - 1)) + b"\n"
        split = [line.split() for line in data.split(b"\n")[:-1]]
        text, lines = blanks.collapsed(data)
        assert text == b"".join(b" ".join(cells) + b"\n" for cells in split if cells)
        expected = [at for at, cells in enumerate(split) if cells]
        assert (list(range(len(split))) if lines is None else lines.tolist()) == expected


@pytest.mark.parametrize(
    ("data", "between"),
    [
        (b"a b\nc d\n", " "), (b"a\tb\n", "\t"), (b"a b\tc\n", None), (b"a  b\n", None), (b" a\n", None), (b"a \n", None),
        (b"a b\n\nc d\n", None), (b"ab\n", " "), (b"", None), (b"a b\n c d\n", None),
    ],
)  # fmt: skip
def test_lines_are_strict_where_one_separator_stands_alone_everywhere(data: bytes, between: str | None) -> None:
    assert blanks.separator(data) == between


def test_lines_of_one_width_are_told_from_others() -> None:
    assert blanks.same_width(b"a,b,\n,,\n", ",", 3)
    assert not blanks.same_width(b"a,b,c,d\na,b\n", ",", 3)
