"""A small OpenID Connect provider on loopback: it signs what a test tells it to, with its own key or with another."""

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from joserfc import jwk, jwt


@dataclass
class Provider:
    """What the provider will say of whoever comes next, and what it was asked.

    challenges  by code, what the client promised to prove (PKCE)
    issued      every token that it gave out
    """

    port: int = 0
    claims: dict[str, Any] = field(default_factory=dict)
    key: jwk.RSAKey = field(default_factory=lambda: jwk.RSAKey.generate_key(2048, {"kid": "1"}, private=True))
    other: jwk.RSAKey = field(default_factory=lambda: jwk.RSAKey.generate_key(2048, {"kid": "1"}, private=True))
    forged: bool = False
    challenges: dict[str, str] = field(default_factory=dict)
    issued: list[str] = field(default_factory=list)

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def metadata(self) -> dict[str, Any]:
        """What it publishes about itself."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/end",
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def token(self, asked: dict[str, list[str]]) -> dict[str, Any] | None:
        """The answer to a code; None where the client does not prove that the code is its own."""
        proof = hashlib.sha256(asked.get("code_verifier", [""])[0].encode()).digest()
        if self.challenges.get(asked["code"][0]) != base64.urlsafe_b64encode(proof).rstrip(b"=").decode():
            return None
        now = int(time.time())
        told = {"iss": self.issuer, "aud": "ranklens", "iat": now, "exp": now + 300, **self.claims}
        signed = jwt.encode({"alg": "RS256", "kid": "1"}, told, self.other if self.forged else self.key)
        self.issued.append(signed)
        return {"access_token": "access", "token_type": "Bearer", "id_token": signed, "expires_in": 300}


@contextmanager
def providing() -> Iterator[Provider]:
    """A provider that runs until the block ends."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            published = {"keys": [provider.key.as_dict(private=False)]}
            self._answer(provider.metadata() if self.path.startswith("/.well-known") else published)

        def do_POST(self) -> None:
            asked = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            answer = provider.token(asked)
            self._answer(answer or {"error": "invalid_grant"}, 200 if answer else 400)

        def _answer(self, document: dict[str, Any], status: int = 200) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(document).encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider.port = server.server_port
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield provider
        server.shutdown()
