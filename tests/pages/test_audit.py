"""Audit: who may open, list and delete what by its address, one line in the log for each deed, and no secret in any."""

import json
import os
from typing import Any, get_args

import pytest
import streamlit as st

from core import saved
from core.saved import Access, Link
from core.saved.access import browser
from core.store import open_store, where
from pages.shared.identity import COOKIE
from tests.pages.dashboard import button, opened, said, whole
from tests.saved.made import kept

LONG = os.environ.get("RANKLENS_LONG") == "1"
NOTHING = "This link opens nothing here"
# For each access and visitor: whether it opens with the link, and with the id alone.
OPENS = {
    ("private", "ann"): (True, True), ("private", "ben"): (False, False), ("private", "cay"): (False, False),
    ("link", "ann"): (True, True), ("link", "ben"): (True, False), ("link", "cay"): (True, False),
    ("everyone", "ann"): (True, True), ("everyone", "ben"): (True, True), ("everyone", "cay"): (True, True),
}  # fmt: skip
IN_SHORT = [("private", "ann"), ("private", "ben"), ("private", "cay"), ("link", "ben"), ("everyone", "ben")]
LISTED = {"ann": {"private", "link", "everyone"}, "ben": {"everyone"}, "cay": {"private", "link", "everyone"}}


@pytest.fixture(autouse=True)
def _signing_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server where a proxy says who people are, and which cay runs."""
    monkeypatch.setenv("RANKLENS_ACCESS", "sign-in")
    monkeypatch.setenv("RANKLENS_IDENTITY_HEADER", "X-Forwarded-Email")
    monkeypatch.setenv("RANKLENS_ADMINS", "cay@example.test")
    monkeypatch.setenv("RANKLENS_LOG", "info")


@pytest.fixture
def links() -> dict[Access, Link]:
    """What ann saved, one for each access."""
    store = open_store(where())
    return {
        access: kept(store, owner="person:ann@example.test", access=access, title=f"For {access}", page="data")
        for access in get_args(Access)
    }


def user(name: str) -> dict[str, str]:
    return {"ranklens_identity": f"{name}@example.test"}


def logged(capsys: pytest.CaptureFixture[str], links: dict[Access, Link]) -> list[tuple[str, str, str, str | None]]:
    """Every deed in the log as (deed, who, outcome, id), once no secret was found in it."""
    text = capsys.readouterr().err
    secrets = [secret for link in links.values() for secret in (link.token, link.delete_token)]
    assert not [secret for secret in [*secrets, "test session id"] if secret in text]
    lines: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [(line["event"], line["who"], line["outcome"], line.get("saved")) for line in lines if "who" in line]


def test_an_address_opens_what_the_rules_say_and_each_try_is_one_line(
    capsys: pytest.CaptureFixture[str], links: dict[Access, Link]
) -> None:
    expected: list[tuple[str, str, str, str | None]] = []
    for access, name in OPENS if LONG else IN_SHORT:
        link = links[access]  # type: ignore[index]  # one of the three
        for address, opens in zip((link.token, link.saved.id), OPENS[access, name], strict=True):
            seen = said(opened("data", user=user(name), d=address))
            assert (NOTHING not in seen) is opens, (access, name, address == link.token)
            assert (f"For {access}" in seen) is opens
            expected += [("sign in", f"person:{name}@example.test", "done", None)]
            expected += [("open", f"person:{name}@example.test", "done" if opens else "refused", link.saved.id)]
    assert NOTHING in said(opened("data", user=user("ben"), d="x" * 32))
    assert "For everyone" not in said(opened("data", user={}, d=links["everyone"].token))
    ben = "person:ben@example.test"
    assert logged(capsys, links) == [*expected, ("sign in", ben, "done", None), ("open", ben, "not there", None)]


@pytest.mark.parametrize("name", LISTED)
def test_a_list_holds_ones_own_what_is_for_everyone_and_for_admins_all(links: dict[Access, Link], name: str) -> None:
    seen = opened("share", user=user(name))
    text = said(seen)
    assert {access for access in links if f"For {access}" in text} == LISTED[name]
    may_delete = [each for each in seen.button if each.label == "Delete"]
    may_open = [each for each in seen.button if each.label == "Open"]
    new_links = [each for each in seen.button if each.label == "New link"]
    counts = {"ann": (3, 3, 3), "ben": (0, 1, 0), "cay": (3, 1, 0)}
    assert (len(may_delete), len(may_open), len(new_links)) == counts[name]


def test_a_new_link_and_a_deletion_are_one_line_each(
    capsys: pytest.CaptureFixture[str], links: dict[Access, Link]
) -> None:
    ann, one, other = "person:ann@example.test", links["private"], links["link"]
    at = opened("share", user=user("ann"))
    at.button(key=f"link_{one.saved.id}").click().run()
    whole(at)
    by_link = opened("data", user=user("ben"), delete=other.delete_token)
    button(by_link, "Delete it for good").click().run()
    whole(by_link)
    assert saved.find(open_store(where()), other.token) is None
    assert NOTHING in said(opened("data", user=user("ann"), d=other.token))
    found = [line for line in logged(capsys, links) if line[0] != "sign in"]
    assert found == [
        ("new link", ann, "done", one.saved.id),
        ("delete", "person:ben@example.test", "done", other.saved.id),
        ("open", ann, "not there", None),
    ]


def test_where_nobody_signs_in_what_is_private_opens_in_the_browser_that_saved_it_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RANKLENS_ACCESS", "open")
    monkeypatch.delenv("RANKLENS_IDENTITY_HEADER")
    link = kept(open_store(where()), owner=browser("one"), access="private", page="data")
    for cookies, opens in (({COOKIE: "one"}, True), ({COOKIE: "two"}, False), ({}, False)):
        monkeypatch.setattr(type(st.context), "cookies", cookies)
        for address in (link.token, link.saved.id):
            assert (NOTHING not in said(opened("data", d=address))) is opens
