"""Text from files, as Markdown shows it: exactly as it was."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pages.shared.text import count, difference, is_plain, plain, score

# A reader of Markdown that is not Streamlit's: CommonMark with tables and strikethrough, HTML let through.
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
SPECIALS = st.text(alphabet=st.sampled_from(list("*_`~[]()<>#+-.!|$:\\{}&;\"'@ \n\tab1é")), min_size=1, max_size=40)


def shown(markdown: str) -> str:
    """The text that a reader of Markdown shows, without any markup that it made."""
    inside = re.sub(r"^<p>|</p>\n?$", "", READER.render(f"x{markdown}x"))
    assert "<" not in inside, inside
    return html.unescape(inside)[1:-1]


@given(SPECIALS | st.text(min_size=1, max_size=60))
def test_escaped_text_is_shown_as_it_was_on_one_line(text: str) -> None:
    wanted = re.sub(r"[\x00-\x1f\x7f\u2028\u2029]+", " ", text)
    assert shown(plain(text)) == wanted


@pytest.mark.parametrize(
    "text",
    ["$x^2$", ":red[x]", ":material/home:", ":smile:", ":violet-badge[x]", "<img src=x>", "[a](b)", "~~x~~", "# x"],
)
def test_what_only_streamlit_obeys_is_escaped_too(text: str) -> None:
    assert not re.search(r"(?<!\\)[$:<\[~#]", plain(text))


def test_long_text_is_cut_before_it_is_escaped_and_says_so() -> None:
    assert plain("*" * 300, 10) == "\\*" * 9 + "…"
    assert plain("a" * 10, 10) == "a" * 10


@pytest.mark.parametrize(
    "text", ["bm25", "hybrid v2", "a_b", "run (2)", "night/dense.v2", "5–7 words", "naïve", "日本"]
)
def test_plain_names_can_be_pills(text: str) -> None:
    assert is_plain(text)
    assert shown(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*a*",
        "_a_",
        "a__b",
        " _x",
        "<b>",
        "$a$",
        ":red[a]",
        "www.example.com",
        "https://a.b",
        "a\nb",
        "`a`",
        "-a",
        "#a",
        "1+1=2",
        "a|b",
        "[a]",
    ],
)
def test_names_with_marks_cannot(text: str) -> None:
    assert not is_plain(text)


def test_numbers_are_written_the_same_everywhere() -> None:
    assert [score(0.71044), score(1.0), score(None)] == ["0.710", "1.000", "–"]
    assert [difference(0.0214), difference(-0.0216), difference(0.0), difference(None)] == [
        "+0.021",
        "−0.022",
        "+0.000",
        "–",
    ]
    assert [count(1, "query", "queries"), count(2400, "query", "queries"), count(0, "file")] == [
        "1 query",
        "2,400 queries",
        "0 files",
    ]
