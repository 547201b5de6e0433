"""Asking a server byte by byte: what other clients would tidy up first, and a WebSocket as Streamlit's page opens it."""

import http.client
from collections.abc import Mapping
from dataclasses import dataclass

from tests.hosted.serving import Served

UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """An answer as it came: its headers by their names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


def ask(
    served: Served, path: str, headers: Mapping[str, str] | None = None, method: str = "GET", body: bytes | None = None
) -> Answer:
    """Ask for a path exactly as it is written, from the root of the server; a Host among the headers replaces the usual one."""
    told = headers or {}
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    try:
        connection.putrequest(method, path, skip_host="Host" in told, skip_accept_encoding=True)
        for name, value in told.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    finally:
        connection.close()


def handshake(served: Served, headers: Mapping[str, str] | None = None) -> Answer:
    """Ask for the WebSocket of the pages; 101 where it is opened."""
    return ask(served, f"{served.base}/_stcore/stream", UPGRADE | dict(headers or {}))
