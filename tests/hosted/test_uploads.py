"""Uploads: what one session, one address and all together may bring, and nothing by halves (R&S T13, T16)."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message, Scope
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from core.model.limits import MB
from pages.hosted import uploads
from pages.hosted.sessions import Presence, Registry
from pages.hosted.uploads import BUSY, STALLED, TOO_LARGE, TOO_MUCH, TOO_OFTEN, TOO_SLOW, Uploads, address_of
from pages.shared.limits import HOSTED_BUDGET, LOCAL_BUDGET, Budget, Share, amount
from tests.browser.conftest import LONG
from tests.hosted.browsing import BOUND, Person
from tests.hosted.ending import ended
from tests.hosted.serving import Served
from tests.hosted.small import small, soon, told
from tests.hosted.visiting import texts

ABORTED = 100 if LONG else 10
WIDE = Share(files=1000, held=1000 * MB, hour=1000 * MB)


def budget(**parts: Any) -> Budget:
    """A budget that is wide but for the parts named."""
    wide: dict[str, Any] = {
        "session": WIDE,
        "address": WIDE,
        "held": 1000 * MB,
        "seconds": 60,
        "shelf": 0,
        "on_shelf": 0,
    }
    return Budget(**wide | parts)


class Desk:
    """The middleware before a Streamlit that only keeps bytes, each upload a call of its own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, allowed: Budget) -> None:
        self.manager = MemoryUploadedFileManager("/_stcore/upload_file")
        monkeypatch.setattr(uploads, "manager", lambda: self.manager)
        monkeypatch.setenv("RANKLENS_PROXIES", "1")
        self.known, self.presence = Registry(), Presence()
        self.middleware = Uploads(self._streamlit, allowed, self.known)

    async def _streamlit(self, scope: Scope, receive: Callable[[], Awaitable[Message]], send: Any) -> None:
        data, more = b"", True
        while more:
            message = await receive()
            data, more = data + message.get("body", b""), message.get("more_body", False)
        _, _, _, session, file = scope["path"].split("/")
        self.manager.add_file(session, UploadedFileRec(file, "a.run", "text/plain", data))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    def put(
        self,
        pieces: list[bytes],
        file: str,
        session: str = "one",
        address: str = "10.0.0.1",
        announced: bool = True,
        ends: bool = True,
    ) -> tuple[int, str]:
        """Bring a file in pieces; the answer's status and words. ends False: the last piece never comes."""
        self.known.meet(session, "", may_upload=True, presence=self.presence)
        headers = [(b"x-forwarded-for", address.encode())]
        headers += [(b"content-length", str(sum(map(len, pieces))).encode())] if announced else []
        scope = {"type": "http", "method": "PUT", "path": f"/_stcore/upload_file/{session}/{file}", "headers": headers}
        left, sent = list(pieces), []

        async def receive() -> Message:
            if not left:
                await asyncio.Event().wait()
            return {"type": "http.request", "body": left.pop(0), "more_body": bool(left) or not ends}

        async def send(message: Message) -> None:
            sent.append(message)

        ended(self.middleware(scope, receive, send))
        return sent[0]["status"], sent[1].get("body", b"").decode()

    @property
    def held(self) -> int:
        return sum(stat.byte_length for stats in self.manager.get_stats().values() for stat in stats)


def test_a_session_holds_its_share_until_the_page_has_taken_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch, budget(session=Share(files=100, held=2 * MB, hour=100 * MB)))
    answers = [desk.put([bytes(450_000)], f"f{at}") for at in range(40)]
    assert [status for status, _ in answers] == [204] * 4 + [429] * 36
    assert answers[-1][1] == TOO_MUCH.format("2 MB")
    assert desk.held == 4 * 450_000
    assert desk.known.told("one") == [TOO_MUCH.format("2 MB")]
    desk.manager.remove_file("one", "f0")
    assert desk.put([bytes(450_000)], "again")[0] == 204


def test_many_sessions_of_one_address_have_one_share_and_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch, budget(address=Share(files=100, held=5 * MB, hour=100 * MB)))
    statuses = [desk.put([bytes(MB)], "f", f"s{at}")[0] for at in range(50)]
    assert statuses == [204] * 5 + [429] * 45
    assert desk.put([bytes(MB)], "f", "other", "10.0.0.2")[0] == 204
    assert desk.held == 6 * MB


