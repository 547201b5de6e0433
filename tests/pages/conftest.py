"""What all tests of pages share: a server that has been visited stays visited, and a store of their own."""

from pathlib import Path

import pytest
from streamlit.runtime.pages_manager import PagesManager


@pytest.fixture(autouse=True)
def _visited_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a visitor's second run on, let the server know our navigation, as a real one does.

    AppTest forgets before every run that st.navigation was called, and would run the page without app.py; only the first run of a
    fresh server does that.
    """
    remember = PagesManager.set_current_page_script_hash

    def remembered(self: PagesManager, page_script_hash: str) -> None:
        remember(self, page_script_hash)
        if page_script_hash:
            PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "set_current_page_script_hash", remembered)


@pytest.fixture(autouse=True)
def _own_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the tests out of the store of whoever runs them."""
    monkeypatch.setenv("RANKLENS_STORE", str(tmp_path / "store"))
