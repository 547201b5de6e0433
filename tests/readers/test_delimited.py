"""Delimited text: the table of bytes → rows, or → the exact problem."""

import functools
from contextlib import suppress
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.model.limits import LOCAL, Limits
from core.model.reading import Choice, Column, Field, Reading
from core.readers import delimited
from core.readers.files import Given
from core.readers.lines import blocks
from core.readers.rows import Findings

RUN: tuple[Field, ...] = ("query_id", "iteration", "doc_id", "rank", "score", "system")
QRELS: tuple[Field, ...] = ("query_id", "iteration", "doc_id", "relevance")
THREE: tuple[Field, ...] = ("query_id", "doc_id", "score")
RATED: tuple[Field, ...] = ("query_id", "doc_id", "relevance")


def reading(fields: tuple[Field, ...], delimiter: str = " ", **more: Any) -> Reading:
    role = more.pop("role", "qrels" if "relevance" in fields else "run")
    columns = tuple(Column(f"column_{at}", field) for at, field in enumerate(fields, 1))
    return Reading(role, "", "delimited", delimiter=delimiter, columns=columns, **more)


def read(
    data: bytes, how: Reading, *, leave_out: bool = False, limits: Limits = LOCAL
) -> tuple[list[tuple[Any, ...]], Findings]:
    """All rows, each with its line, and the findings."""
    findings = Findings("f", leave_out=leave_out)
    found: list[tuple[Any, ...]] = []
    for batch in delimited.rows(Given("f", data=data), how, Choice(), limits, findings):
        frame = batch.frame
        if batch.line is not None:
            frame = frame.with_columns(pl.Series("line", range(batch.line, batch.line + frame.height)))
        found += frame.rows()
    findings.finish()
    return found, findings


def problems(data: bytes, how: Reading, **more: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(data, how, **more)
    return [str(problem) for problem in caught.value.problems]


ONE = ("a1", "d2", 1.0, 9.5, "m")


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"a1 Q0 d2 1 9.5 m\na1 Q0 d2 1 9.5 m\n", [1, 2]),
        (b"a1 Q0 d2 1 9.5 m\na1 Q0 d2 1 9.5 m", [1, 2]),
        (b"a1\tQ0\td2\t1\t9.5\tm\na1 Q0 d2 1 9.5 m\n", [1, 2]),
        (b"a1  Q0 d2   1 9.5 m  \n \ta1 Q0\t d2 1 9.5 m\t\n", [1, 2]),
        (b"a1 Q0 d2 1 9.5 m\r\na1 Q0 d2 1 9.5 m\r\n", [1, 2]),
        (b"a1 Q0 d2 1 9.5 m\ra1 Q0 d2 1 9.5 m\r", [1, 2]),
        (b"a1 Q0 d2 1 9.5 m\r\r\n\na1 Q0 d2 1 9.5 m\r", [1, 4]),
        (b"\n\na1 Q0 d2 1 9.5 m\n  \n\na1 Q0 d2 1 9.5 m\n\n", [3, 6]),
        (b"a1 Q0 d2 1 9.5 m and more words\na1 Q0 d2 1 9.5 m x\n", [1, 2]),
        (b"# a comment\na1 Q0 d2 1 9.5 m\n#\na1 Q0 d2 1 9.5 m\n# the end\n", [2, 4]),
        ("\ufeffa1 Q0 d2 1 9.5 m\na1 Q0 d2 1 9.5 m\n".encode(), [1, 2]),
        ("a1 Q0 d2 1 9.5 m\r\na1 Q0 d2 1 9.5 m\r\n".encode("utf-16"), [1, 2]),
        (b"a1 Q0 d2 x 9.5 m\na1 Q0 d2 1 9.5 m\n", [1, 2]),
    ],
)
def test_a_trec_run_is_read_however_its_blanks_and_line_ends_are(data: bytes, lines: list[int]) -> None:
    found, _ = read(data, reading(RUN))
    assert [row[-1] for row in found] == lines
    first = (*ONE[:2], None, *ONE[3:]) if b" x 9.5" in data else ONE
    assert [row[:-1] for row in found] == [first, ONE]