def test_everybody_together_holds_no_more_than_the_server_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch, budget(held=3 * MB))
    answers = [desk.put([bytes(MB)], "f", f"s{at}", f"10.0.0.{at}") for at in range(6)]
    assert [status for status, _ in answers] == [204] * 3 + [429] * 3
    assert answers[-1][1] == BUSY


@pytest.mark.parametrize(
    ("share", "told"), [(Share(3, 100 * MB, 100 * MB), "3 files"), (Share(100, 100 * MB, 3 * MB), "3 MB")]
)
def test_an_hour_has_its_share_too_even_of_files_that_were_taken(
    monkeypatch: pytest.MonkeyPatch, share: Share, told: str
) -> None:
    desk = Desk(monkeypatch, budget(session=share))
    answers = []
    for at in range(5):
        answers.append(desk.put([bytes(MB)], f"f{at}"))
        desk.manager.remove_session_files("one")
    assert [status for status, _ in answers] == [204] * 3 + [429] * 2
    assert answers[-1][1] == TOO_OFTEN.format(told)
    # An hour later it may go on.
    for each in desk.middleware.ledger.sessions["one"]:
        each.at -= 3601
    assert desk.put([bytes(MB)], "later")[0] == 204


def test_a_file_that_is_too_large_is_refused_whether_it_says_so_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch, budget())
    desk.middleware.ledger.largest = 2 * MB
    told = TOO_LARGE.format("2 MB")
    assert desk.put([bytes(MB)] * 3, "f") == (413, told)
    assert desk.put([bytes(MB)] * 3, "f", announced=False) == (413, told)
    assert desk.held == 0
    assert desk.put([bytes(MB)] * 2, "f")[0] == 204


def test_bytes_that_were_not_announced_count_against_the_budget_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch, budget(session=Share(files=100, held=3 * MB, hour=100 * MB)))
    assert desk.put([bytes(65_536)] * 100, "f", announced=False) == (429, TOO_MUCH.format("3 MB"))
    assert desk.held == 0
    assert desk.put([bytes(65_536)] * 20, "f", announced=False)[0] == 204


@pytest.mark.parametrize(("parts", "sentence"), [({"stalled": 0}, STALLED), ({"seconds": 0}, TOO_SLOW)])
def test_an_upload_that_stalls_or_takes_too_long_is_ended(
    monkeypatch: pytest.MonkeyPatch, parts: dict[str, int], sentence: str
) -> None:
    desk = Desk(monkeypatch, budget(**parts))
    assert desk.put([bytes(10)], "f", ends=False) == (408, sentence)
    assert desk.held == 0
    assert not desk.middleware.ledger.arriving


def test_what_an_ended_session_still_sends_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch, budget())
    monkeypatch.setattr(desk.known, "knows", lambda _: False)
    assert desk.put([bytes(MB)], "f")[0] == 204
    assert desk.held == 0


def test_what_is_an_hour_old_and_taken_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch, budget())
    desk.put([bytes(10)], "f")
    desk.put([bytes(10)], "f", "other")
    ledger = desk.middleware.ledger
    for each in (*ledger.sessions["one"], *ledger.sessions["other"]):
        each.at -= 3601
    desk.manager.remove_session_files("one")
    ledger.tidy()
    assert list(ledger.sessions) == ["other"]
    assert len(ledger.addresses["10.0.0.1"]) == 1


@pytest.mark.parametrize(
    ("forwarded", "proxies", "address"),
    [
        ((), 0, "192.0.2.9"),
        (("10.9.9.9",), 0, "192.0.2.9"),
        (("198.51.100.7",), 1, "198.51.100.7"),
        (("10.9.9.9, 198.51.100.7",), 1, "198.51.100.7"),
        (("10.9.9.9", "198.51.100.7, 203.0.113.1"), 2, "198.51.100.7"),
        ((), 2, "192.0.2.9"),
        (("nonsense",), 1, "unknown"),
        (("2001:db8:1:2:3:4:5:6",), 1, "2001:db8:1:2::/64"),
    ],
)
def test_the_address_is_the_one_that_the_outermost_proxy_of_ours_saw(
    forwarded: tuple[str, ...], proxies: int, address: str
) -> None:
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    assert address_of({"type": "http", "headers": headers, "client": ("192.0.2.9", 1)}, proxies) == address


