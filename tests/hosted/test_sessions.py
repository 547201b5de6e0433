"""Sessions: nobody writes into somebody else's or takes it over (R&S T23), and each browser is known again by a cookie of ours."""

import gc
import re
from http.cookies import SimpleCookie

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.hosted import sessions, settings
from pages.hosted.sessions import FOREIGN, NO_UPLOADS, Presence, Registry, binding
from tests.hosted.browsing import Person
from tests.hosted.serving import Served
from tests.hosted.small import told


def given(**variables: str) -> SimpleCookie:
    """The cookie that a browser gets from a host with these variables."""
    return SimpleCookie(sessions.cookie(settings.read(variables), https=False))


def test_an_upload_into_somebody_else_s_session_is_refused_in_a_sentence(small_server: Served) -> None:
    owner, other = Person(small_server), Person(small_server)
    with owner.visiting() as visit:
        visit.run()
        assert owner.upload(visit.session, b"mine").status == 204
        for method in ("PUT", "DELETE"):
            refused = other.upload(visit.session, b"poison", method=method)
            assert (refused.status, refused.text) == (403, FOREIGN)
        assert Person(small_server, cookies=False).upload(visit.session, b"poison").status == 403
        assert told(small_server)["held"] >= len(b"mine")
        assert owner.upload(visit.session, b"", method="DELETE").status == 204


def test_a_session_that_has_run_no_page_takes_no_files(small_server: Served) -> None:
    person = Person(small_server)
    assert (person.upload("nonsense", b"x").status, person.upload("nonsense", b"x").text) == (403, FOREIGN)


def test_a_visitor_who_may_only_look_brings_no_files(small_server: Served) -> None:
    person = Person(small_server)
    with person.visiting() as visit:
        visit.run(query="looks=1")
        refused = person.upload(visit.session, b"x")
    assert (refused.status, refused.text) == (403, NO_UPLOADS)


def test_a_session_goes_on_for_its_own_browser_and_for_no_other(small_server: Served) -> None:
    owner, other = Person(small_server), Person(small_server)
    with owner.visiting() as visit:
        visit.run()
        with other.visiting(resume=visit.session) as thief:
            thief.run()
            assert thief.session != visit.session
        visit.run()
    with owner.visiting(resume=visit.session) as again:
        again.run()
        assert again.session == visit.session


def test_a_browser_that_keeps_no_cookies_goes_on_with_its_session_too(small_server: Served) -> None:
    person = Person(small_server, cookies=False)
    with person.visiting() as visit:
        visit.run()
    with person.visiting(resume=visit.session) as again:
        again.run()
    assert again.session == visit.session


def test_a_session_of_a_server_that_was_started_anew_is_begun_anew(small_server: Served) -> None:
    person = Person(small_server)
    with person.visiting(resume="0b2c7cf0-1111-4222-8333-444455556666") as visit:
        visit.run()
        assert visit.session != "0b2c7cf0-1111-4222-8333-444455556666"


def test_a_page_that_connects_again_and_has_not_run_yet_takes_its_own_browser_s_files(small_server: Served) -> None:
    person, other = Person(small_server), Person(small_server)
    with person.visiting() as visit:
        asked = BackMsg()
        asked.file_urls_request.request_id = "1"
        asked.file_urls_request.file_names.append("a.run")
        told_where = visit.send(asked, "file_urls_response")[-1].file_urls_response.file_urls[0].upload_url
        session = told_where.split("/")[3]
        assert other.upload(session, b"poison").status == 403
        assert person.upload(session, b"mine").status == 204
        assert told(small_server)["held"] >= len(b"mine")
        assert person.upload(session, b"", method="DELETE").status == 204


def test_a_browser_gets_a_cookie_with_its_first_page_and_keeps_it(small_server: Served) -> None:
    person = Person(small_server)
    first = person.cookies["ranklens_browser"]
    assert re.fullmatch(r"[\w-]{32}", first)
    assert "ranklens_browser" not in person.get("/").headers.get("set-cookie", "")
    assert Person(small_server).cookies["ranklens_browser"] != first
    assert "ranklens_browser" not in Person(small_server, cookies=False).get("/told").headers.get("set-cookie", "")


def test_the_cookie_is_for_our_path_only_and_no_script_reads_it() -> None:
    plain = given()["ranklens_browser"]
    assert (plain["path"], plain["httponly"], plain["samesite"], plain["secure"]) == ("/", True, "Lax", "")
    below = given(RANKLENS_ADDRESS="https://eval.example/ranklens")["ranklens_browser"]
    assert (below["path"], below["samesite"], below["secure"]) == ("/ranklens", "Lax", True)
    framed = given(RANKLENS_ADDRESS="https://eval.example", RANKLENS_FRAMES="https://portal.example")[
        "ranklens_browser"
    ]
    assert (framed["samesite"], framed["secure"]) == ("None", True)
    assert given(RANKLENS_FRAMES="https://portal.example")["ranklens_browser"]["samesite"] == "Lax"


@pytest.mark.parametrize(
    ("cookies", "headers"),
    [
        ({"ranklens_browser": "b"}, {"x-user": "ann"}),
        ({"ranklens_browser": "a"}, {"x-user": "bob"}),
        ({"ranklens_browser": "a"}, {}),
        ({}, {"x-user": "ann"}),
        ({"ranklens_browser": "a", "_streamlit_user": "signed"}, {"x-user": "ann"}),
        ({"ranklens_browser": "a", "_streamlit_user__1": "more"}, {"x-user": "ann"}),
    ],
)
def test_another_cookie_another_name_or_another_sign_in_is_another_visitor(
    monkeypatch: pytest.MonkeyPatch, cookies: dict[str, str], headers: dict[str, str]
) -> None:
    monkeypatch.setenv("RANKLENS_IDENTITY_HEADER", "x-user")
    ann = binding({"ranklens_browser": "a", "other": "1"}, {"x-user": "ann"})
    assert ann == binding({"ranklens_browser": "a", "other": "2"}, {"x-user": "ann"})
    assert ann != binding(cookies, headers)


def test_a_session_is_known_until_its_state_is_gone_and_says_a_thing_once() -> None:
    known, presence = Registry(), Presence()
    known.meet("one", "binding", may_upload=True, presence=presence)
    known.tell("one", "Too large.")
    known.tell("one", "Too large.")
    known.meet("one", "binding", may_upload=True, presence=presence)
    assert (known.told("one"), known.told("one"), known.told("other")) == (["Too large."], [], [])
    assert (known.knows("one"), known.forget_ended()) == (True, [])
    del presence
    gc.collect()
    assert (known.knows("one"), known.forget_ended(), known.every()) == (False, ["one"], [])
