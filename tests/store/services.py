"""Services: object stores on this machine: one that keeps what it promises, and a small one that does as it is told."""

import base64
import re
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from moto.server import ThreadedMotoServer

# How S3 and Azure, and how Google Cloud is asked to create and not to overwrite.
CREATE = {("*", None), (None, "0")}
KEY, SECRET = "AKIAOURTESTKEY", "our/secret+key"


@contextmanager
def s3() -> Iterator[str]:
    """A server of S3 at an address of this machine."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def make_bucket(endpoint: str, bucket: str) -> None:
    """Make a bucket at a server of S3."""
    signed = f"AWS4-HMAC-SHA256 Credential={KEY}/20260101/us-east-1/s3/aws4_request"
    asked = urllib.request.Request(f"{endpoint}/{bucket}", method="PUT", headers={"Authorization": signed})
    urllib.request.urlopen(asked).close()


def point_at(patch: pytest.MonkeyPatch, endpoint: str) -> None:
    """Set up a process as the operator of a host does: by the usual variables."""
    for variable in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT", "AWS_ALLOW_HTTP", "AWS_SESSION_TOKEN"):
        patch.delenv(variable, raising=False)
    patch.setenv("AWS_ENDPOINT_URL", endpoint)
    patch.setenv("AWS_ACCESS_KEY_ID", KEY)
    patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    patch.setenv("AWS_REGION", "us-east-1")
    for variable in ("GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_KEY", "GOOGLE_APPLICATION_CREDENTIALS"):
        patch.delenv(variable, raising=False)
    patch.setenv("GOOGLE_BASE_URL", endpoint)
    patch.setenv("GOOGLE_BEARER_TOKEN", SECRET)
    patch.setenv("AZURE_STORAGE_ENDPOINT", f"{endpoint}/{KEY}")
    patch.setenv("AZURE_STORAGE_ACCOUNT_NAME", KEY)
    patch.setenv("AZURE_STORAGE_ACCOUNT_KEY", base64.b64encode(SECRET.encode()).decode())


class Stub:
    """Speaks as much of S3, and of what the others share with it, as a store needs, and answers the next puts as it is told.

    conditional   whether it keeps If-None-Match
    puts          what the next puts are answered: a status, after storing where it is negative
    everything    what every put, get and list is answered, None to answer as it is
    word          the service's own word in the next refusals
    """

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.conditional = True
        self.puts: list[int] = []
        self.everything: int | None = None
        self.word = "SlowDown"
        self.held: dict[str, bytes] = {}
        self.lock = Lock()


@contextmanager
def stub() -> Iterator[Stub]:
    """A small server that speaks S3, at an address of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    server.daemon_threads = True
    made = _Answers.of[server.server_port] = Stub(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        del _Answers.of[server.server_port]


class _Answers(BaseHTTPRequestHandler):
    of: ClassVar[dict[int, Stub]] = {}
    protocol_version = "HTTP/1.1"

    @property
    def stub(self) -> Stub:
        return self.of[self.server.server_address[1]]  # type: ignore[index]

    def do_PUT(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        with self.stub.lock:
            told = self.stub.everything or (self.stub.puts.pop(0) if self.stub.puts else 0)
            asked = (self.headers["If-None-Match"], self.headers["x-goog-if-generation-match"])
            taken = self.stub.conditional and asked in CREATE and self.path in self.stub.held
            if told <= 0 and not taken:
                self.stub.held[self.path] = data
        self.answer(abs(told) or (412 if taken else 200))

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if self.stub.everything:
            self.answer(self.stub.everything)
        elif "list-type" in parts.query:
            self.answer(200, self.listing(parts.path, parse_qs(parts.query)["prefix"][0]))
        else:
            held = self.stub.held.get(self.path)
            self.answer(404 if held is None else 200, held or b"")

    do_HEAD = do_GET  # noqa: N815

    def do_DELETE(self) -> None:
        self.stub.held.pop(self.path, None)
        self.answer(204)

    def listing(self, bucket: str, prefix: str) -> bytes:
        keys = [key.removeprefix(f"{bucket}/") for key in sorted(self.stub.held)]
        found = "".join(
            f"<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>1</Size>"
            f"<ETag>x</ETag></Contents>"
            for key in keys
            if key.startswith(prefix)
        )
        return f"<ListBucketResult><KeyCount>1</KeyCount>{found}</ListBucketResult>".encode()

    def answer(self, status: int, body: bytes = b"") -> None:
        if status >= 400 and not body:
            # As services do, it repeats what it was asked with.
            key = re.sub("[<>&]", "", self.headers.get("Authorization", ""))
            body = f"<Error><Code>{self.stub.word}</Code><AWSAccessKeyId>{KEY}</AWSAccessKeyId><Key>{key}</Key></Error>".encode()
        with suppress(BrokenPipeError, ConnectionResetError):  # nobody waited for it
            self.send(status, body)

    def send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(0 if status == 204 else len(body)))
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        self.send_header("ETag", '"x"')
        self.end_headers()
        if self.command != "HEAD" and status != 204:
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing: tests read what is kept."""