def test_a_host_takes_what_is_reasonable_and_one_s_own_machine_the_largest_file_it_reads() -> None:
    assert HOSTED_BUDGET.session.held < HOSTED_BUDGET.address.held < HOSTED_BUDGET.held
    assert HOSTED_BUDGET.session.held >= 200 * MB
    assert min(LOCAL_BUDGET.session.held, LOCAL_BUDGET.held) >= 2_000 * MB
    assert (amount(256 * MB), amount(2_000 * MB), amount(1_500 * MB)) == ("256 MB", "2 GB", "1.5 GB")


def aborted(served: Served, person: Person, session: str, size: int) -> None:
    """Begin an upload, send half of it, and go away."""
    head = (
        f"PUT {served.base}/_stcore/upload_file/{session}/half HTTP/1.1\r\nHost: localhost:{served.port}\r\n"
        f"Cookie: {person.headers['Cookie']}\r\nX-Xsrftoken: {person.cookies['_streamlit_xsrf']}\r\n"
        f"Content-Type: multipart/form-data; boundary={BOUND}\r\nContent-Length: {size}\r\n\r\n"
    )
    form = f'--{BOUND}\r\nContent-Disposition: form-data; name="file"; filename="half.run"\r\n\r\n'
    with socket.create_connection(("127.0.0.1", served.port)) as connection:
        connection.sendall((head + form).encode() + b"q1 Q0 d1 1 1.5 half\n" * (size // 40))


def test_an_upload_that_breaks_off_leaves_nothing_and_the_next_one_goes_through(small_server: Served) -> None:
    person = Person(small_server, {"X-Forwarded-For": "10.1.1.1"})
    with person.visiting() as visit:
        visit.run()
        before, said = told(small_server)["held"], len(small_server.log())
        for _ in range(ABORTED):
            aborted(small_server, person, visit.session, 100_000)
        # What the server has not yet noticed to be gone counts as arriving, but not for long.
        assert soon(lambda: person.upload(visit.session, b"whole").status == 204)
        assert told(small_server)["held"] <= before + len(b"whole")
        person.upload(visit.session, b"", method="DELETE")
    assert "Traceback" not in small_server.log()[said:]


def test_a_flood_is_refused_by_the_server_and_the_page_says_why(small_server: Served) -> None:
    person, other = (Person(small_server, {"X-Forwarded-For": f"10.2.2.{at}"}) for at in (1, 2))
    with person.visiting() as visit, other.visiting() as beside:
        visit.run()
        beside.run()
        answers = [person.upload(visit.session, bytes(450_000), f"f{at}") for at in range(40)]
        assert [answer.status for answer in answers] == [204] * 4 + [429] * 36
        assert answers[-1].text == TOO_MUCH.format("2 MB")
        assert other.upload(beside.session, bytes(450_000)).status == 204
        assert TOO_MUCH.format("2 MB") in texts(visit.run())
        assert TOO_MUCH.format("2 MB") not in texts(visit.run())


@pytest.mark.long
@pytest.mark.skipif(not LONG, reason="the small numbers above stand for it")
def test_a_flood_of_the_full_size_stays_within_a_host_s_budget(tmp_path: Path) -> None:
    with small(tmp_path, ttl=120) as served:
        person = Person(served, {"X-Forwarded-For": "10.3.3.1"})
        with person.visiting() as visit:
            visit.run()
            statuses = [person.upload(visit.session, bytes(4_500_000), f"f{at}").status for at in range(80)]
            assert statuses == [204] * 56 + [429] * 24
            assert told(served)["held"] <= HOSTED_BUDGET.session.held
        statuses = []
        for _ in range(50):
            one = Person(served, {"X-Forwarded-For": "10.3.3.2"})
            with one.visiting() as visit:
                visit.run()
                statuses.append(one.upload(visit.session, bytes(50 * MB)).status)
        assert statuses == [204] * 10 + [429] * 40
        assert told(served)["held"] <= HOSTED_BUDGET.session.held + HOSTED_BUDGET.address.held
