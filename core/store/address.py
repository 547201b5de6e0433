"""Address: where an object store is: which service, which bucket, which folder in it, and whether plain http may be spoken."""

import ipaddress
import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.errors import InputError, Problem

FORM = re.compile(
    r"(?P<kind>[a-z0-9]+)://(?P<bucket>[a-z0-9][a-z0-9._-]{1,61}[a-z0-9])(?P<prefix>(?:/[A-Za-z0-9_-][\w.-]*)*)/?"
)
FORMS = "s3://bucket/folder, gs://bucket/folder or az://container/folder"


@dataclass(frozen=True)
class Service:
    """A kind of object store and the environment variables it is set up by, which are the usual ones of its clients."""

    name: str
    endpoints: tuple[str, ...]
    allow_http: str
    settings: str


SERVICES = {
    "s3": Service(
        "S3",
        ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"),
        "AWS_ALLOW_HTTP",
        "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL",
    ),
    "gs": Service("Google Cloud Storage", ("GOOGLE_BASE_URL",), "GOOGLE_ALLOW_HTTP", "GOOGLE_APPLICATION_CREDENTIALS"),
    "az": Service(
        "Azure Blob Storage",
        ("AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT"),
        "AZURE_ALLOW_HTTP",
        "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
    ),
}


@dataclass(frozen=True)
class Address:
    """`kind://bucket/prefix`, the prefix empty where the whole bucket is the store."""

    kind: str
    bucket: str
    prefix: str

    @property
    def service(self) -> Service:
        """The service that the kind stands for."""
        return SERVICES[self.kind]

    def __str__(self) -> str:
        """The address as it is written; it holds no secret."""
        return f"{self.kind}://{self.bucket}" + (f"/{self.prefix}" if self.prefix else "")


def read_address(text: str, variable: str) -> Address:
    """The address in a text, which came from an option or from `variable`.

    Raises InputError where it is none, without repeating it: people have put keys into such texts.
    """
    kind = text.partition("://")[0]
    if kind not in SERVICES:
        message = f'"{kind}://" is not a kind of store that can be opened'
        raise InputError(Problem(variable, None, message, f"name a folder, or {FORMS}"))
    found = FORM.fullmatch(text)
    if found is None:
        raise InputError(
            Problem(variable, None, f"what follows {kind}:// is not the place of a store", f"write {FORMS}")
        )
    return Address(kind, found["bucket"], found["prefix"].removeprefix("/"))


def plain_http(service: Service) -> bool:
    """Whether plain http may be spoken: to this machine, or where the service's own variable says so.

    Raises InputError for an endpoint elsewhere: what is kept and the keys to it would be readable on the way.
    """
    if os.environ.get(service.allow_http, "").lower() in {"1", "true", "yes", "on"}:
        return True
    emulated = service.name.startswith("Azure") and os.environ.get("AZURE_STORAGE_USE_EMULATOR", "").lower() == "true"
    for variable in service.endpoints:
        endpoint = urlsplit(os.environ.get(variable, ""))
        if endpoint.scheme == "http":
            if not _this_machine(endpoint.hostname or ""):
                message = "the endpoint is plain http and not on this machine: what is kept could be read on the way"
                hint = f"use https, or set {service.allow_http}=true where the network is your own"
                raise InputError(Problem(variable, None, message, hint))
            return True
    return emulated


def _this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
