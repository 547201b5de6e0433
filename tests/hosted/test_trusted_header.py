"""A trusted proxy's header: nobody who reaches the server by another way is who they say."""

import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pages.hosted.signing_in import on_this_machine
from pages.hosted.vouching import Vouching
from tests.browser.conftest import free_port
from tests.hosted.browsing import Person
from tests.hosted.ending import ended
from tests.hosted.proxy import NGINX
from tests.hosted.serving import SECONDS, Served, serving
from tests.hosted.visiting import texts

SECRET = "0123456789abcdef" * 2
HEADER, PROXY = "X-Forwarded-Email", "X-Ranklens-Proxy"
NOBODY = "nobody was named for you"
HERE, ELSEWHERE = ("127.0.0.1", 8501), ("192.0.2.7", 8501)
ANN, FROM_PROXY = (b"x-forwarded-email", b"ann@example.test"), (b"x-ranklens-proxy", SECRET.encode())
CONFIGURATION = """
daemon off; pid {folder}/pid; worker_processes 1; error_log {folder}/error.log crit; events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://127.0.0.1:{behind};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
      proxy_set_header X-Forwarded-Email "ann@example.test";
      proxy_set_header X-Ranklens-Proxy "{secret}";
    }}
  }}
}}
"""


def passed_on(
    monkeypatch: pytest.MonkeyPatch,
    secret: str,
    server: object,
    headers: list[tuple[bytes, bytes]],
    kind: str = "websocket",
) -> list[tuple[bytes, bytes]]:
    """The headers that reach the pages."""
    monkeypatch.setenv("RANKLENS_ACCESS", "sign-in")
    monkeypatch.setenv("RANKLENS_IDENTITY_HEADER", HEADER)
    monkeypatch.setenv("RANKLENS_PROXY_SECRET", secret)
    reached: list[dict[str, Any]] = []

    async def pages(scope: Any, *_: object) -> None:
        reached.append(scope)

    async def nothing(*_: object) -> Any:
        return {}

    ended(Vouching(pages)({"type": kind, "server": server, "headers": headers}, nothing, nothing))
    found: list[tuple[bytes, bytes]] = reached[0]["headers"]
    return found


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("secret", "server", "headers", "believed"),
    [
        ("", HERE, [ANN], True),
        ("", ("::1", 8501), [ANN], True),
        ("", ("/run/ranklens.sock", None), [ANN], True),
        ("", ELSEWHERE, [ANN], False),
        ("", ("10.0.0.7", 8501), [ANN], False),
        ("", None, [ANN], False),
        ("", HERE, [ANN, (b"X-FORWARDED-EMAIL".lower(), b"ben@example.test")], False),
        (SECRET, ELSEWHERE, [ANN, FROM_PROXY], True),
        (SECRET, HERE, [ANN], False),
        (SECRET, HERE, [ANN, (FROM_PROXY[0], b"")], False),
        (SECRET, HERE, [ANN, (FROM_PROXY[0], SECRET[:-1].encode())], False),
        (SECRET, HERE, [ANN, (FROM_PROXY[0], b"\xff" * 32)], False),
        (SECRET, HERE, [ANN, FROM_PROXY, FROM_PROXY], False),
        (SECRET, HERE, [ANN, ANN, FROM_PROXY], False),
    ],
)
def test_the_header_reaches_the_pages_only_where_the_proxy_can_have_sent_it(
    monkeypatch: pytest.MonkeyPatch,
    secret: str,
    server: object,
    headers: list[tuple[bytes, bytes]],
    believed: bool,
    kind: str,
) -> None:
    other = (b"host", b"eval.example")
    found = passed_on(monkeypatch, secret, server, [other, *headers], kind)
    assert found == [other, ANN] if believed else found == [other]


@pytest.mark.parametrize(
    ("address", "own"),
    [
        ("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("::ffff:127.0.0.1", True), ("localhost", True), ("::1%lo", True),
        ("::", False), ("192.0.2.7", False), ("::ffff:192.0.2.7", False), ("eval.example", False), ("", False),
    ],
)  # fmt: skip
def test_only_this_machines_own_addresses_are_reached_by_nobody_else(address: str, own: bool) -> None:
    assert on_this_machine(address) is own


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that believes the proxy with the secret."""
    with serving(
        RANKLENS_ACCESS="sign-in",
        RANKLENS_IDENTITY_HEADER=HEADER,
        RANKLENS_PROXY_SECRET=SECRET,
        RANKLENS_STORE=str(tmp_path_factory.mktemp("store")),
    ) as served:
        yield served


def seen(served: Served, headers: Mapping[str, str]) -> str:
    """What a visitor with these headers sees."""
    with Person(served, headers).visiting() as visit:
        return texts(visit.run())


def test_who_reaches_the_server_directly_is_nobody_whatever_they_say(served: Served) -> None:
    assert "Signed in as Ann" in seen(served, {HEADER: "Ann@Example.test", PROXY: SECRET})
    for told in ({HEADER: "ann@example.test"}, {HEADER: "ann@example.test", PROXY: "x" * 32}, {PROXY: SECRET}, {}):
        page = seen(served, told)
        assert NOBODY in page
        assert "Signed in" not in page
    assert served.events("identity refused")
    assert SECRET not in served.log()


def test_another_person_neither_writes_into_a_session_nor_takes_it_over(served: Served) -> None:
    ann = Person(served, {HEADER: "ann@example.test", PROXY: SECRET})
    ben = Person(served, {HEADER: "ben@example.test", PROXY: SECRET})
    with ann.visiting() as visit:
        visit.run()
        assert ann.upload(visit.session, b"q1 Q0 d1 1 1.0 a").status == 204
        # The same browser's cookies, and somebody else at the proxy.
        ben.cookies = dict(ann.cookies)
        assert ben.upload(visit.session, b"q1 Q0 d1 1 1.0 a").status == 403
        assert ann.upload(visit.session, b"", method="DELETE").status == 204
    with ben.visiting(resume=visit.session) as other:
        assert "Signed in as ben" in texts(other.run())
        assert other.session != visit.session


@contextmanager
def nginx(folder: Path, behind: int) -> Iterator[int]:
    """nginx that names everybody ann, in front of a server; its port."""
    port = free_port()
    written = folder / "nginx.conf"
    written.write_text(CONFIGURATION.format(folder=folder, port=port, behind=behind, secret=SECRET))
    process = subprocess.Popen([str(NGINX), "-e", str(folder / "error.log"), "-c", str(written)])
    try:
        for _ in range(100):
            if (folder / "pid").exists() and (folder / "pid").read_text().strip():
                break
            time.sleep(0.05)
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=SECONDS)


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed here")
def test_nginx_overwrites_what_a_client_says_of_itself(served: Served, tmp_path: Path) -> None:
    with nginx(tmp_path, served.port) as port:
        through = Served(port, "", served.written)
        forged = {HEADER: "evil@example.test", PROXY: "mine"}
        assert "Signed in as ann" in seen(through, forged)
        assert NOBODY in seen(served, forged)