@pytest.mark.parametrize(
    ("data", "how", "expected"),
    [
        (b"a1 Q0 d2 1 9.5 m\na1 Q0 d1 8.0\n", reading(RUN), ["f:2: has 4 columns, expected 6"]),
        (b"a1 Q0 d2 1 n/a m\n\na1 Q0 d2 1 nan m\n", reading(RUN), ['f:1: score "n/a" is not a number', 'f:3: score "nan" is not a number']),
        (b"a1 Q0 d2 1 0x10 m\na1 Q0 d2 1 1_000 m\n", reading(RUN), ['f:1: score "0x10" is not a number', 'f:2: score "1_000" is not a number']),
        (b"a1 0 guide page 2 1\n", reading(QRELS), ["f:1: has 6 columns, expected 4"]),
        (b"a1,d1,1\na1,,1\n,d1,1\na1,d1,\na1,d1\n", reading(THREE, ","),
         ["f:2: the document id is empty", "f:3: the query id is empty", "f:4: the score is empty", "f:5: has 2 columns, expected 3"]),
        (b"a1,d1,1\na1,d1,1,1\na1,d1\n", reading(THREE, ","), ["f:2: has 4 columns, expected 3", "f:3: has 2 columns, expected 3"]),
        (b"a1 Q0 d\xe9 1 9.5 m\na1 Q0 d2 1 9.5 m\n", reading(RUN), ["f:1: byte 8 of the line (0xE9) is not UTF-8"]),
        (b"a1 Q0 d\x00 1 9.5 m\n", reading(RUN), ["f:1: the document id holds a NUL character"]),
        (b"a1 Q0 " + b"d" * 513 + b" 1 9.5 m\n", reading(RUN), [f'f:1: the document id is longer than 512 bytes: "{"d" * 60}…"']),
        (b"", reading(RUN), ["f: the file is empty"]),
        (b"\n \n", reading(RUN), ["f: the file holds no rows"]),
        (b"# only\n# comments\n", reading(RUN), ["f: the file holds no rows"]),
        (b"a;b;1.234,5\n", reading(THREE, ";", decimal_comma=True), ['f:1: score "1.234,5" is not a number']),
        (b'q,d,s\na,"b\nc,1\nd,e,2\n', reading(THREE, ",", quoted=True, header=True), ["f:2: has 2 columns, expected 3"]),
    ],
)  # fmt: skip
def test_what_is_broken_is_told_with_its_physical_line(data: bytes, how: Reading, expected: list[str]) -> None:
    assert problems(data, how) == expected


@pytest.mark.parametrize("text", ["inf", "-inf", "Infinity", "-Infinity", "1e400"])
def test_infinite_scores_are_numbers(text: str) -> None:
    assert read(f"a1 Q0 d2 1 {text} m\n".encode(), reading(RUN))[0][0][3] == float(text)


@pytest.mark.parametrize(
    "cell", ["news#12#3", "#7", '"d1', "d'1", "a%20b", "Приказ", "1e5", "007", "NA", "null", "nan", "<dbp:Tea>", "a,b"]
)
def test_ids_stay_as_they_are(cell: str) -> None:
    found, findings = read(f"{cell} Q0 {cell} 1 9.5 m\n".encode(), reading(RUN))
    assert found[0][:2] == (cell, cell)
    assert findings.comments == 0


def test_a_tab_file_keeps_blanks_in_cells_and_a_line_by_blanks_fits_in() -> None:
    data = b"a1\t0\tacts/Notes 2.pdf \t2\na1 0 d2 1\na2\t0 d3\t1\n"
    found, _ = read(data, reading(QRELS, "\t"))
    assert [row[2] for row in found] == ["acts/Notes 2.pdf ", "d2", "d3"]


