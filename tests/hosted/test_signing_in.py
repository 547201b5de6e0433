"""Signing in: settings that nobody could trust are refused, a sign-in is checked, ends where it began, and ends everywhere."""

import base64
import http.cookiejar
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import streamlit
from hypothesis import given
from hypothesis import strategies as st
from streamlit import config
from streamlit.proto.WidgetStates_pb2 import WidgetState

from core.errors import InputError
from pages.hosted import signing_in
from pages.hosted.returning import COOKIE, opened
from tests.browser.conftest import free_port
from tests.hosted.browsing import Person
from tests.hosted.serving import Served, serving
from tests.hosted.stub_provider import Provider, providing
from tests.hosted.visiting import texts

PROVIDER = {
    "RANKLENS_ACCESS": "sign-in",
    "RANKLENS_OIDC_ISSUER": "https://login.example",
    "RANKLENS_OIDC_CLIENT_ID": "ranklens",
    "RANKLENS_OIDC_CLIENT_SECRET": "a secret between the two of them only",
    "RANKLENS_COOKIE_SECRET": "0123456789abcdef0123456789abcdef",
    "RANKLENS_ADDRESS": "https://eval.example",
}
HEADER = {"RANKLENS_ACCESS": "sign-in", "RANKLENS_IDENTITY_HEADER": "X-Forwarded-Email"}
BASE = "/eval"
SIGN_IN = "What is here is for people who are signed in."


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """No settings but a test's own, and Streamlit's options as this test's settings change them."""
    changed: dict[str, Any] = {}
    for name in (*PROVIDER, *HEADER, "RANKLENS_PROXY_SECRET", "RANKLENS_OIDC_PROMPT", "RANKLENS_HOSTED"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(config, "set_option", lambda key, value, *_: changed.update({key: value}))
    monkeypatch.setattr(type(streamlit.secrets), "merge_programmatic_secrets", lambda _, told: changed.update(told))
    monkeypatch.setattr(config, "get_option", {"server.address": "localhost", "server.baseUrlPath": ""}.get)
    return changed


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"RANKLENS_ACCESS": "public"}, 'RANKLENS_ACCESS: "public" is not a kind of access'),
        ({"RANKLENS_ACCESS": "sign-in"}, "RANKLENS_ACCESS: is sign-in, but nothing says who people are"),
        (HEADER | {"RANKLENS_ACCESS": "open"}, "is set, but nobody signs in here: RANKLENS_ACCESS is open"),
        (HEADER | {"RANKLENS_ACCESS": ""}, "is set, but nobody signs in here: RANKLENS_ACCESS is own"),
        (PROVIDER | {"RANKLENS_ACCESS": "link"}, "RANKLENS_OIDC_ISSUER: is set, but nobody signs in here"),
        (PROVIDER | HEADER, "one of them says who people are, not both"),
        (PROVIDER | {"RANKLENS_OIDC_CLIENT_ID": " "}, "RANKLENS_OIDC_CLIENT_ID: is missing"),
        (PROVIDER | {"RANKLENS_ADDRESS": "", "RANKLENS_COOKIE_SECRET": ""}, "RANKLENS_COOKIE_SECRET, RANKLENS_ADDRESS: are missing"),
        (PROVIDER | {"RANKLENS_COOKIE_SECRET": "short"}, "RANKLENS_COOKIE_SECRET: is shorter than 32 characters"),
        (PROVIDER | {"RANKLENS_OIDC_ISSUER": "login.example"}, 'RANKLENS_OIDC_ISSUER: "login.example" is not an address'),
        (PROVIDER | {"RANKLENS_OIDC_ISSUER": "http://login.example"}, "RANKLENS_OIDC_ISSUER: is asked without encryption"),
        (PROVIDER | {"RANKLENS_OIDC_PROMPT": "maybe"}, 'RANKLENS_OIDC_PROMPT: "maybe" is not a prompt'),
        (HEADER | {"RANKLENS_IDENTITY_HEADER": "Cookie"}, '"Cookie" is not a header that only a proxy sets'),
        (HEADER | {"RANKLENS_IDENTITY_HEADER": "X Forwarded"}, '"X Forwarded" is not a header that only a proxy sets'),
        (HEADER | {"RANKLENS_PROXY_SECRET": "short"}, "RANKLENS_PROXY_SECRET: is shorter than 32 characters"),
    ],
)  # fmt: skip
def test_settings_that_nobody_could_trust_are_refused(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch, told: dict[str, str], said: str
) -> None:
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(InputError) as refused:
        signing_in.apply()
    assert said in str(refused.value)
    assert settings == {}


