"""Exports: each visitor gets the file of their own page, nobody else gets it, and nothing of it stays on the server (R&S T7)."""

import threading
import time
from dataclasses import replace

import pytest

from core.errors import InputError
from pages.hosted import exports
from pages.hosted.exports import GONE, MOST, Offer, Offers, disposition
from tests.browser.conftest import LONG
from tests.hosted.browsing import Person
from tests.hosted.serving import Served
from tests.hosted.small import GAP, SIZE, from_streamlit, offered, told

PAIRS = 100 if LONG else 5


def letter(data: bytes) -> str:
    """The one byte in which the files of two pages differ."""
    assert len(data) == SIZE
    return chr(data[GAP])


def test_two_sessions_whose_files_differ_in_one_byte_get_each_its_own(small_server: Served) -> None:
    people = {name: Person(small_server) for name in "ab"}
    with people["a"].visiting() as one, people["b"].visiting() as other:
        for _ in range(PAIRS):
            tokens = {
                name: offered(visit.run(query=f"letter={name}"))["Take"]
                for name, visit in zip("ab", (one, other), strict=True)
            }
            assert {name: letter(people[name].get(f"/take/{token}").body) for name, token in tokens.items()} == {
                "a": "a",
                "b": "b",
            }
        assert told(small_server)["media"] == 0


def test_two_sessions_get_each_its_own_without_our_route_too(small_server: Served) -> None:
    people = {name: Person(small_server) for name in "ab"}
    with people["a"].visiting() as one, people["b"].visiting() as other:
        for _ in range(PAIRS):
            runs = [
                (name, visit, visit.run(query=f"letter={name}&plain=1"))
                for name, visit in zip("ab", (one, other), strict=True)
            ]
            addresses = {name: from_streamlit(visit, run, "Take") for name, visit, run in runs}
            assert {name: letter(people[name].get(address).body) for name, address in addresses.items()} == {
                "a": "a",
                "b": "b",
            }


def test_a_file_is_for_the_browser_whose_page_offers_it_and_every_refusal_is_the_same(small_server: Served) -> None:
    owner, other = Person(small_server), Person(small_server)
    with owner.visiting() as visit:
        tokens = offered(visit.run(query="letter=a"))
        assert offered(visit.run(query="letter=b")) == tokens
        answer = owner.get(f"/take/{tokens['Take']}")
        assert (answer.status, letter(answer.body)) == (200, "b")
        assert (
            answer.headers["content-disposition"] == "attachment; filename=\"n_me.txt\"; filename*=UTF-8''n%C3%A4me.txt"
        )
        assert (answer.headers["cache-control"], answer.headers["x-content-type-options"]) == ("no-store", "nosniff")
        refusals = [
            other.get(f"/take/{tokens['Take']}"), Person(small_server, cookies=False).get(f"/take/{tokens['Take']}"),
            owner.get(f"/take/{tokens['Gone']}"), owner.get("/take/unknown"), owner.get(f"/take/{tokens['Take'].swapcase()}"),
        ]  # fmt: skip
        assert {(each.status, each.text) for each in refusals} == {(404, GONE)}
        # A page that is made anew twice without a file offers it no more.
        visit.run()
        visit.run()
        assert owner.get(f"/take/{tokens['Take']}").status == 404


def test_what_cannot_be_made_is_told_in_words_and_what_breaks_by_a_reference(small_server: Served) -> None:
    person = Person(small_server)
    with person.visiting() as visit:
        tokens = offered(visit.run(query="letter=a"))
        refused = person.get(f"/take/{tokens['Refused']}")
        broken = person.get(f"/take/{tokens['Broken']}")
    assert (refused.status, refused.text) == (422, "bm25.run: too large for a slide\ntake a table instead")
    assert broken.status == 500
    assert broken.text.startswith("Something went wrong. Quote reference E-")


def offer(key: str, session: str = "one") -> Offer:
    return Offer(session, key, bytes, f"{key}.txt", "text/plain")


def test_an_offer_lasts_for_the_next_run_and_an_ended_session_offers_nothing() -> None:
    offers = Offers()
    offers.begin("one")
    first, other = offers.put(offer("a")), offers.put(offer("a", "other"))
    offers.begin("one")
    assert offers.find(first) is not None
    assert offers.put(offer("b")) != first
    offers.begin("one")
    assert (offers.find(first), len(offers.offers)) == (None, 2)
    offers.forget("one")
    assert list(offers.offers) == [other]
    assert offers.put(offer("a")) != first


def test_an_offer_ends_with_the_set_that_it_is_made_of_although_its_page_stays_open() -> None:
    offers, now = Offers(), time.monotonic()
    past, ahead = (offers.put(replace(offer(str(until)), until=until)) for until in (now - 1, now + 3600))
    assert (offers.find(past), offers.find(ahead) is not None) == (None, True)
    offers.expire()
    assert list(offers.offers) == [ahead]


def test_a_menu_that_is_typed_into_keeps_the_newest_offers_only() -> None:
    offers = Offers()
    tokens = [offers.put(offer(str(at))) for at in range(MOST + 20)]
    assert [token for token in tokens if offers.find(token) is not None] == tokens[20:]


def test_a_session_has_a_few_files_made_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLENS_HOSTED", "1")
    offers = Offers()
    with (
        offers.turn("one") as first,
        offers.turn("one") as second,
        offers.turn("one") as third,
        offers.turn("one") as fourth,
    ):
        assert (first, second, third, fourth) == (True, True, True, False)
        with offers.turn("other") as free:
            assert free
    assert not offers.making
    with pytest.raises(InputError), offers.turn("one"):
        raise InputError([])
    assert not offers.making


def test_offers_of_many_threads_are_all_there() -> None:
    offers = Offers()
    threads = [
        threading.Thread(target=lambda at=at: [offers.put(offer(str(key), str(at))) for key in range(50)])
        for at in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(offers.offers) == len(offers.tokens) == 400


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("report.html", "attachment; filename=\"report.html\"; filename*=UTF-8''report.html"),
        ('a"b\\c\r\nd.csv', "attachment; filename=\"a_b_c__d.csv\"; filename*=UTF-8''a%22b%5Cc%0D%0Ad.csv"),
        ("日本.csv", "attachment; filename=\"__.csv\"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.csv"),
    ],
)
def test_a_file_s_name_cannot_leave_its_header(name: str, told: str) -> None:
    assert disposition(name) == told


def test_a_page_by_itself_offers_nothing() -> None:
    assert not exports.served()
