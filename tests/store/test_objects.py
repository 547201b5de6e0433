"""Object stores: what a service refuses, loses or does wrongly is told in words, and nothing secret with it."""

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from obstore.store import S3Store

from core.errors import InputError
from core.history import keep, read_series
from core.store import objects, open_store, put_blob
from core.store.address import Address
from core.store.blobs import blob_key
from core.store.objects import Objects
from tests.conftest import REPOSITORY
from tests.history.made import night
from tests.store.services import KEY, SECRET, Stub, point_at

HINT = "RANKLENS_STORE names the store; AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL set it up"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "FIRST_PAUSE", 0.0)


@pytest.fixture
def kept(stub: Stub) -> Objects:
    store = Objects(Address("s3", "kept", ""))
    store.prove()
    assert stub.held == {}  # nothing is left of trying it out
    return store


def refused(call: Callable[[], object]) -> str:
    """What is told, which holds no secret and nothing that the service repeated, and has nothing more behind it."""
    with pytest.raises(InputError) as caught:
        call()
    [problem] = caught.value.problems
    assert problem.hint == HINT
    told = f"{problem} {problem.hint}"
    assert not any(secret in told for secret in (KEY, SECRET, "Credential", "127.0.0.1", "http://"))
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return str(problem)


def test_a_bucket_is_opened_by_its_address_and_tried_out_once(bucket: str) -> None:
    store = open_store(f"s3://{bucket}/some/Folder")
    store.put_new("a/b", b"one")
    assert open_store(f"s3://{bucket}/some/Folder") is store
    assert [entry.key for entry in open_store(f"s3://{bucket}").entries("")] == ["some/Folder/a/b"]


def test_a_service_that_writes_over_what_is_there_is_refused(stub: Stub) -> None:
    stub.conditional = False
    for call in (lambda: open_store("s3://kept"), lambda: Objects(Address("s3", "kept", "")).put_new("a", b"one")):
        with pytest.raises(InputError, match="it does not create a key once only") as caught:
            call()
        assert caught.value.problems[0].file == "the store s3://kept"
        assert caught.value.problems[0].hint == "use a service that does, as S3, Google Cloud and Azure do, or a folder"
        assert stub.held == {}


def test_a_service_that_knows_no_conditions_is_refused(stub: Stub) -> None:
    stub.puts, stub.word = [501], "NotImplemented"
    with pytest.raises(InputError, match="it does not create a key once only"):
        open_store("s3://kept")
    assert stub.held == {}


@pytest.mark.parametrize("kind", ["gs", "az"])
def test_the_other_services_are_spoken_to_in_their_own_words_and_tried_out_too(stub: Stub, kind: str) -> None:
    store = open_store(f"{kind}://kept/of/us")
    assert [store.put_new("a/b", data) for data in (b"one", b"two")] == [True, False]
    assert store.get("a/b") == b"one"
    assert store.get("a/c") is None
    assert [path for path in stub.held if unquote(path).endswith("/kept/of/us/a/b")]
    stub.conditional = False
    with pytest.raises(InputError, match="it does not create a key once only"):
        open_store(f"{kind}://kept/another")


def test_a_missing_bucket_is_told_and_not_taken_for_a_missing_key(bucket: str) -> None:
    assert refused(lambda: open_store("s3://no-such-bucket")) == (
        "the store s3://no-such-bucket: cannot be opened: there is no such bucket"
    )
    assert Objects(Address("s3", bucket, "")).get("a") is None


def test_a_service_out_of_reach_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, "http://127.0.0.1:9")
    assert refused(lambda: open_store("s3://kept")).endswith("cannot be opened: it cannot be reached")


@pytest.mark.parametrize("status", [401, 403])
def test_refused_credentials_are_told(stub: Stub, status: int) -> None:
    stub.everything, stub.word = status, "InvalidAccessKeyId"
    assert refused(lambda: open_store("s3://kept")) == (
        "the store s3://kept: cannot be opened: the credentials are refused, or do not allow it (InvalidAccessKeyId)"
    )