def test_one_variable_makes_a_proxys_header_the_identity(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in HEADER.items():
        monkeypatch.setenv(name, value)
    signing_in.apply()
    assert settings == {"server.trustedUserHeaders": {"X-Forwarded-Email": "ranklens_identity"}}


@pytest.mark.parametrize("address", ["192.0.2.7", "::", "", None])
def test_a_header_is_not_believed_from_everywhere_without_the_proxys_secret(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch, address: str | None
) -> None:
    for name, value in HEADER.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(config, "get_option", {"server.address": address}.get)
    with pytest.raises(InputError, match="is believed, and whoever reaches"):
        signing_in.apply()
    monkeypatch.setenv("RANKLENS_PROXY_SECRET", "0123456789abcdef0123456789abcdef")
    signing_in.apply()
    assert "server.trustedUserHeaders" in settings


def test_a_providers_settings_are_streamlits(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (PROVIDER | {"RANKLENS_ADDRESS": "https://eval.example/ranklens/"}).items():
        monkeypatch.setenv(name, value)
    signing_in.apply()
    assert settings["server.cookieSecret"] == PROVIDER["RANKLENS_COOKIE_SECRET"]
    assert settings["auth"] == {
        "redirect_uri": "https://eval.example/ranklens/oauth2callback",
        "cookie_secret": PROVIDER["RANKLENS_COOKIE_SECRET"],
        "client_id": "ranklens",
        "client_secret": PROVIDER["RANKLENS_OIDC_CLIENT_SECRET"],
        "server_metadata_url": "https://login.example/.well-known/openid-configuration",
        "client_kwargs": {"scope": "openid email profile", "prompt": "login"},
    }


@given(st.text())
def test_a_cookie_that_is_not_ours_leads_to_the_root(cookie: str) -> None:
    page, _ = opened(cookie)
    assert page == "" or (page.isascii() and page.isalpha())


@pytest.mark.parametrize(
    "page", ["/evil.example", "//evil.example", "\\evil.example", "https:", "a/b", "data\r\nx", ".."]
)
def test_no_cookie_leads_to_another_server(page: str) -> None:
    assert opened(base64.urlsafe_b64encode(f"{page}?d=1".encode()).decode()) == ("", [])


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nothing: a test looks at where it is led."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


class Browser:
    """Keeps cookies as a browser does, and says where an answer leads."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar), _Stay)

    def get(self, path: str) -> str:
        """Where an address leads, from the base path on; "" where it answers itself."""
        asked = urllib.request.Request(self.served.address + path, headers={"Accept": "text/html"})
        try:
            with self._opener.open(asked) as answer:
                answer.read()
                return ""
        except urllib.error.HTTPError as error:
            with error:
                return str(error.headers["location"] or error.code).removeprefix(self.served.base)

    @property
    def cookies(self) -> dict[str, str]:
        return {each.name: each.value or "" for each in self.jar}

    def person(self) -> Person:
        """The same browser on the page's WebSocket."""
        person = Person(self.served)
        person.cookies |= self.cookies
        return person

    def pressed(self, label: str) -> str:
        """Press a button of the page, and say where Streamlit's page is told to go."""
        with self.person().visiting() as visit:
            buttons = [
                message.delta.new_element.button for message in visit.run() if message.WhichOneof("type") == "delta"
            ]
            button = next(each for each in buttons if each.label == label)
            told = visit.run(WidgetState(id=button.id, trigger_value=True))
            url = next(message.auth_redirect.url for message in told if message.WhichOneof("type") == "auth_redirect")
            assert url.startswith(f"{self.served.base}/auth/")
            return url.removeprefix(self.served.base)

    def seen(self, query: str = "") -> str:
        """Every text on the page."""
        with self.person().visiting() as visit:
            return texts(visit.run(query=query))


@dataclass(frozen=True)
class World:
    """A provider and a server that believes it."""

    provider: Provider
    served: Served

    def sign_in(self, browser: Browser, wanted: str = "/", state: str = "", **claims: Any) -> str:
        """Ask for a page, press its button, sign in as the claims say, and come back: where that leads."""
        browser.get(wanted)
        asked = parse_qs(urlsplit(browser.get(browser.pressed("Sign in"))).query)
        assert asked["redirect_uri"] == [f"{self.served.address}/oauth2callback"]
        assert asked["prompt"] == ["login"]
        assert asked["code_challenge_method"] == ["S256"]
        self.provider.challenges["code"] = asked["code_challenge"][0]
        self.provider.claims = {"nonce": asked["nonce"][0], "sub": "1"} | claims
        return browser.get(f"/oauth2callback?code=code&state={state or asked['state'][0]}")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    port = free_port()
    with providing() as provider:
        told: dict[str, Any] = PROVIDER | {
            "RANKLENS_OIDC_ISSUER": provider.issuer,
            "RANKLENS_ADDRESS": f"http://127.0.0.1:{port}{BASE}",
            "RANKLENS_STORE": str(tmp_path_factory.mktemp("store")),
            "RANKLENS_ADMINS": "cay@example.test",
        }
        with serving(at=port, base=BASE, **told) as served:
            yield World(provider, served)


def test_a_sign_in_ends_on_the_page_where_it_began(world: World) -> None:
    browser = Browser(world.served)
    wanted = "/queries?d=sample&k=5&find=a+b%26c"
    assert world.sign_in(browser, wanted, email="Ann@Example.test", name="Ann", email_verified=True) == wanted
    assert "Signed in as Ann" in browser.seen()
    assert COOKIE in browser.cookies
    assert [each for each in browser.jar if each.name == COOKIE and each.has_nonstandard_attr("HttpOnly")]


def test_who_has_not_signed_in_sees_and_brings_nothing(world: World) -> None:
    stranger = Browser(world.served)
    stranger.get("/overview?d=sample")
    with stranger.person().visiting() as visit:
        seen = texts(visit.run(query="d=sample"))
        assert SIGN_IN in seen
        assert "bm25" not in seen
        assert stranger.person().upload(visit.session, b"q1 Q0 d1 1 1.0 a").status == 403


def test_a_cookie_that_was_made_up_is_nobodys(world: World) -> None:
    ann = Browser(world.served)
    world.sign_in(ann, email="ann@example.test")
    for change in (lambda value: value[:-4] + "AAAA", lambda _: "eyJlbWFpbCI6ImNheUBleGFtcGxlLnRlc3QifQ", lambda _: ""):
        forger = ann.person()
        forger.cookies["_streamlit_user"] = change(forger.cookies["_streamlit_user"])
        with forger.visiting() as visit:
            assert SIGN_IN in texts(visit.run())


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "ann@example.test", "nonce": "another"},
        {"email": "ann@example.test", "aud": "somebody else"},
        {"email": "ann@example.test", "iss": "https://evil.example"},
        {"email": "ann@example.test", "exp": 1},
    ],
    ids=["nonce", "audience", "issuer", "expired"],
)
def test_a_token_that_is_not_for_this_sign_in_is_refused(world: World, claims: dict[str, Any]) -> None:
    browser = Browser(world.served)
    assert world.sign_in(browser, "/compare?d=sample", **claims) == "/compare?d=sample&signing_in=failed"
    assert "Signing in did not work." in browser.seen("signing_in=failed")


