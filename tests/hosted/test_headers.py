"""Headers: every answer carries them, whoever makes it (R&S T21); the policy names the one inline script, or nothing starts."""

import re
from pathlib import Path

import pytest
from streamlit import file_util

from pages.hosted import headers, settings
from tests.hosted.asking import UPGRADE, Answer, ask
from tests.hosted.serving import Served

HTML = {"Accept": "text/html"}
REQUIRED = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "strict-transport-security": "max-age=31536000",
}
# (method, path below the base, headers, status): every kind of route there is, and every kind of refusal.
ROUTES = [
    ("GET", "/", HTML, 200), ("HEAD", "/", HTML, 200), ("GET", "/overview?d=sample", HTML, 200), ("GET", "", HTML, 307),
    ("GET", "/overview/", HTML, 301), ("GET", "/overview?present=1", HTML, 307), ("GET", "/no/such/page", HTML, 200),
    ("GET", "/static/nothing.js", {}, 200), ("GET", "/favicon.png", {}, 200), ("GET", "/manifest.json", {}, 200),
    ("GET", "/media/nothing.png", {}, 404), ("GET", "/component/nothing/x.js", {}, 404),
    ("GET", "/_stcore/bidi-components/ranklens.copy_picture/nothing.js", {}, 404),
    ("GET", "/_stcore/health", {}, 200), ("OPTIONS", "/_stcore/health", {}, 204), ("GET", "/_stcore/host-config", {}, 200),
    ("GET", "/overview/_stcore/health", {}, 404), ("GET", "/_stcore/metrics", {}, 404), ("GET", "/_stcore/agent/openapi.json", {}, 404),
    ("GET", "/_stcore/nothing", {}, 200), ("GET", "/health", {}, 200), ("GET", "/ready", {}, 200), ("POST", "/ready", {}, 405),
    ("PUT", "/_stcore/upload_file/nobody/nothing", {}, 403), ("DELETE", "/_stcore/upload_file/nobody/nothing", {}, 403),
    ("OPTIONS", "/_stcore/upload_file/nobody/nothing", {}, 204), ("POST", "/overview", {}, 405), ("GET", "/%2e%2e/%2e%2e/x", {}, 400),
    ("GET", "/", {"Host": "foreign.example"}, 403), ("POST", "/", {"Origin": "https://foreign.example"}, 403),
    ("GET", "/_stcore/stream", UPGRADE | {"Origin": "null"}, 403), ("GET", "/_stcore/stream", UPGRADE | {"Host": "foreign.example"}, 403),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path", "told", "status"), ROUTES)
def test_every_answer_carries_the_headers(
    below: Served, method: str, path: str, told: dict[str, str], status: int
) -> None:
    answer = ask(below, f"/ranklens{path}", told, method)
    assert answer.status == status
    carries_them(answer)


def test_answers_from_outside_the_base_path_carry_them_too(below: Served) -> None:
    for path, status in (("/", 404), ("/health", 200), ("//foreign.example/x", 400), ("/media/x", 404)):
        answer = ask(below, path)
        assert answer.status == status, path
        carries_them(answer)


def carries_them(answer: Answer) -> None:
    assert {name: answer.headers.get(name) for name in REQUIRED} == REQUIRED
    policy = answer.headers["content-security-policy"]
    assert re.search(r"(?:^|; )script-src 'self' 'wasm-unsafe-eval' 'sha256-[\w+/]{43}='(?:;|$)", policy)
    for part in (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "form-action 'self'",
    ):
        assert part in policy.split("; ")
    assert "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")
    assert "foreign.example" not in policy
    assert "camera=()" in answer.headers["permissions-policy"]


def test_pages_are_kept_nowhere_and_the_parts_of_the_interface_are(below: Served) -> None:
    page = ask(below, "/ranklens/", HTML)
    assert page.headers["cache-control"] == "no-store"
    script = re.search(r'src="\./(static/[^"]+\.js)"', page.text)
    assert script is not None
    answer = ask(below, f"/ranklens/{script[1]}")
    carries_them(answer)
    assert "immutable" in answer.headers["cache-control"]


def test_the_policy_names_the_web_socket_of_the_host_that_was_asked_for(below: Served) -> None:
    for host in ("eval.example", "second.example:8443", f"127.0.0.1:{below.port}"):
        policy = ask(below, "/ranklens/", {"Host": host}).headers["content-security-policy"]
        assert f"connect-src 'self' wss://{host}" in policy.split("; ")


def test_only_who_is_named_may_show_the_pages_inside_others() -> None:
    now = settings.read({"RANKLENS_FRAMES": "https://Portal.example, https://wiki.example:8443/"})
    policy = headers.content_policy(now, "sha256-x", None)
    assert "frame-ancestors https://portal.example https://wiki.example:8443" in policy.split("; ")
    assert "x-frame-options" not in headers.fixed(now)
    assert headers.fixed(settings.read({}))["x-frame-options"] == "DENY"


def test_without_https_nobody_is_told_to_insist_on_it() -> None:
    assert "strict-transport-security" not in headers.fixed(settings.read({}))
    assert "connect-src 'self' ws://localhost:8501" in headers.content_policy(settings.read({}), "x", "localhost:8501")


@pytest.mark.parametrize(
    "page",
    ["<html></html>", "<script>a</script><script>b</script>", '<script>a</script><script type="module">b</script>'],
)
def test_a_page_of_streamlit_with_other_inline_scripts_stops_the_start(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_text(page)
    monkeypatch.setattr(file_util, "get_static_dir", lambda: str(tmp_path))
    with pytest.raises(RuntimeError, match="inline scripts"):
        headers.inline_script()


@pytest.mark.parametrize("path", ["/", "/_stcore/health"])
def test_every_cookie_is_for_https_only_where_people_come_by_it(below: Served, path: str) -> None:
    cookie = ask(below, below.base + path, HTML).headers["set-cookie"]
    assert cookie.lower().count("; secure") == 1
