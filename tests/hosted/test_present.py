"""Where addresses lead: to present mode without Streamlit's bars, to the first page by its guessed names, and to nowhere else."""

import pytest

from tests.hosted.asking import ask
from tests.hosted.serving import Served

HTML = {"Accept": "text/html,*/*"}


@pytest.mark.parametrize(
    ("asked", "sent_to"),
    [
        ("/overview?present=1", "?present=1&embed=true"),
        ("/?present=1&d=sample", "?present=1&d=sample&embed=true"),
        ("/data?present=1", "?present=1&embed=true"),
        ("/slices?d=x&present=1&k=5&runs=a&runs=b", "?d=x&present=1&k=5&runs=a&runs=b&embed=true"),
        ("/queries?present=1&q=%26%2F%2Fforeign.example", "?present=1&q=%26%2F%2Fforeign.example&embed=true"),
    ],
)
def test_a_page_to_present_is_sent_on_to_itself_with_everything_it_was_asked_with(
    below: Served, asked: str, sent_to: str
) -> None:
    answer = ask(below, f"/ranklens{asked}", HTML)
    assert (answer.status, answer.headers["location"]) == (307, sent_to)


@pytest.mark.parametrize(
    ("asked", "method", "told"),
    [
        ("/overview", "GET", HTML),
        ("/overview?present=0", "GET", HTML),
        ("/overview?present=1&embed=true", "GET", HTML),
        ("/overview?present=1&embed=false", "GET", HTML),
        ("/_stcore/health?present=1", "GET", HTML),
        ("/favicon.png?present=1", "GET", HTML),
        ("/health?present=1", "GET", {"Accept": "*/*"}),
        ("/overview?present=1", "POST", HTML),
    ],
)
def test_nothing_else_is_sent_anywhere(below: Served, asked: str, method: str, told: dict[str, str]) -> None:
    assert "location" not in ask(below, f"/ranklens{asked}", told, method).headers


@pytest.mark.parametrize(
    ("asked", "start"),
    [
        ("", "ranklens/"),
        ("?d=sample&k=5", "ranklens/?d=sample&k=5"),
        ("/data", "./"),
        ("/data?d=sample&k=5", "./?d=sample&k=5"),
    ],
)
def test_other_addresses_of_the_first_page_lead_to_it_with_everything_they_were_asked_with(
    below: Served, asked: str, start: str
) -> None:
    answer = ask(below, f"/ranklens{asked}", HTML)
    assert (answer.status, answer.headers["location"]) == (307, start)
