"""Files: what somebody gave us, opened by its magic bytes through a reader that counts, hashes and refuses."""

import gzip
import io
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from core.errors import InputError, Problem
from core.model.limits import LOCAL, Limits, in_words
from core.readers.archives import DamagedArchiveError, Reads, ZstdStream, files_in_zip
from core.readers.rows import Findings
from core.readers.stream import (
    BLOCK,
    HEAD,
    Container,
    Counted,
    Stream,
    container_of,
    damaged,
    refuse_bomb,
    refuse_unread,
    too_large,
)

OFFICE = ("[Content_Types].xml", "mimetype")


@dataclass(frozen=True)
class Given:
    """A file somebody gave us.

    name    what people know it by, shown in messages; never used as a path
    path    where its bytes are, or
    data    the bytes
    member  one member of a zip with several files
    """

    name: str
    path: Path | None = None
    data: bytes | None = None
    member: str | None = None

    @classmethod
    def of(cls, what: "str | Path | bytes | Given", *, name: str | None = None, limits: Limits = LOCAL) -> "Given":
        """A trusted local file name, bytes, or "-" for standard input, which is read here.

        Raises InputError if standard input holds more than the limit on packed bytes.
        """
        if isinstance(what, Given):
            return what
        if isinstance(what, bytes):
            return cls(name or "data", data=what)
        if str(what) != "-":
            return cls(name or Path(what).name or str(what), path=Path(what))
        data = sys.stdin.buffer.read(limits.packed + 1)
        if len(data) > limits.packed:
            raise too_large(name or "-", "is larger than", limits.packed)
        return cls(name or "-", data=data)

    @property
    def size(self) -> int:
        """Bytes as given. Raises InputError if the file cannot be looked at."""
        if self.path is None:
            return len(self.data or b"")
        try:
            return self.path.stat().st_size
        except (OSError, ValueError) as error:
            raise self._unopened(error) from error

    def raw(self) -> IO[bytes]:
        """The bytes as given, seekable. Raises InputError if the file cannot be opened."""
        if self.path is None:
            return io.BytesIO(self.data or b"")
        try:
            return self.path.open("rb")
        except (OSError, ValueError) as error:
            raise self._unopened(error) from error

    def _unopened(self, error: OSError | ValueError) -> InputError:
        if isinstance(error, FileNotFoundError):
            reason = "there is no such file"
        elif isinstance(error, IsADirectoryError):
            reason = "is a folder, not a file"
        elif isinstance(error, PermissionError):
            reason = "may not be read by this user"
        else:
            reason = f"cannot be opened: {getattr(error, 'strerror', None) or error}"
        return InputError(Problem(self.name, None, reason))


@contextmanager
def opened(given: Given, limits: Limits = LOCAL, findings: Findings | None = None) -> Iterator[Stream]:
    """Open a file by its magic bytes: gzip, zstd or a zip's one file is unpacked, anything else given as it is.

    Raises InputError if it cannot be opened, is too large, is a zip of several files and no member is named, or is a
    kind of file that is known and not read here (xz, PDF, an Excel workbook …).
    """
    findings = findings if findings is not None else Findings(given.name)
    size = given.size
    if size > limits.packed:
        raise too_large(given.name, f"is {in_words(size)}, more than", limits.packed)
    with given.raw() as raw:
        first = raw.read(16)
        raw.seek(0)
        container = container_of(first)
        if container == "plain":
            refuse_unread(given.name, first)
        packed = Counted(raw, size, hashing=True)
        if container == "gzip":
            yield Stream(given, container, gzip.GzipFile(mode="rb", fileobj=packed), packed, limits, findings)
        elif container == "zstd":
            yield Stream(given, container, ZstdStream(packed), packed, limits, findings)
        elif container == "zip":
            findings.sha256 = packed.hexdigest() if given.member is None else ""
            with _member(given, raw, limits) as inner:
                yield Stream(given, container, inner, packed, limits, findings)
        else:
            yield Stream(given, container, packed, packed, limits, findings)


def head(given: Given, size: int = HEAD, limits: Limits = LOCAL) -> tuple[Container, bytes, bool]:
    """How a file is packed, its first `size` unpacked bytes, and whether that is all. Raises InputError as `opened`."""
    with opened(given, limits) as stream:
        found = bytearray()
        while len(found) <= size and (data := stream.read(min(size + 1, BLOCK))):
            found += data
        return stream.container, bytes(found[:size]), len(found) <= size


def whole(given: Given, limits: Limits = LOCAL, findings: Findings | None = None) -> bytes:
    """All unpacked bytes, for formats that cannot be read in blocks. Raises InputError as `opened`."""
    with opened(given, limits, findings) as stream:
        found = bytearray()
        while data := stream.read():
            found += data
        return bytes(found)


def members(given: Given) -> list[Given]:
    """The files in a zip, each as something given; anything else is its own only member.

    Raises InputError if the zip is damaged, empty or an office document.
    """
    with given.raw() as raw:
        first = raw.read(16)
        if container_of(first) != "zip" or given.member is not None:
            return [given]
        raw.seek(0)
        names = _names(given, raw)
    if len(names) == 1:
        return [given]
    return [replace(given, name=name, member=name) for name in names]


def _names(given: Given, raw: IO[bytes]) -> list[str]:
    try:
        names = [member.filename for member in files_in_zip(raw)[1]]
    except DamagedArchiveError as error:
        raise damaged(given.name, "zip", error) from error
    if any(name in OFFICE for name in names):
        raise InputError(
            Problem(given.name, None, "is an office document", "save the sheet as CSV (UTF-8) and give that")
        )
    if not names:
        raise InputError(Problem(given.name, None, "the zip archive holds no file"))
    return names


@contextmanager
def _member(given: Given, raw: IO[bytes], limits: Limits) -> Iterator[Reads]:
    raw.seek(0)
    names = _names(given, raw)
    if given.member is None and len(names) > 1:
        shown = ", ".join(f'"{name}"' for name in names[:5]) + (", …" if len(names) > 5 else "")
        raise InputError(
            Problem(given.name, None, f"the zip archive holds {len(names):,} files: {shown}", "give them one by one")
        )
    name = given.member if given.member is not None else names[0]
    archive, _ = files_in_zip(raw)
    try:
        inner = archive.open(name)
    except KeyError as error:
        raise InputError(Problem(given.name, None, f'the zip archive holds no file "{name}"')) from error
    except RuntimeError as error:
        raise InputError(
            Problem(given.name, None, "the zip archive is locked with a password", "unpack it yourself")
        ) from error
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, ValueError) as error:
        raise damaged(given.name, "zip", error) from error
    with archive, inner:
        # No more than it says is ever read of a member, so what it says can be believed.
        told = archive.getinfo(name)
        refuse_bomb(given.name, told.file_size, told.compress_size, limits)
        yield inner
