"""Janitor: what a session leaves behind goes although nobody comes after it (R&S T14, T15)."""

import asyncio
import socket
from pathlib import Path

import pytest

from core.errors import InputError, Problem
from core.store import Folder
from pages.hosted import errors, janitor
from pages.hosted.sessions import Registry
from tests.hosted.browsing import BOUND, Person
from tests.hosted.ending import ended
from tests.hosted.serving import Served
from tests.hosted.small import soon, told


def test_the_files_and_offers_of_sessions_that_have_left_go_and_nobody_has_to_come(small_server: Served) -> None:
    for at in range(2):
        person = Person(small_server, {"X-Forwarded-For": f"10.4.4.{at}"})
        with person.visiting() as visit:
            visit.run()
            assert told(small_server)["offers"] > 0
            assert {person.upload(visit.session, bytes(40_000), f"f{each}").status for each in range(40)} == {204}
    assert told(small_server)["held"] >= 40 * 40_000
    assert soon(lambda: told(small_server) == {"held": 0, "media": 0, "sessions": 0, "offers": 0})
    assert person.upload(visit.session, b"more").status == 403


def test_a_file_that_comes_in_after_its_session_has_ended_is_not_kept(small_server: Served) -> None:
    person = Person(small_server, {"X-Forwarded-For": "10.4.5.1"})
    form = f'--{BOUND}\r\nContent-Disposition: form-data; name="file"; filename="late.run"\r\n\r\n'.encode()
    body = form + bytes(300_000) + f"\r\n--{BOUND}--\r\n".encode()
    with socket.create_connection(("127.0.0.1", small_server.port)) as connection:
        with person.visiting() as visit:
            visit.run()
            head = (
                f"PUT /_stcore/upload_file/{visit.session}/late HTTP/1.1\r\nHost: localhost:{small_server.port}\r\n"
                f"Cookie: {person.headers['Cookie']}\r\nX-Xsrftoken: {person.cookies['_streamlit_xsrf']}\r\n"
                f"Content-Type: multipart/form-data; boundary={BOUND}\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            connection.sendall(head.encode() + body[:100_000])
        assert soon(lambda: told(small_server)["sessions"] == 0)
        connection.sendall(body[100_000:])
        assert connection.recv(100).startswith(b"HTTP/1.1 ")
    assert told(small_server)["held"] == 0


def worked(monkeypatch: pytest.MonkeyPatch, rounds: int) -> list[str]:
    """Let the janitor work some rounds, with a tidying that fails each time; the errors that it logged."""
    logged: list[str] = []
    monkeypatch.setattr(errors, "logged", lambda event, error: logged.append(f"{event}: {error}"))

    async def failing(_: Registry) -> int:
        raise RuntimeError("a round that failed")

    async def nothing() -> None:
        """The store is not what is looked at."""

    monkeypatch.setattr(janitor, "tidy", failing)
    monkeypatch.setattr(janitor, "tidy_store", nothing)

    async def work(known: Registry) -> None:
        async with janitor.at_work(known, every=0.001):
            assert known.served
            while len(logged) < rounds:
                await asyncio.sleep(0.001)

    known = Registry()
    ended(work(known))
    assert not known.served
    return logged


def test_a_round_that_fails_is_in_the_log_and_the_next_one_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(worked(monkeypatch, 3)) == {"janitor failed: a round that failed"}


@pytest.mark.parametrize("reached", [True, False])
def test_the_store_is_tidied_and_one_that_cannot_be_reached_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reached: bool
) -> None:
    said: list[str] = []

    def opened() -> Folder:
        if reached:
            return Folder(tmp_path)
        raise InputError(Problem("s3://bucket", None, "cannot be reached"))

    monkeypatch.setattr(janitor, "open_store", opened)
    monkeypatch.setattr(janitor, "event", lambda name, *_, **fields: said.append(f"{name} {fields.get('said', '')}"))
    ended(janitor.tidy_store())
    assert said == ["store tidied " if reached else "store not tidied s3://bucket: cannot be reached"]
