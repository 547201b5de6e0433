"""Addresses of object stores: which are read, which are refused unrepeated, and when plain http may be spoken."""

import pytest

from core.errors import InputError
from core.store import VARIABLE, open_store
from core.store.address import SERVICES, Address, plain_http, read_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("s3://kept", Address("s3", "kept", "")),
        ("s3://kept/", Address("s3", "kept", "")),
        ("s3://kept.of-us/some/Folder_1/v1.2", Address("s3", "kept.of-us", "some/Folder_1/v1.2")),
        ("gs://kept_of_us/a/", Address("gs", "kept_of_us", "a")),
        ("az://container/a", Address("az", "container", "a")),
    ],
)
def test_an_address_names_a_service_a_bucket_and_a_folder(text: str, address: Address) -> None:
    assert read_address(text, "--store") == address
    assert str(address) == text.rstrip("/")


@pytest.mark.parametrize(
    "rest",
    [
        "", "/", "a", "Kept", "kept//a", "kept/../a", "kept/.a", "kept/a b", "kept/a?x=1", "kept/a#x", "kept:80/a",
        "key:secret@kept/a", "kept/a%2e", "kept/ä", "kept\n",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_and_not_repeated(rest: str) -> None:
    for kind in SERVICES:
        with pytest.raises(InputError) as caught:
            open_store(f"{kind}://{rest}")
        [problem] = caught.value.problems
        assert str(problem) == f"{VARIABLE}: what follows {kind}:// is not the place of a store"
        assert problem.hint == "write s3://bucket/folder, gs://bucket/folder or az://container/folder"


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for service in SERVICES.values():
        for variable in (*service.endpoints, service.allow_http, "AZURE_STORAGE_USE_EMULATOR"):
            monkeypatch.delenv(variable, raising=False)
    return monkeypatch


@pytest.mark.parametrize("kind", SERVICES)
def test_plain_http_is_spoken_to_this_machine_only(unset: pytest.MonkeyPatch, kind: str) -> None:
    service = SERVICES[kind]
    assert not plain_http(service)
    for variable in service.endpoints:
        for endpoint, allowed in (
            ("http://127.0.0.1:9000", True), ("http://[::1]:9000", True), ("http://localhost:9000", True),
            ("https://there.example", False), ("https://127.0.0.1", False),
        ):  # fmt: skip
            unset.setenv(variable, endpoint)
            assert plain_http(service) is allowed
        for endpoint in ("http://there.example", "http://127.0.0.1.there.example", "http://10.0.0.1:9000", "http://"):
            unset.setenv(variable, endpoint)
            with pytest.raises(InputError, match=f"{variable}: the endpoint is plain http and not on this machine"):
                plain_http(service)
            unset.setenv(service.allow_http, "true")
            assert plain_http(service)
            unset.delenv(service.allow_http)
        unset.delenv(variable)


def test_the_emulator_of_azure_is_on_this_machine(unset: pytest.MonkeyPatch) -> None:
    unset.setenv("AZURE_STORAGE_USE_EMULATOR", "true")
    assert plain_http(SERVICES["az"])
    assert not plain_http(SERVICES["s3"])


def test_an_endpoint_elsewhere_is_refused_before_anything_is_sent(unset: pytest.MonkeyPatch) -> None:
    unset.setenv("AWS_ENDPOINT_URL", "http://there.example")
    with pytest.raises(InputError) as caught:
        open_store("s3://kept")
    assert caught.value.problems[0].hint == "use https, or set AWS_ALLOW_HTTP=true where the network is your own"
