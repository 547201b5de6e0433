"""Topics: TREC's SGML, with and without closing tags, and XML."""

import pytest

from core.errors import InputError
from core.readers import read_queries
from core.readers.topics_rows import topics

OLD = """<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in international
criminal activity.

<narr> Narrative:
A relevant document must name them &amp; say more.

</top>
<top>
<num> Number: 302
<title> Poliomyelitis
</top>
"""


def test_old_topics_without_closing_tags() -> None:
    table = read_queries(OLD.encode()).table
    assert table.rows() == [
        (
            "301",
            "International Organized Crime",
            "Identify organizations that participate in international criminal activity.",
            "A relevant document must name them & say more.",
        ),
        ("302", "Poliomyelitis", None, None),
    ]
    assert table.columns == ["query_id", "text", "desc", "narr"]


def test_topics_know_their_lines() -> None:
    assert [line for line, _ in topics(OLD)] == [1, 14]


def test_topics_with_closing_tags_and_attributes() -> None:
    data = (
        b'<?xml version="1.0"?>\n<topics>\n<topic number="7" type="faceted">\n<query>tea</query>\n</topic>\n</topics>\n'
    )
    assert read_queries(data).table.rows() == [("7", "tea", "faceted")]


def test_parameter_files_of_queries() -> None:
    data = b"<parameters><query><number>9</number><text>tea cups</text></query></parameters>"
    assert read_queries(data).table.rows() == [("9", "tea cups")]


def test_a_topic_without_number_is_told_with_its_line() -> None:
    with pytest.raises(InputError) as caught:
        read_queries(b"<top>\n<num> Number: 1\n<title> a\n</top>\n<top>\n<title> b\n</top>\n")
    assert [(problem.line, problem.message) for problem in caught.value.problems] == [
        (5, "the topic's number is empty")
    ]