def test_text_after_the_tag_of_a_run_is_passed_over_in_tab_files_too() -> None:
    found, _ = read(b"a1\tQ0\td2\t1\t 9.5\tm more words\na1\tQ0\td2\t1\t9.5\tm\tx\n", reading(RUN, "\t"))
    assert [row[:-1] for row in found] == [ONE, ONE]
    assert problems(b"a\tb\t1\tx\n", reading(THREE, "\t")) == ["f:1: has 4 columns, expected 3"]


def test_a_comment_as_wide_as_a_row_is_a_comment_where_it_cannot_be_a_row() -> None:
    found, findings = read(b"# made by hand\n#q1 0 d1 1\n", reading(QRELS))
    assert [row[0] for row in found] == ["#q1"]
    assert [notice.message for notice in findings.notices] == ["1 comment line was passed over."]


def test_ir_metadata_becomes_pairs_and_no_comment() -> None:
    data = (
        b"# ir_metadata.start\n# tag: base\n# platform:\n#   hardware:\n#     cpu: 'x y'\n#   os: linux\n"
        b"# actor:\n#   team: us\n# ir_metadata.end\na1 Q0 d2 1 9.5 m\n"
    )
    _, findings = read(data, reading(RUN))
    assert findings.metadata == [
        ("tag", "base"), ("platform.hardware.cpu", "x y"), ("platform.os", "linux"), ("actor.team", "us"),
    ]  # fmt: skip
    assert findings.comments == 0


def test_an_unrated_query_passes_in_judgments_only() -> None:
    data = b"query,docid,rating\nred shoes,11,3.0\ngreen sock\nwool cap,,\n"
    found, _ = read(data, reading(RATED, ",", quoted=True, header=True))
    assert found == [("red shoes", "11", "3.0", 2), ("green sock", None, None, 3), ("wool cap", None, None, 4)]
    assert problems(data.replace(b"rating", b"score"), reading(THREE, ",", header=True)) == [
        "f:3: has 1 column, expected 3", "f:4: the document id is empty",
    ]  # fmt: skip


def test_quoted_cells_hold_separators_quotes_and_line_feeds_with_true_line_numbers() -> None:
    data = b'q,d,s\na1,"Paris, ""Texas""",1\n"a\n\n2",d2, 2.5\na3,5" cup,3\na4,d,x\n'
    how = reading(THREE, ",", quoted=True, header=True)
    found, findings = read(data, how, leave_out=True)
    assert found == [("a1", 'Paris, "Texas"', 1.0, 2), ("a\n\n2", "d2", 2.5, 3), ("a3", '5" cup', 3.0, 6)]
    assert findings.left_out == [7]


def test_broken_lines_left_out_by_choice_are_counted_in_a_notice() -> None:
    found, findings = read(b"a1 Q0 d2 1 9.5 m\na1 Q0 d1 8.0 m\na1 Q0 d3 1 x m\n", reading(RUN), leave_out=True)
    assert [row[1] for row in found] == ["d2"]
    notice = next(notice for notice in findings.notices if notice.code == "lines-left-out")
    assert (notice.count, notice.message) == (2, "2 broken lines were left out, as chosen (lines 2, 3).")
    assert problems(b"a1 Q0 d1 8.0 m\n", reading(RUN), leave_out=True) == [
        "f: no rows are left: all 1 data lines are broken"
    ]


def test_twenty_problems_are_shown_and_the_others_counted() -> None:
    with pytest.raises(InputError) as caught:
        read(b"a b\n" * 30, reading(RUN))
    assert (len(caught.value.problems), caught.value.more) == (20, 10)


