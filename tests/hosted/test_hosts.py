"""Hosts: a foreign name and a foreign page are refused, over HTTP and as WebSocket (R&S T22)."""

import pytest

from pages.hosted import hosts, settings
from tests.hosted.asking import ask, handshake
from tests.hosted.serving import Served

OURS = ["eval.example", "eval.example:443", "EVAL.example", "second.example", "localhost:1234", "[::1]:80", "127.0.0.1"]
FOREIGN = [
    "foreign.example", "eval.example.foreign.example", "foreign-eval.example", "10.1.2.3", "", "eval.example:x", "eval.example:99999",
    "user@eval.example", "eval.example/foreign", "eval.example#x", "127.0.0.1.foreign.example", "eval.example, foreign.example",
]  # fmt: skip
FOREIGN_ORIGINS = [
    "null", "https://foreign.example", "http://localhost:9", "http://eval.example", "https://eval.example:8443", "file://", "",
    "https://eval.example.foreign.example", "chrome-extension://x",
]  # fmt: skip


@pytest.mark.parametrize("host", OURS)
def test_our_own_names_are_answered(below: Served, host: str) -> None:
    assert ask(below, "/ranklens/", {"Host": host}).status == 200
    assert handshake(below, {"Host": host}).status == 101


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_name_is_refused(below: Served, host: str) -> None:
    for path in ("/ranklens/", "/ranklens/media/x", "/ranklens/_stcore/host-config"):
        answer = ask(below, path, {"Host": host})
        assert answer.status == 403, path
        assert "RANKLENS_HOSTS" in answer.text
        assert "foreign" not in answer.text
    assert handshake(below, {"Host": host}).status == 403


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_page_of_another_server_may_not_connect_or_change_anything(below: Served, origin: str) -> None:
    assert handshake(below, {"Host": "eval.example", "Origin": origin}).status == 403
    for method in ("PUT", "DELETE", "POST"):
        told = {"Host": "eval.example", "Origin": origin}
        answer = ask(below, "/ranklens/_stcore/upload_file/nobody/nothing", told, method, b"")
        assert (answer.status, answer.text) == (403, hosts.ORIGIN)


def test_our_own_pages_connect_through_a_proxy_whatever_it_made_of_the_name(below: Served) -> None:
    for host in ("eval.example", f"127.0.0.1:{below.port}"):
        assert handshake(below, {"Host": host, "Origin": "https://eval.example"}).status == 101
    assert handshake(below, {"Host": "second.example", "Origin": "https://second.example"}).status == 101
    assert handshake(below).status == 101


def test_no_refusal_looks_anything_up_elsewhere(below: Served) -> None:
    handshake(below, {"Origin": "https://foreign.example"})
    assert "external IP" not in below.log()


def test_nothing_is_uploaded_without_the_token_of_the_page(below: Served) -> None:
    cookie = ask(below, "/ranklens/_stcore/health").headers["set-cookie"].partition(";")[0]
    for told in ({}, {"Cookie": cookie}, {"X-Xsrftoken": "made-up"}, {"Cookie": cookie, "X-Xsrftoken": "made-up"}):
        for method in ("PUT", "DELETE"):
            assert ask(below, "/ranklens/_stcore/upload_file/nobody/nothing", told, method, b"").status == 403


def test_whoever_watches_the_server_may_call_it_by_any_name_and_learns_nothing(below: Served) -> None:
    for path in ("/health", "/ready", "/ranklens/health", "/ranklens/_stcore/health"):
        assert ask(below, path, {"Host": "10.1.2.3:8501"}).status == 200


def test_every_name_is_allowed_only_where_that_is_said() -> None:
    assert not hosts.named("any.example", settings.read({}))
    assert hosts.named("any.example", settings.read({"RANKLENS_HOSTS": "*"}))
    assert hosts.named("name.hf.example", settings.read({"SPACE_HOST": "name.hf.example"}))
