"""Report and summary: everything promised stands in them, the same bytes each time, nothing from elsewhere."""

import json
import re

import pytest

from core.exports.brand import Brand
from core.exports.figures import figure, figure_names, figures
from core.exports.markdown import markdown
from core.exports.report import report, shown
from core.exports.scope import Scope
from tests.comparison.made import collection, comparison_of
from tests.exports.made import scope


@pytest.fixture(scope="module")
def page() -> str:
    return report(scope())


def test_the_report_says_the_finding_the_conventions_the_files_and_the_notices(page: str) -> None:
    made = scope()
    for text in (
        made.finding.title,
        made.finding.sentence.split(":")[0],
        made.comparison.qrels.sha256,
        "missing = 0",
        "Data health",
        "Leaderboard",
    ):
        assert text in page
    assert made.notices
    assert all(notice.title in page for notice in made.notices)


def test_its_charts_are_interactive_and_each_has_a_picture_and_words(page: str) -> None:
    data = json.loads(page.split('id="charts">')[1].split("</script>")[0])
    count = len(shown(scope()))
    assert len(data["charts"]) == count == page.count('class="live"') == page.count('class="still"') > 6
    assert set(data["configs"]) == {"light", "dark"}
    assert len(re.findall(r'role="img" aria-label="[^"]{20,}"', page)) == count


def test_no_address_stands_where_a_browser_would_fetch_it(page: str) -> None:
    without_scripts = re.sub(r"<script>.*?</script>", "", page, flags=re.S)
    assert not re.search(r"(?:src|href|action|url)\s*[=(]\s*[\"']?(?:https?:)?//", without_scripts)
    assert "@import" not in without_scripts


def test_the_same_comparison_gives_the_same_report(page: str) -> None:
    assert report(Scope.of(collection(40).comparison)) == page


def test_a_brand_gives_its_colours_and_logo() -> None:
    found = report(scope(), brand=Brand(name="Example Ltd", logo=b"\x89PNG\r\n\x1a\nx", better="#0B6E4F"))
    assert "--better:#0B6E4F" in found
    assert 'alt="Example Ltd" src="data:image/png' in found


def test_a_single_run_has_a_report() -> None:
    made = comparison_of({"q": {"a": 1.0}}, {"alone": {"q": {"a": 1.0}}})
    assert "alone scores 1.000" in report(Scope.of(made))


def test_the_summary_is_short_and_says_the_verdict_the_runs_and_the_conventions() -> None:
    text = markdown(scope())
    assert text.startswith(f"### {scope().finding.title}")
    assert "**new**" in text
    assert "missing = 0" in text
    assert len(text.splitlines()) < 40
    assert len(text) < 4000


def test_the_summary_stays_short_with_many_runs() -> None:
    grades = {f"q{at}": {"a": 1.0, "b": 0.0} for at in range(30)}
    runs = {f"run{at:02}": {query: {"a": 1.0 + at % 3, "b": 2.0} for query in grades} for at in range(20)}
    text = markdown(Scope.of(comparison_of(grades, runs)))
    assert "… and 10 more runs" in text
    assert len(text.splitlines()) < 45


def test_the_list_of_figures_names_exactly_those_that_there_are() -> None:
    alone = Scope.of(
        comparison_of(
            {f"q{at}": {"a": 1.0, "b": 0.0} for at in range(12)}, {"alone": {f"q{at}": {"a": 1.0} for at in range(12)}}
        )
    )
    for made in (scope(), alone):
        found = figures(made)
        assert figure_names(made) == {each.key: each.name for each in found}
        assert figure(made, found[-1].key) is not None