@pytest.mark.parametrize(
    ("name", "cell"), [("windows-1252", "café"), ("latin-1", "naïve"), ("utf-16-le", "Приказ"), ("cp1251", "Приказ")]
)
def test_other_encodings_are_read_by_name_with_a_notice(name: str, cell: str) -> None:
    found, findings = read(f"{cell} Q0 d 1 1 m\n".encode(name), reading(RUN, encoding=name))
    assert found[0][0] == cell
    assert [notice.code for notice in findings.notices] == ["encoding"]


@pytest.mark.parametrize("name", ["nonsense", "rot13", "base64", "unicode_escape", "\0"])
def test_what_is_no_encoding_is_refused(name: str) -> None:
    assert len(problems(b"a b c\n", reading(RUN, encoding=name))) == 1


def test_metadata_columns_keep_their_names_and_empty_cells_are_null() -> None:
    columns = (
        Column("id", "query_id"),
        Column("intent", "metadata"),
        Column("score", "metadata"),
        Column("intent", "metadata"),
    )
    how = Reading("queries", "", "delimited", delimiter=",", columns=columns)
    findings = Findings("f")
    (batch,) = delimited.rows(Given("f", data=b"a1,,x,y\na2,buy,,\n"), how, Choice(), LOCAL, findings)
    assert batch.frame.columns[:4] == ["query_id", "intent", "score (2)", "intent (2)"]
    assert batch.frame.rows() == [("a1", None, "x", "y"), ("a2", "buy", None, None)]


def test_more_rows_than_the_limit_are_refused() -> None:
    assert (
        problems(b"a1 Q0 d 1 1 m\n" * 11, reading(RUN), limits=Limits(rows=10))[0]
        == "f: the file holds more than the limit of 10 rows"
    )


CELL = st.text(
    st.characters(
        codec="utf-8", exclude_characters="\n\r\t \x00\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0#", exclude_categories=["Z", "C"]
    ),
    min_size=1,
    max_size=6,
)
BLANK = st.sampled_from([" ", "\t", "  ", " \t "])
END = st.sampled_from(["\n", "\r\n", "\r", "\n\n", " \n"])


@given(st.data())
def test_rows_and_their_lines_do_not_depend_on_blanks_line_ends_or_blocks(data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(CELL, CELL, st.integers(-9, 9)), min_size=1, max_size=8))
    text, line, expected = "", 1, []
    for query, doc, score in rows:
        cells = [query, "Q0", doc, "1", str(score), "tag"]
        text += "".join(cell + data.draw(BLANK) for cell in cells[:-1]) + cells[-1]
        end = data.draw(END)
        expected.append((query, doc, 1.0, float(score), "tag", line))
        text += end
        line += end.count("\n") or 1
    size = data.draw(st.integers(1, 40))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "blocks", functools.partial(blocks, size=size))
        assert read(text.encode(), reading(RUN))[0] == expected


@given(st.binary(max_size=120), st.sampled_from([" ", "\t", ",", ";"]), st.booleans(), st.booleans())
def test_no_bytes_do_more_than_raise_an_input_error(data: bytes, delimiter: str, quoted: bool, header: bool) -> None:
    for fields in (RUN, RATED):
        with suppress(InputError):
            read(data, reading(fields, delimiter, quoted=quoted and delimiter in ",;", header=header))


def test_a_doubled_tab_does_not_shift_the_cells_of_a_run_and_text_after_the_tag_is_passed_over() -> None:
    data = b"q1\tQ0\td1\t1\t3.5\tsys\nq1\tQ0\td2\t\t2\t2.5\tsys\nq1\tQ0\td3\t3\t1.5\tsys\tmore text\n"
    given_file, found = Given("r.run", data=data), Findings("r.run")
    batches = list(delimited.rows(given_file, reading(RUN, "\t"), Choice(), LOCAL, found))
    frame = pl.concat([batch.frame.select("doc_id", "rank", "score", "system") for batch in batches])
    assert frame.rows() == [("d1", 1.0, 3.5, "sys"), ("d2", 2.0, 2.5, "sys"), ("d3", 3.0, 1.5, "sys")]
