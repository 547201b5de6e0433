"""Saving: a link brings back data, page, view and notes; lists show what is whose; what opens nothing has one page."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core import saved
from core.comparison import Comparison
from core.comparison.inputs import Inputs, Piece, open_comparison
from core.readers.files import Given
from core.saved import Link, records
from core.store import open_store, seal
from pages.shared import deleting, queries_notes, saved_links, saved_opening, saved_words, saving
from pages.shared.kept import kept
from pages.shared.queries_notes import Note
from tests.pages.dashboard import FILES, opened, said, sent, title, token_of, unescaped, whole
from tests.pages.test_frame import MARKS, obeyed

GONE = "This link opens nothing here"
# What the Overview of FILES says with the usual view, with k = 3, and with k = 5, exponential gain and dense as the baseline.
USUAL: dict[str, Any] = {}
AT_3: dict[str, Any] = {"k": "3"}
AS_SAVED: dict[str, Any] = {"k": "5", "gain": "Exponential", "base": "dense"}
ANN, BOB, EVE = (
    {"is_logged_in": True, "iss": "https://login.example", "sub": name, "iat": 1, "email": f"{name}@example.test", "name": name}
    for name in ("ann", "bob", "eve")
)  # fmt: skip


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """The comparison in FILES."""
    piece = {name: Piece(Given(name, data=text.encode())) for name, text in FILES.items()}
    return open_comparison(
        Inputs((piece["qrels.txt"],), (piece["bm25.run"], piece["dense.run"]), (piece["queries.csv"],))
    )


@pytest.fixture
def keep(comparison: Comparison) -> Any:
    """Save the comparison in the store of the test, without a page."""

    def kept_now(**more: Any) -> Link:
        return saved.save(open_store(), comparison, **{"title": "A title", "owner": "machine"} | more)

    return kept_now


@pytest.fixture(scope="module")
def titles() -> Iterator[dict[str, str]]:
    """The titles of the Overview by its address."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RANKLENS_STORE", "/nonexistent")
        yield {repr(address): title(opened("overview", FILES, **address)) for address in (USUAL, AT_3, AS_SAVED)}


def links(at: AppTest) -> tuple[str, str]:
    """The token of the link and of the delete link that a page shows."""
    shown = [str(each.value) for each in at.code]
    link = next(text for text in shown if "?d=" in text and "&" not in text)
    return link.partition("?d=")[2], next(text for text in shown if "?delete=" in text).partition("?delete=")[2]


def pressed(at: AppTest, label: str) -> AppTest:
    """Press the first button of a name."""
    next(each for each in at.button if each.label == label).click().run()
    whole(at)
    return at


def labels(at: AppTest) -> list[str]:
    """What can be done with what is listed."""
    return [each.label for each in at.button if each.label in ("Open", "New link", "Delete")]