def test_no_credentials_are_told(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    # Where a machine of a cloud would be asked for its own.
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", f"{stub.endpoint}/metadata")
    stub.everything = 403
    assert refused(lambda: open_store("s3://kept")).endswith("cannot be opened: there are no credentials for it")


def test_a_setting_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ENDPOINT", "AZURE_STORAGE_USE_EMULATOR"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(InputError, match="cannot be opened: its settings are not complete, or not right") as caught:
        open_store("az://kept")
    assert "AZURE_STORAGE_ACCOUNT_NAME" in str(caught.value.problems[0].hint)


def test_credentials_that_may_only_read_open_a_store_for_reading(stub: Stub) -> None:
    stub.held["/kept/a"] = b"one"
    stub.puts, stub.word = [403] * 9, "AccessDenied"
    store = open_store("s3://kept")
    assert store.get("a") == b"one"
    for call in (lambda: store.put_new("b", b""), lambda: store.put_same("b", b"")):
        assert refused(call).endswith("not saved: the credentials are refused, or do not allow it (AccessDenied)")
    assert set(stub.held) == {"/kept/a"}


def test_a_busy_service_is_asked_again(stub: Stub, kept: Objects) -> None:
    stub.puts = [503, 500]
    assert kept.put_new("a", b"one") is True
    stub.puts = [503, 503, 503]
    assert refused(lambda: kept.put_new("b", b"")).endswith("not saved: the service failed (SlowDown)")
    assert set(stub.held) == {"/kept/a"}


def test_what_the_service_rejects_is_not_asked_again(stub: Stub, kept: Objects) -> None:
    stub.puts, stub.word = [400, 400], "EntityTooLarge"
    assert refused(lambda: kept.put_new("a", b"")).endswith("not saved: the service failed (EntityTooLarge)")
    assert stub.puts == [400]


def test_a_create_whose_answer_was_lost_is_known_for_our_own(stub: Stub, kept: Objects) -> None:
    stub.puts = [-500]
    assert kept.put_new("a", b"one") is True
    stub.puts = [409]
    assert kept.put_new("a", b"one") is False
    # And another's is not, though our own was sent twice.
    stub.held["/kept/b"] = b"another's"
    stub.puts = [503]
    assert kept.put_new("b", b"ours") is False
    assert stub.held["/kept/b"] == b"another's"


def test_a_create_refused_for_the_sake_of_one_that_came_to_nothing_is_tried_again(stub: Stub, kept: Objects) -> None:
    stub.puts, stub.word = [409, 409], "ConditionalRequestConflict"
    assert kept.put_new("a", b"one") is True
    stub.puts = [409] * 3
    with pytest.raises(InputError, match="not saved: others keep creating the same key"):
        kept.put_new("b", b"two")


def test_a_service_that_does_not_answer_is_told(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "ANSWERING", timedelta(milliseconds=50))
    slow = Objects(Address("s3", "kept", ""))
    with stub.lock:  # which it wants to answer a put
        assert refused(lambda: slow.put_new("a", b"")).endswith("not saved: it did not answer in time")


def test_what_is_old_is_put_again_so_that_it_is_young(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Objects(Address("s3", bucket, ""))
    puts: list[str] = []
    real = store._store.put

    def noted(_: S3Store, key: str, *more: Any, **named: Any) -> None:
        puts.append(key)
        real(key, *more, **named)

    monkeypatch.setattr(S3Store, "put", noted)
    key = blob_key(put_blob(store, b"one"))
    put_blob(store, b"one")
    assert puts == [key]
    monkeypatch.setattr(objects, "YOUNG_SECONDS", -1.0)
    put_blob(store, b"one")
    assert puts == [key, key]


def test_a_probe_that_a_killed_process_left_is_swept(stub: Stub, kept: Objects) -> None:
    stub.held["/kept/probes/left"] = b"first"
    assert kept.sweep(10**10) == 0
    assert kept.sweep() == 1
    assert stub.held == {}


def test_the_client_of_object_stores_is_loaded_only_for_them() -> None:
    code = "import sys; from core.store import open_store; open_store('/nowhere').entries(''); assert 'obstore' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, check=True)


def test_a_series_is_kept_in_a_bucket(bucket: str) -> None:
    store = open_store(f"s3://{bucket}")
    assert keep(store, night(0, [1, 2])) is True
    assert keep(store, night(0, [1, 2])) is False
    keep(store, night(1, [1, 3]))
    found = read_series(open_store(f"s3://{bucket}"), "nightly")
    assert ([result.label for result in found.results], found.problems) == (["night 0", "night 1"], ())
