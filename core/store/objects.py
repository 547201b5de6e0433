"""Objects: a store in a bucket of S3, of what speaks like it, of Google Cloud or of Azure, for hosts with several machines."""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from obstore.exceptions import AlreadyExistsError
from obstore.store import AzureStore, GCSStore, S3Store

from core.errors import InputError, Problem
from core.store.address import Address, plain_http
from core.store.interface import Entry, checked
from core.store.refusals import REFUSALS, Refusal, may_not, may_pass, reason, unsuited

if TYPE_CHECKING:
    from obstore import ObjectMeta
    from obstore.store import ClientConfig, RetryConfig

PROBES = "probes/"
YOUNG_SECONDS = 1800.0
STALE_SECONDS = 3600.0
ATTEMPTS = 3
FIRST_PAUSE = 0.1
CONNECTING = timedelta(seconds=5)
ANSWERING = timedelta(minutes=2)
TRYING = timedelta(minutes=1)
OVERWRITES = (
    "cannot be used: it does not create a key once only (If-None-Match), so that one save could replace another"
)
OVERWRITES_HINT = "use a service that does, as S3, Google Cloud and Azure do, or a folder"

What = Literal["not saved", "not deleted", "cannot be read", "cannot be opened"]


class Objects:
    """Each key is an object of that name below the address.

    A key is created on the condition that there is none (If-None-Match), so of any number of writers on any number of
    machines one wins. Not every service that speaks S3 keeps that condition, so it is tried out before anything is put.
    An object is there whole or not at all, and durable once the service says that it has it.
    """

    def __init__(self, address: Address) -> None:
        """Reaches no network. Raises InputError where the settings in the environment cannot be used."""
        self.address = address
        self._proven = False
        with self._told("cannot be opened"):
            self._store = _connected(address, retries=3)
            # A create that is sent again after a lost answer meets itself: it is sent again here, where that is seen.
            self._creating = _connected(address, retries=0)

    def prove(self) -> None:
        """See that the store can be read, and that what may be put there is created once only.

        Raises InputError otherwise. Credentials that only allow to read are enough for that.
        """
        if self._refusal_to_put("cannot be opened"):
            with self._told("cannot be opened"):
                self._below(PROBES)

    def put_new(self, key: str, data: bytes) -> bool:
        """Create a key; see Store. Raises InputError where the service refuses."""
        checked(key)
        if not self._proven and (refusal := self._refusal_to_put("not saved")):
            raise self._problem("not saved", refusal)
        with self._told("not saved"):
            return self._created(key, data)

    def put_same(self, key: str, data: bytes) -> None:
        """See that a key is there and young; see Store. What is old is put again, which gives it a new time."""
        with self._told("not saved"):
            found = self._about(key)
            if found is None or found.size != len(data) or found.modified < time.time() - YOUNG_SECONDS:
                self._store.put(key, data, use_multipart=False)

    def get(self, key: str) -> bytes | None:
        """What a key holds; see Store."""
        checked(key)
        with self._told("cannot be read"):
            return self._held(key)

    def modified(self, key: str) -> float | None:
        """When a key was put there, by the service's clock; see Store."""
        with self._told("cannot be read"):
            found = self._about(key)
        return found.modified if found else None

    def entries(self, prefix: str) -> list[Entry]:
        """The keys below a prefix; see Store."""
        with self._told("cannot be read"):
            return self._below(prefix)

    def delete(self, key: str) -> bool:
        """Delete a key; see Store. Of two who delete it at the same moment, both may be told that it was there."""
        with self._told("not deleted"):
            if self._about(key) is None:
                return False
            self._store.delete(key)
        return True

    def sweep(self, older_than: float = STALE_SECONDS) -> int:
        """Take away the probes of killed processes: nothing else is ever left, since a put is one request; see Store."""
        old = time.time() - older_than
        return sum(self.delete(probe.key) for probe in self.entries(PROBES) if probe.modified < old)

    def _refusal_to_put(self, what: What) -> Refusal | None:
        """Try out that a key is created once only: what the service says where it allows no put at all."""
        probe = f"{PROBES}{secrets.token_hex(16)}"
        try:
            once = self._created(probe, b"first") and not self._created(probe, b"second")
        except REFUSALS as error:
            if may_not(error):
                return error
            if not unsuited(error):
                raise self._problem(what, error) from None
            once = False
        finally:
            with suppress(*REFUSALS):
                self._store.delete(probe)
        if not once:
            raise InputError(Problem(f"the store {self.address}", None, OVERWRITES, OVERWRITES_HINT))
        self._proven = True
        return None

    def _created(self, key: str, data: bytes) -> bool:
        """Create a key, again where the service is busy or its answer is lost; False where another was first.

        Where an answer was lost, equal bytes that are found there are taken for our own.
        """
        lost = False
        for attempt in range(ATTEMPTS):
            try:
                self._creating.put(key, data, mode="create", use_multipart=False)
            except AlreadyExistsError:
                # Also said while another creates the key, which may yet come to nothing: then there is none.
                held = self._held(key)
                if held is not None:
                    return lost and held == data
            except REFUSALS as error:
                if attempt == ATTEMPTS - 1 or not may_pass(error):
                    raise
                lost = True
            else:
                return True
            time.sleep(FIRST_PAUSE * 2**attempt * (1 + secrets.randbelow(100) / 100))
        message = "not saved: others keep creating the same key, and none of them gets through"
        raise InputError(Problem(f"the store {self.address}", None, message, "try again"))

    def _below(self, prefix: str) -> list[Entry]:
        below = checked(prefix.removesuffix("/")) if prefix else None
        return sorted(_entry(found) for some in self._store.list(below) for found in some)

    def _held(self, key: str) -> bytes | None:
        try:
            return self._store.get(key).bytes().to_bytes()
        except FileNotFoundError:
            return None

    def _about(self, key: str) -> Entry | None:
        try:
            return _entry(self._store.head(checked(key)))
        except FileNotFoundError:
            return None

    @contextmanager
    def _told(self, what: What) -> Iterator[None]:
        """Tell in words what the service refuses; its answer, which repeats addresses and keys, goes no further."""
        try:
            yield
        except REFUSALS as error:
            raise self._problem(what, error) from None

    def _problem(self, what: What, error: Refusal) -> InputError:
        hint = f"RANKLENS_STORE names the store; {self.address.service.settings} set it up"
        return InputError(Problem(f"the store {self.address}", None, f"{what}: {reason(error)}", hint))


def _connected(address: Address, *, retries: int) -> S3Store | GCSStore | AzureStore:
    """The client of an address, set up by the environment as its service's own are. It has reached nothing yet."""
    client: ClientConfig = {
        "connect_timeout": CONNECTING,
        "timeout": ANSWERING,
        "allow_http": plain_http(address.service),
    }
    retry: RetryConfig = {"max_retries": retries, "retry_timeout": TRYING}
    prefix = address.prefix or None
    if address.kind == "gs":
        return GCSStore(address.bucket, prefix=prefix, client_options=client, retry_config=retry)
    if address.kind == "az":
        return AzureStore(address.bucket, prefix=prefix, client_options=client, retry_config=retry)
    # Not every service that speaks S3 deletes many at once, and one at a time is all that is asked of it.
    return S3Store(address.bucket, prefix=prefix, client_options=client, retry_config=retry, disable_bulk_delete=True)


def _entry(found: "ObjectMeta") -> Entry:
    return Entry(found["path"], found["size"], found["last_modified"].timestamp())