def as_browser(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Everything from here on comes to an open server from the browser with this cookie."""
    monkeypatch.setenv("RANKLENS_ACCESS", "open")
    monkeypatch.setattr(type(st.context), "cookies", {"ranklens_browser": name} if name else {})


def test_saving_shows_a_link_a_delete_link_and_what_was_kept() -> None:
    at = opened("share", FILES)
    assert "What a link holds" in said(at)
    assert at.text_input[0].value == title(at).removeprefix("Take it with you: ")
    at.text_input[0].set_value("Before the release")
    pressed(at, "Save")
    token, delete_token = links(at)
    text = said(at)
    assert "Saved: Before the release" in text
    assert "shown in this visit and kept nowhere" in text
    assert f"expires on {saved_words.day(datetime.now(UTC) + timedelta(days=90))}" in text
    assert "qrels.txt" in text
    assert "SHA-256" in text
    found = saved.find(open_store(), token)
    assert found is not None
    assert saved.find_delete(open_store(), delete_token) == found
    assert (found.owner, found.access) == ("machine", "link")
    assert saved.read(open_store(), found).title == "Before the release"
    assert "1 saved comparison " in text


def test_a_link_brings_back_page_view_and_numbers_and_the_files_may_be_gone(titles: dict[str, str]) -> None:
    before = opened("overview", FILES, by="intent", **AS_SAVED)
    numbers = [(each.label, each.value) for each in before.metric]
    before.switch_page("pages/share.py").run()
    token, _ = links(pressed(before, "Save"))
    at = opened("data", d=token)
    assert title(at) == titles[repr(AS_SAVED)]
    assert [(each.label, each.value) for each in at.metric] == numbers
    assert (at.session_state["k"], at.session_state["gain"], at.session_state["base"]) == (5, "exponential", "dense")
    assert at.query_params["v"] in ("1", ["1"])


def test_an_address_that_says_more_wins_and_one_that_is_marked_is_as_it_says(keep: Any, titles: dict[str, str]) -> None:
    token = keep(view={"k": 5, "gain": "exponential", "base": "dense"}).token
    assert title(opened("overview", d=token, k="3")) == titles[repr(AT_3)]
    assert title(opened("overview", d=token, v="1")) == titles[repr(USUAL)]
    assert title(opened("overview", d=token)) == titles[repr(AS_SAVED)]


def test_a_wall_shows_the_view_that_was_saved(keep: Any) -> None:
    at = opened("overview", d=keep(view={"k": 3}).token, present="1")
    assert "nDCG@3" in _drawn(at)


def test_a_bare_link_shows_a_wall_the_page_that_was_saved(keep: Any) -> None:
    token = keep(page="compare").token
    assert _drawn(opened(d=token, present="1")) == _drawn(opened("compare", d=token, present="1"))
    assert _drawn(opened(d=token, present="1")) != _drawn(opened("overview", d=token, present="1"))


def _drawn(at: AppTest) -> str:
    return " ".join(text for kind, _, text in sent(at) if kind == "VegaLiteChart")


def test_notes_are_saved_and_everyone_who_opens_them_goes_on_with_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    as_browser(monkeypatch, "ann")
    files = token_of(FILES)
    queries_notes.notebook().write(files, "q1", Note("ask the team", ("synonyms",)))
    token, _ = links(pressed(opened("share", d=files), "Save"))
    at = opened("queries", d=token, q="q1")
    assert at.text_area[0].value == "ask the team"
    assert "Kept on this server, for you alone." in said(at)
    at.text_area[0].set_value("done")
    assert pressed(at, "Keep").text_area[0].value == "done"
    as_browser(monkeypatch, "bob")
    assert opened("queries", d=token, q="q1").text_area[0].value == "ask the team"


def test_notes_of_a_stranger_are_cut_to_what_notes_are() -> None:
    told = {
        "q1": {"text": 3, "tags": ["a", 1]},
        "q2": "x",
        "q3": {"text": "x" * 9000},
        "q4": {"text": " ", "tags": "x"},
    }
    found = queries_notes._taken(type("Told", (), {"notes": told})())
    assert found == {"q1": Note("", ("a",)), "q3": Note("x" * queries_notes.LONGEST_NOTE)}


def test_the_sample_can_be_saved_and_what_was_saved_can_be_saved_again() -> None:
    at = pressed(opened("share", d="seed"), "Save")
    token, _ = links(at)
    again, _ = links(pressed(opened("share", d=token), "Save"))
    found = [saved.find(open_store(), each) for each in (token, again)]
    first, second = (saved.read(open_store(), each) for each in found if each)
    assert first.id != second.id
    assert first.parts == second.parts


def test_the_data_page_says_what_a_saved_comparison_is_and_files_brought_there_begin_anew(keep: Any) -> None:
    token = keep().token
    at = opened("data", d=token, v="1")
    text = said(at)
    assert title(at) == "2 runs and 4 judged queries, ready to compare"
    assert "Saved comparison · saved on" in text
    assert all(name in text for name in ("A title", "qrels.txt", "bm25", "dense", "queries.csv"))
    assert "Bundle" in {each.proto.label for each in at.get("download_button")}
    at.file_uploader[0].set_value([("qrels.txt", FILES["qrels.txt"].encode(), "text/plain")]).run()
    whole(at)
    assert title(at) == "Runs are still missing"


def test_whatever_the_reason_is_a_link_that_opens_nothing_has_one_page(
    keep: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_browser(monkeypatch, "bob")
    alive, deleted, expired = keep(days=7), keep(), keep(days=1)
    saved.delete_by_id(open_store(), deleted.saved.id)
    later = datetime.now(UTC) + timedelta(days=2)
    monkeypatch.setattr(records, "now", lambda: later)
    assert title(opened("overview", d=alive.token)) != GONE
    dead = {
        "expired": expired.token, "deleted": deleted.token, "somebody else's": keep(access="private").token, "an id": alive.saved.id,
        "other case": alive.token.swapcase(), "short": alive.token[:-1], "long": alive.token * 300, "empty": "", "dots": "..",
        "a path": "../../links/x", "a zero": "\0", "another's delete link": alive.delete_token,
    }  # fmt: skip
    unknown = said(opened("overview", d="unknown"))
    assert unknown.startswith(GONE)
    assert [reason for reason, token in dead.items() if said(opened("overview", d=token)) != unknown] == []


@pytest.mark.parametrize("page", ["data", "queries", "share", "trends"])
def test_a_dead_link_is_dead_on_every_page_and_on_a_wall(page: str) -> None:
    at = opened(page, d="unknown", k="5")
    assert title(at) == title(opened(page, d="unknown", present="1")) == GONE
    assert {each.label for each in at.button} == {"Go to the start page", "Open the sample comparison"}
    assert title(pressed(at, "Go to the start page")) == "Decide which ranking ships"
    assert "d" not in at.query_params


@pytest.mark.parametrize("what", ["a changed manifest", "a later version", "a part cut short"])
def test_a_damaged_and_a_newer_comparison_say_so_and_show_no_number(keep: Any, tmp_path: Path, what: str) -> None:
    link = keep()
    manifest = tmp_path / "store" / "saved" / f"{link.saved.id}.json"
    part = max((tmp_path / "store" / "blobs").rglob("*/*"), key=lambda path: path.stat().st_size)
    written = {path: path.read_bytes() for path in (manifest, part)}
    if what == "a changed manifest":
        manifest.write_bytes(manifest.read_bytes().replace(b"dense", b"dxnse"))
    elif what == "a later version":
        manifest.write_bytes(seal({"schema": records.SCHEMA + 1, "kind": "saved"}))
    else:
        part.write_bytes(part.read_bytes()[:-1])
    for page in ("overview", "data"):
        at = opened(page, d=link.token)
        assert title(at) == "This saved comparison cannot be opened"
        assert ("It was written by a later version" if "later" in what else "It is damaged") in said(at)
        assert at.metric == []
    # The store may answer better the next time: what it said before is not kept.
    for path, data in written.items():
        path.write_bytes(data)
    assert opened("overview", d=link.token).metric != []


def test_what_is_deleted_is_dead_at_once_where_it_is_open_too_and_nothing_of_it_is_kept(keep: Any) -> None:
    link = keep()
    reading = opened("overview", d=link.token)
    made = next(result.value for key, result in kept().results.items() if key.startswith(f"comparison {link.saved.id}"))
    assert any(made.key in key for key in kept().results)
    at = opened("data", delete=link.delete_token)
    assert title(at) == "Delete this saved comparison?"
    assert "A title" not in said(at)
    assert title(pressed(at, "Delete it for good")) == "The saved comparison is deleted"
    assert title(reading.run()) == GONE
    assert title(opened("overview", d=link.token)) == GONE
    assert not any(link.saved.id in key or made.key in key for key in kept().results)
    assert title(opened("share", delete=link.delete_token)) == "This link deletes nothing here"


def test_a_delete_link_may_be_left_and_a_link_that_opens_does_not_delete(keep: Any) -> None:
    link = keep()
    assert title(pressed(opened("data", delete=link.delete_token), "Leave it")) == "Decide which ranking ships"
    for nothing in (link.token, link.saved.id, "", "..", "\0", "x" * 10_000):
        assert title(opened("overview", delete=nothing)) == "This link deletes nothing here"
    assert saved.find(open_store(), link.token) is not None


def test_on_ones_own_machine_the_list_has_everything_in_the_store(keep: Any, titles: dict[str, str]) -> None:
    keep(title="By a job", owner="person:ann")
    keep()
    at = opened("share", d="seed", k="5", base="system")
    assert "By a job" in said(at)
    assert "2 saved comparisons" in said(at)
    assert labels(at) == ["Open", "New link", "Delete"] * 2
    token, _ = links(pressed(at, "New link"))
    assert saved.find(open_store(), token) is not None
    assert title(pressed(at, "Open")) == titles[repr(USUAL)]


def test_a_list_asks_before_it_deletes(keep: Any) -> None:
    link = keep()
    at = pressed(opened("share"), "Delete")
    assert "There is no way back." in said(at)
    assert saved.find(open_store(), link.token) is not None
    (line,) = saved_links.listed("all")
    assert deleting._taken(line, own=False)
    assert saved.find(open_store(), link.token) is None
    assert "Nothing is saved in the store of this machine yet." in said(opened("share"))


def test_where_anybody_may_save_a_browser_lists_its_own(
    monkeypatch: pytest.MonkeyPatch, titles: dict[str, str]
) -> None:
    as_browser(monkeypatch, "ann")
    at = opened("share", FILES)
    at.radio[0].set_value("private")
    token, _ = links(pressed(at, "Save"))
    found = saved.find(open_store(), token)
    assert found is not None
    assert "1 saved comparison " in said(opened("share"))
    assert title(opened("overview", d=found.id)) == titles[repr(USUAL)]
    as_browser(monkeypatch, "bob")
    assert "Nothing is saved here yet." in said(opened("share"))
    assert title(opened("overview", d=token)) == title(opened("overview", d=found.id)) == GONE


def test_a_browser_without_a_cookie_lists_what_this_visit_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    as_browser(monkeypatch, "")
    at = pressed(opened("share", FILES), "Save")
    assert len(at.radio) == 0
    assert "1 saved comparison " in said(at)
    assert labels(at) == ["Open", "Delete"]
    assert labels(opened("share")) == []


def test_a_server_that_only_shows_lists_and_saves_nothing(
    keep: Any, monkeypatch: pytest.MonkeyPatch, titles: dict[str, str]
) -> None:
    link = keep()
    monkeypatch.setenv("RANKLENS_ACCESS", "link")
    text = said(opened("share", d=link.token))
    assert "To show" in text
    assert "Save it under a link" not in text
    assert "My saved comparisons" not in text
    assert title(opened("overview", d=link.token)) == titles[repr(USUAL)]
    assert title(opened("overview", d=link.saved.id)) == GONE


def test_who_signs_in_saves_for_themselves_and_shares_as_they_choose(
    keep: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKLENS_ACCESS", "sign-in")
    monkeypatch.setenv("RANKLENS_ADMINS", "eve@example.test")
    at = opened("share", FILES, ANN)
    assert (at.radio[0].value, at.radio[0].options) == (
        "private", ["Only me", "People with the link who sign in here", "Everyone who signs in here"],
    )  # fmt: skip
    private, _ = links(pressed(at, "Save"))
    shared = keep(owner="person:ann@example.test", access="everyone")
    saved_links.forget()  # as after ten seconds: it was not saved by a page of this server
    assert title(opened("overview", user=BOB, d=private)) == GONE
    assert title(opened("overview", user=BOB, d=shared.saved.id)) != GONE
    bobs = opened("share", user=BOB)
    assert "Shared with everyone" in said(bobs)
    assert "by ann@example.test" in said(bobs)
    assert labels(bobs) == ["Open"]
    eves = opened("share", user=EVE)
    assert "All others on this server" in said(eves)
    assert labels(eves) == ["Open", "Delete", "Delete"]


def test_a_title_full_of_marks_is_shown_and_never_obeyed(keep: Any) -> None:
    token = keep(title=MARKS).token
    at = opened("share", d=token)
    at.text_input[0].set_value(MARKS)
    for each in (pressed(at, "Save"), opened("data", d=token, v="1"), pressed(opened("share"), "Delete")):
        assert MARKS in said(each)
        assert obeyed(each) == []


def test_a_store_that_cannot_be_written_to_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at = opened("share", FILES)
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("RANKLENS_STORE", str(tmp_path / "file" / "store"))
    pressed(at, "Save")
    assert "not saved" in " ".join(unescaped(each.value) for each in at.error)
    assert "The link that deletes it:" not in said(at)


@pytest.mark.parametrize(
    ("told", "hosted", "usual", "never"),
    [("", "0", "In 90 days", True), ("14", "1", "In 14 days", False), ("", "1", "In 90 days", False), ("never", "1", "Never", True)],
)  # fmt: skip
def test_for_ever_is_for_ones_own_machine_or_where_the_host_says_so(
    monkeypatch: pytest.MonkeyPatch, told: str, hosted: str, usual: str, never: bool
) -> None:
    monkeypatch.setenv("RANKLENS_EXPIRES", told)
    monkeypatch.setenv("RANKLENS_HOSTED", hosted)
    periods, days = saving._periods()
    assert periods[days] == usual
    assert (None in periods) == never


def test_a_host_that_names_no_number_of_days_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLENS_EXPIRES", "soon")
    assert '"soon" in RANKLENS_EXPIRES is not a number of days' in said(opened("share", FILES))


def test_links_begin_with_the_address_that_the_host_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLENS_ADDRESS", "https://eval.example/ranklens/")
    assert saved_words.link("token") == "https://eval.example/ranklens/?d=token"
    monkeypatch.delenv("RANKLENS_ADDRESS")
    for told, base in (
        ("https://eval.example/ranklens/share", "https://eval.example/ranklens"), ("http://localhost:8501/share", "http://localhost:8501"),
        ("javascript:alert(1)", ""),
    ):  # fmt: skip
        monkeypatch.setattr(type(st.context), "url", told)
        assert saved_words.link("token") == f"{base}/?d=token"


def test_a_view_of_a_stranger_asks_a_page_only_for_what_it_has() -> None:
    told = {"place": {"q": ["q1", 3, "x" * 1000], "present": ["1"], "delete": ["x"], "sort": "x", "find": ["a"]}}
    assert saved_opening._asked(told, "queries") == {"q": ["q1"], "find": ["a"]}
    assert saved_opening._asked({"place": "x"}, "queries") == {}
    assert saved_opening._path("../../etc/passwd") == "pages/overview.py"