def test_a_token_signed_by_another_key_and_an_answer_to_nobodys_question_are_refused(world: World) -> None:
    browser = Browser(world.served)
    world.provider.forged = True
    try:
        assert world.sign_in(browser, email="ann@example.test") == "/?signing_in=failed"
    finally:
        world.provider.forged = False
    assert world.sign_in(browser, state="made-up", email="ann@example.test") == "/?signing_in=failed"
    assert browser.get("/oauth2callback?error=access_denied&state=x") == "/?signing_in=failed"
    assert SIGN_IN in browser.seen()
    assert world.served.events("sign in")[-1]["outcome"] == "failed"


def test_an_address_that_the_provider_has_not_verified_is_nobodys(world: World) -> None:
    browser = Browser(world.served)
    world.sign_in(browser, email="cay@example.test", email_verified=False)
    assert SIGN_IN in browser.seen()


def test_after_the_sign_out_nothing_is_left_for_other_tabs_or_copies_of_the_cookie(world: World) -> None:
    browser = Browser(world.served)
    world.sign_in(browser, email="cay@example.test", name="Cay")
    copy = browser.person()
    assert "Signed in as Cay · admin" in browser.seen()
    with copy.visiting() as tab:
        tab.run()
        assert browser.get(browser.pressed("Sign out")).startswith(f"{world.provider.issuer}/end?")
        assert "_streamlit_user" not in browser.cookies
        assert SIGN_IN in browser.seen()
        assert SIGN_IN in texts(tab.run())
    with copy.visiting() as later:
        assert SIGN_IN in texts(later.run())
    assert browser.get("/oauth2callback?state=done") == "/"
    assert [line["event"] for line in world.served.events("sign out")] == ["sign out"]
    log = world.served.log()
    secrets = [*copy.cookies.values(), tab.session, *world.provider.issued, PROVIDER["RANKLENS_OIDC_CLIENT_SECRET"]]
    assert not [secret for secret in secrets if len(secret) > 8 and secret in log]
