"""The report in a real browser, without a network: charts are drawn, nothing leaves, nothing of a file runs; so on the pages."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from core.exports.report import report
from core.exports.scope import Scope
from tests.browser.conftest import LONG, LOOKS, Opens, picture, settled
from tests.exports.made import scope
from tests.exports.payloads import PAYLOADS, poisoned

pytestmark = pytest.mark.browser


def shown(chromium: Browser, path: Path, *, dark: bool = False, phone: bool = False) -> tuple[Page, list[str]]:
    """A file opened in a new window, and every request that it makes."""
    size: ViewportSize = {"width": 390, "height": 844} if phone else {"width": 1440, "height": 900}
    context = chromium.new_context(viewport=size, color_scheme="dark" if dark else "light", offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: asked.append(f"error: {error}"))
    page.goto(path.as_uri())
    page.wait_for_function(
        "document.querySelectorAll('.drawn').length === document.querySelectorAll('figure').length", timeout=60_000
    )
    return page, [url for url in asked if not url.startswith(("data:", path.as_uri()))]


@pytest.mark.parametrize(("dark", "phone"), LOOKS)
def test_the_report_draws_its_charts_without_a_network_and_has_no_barrier(
    chromium: Browser, tmp_path: Path, dark: bool, phone: bool
) -> None:
    (tmp_path / "report.html").write_text(report(scope()), encoding="utf-8")
    page, asked = shown(chromium, tmp_path / "report.html", dark=dark, phone=phone)
    assert asked == []
    assert page.locator("figure svg, figure canvas").count() >= page.locator("figure").count() > 5
    width = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width[0] <= width[1]
    assert [(each["id"], each["nodes"][0]["html"]) for each in Axe().run(page).response["violations"]] == []
    picture(page, f"report-{'dark' if dark else 'light'}-{'phone' if phone else 'desktop'}")
    page.context.close()


def test_a_chart_answers_to_the_pointer(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(report(scope()), encoding="utf-8")
    page, _ = shown(chromium, tmp_path / "report.html")
    page.locator("figure").first.locator("svg .mark-symbol path").first.hover()
    tooltip = page.locator("#vg-tooltip-element")
    tooltip.wait_for(state="visible")
    assert "Difference" in tooltip.inner_text()
    page.context.close()


def test_on_paper_it_is_light_and_its_charts_are_pictures(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(report(scope()), encoding="utf-8")
    page, _ = shown(chromium, tmp_path / "report.html", dark=True)
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("figure .live:visible").count() == 0
    assert page.locator("figure .still:visible").count() == page.locator("figure").count()
    page.context.close()


def test_without_scripts_its_charts_are_pictures(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(report(scope()), encoding="utf-8")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("figure .still:visible").count() == page.locator("figure").count() > 5
    context.close()


def test_nothing_that_stands_in_files_runs_or_is_fetched_by_the_report(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(report(Scope.of(poisoned())), encoding="utf-8")
    page, asked = shown(chromium, tmp_path / "report.html")
    for figure in page.locator("figure").all():
        figure.hover()
    for details in page.locator("summary").all():
        details.click()
    page.wait_for_timeout(500)
    assert asked == []
    assert page.evaluate("window.__pwned") is None
    assert (
        page.locator(
            "main iframe, main object, main embed, main video, main form:not(.vega-bindings), main a[href^='javascript']"
        ).count()
        == 0
    )
    page.context.close()


def poisoned_files(folder: Path) -> list[str]:
    """The payloads as ids, texts and names in files that can hold them."""
    usable = [text for text in PAYLOADS if "\n" not in text and "\t" not in text and "\u2028" not in text]
    rows = [(text, f"d {text}", at) for at, text in enumerate(usable)]
    (folder / "qrels.tsv").write_text(
        "query-id\tcorpus-id\tscore\n" + "".join(f"{q}\t{d}\t{1 + at % 3}\n" for q, d, at in rows)
    )
    for name, by in (("![x](http:203.0.113.7).run.tsv", 3), ("<img src=x onerror=window.__pwned=1>.run.tsv", 2)):
        lines = "".join(f"{q}\t{d if at % by else 'other'}\t{1.5 + at}\n" for q, d, at in rows)
        (folder / name.replace("/", "_")).write_text("query_id\tdoc_id\tscore\n" + lines)
    (folder / "queries.tsv").write_text(
        "query_id\ttext\tintent\n" + "".join(f"{q}\t{q}\t{usable[at % 5]}\n" for q, _, at in rows)
    )
    return [str(path) for path in sorted(folder.iterdir())]


# Every page with all that it can show; in short the one that shows most.
EVERYWHERE = [
    "overview", "data", "share", "distributions", "slices", "trends", "queries?q=%3Cscript%3Ewindow.__pwned%3D1%3C%2Fscript%3E", "compare",
    "compare?part=Does+it+hold", "compare?part=All+pairs", "compare?part=Judge+next", "compare?part=Versions",
]  # fmt: skip


@pytest.mark.parametrize("page_name", ["queries", *(EVERYWHERE if LONG else [])])
def test_nothing_that_stands_in_files_runs_or_is_fetched_by_the_pages(
    server: str, visit: Opens, tmp_path: Path, page_name: str
) -> None:
    page = visit(server)
    page.locator("input[type=file]").set_input_files(poisoned_files(tmp_path))
    page.get_by_role("button", name="Open the overview").wait_for()
    token = page.url.split("d=")[1].split("&")[0]
    path, _, parameters = page_name.partition("?")
    address = f"{server}/{path}?d={token}&{parameters}"
    page.goto(address)
    settled(page)
    page.wait_for_timeout(1500)
    assert [frame.evaluate("window.__pwned") for frame in page.frames] == [None] * len(page.frames)
    page.goto(f"{address}&present=1")
    page.wait_for_timeout(2500)
    assert page.evaluate("window.__pwned") is None
