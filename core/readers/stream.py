"""Stream: the unpacked bytes of a file, counted and hashed on the way, refused where a limit is exceeded."""

import gzip
import hashlib
import zipfile
import zlib
from typing import IO, Literal, Protocol

from core.errors import InputError, Problem
from core.model.limits import Limits, in_words
from core.readers.archives import DamagedArchiveError, Reads
from core.readers.rows import Findings

Container = Literal["plain", "gzip", "zstd", "zip"]
BLOCK = 8 << 20
HEAD = 256 << 10
# Ratios are not looked at before this much was unpacked: a small file of equal lines is no bomb.
RATIO_FROM = 16_000_000
AHEAD = 128 << 10  # so much the libraries may have read without unpacking it yet

MAGIC: tuple[tuple[bytes, Container], ...] = (
    (b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"PK\x03\x04", "zip"), (b"PK\x05\x06", "zip"),
)  # fmt: skip
UNREAD = (
    (b"BZh", "compressed with bzip2"), (b"\xfd7zXZ\x00", "compressed with xz"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"), (b"Rar!", "a RAR archive"),
    (b"%PDF", "a PDF"), (b"\x89PNG", "a picture"), (b"\xff\xd8\xff", "a picture"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"), (b"ARROW1", "an Arrow file"), (b"\xff\xff\xff\xff", "an Arrow stream"),
    (b"FEA1", "a Feather file"), (b"\x93NUMPY", "a NumPy file"),
    *((b"\x80" + bytes([protocol]), "a Python pickle") for protocol in (2, 3, 4, 5)), (b"SQLite format 3", "an SQLite database"),
)  # fmt: skip


class Named(Protocol):
    """What a stream must know of a file: its name and the picked member of a zip."""

    @property
    def name(self) -> str:
        """What people know it by."""

    @property
    def member(self) -> str | None:
        """The picked member, or None."""


class Counted:
    """The bytes as given, counted and hashed while they are read in order; a zip is hashed at its end instead."""

    def __init__(self, raw: IO[bytes], size: int, *, hashing: bool) -> None:
        self._raw, self.size, self.count = raw, size, 0
        self._hash = hashlib.sha256() if hashing else None

    def read(self, size: int = -1, /) -> bytes:
        """As a file's read."""
        data = self._raw.read(size)
        self.count += len(data)
        if self._hash is not None:
            self._hash.update(data)
        return data

    def seek(self, to: int, /) -> int:
        """Never called: gzip asks for it and only reads on."""
        raise NotImplementedError(to)

    def hexdigest(self) -> str:
        """SHA-256 of all the bytes as given: what is left is read for it."""
        while self.read(BLOCK):
            pass
        return self._hash.hexdigest() if self._hash is not None else ""


class Stream:
    """The unpacked bytes of a file.

    Counts both sides, keeps the limits, tells progress, and sets `findings.sha256` once the end was read.
    """

    def __init__(
        self, given: Named, container: Container, inner: Reads, packed: Counted, limits: Limits, findings: Findings
    ) -> None:
        self.container: Container = container
        self.count = 0
        self._name, self._inner, self._packed = given.name, inner, packed
        self._limits, self._findings = limits, findings
        self._member_hash = hashlib.sha256() if given.member is not None else None

    def read(self, size: int = BLOCK) -> bytes:
        """Up to about `size` bytes; b"" at the end.

        Raises InputError if the archive is damaged, holds another archive, or a limit is exceeded.
        """
        try:
            data = self._inner.read(size)
        except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, DamagedArchiveError) as error:
            raise damaged(self._name, self.container, error) from error
        except (NotImplementedError, RuntimeError) as error:
            raise damaged(
                self._name, self.container, DamagedArchiveError("is packed in a way that is not read")
            ) from error
        except OSError as error:
            raise InputError(Problem(self._name, None, f"cannot be read: {error.strerror or error}")) from error
        if self.count == 0 and self.container != "plain":
            _refuse_nested(self._name, data)
        self.count += len(data)
        self._check_limits()
        if self._member_hash is not None:
            self._member_hash.update(data)
        if not data and not self._findings.sha256:
            self._findings.sha256 = (
                self._member_hash.hexdigest() if self._member_hash is not None else self._packed.hexdigest()
            )
        if self._findings.progress is not None:
            self._findings.progress(min(self._packed.count, self._packed.size), self._packed.size)
        return data

    def _check_limits(self) -> None:
        # What is read by now, not the whole size: a bomb must not be parsed up to the limit first.
        limits, packed = self._limits, min(self._packed.size, self._packed.count + AHEAD)
        if self.count > limits.unpacked:
            raise too_large(self._name, "unpacks to more than", limits.unpacked)
        if self.container != "plain":
            refuse_bomb(self._name, self.count, packed, limits)


def refuse_bomb(name: str, unpacked: int, packed: int, limits: Limits) -> None:
    """Raise InputError where bytes became more times as many than the limit allows."""
    if unpacked > RATIO_FROM and unpacked > limits.ratio * max(1, packed):
        raise InputError(Problem(
            name, None,
            f"unpacks to more than {limits.ratio:,} times its size, which is the limit",
            "unpack it yourself and give the plain file",
        ))  # fmt: skip


def container_of(first: bytes) -> Container:
    """How bytes that begin like this are packed."""
    return next((name for magic, name in MAGIC if first.startswith(magic)), "plain")


def damaged(name: str, container: str, error: Exception) -> InputError:
    """The error for an archive that cannot be read to its end: nothing of it is used."""
    how = str(error) if isinstance(error, DamagedArchiveError) else "is cut off or damaged"
    return InputError(
        Problem(name, None, f"the {container} archive {how}", "pack or copy it again; nothing of it was used")
    )


def _refuse_nested(name: str, data: bytes) -> None:
    if container_of(data[:16]) != "plain":
        raise InputError(
            Problem(name, None, "holds another archive, which is not opened", "unpack it once and give what is inside")
        )
    refuse_unread(name, data)


def refuse_unread(name: str, data: bytes) -> None:
    """Raise InputError where the first bytes are those of a kind of file that is known and not read here."""
    for magic, what in UNREAD:
        if data.startswith(magic):
            hint = "unpack it, or pack it with gzip, zstd or zip" if "compress" in what or "archive" in what else None
            raise InputError(Problem(name, None, f"is {what}, which is not read here", hint))


def too_large(name: str, how: str, limit: int) -> InputError:
    """The error for a file over a limit in bytes: the limit and the ways out."""
    return InputError(Problem(
        name, None, f"{how} the limit of {in_words(limit)}",
        "compress it (.gz, .zst), cut the run to the top 100 of each query, or use the command line (higher limits)",
    ))  # fmt: skip
