"""Health: alive and ready, at the root and below the base path, in words that say nothing else; and what is closed is closed."""

import asyncio
import json
from pathlib import Path
from unittest.mock import Mock

import pytest
from starlette.requests import Request
from streamlit.runtime import RuntimeState

from pages.hosted import health
from tests.hosted.asking import ask
from tests.hosted.ending import ended
from tests.hosted.serving import Served


def test_both_are_answered_at_the_root_and_below_the_base_path(below: Served) -> None:
    for base in ("", "/ranklens"):
        for path, status in (("/health", "alive"), ("/ready", "ready")):
            answer = ask(below, base + path)
            assert (answer.status, json.loads(answer.body)) == (200, {"status": status})
            assert answer.headers["cache-control"] == "no-store"


def readiness(monkeypatch: pytest.MonkeyPatch, store: Path, state: RuntimeState) -> tuple[int, bytes]:
    """What /ready says with a store and a state of the server."""
    health._last.clear()
    monkeypatch.setenv("RANKLENS_STORE", str(store))
    monkeypatch.setattr(health, "Runtime", Mock(**{"exists.return_value": True, "instance.return_value.state": state}))
    answer = ended(health.ready(Request({"type": "http"})))
    health._last.clear()
    return answer.status_code, bytes(answer.body)


def test_a_server_is_ready_while_its_store_answers_and_it_is_not_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    running, ending = health.RUNNING[0], RuntimeState.STOPPING
    assert readiness(monkeypatch, tmp_path, running) == (200, b'{"status":"ready"}')
    assert readiness(monkeypatch, tmp_path / "not yet there", running)[0] == 200
    assert readiness(monkeypatch, tmp_path, ending) == (503, b'{"status":"not ready"}')
    (tmp_path / "file").write_text("a file, no folder")
    assert readiness(monkeypatch, tmp_path / "file", running) == (503, b'{"status":"not ready"}')
    assert "store does not answer" in capsys.readouterr().err


def test_however_many_ask_the_store_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Mock()
    monkeypatch.setattr(health, "open_store", opened)
    monkeypatch.setattr(health, "Runtime", Mock(**{"instance.return_value.state": health.RUNNING[0]}))

    async def many() -> list[int]:
        return [
            each.status_code
            for each in await asyncio.gather(*(health.ready(Request({"type": "http"})) for _ in range(50)))
        ]

    health._last.clear()
    assert ended(many()) == [200] * 50
    health._last.clear()
    assert opened.call_count == 1


@pytest.mark.parametrize("base", ["", "/ranklens", "/ranklens/overview"])
@pytest.mark.parametrize(
    "path",
    ["metrics", "metrics/", "metrics?families=x", "agent", "agent/mcp", "agent/openapi.json", "script-health-check"],
)
def test_what_streamlit_tells_everybody_is_closed(below: Served, base: str, path: str) -> None:
    for method in ("GET", "POST", "OPTIONS"):
        answer = ask(below, f"{base}/_stcore/{path}", method=method)
        assert (answer.status, answer.text) == (404, "Not found.")
