"""What journeys do and read on the screen."""

from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.conftest import settled

# The machine that runs the checks may be slow: what is waited for comes in time or never.
expect.set_options(timeout=120_000)


def heading(page: Page) -> Locator:
    """The title of the page."""
    return page.locator('[data-testid="stMain"] h1')


def drop(page: Page, files: Mapping[str, str | bytes] | list[Path]) -> None:
    """Drop files of our own, or files of a folder, in the drop area."""
    area = page.locator('input[type="file"]').first
    if isinstance(files, list):
        area.set_input_files(files)
    else:
        payload: list[FilePayload] = [
            {"name": name, "mimeType": "text/plain", "buffer": data.encode() if isinstance(data, str) else data}
            for name, data in files.items()
        ]
        area.set_input_files(payload)


def titled(page: Page, text: str) -> None:
    """Wait until the title says something."""
    expect(heading(page).filter(has_text=text).first).to_be_visible()
    expect(heading(page)).to_have_count(1)
    settled(page)


def file_part(page: Page, name: str) -> Locator:
    """The part of the Data page that is about a file."""
    return page.locator('[data-testid="stExpander"]').filter(has=page.locator("summary").filter(has_text=name))


def grid(page: Page, names: str) -> list[dict[str, str]]:
    """The rows of a table as screen readers get them (full digits): those in view, and the columns in view."""
    found = page.locator('[data-testid="stDataFrame"]').filter(has=page.locator(f'[aria-label*="{names}"]')).first
    found.scroll_into_view_if_needed()
    expect(found.locator("tbody tr").first).to_be_attached()
    heads = found.locator("thead th").all_inner_texts()
    return [
        dict(zip(heads, row.locator("td").all_inner_texts(), strict=False)) for row in found.locator("tbody tr").all()
    ]


def metrics(page: Page) -> list[str]:
    """The numbers in tiles."""
    return page.locator('[data-testid="stMetricValue"]').all_inner_texts()
