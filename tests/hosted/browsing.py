"""Somebody with a browser, without one: keeps cookies, opens pages and their WebSocket, uploads and takes files as Streamlit's page does."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.cookies import SimpleCookie

from websockets.sync.client import connect

from tests.hosted.asking import Answer, ask
from tests.hosted.serving import Served
from tests.hosted.visiting import Visit

BOUND = "ranklens-form"


class Person:
    """A browser at a server: everything that it is given to keep, it sends along."""

    def __init__(self, served: Served, headers: Mapping[str, str] | None = None, *, cookies: bool = True) -> None:
        self.served = served
        self.cookies: dict[str, str] = {}
        self.keeps = cookies
        self._headers = dict(headers or {})
        self.get("/")
        # Streamlit gives its own cookie, which uploads must repeat in a header, with this answer.
        self.get("/_stcore/host-config")
        self.get("/_stcore/health")

    @property
    def headers(self) -> dict[str, str]:
        """What goes along with every request."""
        kept = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        return self._headers | kept

    def get(self, path: str) -> Answer:
        """Ask for a path below the server's base, and keep its cookies."""
        answer = ask(self.served, self.served.base + path, self.headers)
        if self.keeps and "set-cookie" in answer.headers:
            found = SimpleCookie(answer.headers["set-cookie"])
            self.cookies |= {name: morsel.value for name, morsel in found.items()}
        return answer

    @contextmanager
    def visiting(self, resume: str | None = None) -> Iterator[Visit]:
        """Connect to the page; resume: the id of a session to go on with."""
        address = f"ws://127.0.0.1:{self.served.port}{self.served.base}/_stcore/stream"
        entries = ["streamlit", self.cookies.get("_streamlit_xsrf", "none"), *([resume] if resume else [])]
        origin = f"http://127.0.0.1:{self.served.port}"
        with connect(
            address,
            subprotocols=entries,  # type: ignore[arg-type]  # a type of text
            additional_headers=self.headers | {"Origin": origin},
            max_size=None,
            proxy=None,
        ) as socket:
            yield Visit(socket)

    def upload(self, session: str, data: bytes, file: str = "one", name: str = "a.run", method: str = "PUT") -> Answer:
        """Put a file into a session, or delete it there."""
        form = (
            f'--{BOUND}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        body = form.encode() + data + f"\r\n--{BOUND}--\r\n".encode()
        told = self.headers | {
            "Content-Type": f"multipart/form-data; boundary={BOUND}",
            "X-Xsrftoken": self.cookies.get("_streamlit_xsrf", ""),
        }
        path = f"{self.served.base}/_stcore/upload_file/{session}/{file}"
        return ask(self.served, path, told, method, body if method == "PUT" else None)
