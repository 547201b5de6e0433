"""Logs: one line an event, whatever a text holds; nothing that opens anything; the server's own libraries in the same form."""

import json
import logging

import pytest

from pages.hosted import logs, started
from pages.hosted.settings import read


@pytest.fixture(autouse=True)
def as_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLENS_LOG", "info")


@pytest.mark.parametrize("text", ["a\nb\r\n{}", "\x1b[2J", "\u2028\u202e", '"}\n{"event": "forged"}', "\udc80", "漢字"])
def test_a_line_stays_one_line_of_ascii_whatever_a_text_holds(capsys: pytest.CaptureFixture[str], text: str) -> None:
    logs.event("saved", title=text)
    written = capsys.readouterr().err
    assert written.isascii()
    assert written.count("\n") == 1
    assert json.loads(written)["title"] == text
    assert json.loads(written)["event"] == "saved"


def test_texts_are_cut_and_numbers_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    logs.event("saved", title="x" * 100_000, bytes=12, names=["y" * 1000, 3], nobody=None, fine=True)
    line = json.loads(capsys.readouterr().err)
    assert (len(line["title"]), len(line["names"][0])) == (200, 200)
    assert (line["bytes"], line["names"][1], line["nobody"], line["fine"]) == (12, 3, None, True)


@pytest.mark.parametrize(("least", "seen"), [("info", 3), ("warning", 2), ("error", 1), ("nonsense", 2), ("", 2)])
def test_a_host_says_from_which_level_on_and_a_page_run_by_itself_is_quiet(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, least: str, seen: int
) -> None:
    monkeypatch.setenv("RANKLENS_LOG", least)
    for level in ("info", "warning", "error"):
        logs.event("x", level)
    assert len(capsys.readouterr().err.splitlines()) == seen


def test_what_libraries_log_becomes_a_line_of_ours_with_its_trace() -> None:
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "x.py", 1, "%s failed\n", ("it",), None)
    line = json.loads(logs.Line().format(record))
    assert (line["event"], line["level"], line["from"], line["said"]) == (
        "log",
        "error",
        "uvicorn.error",
        "it failed\n",
    )


def test_a_host_is_warned_of_what_does_not_go_together(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RANKLENS_HOSTED", "RANKLENS_IDENTITY_HEADER"):
        monkeypatch.delenv(name, raising=False)
    assert started.warnings(read({}), "own") == []
    public = read({"RANKLENS_ADDRESS": "http://eval.example", "RANKLENS_HOSTS": "*", "RANKLENS_FRAMES": "*"})
    said = "\n".join(started.warnings(public, "own"))
    for word in ("RANKLENS_ACCESS=own", "RANKLENS_HOSTED", "https", "RANKLENS_HOSTS=*", "RANKLENS_FRAMES=*"):
        assert word in said
    monkeypatch.setenv("RANKLENS_HOSTED", "1")
    assert started.warnings(read({"RANKLENS_ADDRESS": "https://eval.example"}), "sign-in") == []
