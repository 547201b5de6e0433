"""Slices: every query is in exactly one group, in the groups of its list, or counted as `(none)`."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.metadata import QueryMetadata
from core.slices import (
    LENGTH,
    NONE,
    OTHERS,
    SliceColumn,
    by_value,
    column_named,
    cross,
    parts_of,
    slice_columns,
    split_lists,
)
from tests.scoring.collections import qrels_of


def columns_of(table: Mapping[str, Sequence[object]], queries: int | None = None) -> dict[str, SliceColumn]:
    rows = queries or len(next(iter(table.values())))
    qrels = qrels_of({f"q{at:03}": {"d": 1} for at in range(rows)})
    ids = [f"q{at:03}" for at in range(len(next(iter(table.values()))))]
    frame = pl.DataFrame({"query_id": ids, **table}, strict=False)
    return {column.name: column for column in slice_columns(qrels, QueryMetadata(frame, (), frame.height))}


def groups(column: SliceColumn) -> dict[str, int]:
    return dict(zip(column.values, column.sizes, strict=True))


def test_text_groups_by_value_the_largest_first_and_nothing_is_a_group_of_its_own() -> None:
    found = columns_of({"intent": ["a", "b", "b", " ", None, "c", "b", "a "]})
    assert groups(found["intent"]) == {"b": 3, "a": 2, "c": 1, NONE: 2}
    assert found["intent"].values == ("b", "a", "c", NONE)
    assert found["intent"].mask("a").tolist() == [True, False, False, False, False, False, False, True]


def test_queries_without_a_row_are_counted_as_none() -> None:
    assert groups(columns_of({"intent": ["a", "b"]}, queries=5)["intent"]) == {"a": 1, "b": 1, NONE: 3}


@pytest.mark.parametrize("values", [["a", "a", "a"], [None, None, None], [f"v{at}" for at in range(61)]])
def test_a_column_with_one_value_or_more_than_sixty_is_no_way_to_slice(values: list[object]) -> None:
    assert columns_of({"column": values}) == {}


def test_numbers_are_cut_into_quarters_named_by_what_is_in_them() -> None:
    found = columns_of({"clicks": [float(number) for number in range(100, 0, -1)]})
    assert groups(found["clicks"]) == {"1 to 25": 25, "26 to 50": 25, "51 to 75": 25, "76 to 100": 25}
    assert found["clicks"].kind == "number"


def test_few_distinct_numbers_are_groups_of_their_own_in_their_order() -> None:
    found = columns_of({"year": [2024.0, 2023.5, 2024.0, None, 2030.0]})
    assert list(groups(found["year"]).items()) == [("2023.5", 1), ("2024", 2), ("2030", 1), (NONE, 1)]


def test_a_number_that_holds_most_queries_is_not_in_two_bins() -> None:
    found = columns_of({"n": [1.0] * 60 + [float(number) for number in range(2, 42)]})
    assert sum(groups(found["n"]).values()) == 100
    assert groups(found["n"])["1"] == 60


def test_query_length_counts_words_and_cjk_characters() -> None:
    texts = ["one", "two words", "a b c", "日本語", "", None, "a b c d e f g h i j k l m", "1 2 3 4 5"]
    found = columns_of({"text": texts})
    assert groups(found[LENGTH]) == {
        "1 word": 1,
        "2 words": 1,
        "3–4 words": 2,
        "5–7 words": 1,
        "13 words or more": 1,
        NONE: 2,
    }
    assert found[LENGTH].kind == "length"


def test_lists_are_their_own_value_and_split_in_a_further_column() -> None:
    found = columns_of({"app": ["web|ios", "web", '["ios", "web"]', "[]", None, "ios | ios"]})
    assert groups(found["app"]) == {'["ios", "web"]': 1, "[]": 1, "ios | ios": 1, "web": 1, "web|ios": 1, NONE: 1}
    assert groups(found["app (split)"]) == {"ios": 3, "web": 3, NONE: 2}
    assert found["app (split)"].overlaps
    assert not found["app"].overlaps


def test_many_combinations_of_few_items_can_still_be_sliced_when_split() -> None:
    lists = [f"t{first}|t{second}" for first in range(12) for second in range(12)]
    found = columns_of({"tags": lists})
    assert list(found) == ["tags (split)"]
    assert groups(found["tags (split)"]) == {f"t{at}": 23 for at in range(12)}


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("a", ["a"]),
        ("a|b", ["a", "b"]),
        ('["a", 2, null]', ["a", "2"]),
        ("['a', 'b']", ["a", "b"]),
        ("[]", [NONE]),
        ("|", [NONE]),
        (NONE, [NONE]),
        ("[a|b", ["[a", "b"]),
    ],
)  # fmt: skip
def test_the_items_of_a_cell(cell: str, items: list[str]) -> None:
    assert parts_of(cell) == items


def test_two_columns_cross_to_the_pairs_that_have_a_query() -> None:
    found = columns_of({"intent": ["a", "b", "b", None], "source": ["x", "x", "y", "y"]})
    crossed = cross(found["intent"], found["source"])
    assert groups(crossed) == {"b × x": 1, "b × y": 1, "a × x": 1, "(none) × y": 1}
    assert column_named(tuple(found.values()), "intent × source").values == crossed.values  # type: ignore[union-attr]  # it is there
    assert column_named(tuple(found.values()), "intent × intent") is None
    assert column_named(tuple(found.values()), "intent × nothing") is None
    assert column_named(tuple(found.values()), None) is None
    assert column_named(tuple(found.values()), "intent") is found["intent"]


def test_of_many_pairs_the_largest_stay_and_the_rest_is_one_group() -> None:
    one = by_value("one", pl.Series([f"a{at % 10}" for at in range(200)]))
    other = by_value("other", pl.Series([f"b{at // 10 % 10}" for at in range(200)]))
    crossed = cross(one, other)
    assert len(crossed.values) == 60
    assert crossed.values[-1] == OTHERS
    assert sum(crossed.sizes) == 200


CELLS = st.lists(st.one_of(st.none(), st.sampled_from(["a", "b|c", "c", "", '["a","b"]'])), min_size=1, max_size=30)


@given(CELLS)
def test_every_query_is_in_one_group_and_in_every_item_of_its_list(cells: list[str | None]) -> None:
    column = by_value("column", pl.Series(cells, dtype=pl.String))
    assert (column.members.sum(axis=0) == 1).all()
    split = split_lists(column)
    expected = [len(set(parts_of(cell))) if cell and cell.strip() else 1 for cell in cells]
    assert split.members.sum(axis=0).tolist() == expected


@given(st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), min_size=1, max_size=60))
def test_every_number_is_in_the_bin_whose_ends_hold_it(numbers: list[float | None]) -> None:
    found = columns_of({"n": list(numbers)})
    if "n" not in found:
        return
    column = found["n"]
    assert (column.members.sum(axis=0) == 1).all()
    for value, members in zip(column.values, column.members, strict=True):
        inside = [numbers[at] for at in np.flatnonzero(members)]
        if value == NONE:
            assert inside == [None] * len(inside)
        else:
            low, _, high = value.partition(" to ")
            assert all(number is not None and float(low) <= number <= float(high or low) for number in inside)
