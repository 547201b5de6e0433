"""Proxy: nginx with the very configuration that HOSTING.md gives, on loopback, as a process of its own in a folder of its own."""

import re
import shutil
import signal
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.conftest import REPOSITORY
from tests.hosted.serving import SECONDS

NAME = "eval.example"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
OPENSSL = shutil.which("openssl")
needs_nginx = pytest.mark.skipif(not (NGINX and OPENSSL), reason="nginx and openssl are not installed here")
CERTIFICATE = ssl.create_default_context()
CERTIFICATE.check_hostname = False
CERTIFICATE.verify_mode = ssl.CERT_NONE


def configuration(*, signs_in: bool = False) -> str:
    """The configuration that HOSTING.md gives for nginx; signs_in: with the two blocks for a proxy that signs people in."""
    text = (REPOSITORY / "HOSTING.md").read_text(encoding="utf-8")
    beside, inside, main = (str(block) for block in re.findall(r"```nginx\n(.*?)```", text, re.DOTALL))
    if signs_in:
        line, place = '        proxy_set_header X-Forwarded-Email "";\n', "    location ~ ^/ranklens"
        assert line in main
        assert place in main
        main = main.replace(line, inside).replace(place, beside + place)
    return main


def placed(text: str, folder: Path, port: int, replicas: Sequence[int]) -> str:
    """The configuration with this place's ports and files in it; everything else stands as it is."""
    told = {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "/etc/ssl/eval.example.pem": str(folder / "certificate.pem"),
        "/etc/ssl/eval.example.key": str(folder / "key.pem"),
        "/var/log/nginx/": f"{folder}/",
    }
    for old, new in told.items():
        assert old in text
        text = text.replace(old, new)
    servers = re.findall(r"127\.0\.0\.1:850\d", text)
    assert len(servers) == len(set(servers)) == 2
    for server, replica in zip(servers, [*replicas, *replicas], strict=False):
        text = text.replace(server, f"127.0.0.1:{replica}")
    if len(replicas) == 1:
        text = re.sub(
            rf"(server 127\.0\.0\.1:{replicas[0]}[^\n]*\n)\s*server 127\.0\.0\.1:{replicas[0]}[^\n]*\n", r"\1", text
        )
    temporary = "".join(
        f"  {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    around = f"daemon off;\npid {folder}/pid;\nworker_processes 1;\nerror_log {folder}/start.log crit;\nevents {{}}\n"
    return f"{around}http {{\n  access_log off;\n{temporary}{text}}}\n"


@contextmanager
def nginx(folder: Path, port: int, text: str) -> Iterator[None]:
    """nginx with a configuration; ends with the block."""
    assert NGINX
    assert OPENSSL
    folder.mkdir(exist_ok=True)
    certificate = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run([OPENSSL, *certificate, *files], check=True, capture_output=True)
    written = folder / "nginx.conf"
    written.write_text(text, encoding="utf-8")
    process = subprocess.Popen([NGINX, "-e", str(folder / "start.log"), "-c", str(written)])
    try:
        answering(f"https://127.0.0.1:{port}/ranklens/health", process)
        yield
    finally:
        process.send_signal(signal.SIGQUIT)
        process.wait(timeout=SECONDS)


def answering(address: str, process: "subprocess.Popen[bytes]") -> None:
    """Wait until it takes people."""
    for _ in range(SECONDS * 10):
        if process.poll() is not None:
            raise RuntimeError(f"it ended before it answered at {address}")
        try:
            with urllib.request.urlopen(
                address, timeout=5, context=CERTIFICATE if address.startswith("https") else None
            ):
                return
        except HTTPError:
            return  # an answer, too: nobody was named
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"nothing answered at {address}")
