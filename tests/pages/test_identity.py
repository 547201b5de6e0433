"""Identity: who a visitor is, and that nobody sees anything before they are let in."""

from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.errors import InputError
from core.saved.access import browser
from pages.shared import identity
from tests.pages.dashboard import PAGES, button, opened, said, sent, whole

ANN = {
    "is_logged_in": True,
    "iss": "https://login.example",
    "sub": "1",
    "iat": 1,
    "email": "Ann@Example.test",
    "name": "Ann",
}
SIGN_IN = "What is here is for people who are signed in."


@pytest.fixture
def signing_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server where people sign in at a provider."""
    monkeypatch.setenv("RANKLENS_ACCESS", "sign-in")
    monkeypatch.setattr(identity, "_ended", identity._SignIns())


@pytest.fixture
def by_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server where a proxy says who people are."""
    monkeypatch.setenv("RANKLENS_ACCESS", "sign-in")
    monkeypatch.setenv("RANKLENS_IDENTITY_HEADER", "X-Forwarded-Email")


def test_a_word_that_is_no_kind_of_access_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLENS_ACCESS", "public")
    with pytest.raises(InputError, match='"public" is not a kind of access'):
        identity.mode()
    at = opened("overview", d="sample")
    assert [each.value for each in at.title] == ["This dashboard is not set up"]
    assert "bm25" not in said(at)


def test_a_machine_is_its_owners_and_a_host_is_nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANKLENS_ACCESS", raising=False)
    assert identity.mode() == "own"
    assert identity.visitor().owner == "machine"
    monkeypatch.setenv("RANKLENS_HOSTED", "1")
    assert identity.mode() == "open"
    assert identity.visitor().owner is None


def test_where_nobody_signs_in_a_browser_is_known_by_its_cookie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLENS_ACCESS", "open")
    monkeypatch.setattr(type(st.context), "cookies", {"ranklens_browser": "abc"})
    assert identity.visitor().owner == browser("abc")
    assert not identity.visitor().signed_in
    monkeypatch.setattr(type(st.context), "cookies", {"ranklens_browser": ""})
    assert identity.visitor().owner is None


@pytest.mark.parametrize(
    ("changed", "owner"),
    [
        ({}, "person:ann@example.test"),
        ({"email_verified": True}, "person:ann@example.test"),
        ({"email_verified": "true"}, "person:ann@example.test"),
        ({"email_verified": False}, None),
        ({"email_verified": "false"}, None),
        ({"email_verified": None}, None),
        ({"email": ""}, "person:subject 1"),
        ({"email": "", "sub": ""}, None),
        ({"email": ["ann@example.test"]}, None),
        ({"is_logged_in": False}, None),
        ({"is_logged_in": "true"}, None),
        ({"email": "", "sub": "", "ranklens_identity": "ann@example.test"}, None),
    ],
)
def test_a_provider_says_who_somebody_is_only_where_it_is_sure(changed: dict[str, Any], owner: str | None) -> None:
    found = identity.signed_in(ANN | changed, by_header=False)
    assert found.owner == owner
    assert found.signed_in is (owner is not None)


@pytest.mark.parametrize("value", [None, "", "  ", "\t"])
def test_a_proxy_that_names_nobody_lets_nobody_in(value: str | None) -> None:
    assert not identity.signed_in({"ranklens_identity": value, "is_logged_in": True}, by_header=True).signed_in
    assert not identity.signed_in(ANN, by_header=True).signed_in


def test_a_proxys_word_counts_although_nobody_logged_in() -> None:
    found = identity.signed_in({"ranklens_identity": "Ann@Example.test", "is_logged_in": False}, by_header=True)
    assert (found.owner, found.signed_in, found.name) == ("person:ann@example.test", True, "Ann@Example.test")


def test_admins_are_those_that_the_operator_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLENS_ADMINS", " cay@example.test ,ANN@example.test,, ")
    assert identity.signed_in(ANN, by_header=False).admin
    assert not identity.signed_in(ANN | {"email": "ben@example.test"}, by_header=False).admin
    assert not identity.signed_in({}, by_header=False).admin
    monkeypatch.setenv("RANKLENS_ADMINS", "")
    assert not identity.signed_in(ANN, by_header=False).admin


@pytest.mark.usefixtures("signing_in")
@pytest.mark.parametrize("page", PAGES)
def test_before_the_sign_in_every_page_is_the_sign_in_page(monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    monkeypatch.setenv("RANKLENS_OPERATOR", "Search *team*")
    at = opened(page, user={}, d="sample", gain="Linear")
    assert [each.value for each in at.title] == ["Ranklens"]
    assert [each.label for each in at.button] == ["Sign in"]
    assert not at.file_uploader
    assert not at.sidebar.children
    assert said(at).splitlines() == [
        "Ranklens",
        ":gray[Search *team*]",
        f"{SIGN_IN} Once you are, the address that you came with opens.",
    ]
    assert not [text for _, _, text in sent(at) if "bm25" in text or "sample" in text.lower()]
    assert at.query_params["d"] == "sample"
    assert at.query_params["gain"] == "Linear"


@pytest.mark.usefixtures("signing_in")
def test_who_is_signed_in_is_said_on_every_page_until_they_sign_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLENS_ADMINS", "ann@example.test")
    at = opened(user=ANN)
    assert "Signed in as Ann · admin" in said(at)
    button(at, "Sign out").click().run()
    whole(at)
    assert SIGN_IN in said(at)
    assert not at.file_uploader
    # A copy of the same cookie, and another tab that still has it, have ended too.
    assert SIGN_IN in said(opened(user=ANN))
    assert "Signed in as Ann" in said(opened(user=ANN | {"iat": 2}))


@pytest.mark.usefixtures("signing_in")
def test_a_sign_in_that_failed_says_so() -> None:
    assert "Signing in did not work." in said(opened(signing_in="failed"))
    at = opened(user=ANN | {"email_verified": False}, signing_in="failed")
    assert "your provider does not say for sure who you are" in said(at)
    assert not at.file_uploader


@pytest.mark.usefixtures("by_proxy")
def test_where_a_proxy_signs_people_in_there_is_no_button() -> None:
    at = opened(user={"ranklens_identity": None})
    assert "nobody was named for you" in said(at)
    assert not at.button
    at = opened(user={"ranklens_identity": "ann@example.test"})
    assert "Signed in as ann@example.test" in said(at)
    assert not [each for each in at.button if each.label == "Sign out"]


def drop_area() -> None:
    from pages.shared import start

    start.uploader("Add files")


def test_a_server_that_only_shows_takes_no_files_and_lists_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLENS_ACCESS", "link")
    assert not identity.may_upload()
    assert not identity.may_save()
    assert identity.offered() == ()
    at = opened("data")
    assert [each.value for each in at.title] == ["A comparison opens here by its link"]
    assert not at.file_uploader
    assert not AppTest.from_function(drop_area).run().file_uploader
    assert not [text for _, place, text in sent(at) if "trends" in text.lower()]


@pytest.mark.usefixtures("signing_in")
def test_who_is_let_in_may_bring_files_and_save() -> None:
    assert not identity.may_upload()
    at = opened(user=ANN)
    assert len(at.file_uploader) == 1
