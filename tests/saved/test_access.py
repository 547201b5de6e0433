"""Access: the whole matrix of who may do what with a saved comparison, written out as people would say it."""

from dataclasses import dataclass
from itertools import product

import pytest

from core.saved.access import MODES, NOBODY, Access, Action, By, Mode, Visitor, browser, may, offered, person

ACTIONS: dict[str, Action] = {"o": "open", "e": "export", "d": "delete", "n": "link", "l": "list"}
WAYS: tuple[By, ...] = ("id", "link", "delete link")
ALL = "oednl"

# For each visitor, what they may do when they come with the id, with the link, and with the delete link (a dash: nothing).
# o open · e export · d delete · n make a new link · l find it in a list
SIGN_IN = """
private   nobody   -      -      -
private   owner    oednl  oednl  oednl
private   other    -      -      d
private   admin    dl     dl     dl
link      nobody   -      -      -
link      owner    oednl  oednl  oednl
link      other    -      oe     d
link      admin    dl     oedl   dl
everyone  nobody   -      -      -
everyone  owner    oednl  oednl  oednl
everyone  other    oel    oel    oedl
everyone  admin    oedl   oedl   oedl
"""
OPEN = """
private   nobody   -      -      d
private   owner    oednl  oednl  oednl
private   other    -      -      d
private   admin    -      -      d
link      nobody   -      oe     d
link      owner    oednl  oednl  oednl
link      other    -      oe     d
link      admin    -      oe     d
everyone  nobody   -      -      d
everyone  owner    oednl  oednl  oednl
everyone  other    -      -      d
everyone  admin    -      -      d
"""
LINK = """
private   nobody   -      -      d
private   owner    -      -      d
private   other    -      -      d
private   admin    -      -      d
link      nobody   -      oe     d
link      owner    -      oe     d
link      other    -      oe     d
link      admin    -      oe     d
everyone  nobody   -      -      d
everyone  owner    -      -      d
everyone  other    -      -      d
everyone  admin    -      -      d
"""
OWN = "\n".join(
    f"{access} {who} {ALL} {ALL} {ALL}"
    for access, who in product(("private", "link", "everyone"), ("nobody", "owner", "other", "admin"))
)
TABLES: dict[Mode, str] = {"own": OWN, "open": OPEN, "link": LINK, "sign-in": SIGN_IN}


@dataclass(frozen=True)
class Thing:
    owner: str | None
    access: Access


def who(name: str, mode: Mode) -> Visitor:
    """A visitor of the tables: signed in where the mode knows that, else known by a browser's cookie or not at all."""
    known = mode == "sign-in"
    return {
        "nobody": NOBODY,
        "owner": Visitor("person:ann@example.test", signed_in=known),
        "other": Visitor("person:ben@example.test", signed_in=known),
        "admin": Visitor("person:cay@example.test", signed_in=known, admin=True),
    }[name]


@pytest.mark.parametrize("mode", MODES)
def test_everybody_may_do_what_the_table_says_and_nothing_else(mode: Mode) -> None:
    rows = [row.split() for row in TABLES[mode].strip().splitlines()]
    assert len(rows) == 12
    wrong = []
    for access, name, *cells in rows:
        thing = Thing("person:ann@example.test", access)  # type: ignore[arg-type]  # the tables hold the three words
        for by, cell in zip(WAYS, cells, strict=True):
            found = "".join(
                letter for letter, action in ACTIONS.items() if may(action, thing, who(name, mode), mode, by)
            )
            if sorted(found) != sorted(cell.strip("-")):
                wrong.append(f"{mode}, {access}, {name}, by {by}: may {found or '-'}, should {cell}")
    assert wrong == []


@pytest.mark.parametrize("mode", ["open", "link", "sign-in"])
def test_what_nobody_owns_belongs_to_nobody(mode: Mode) -> None:
    thing = Thing(None, "private")
    for visitor in (NOBODY, Visitor(None, signed_in=True)):
        allowed = [
            action for action, by in product(ACTIONS.values(), WAYS[:2]) if may(action, thing, visitor, mode, by)
        ]
        assert allowed == []


def test_an_admin_who_is_not_signed_in_is_nobody() -> None:
    forged = Visitor("person:cay@example.test", signed_in=False, admin=True)
    thing = Thing("person:cay@example.test", "everyone")
    assert not any(may(action, thing, forged, "sign-in", by) for action, by in product(ACTIONS.values(), WAYS))


def test_a_mode_an_action_or_an_access_that_is_unknown_is_refused() -> None:
    visitor = who("other", "sign-in")
    assert not may("open", Thing("x", "everyone"), visitor, "public")  # type: ignore[arg-type]  # on purpose
    assert not may("rename", Thing(visitor.owner, "everyone"), visitor, "sign-in")  # type: ignore[arg-type]  # on purpose
    assert not may("open", Thing("x", "public"), visitor, "sign-in", "link")  # type: ignore[arg-type]  # on purpose


def test_the_usual_choice_is_private_where_people_sign_in_and_the_link_elsewhere() -> None:
    assert offered("sign-in") == ("private", "link", "everyone")
    assert offered("open")[0] == offered("own")[0] == "link"
    assert "everyone" not in offered("open")
    assert offered("link") == ()


@pytest.mark.parametrize(
    ("one", "other"), [("Ann@Example.TEST", "ann@example.test"), ("  ann@example.test ", "ann@example.test")]
)
def test_an_address_is_the_same_person_however_it_is_written(one: str, other: str) -> None:
    assert person(one) == person(other) == "person:ann@example.test"


@pytest.mark.parametrize(("one", "other"), [("strasse@a.test", "straße@a.test"), ("kim@a.test", "\u212aim@a.test")])
def test_letters_that_only_look_or_fold_alike_are_different_people(one: str, other: str) -> None:
    assert person(one) != person(other)


@pytest.mark.parametrize("nothing", ["", "   ", "\t", "a\nb@example.test", "a\x00@example.test", "a" * 321])
def test_what_is_no_identity_is_nobody(nothing: str) -> None:
    assert person(nothing) is None


def test_a_browser_is_known_by_the_digest_of_its_cookie_only() -> None:
    # SHA-256 of "abc", from the standard that defines it (FIPS 180-2, appendix B.1).
    assert browser("abc") == "browser:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_person_cannot_take_the_name_of_a_machine_or_a_browser() -> None:
    assert person("machine") == "person:machine"
    assert person(browser("abc")) == f"person:{browser('abc')}"
