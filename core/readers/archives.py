"""Archives: zstd frames read in bounded pieces, and what a zip holds, without trusting what they say of themselves."""

import struct
import zipfile
from typing import IO, Protocol

import zstandard

PIECE = 1024
LARGEST_WINDOW = 128 << 20
LARGEST_DIRECTORY = 1 << 20
_END, _END_SIZE = b"PK\x05\x06", 22
_LOCATOR, _LOCATOR_SIZE, _END64_SIZE = b"PK\x06\x07", 20, 56


class DamagedArchiveError(Exception):
    """An archive that is cut off, damaged or cannot be read; the message completes "the zip archive …"."""


class Reads(Protocol):
    """Anything that gives bytes piece by piece."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; b"" at the end."""


class ZstdStream:
    """The unpacked bytes of one or more zstd frames.

    Fed in pieces of 1 KiB, because one packed piece may unpack to more than a hundred times 128 KiB; the end of every
    frame is looked for, because the library's own stream takes a file that is cut off for a complete one.
    """

    def __init__(self, packed: Reads) -> None:
        self._packed = packed
        self._frames = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW)
        self._frame = self._frames.decompressobj()
        self._inside = False
        self._rest = memoryview(b"")

    def read(self, size: int) -> bytes:
        """About `size` bytes, b"" at the end. Raises DamagedArchiveError."""
        found: list[bytes] = []
        have = 0
        while have < size:
            piece = self._next_piece()
            if not piece:
                if self._inside:
                    raise DamagedArchiveError("is cut off")
                break
            try:
                data = self._frame.decompress(piece)
            except zstandard.ZstdError as error:
                raise DamagedArchiveError("is damaged") from error
            self._inside = True
            if self._frame.eof:
                self._rest = memoryview(self._frame.unused_data + bytes(self._rest))
                self._frame, self._inside = self._frames.decompressobj(), False
            if data:
                found.append(data)
                have += len(data)
        return b"".join(found)

    def _next_piece(self) -> bytes:
        if not self._rest:
            self._rest = memoryview(self._packed.read(64 * PIECE))
        piece, self._rest = bytes(self._rest[:PIECE]), self._rest[PIECE:]
        return piece


def files_in_zip(packed: IO[bytes]) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    """Open a zip and list the files in it that somebody put there: no folders, none of what macOS adds.

    The directory's size is looked at first: listing a million members would itself cost a gigabyte.
    Raises DamagedArchiveError.
    """
    try:
        if _directory_size(packed) > LARGEST_DIRECTORY:
            raise DamagedArchiveError("holds too many files")
        archive = zipfile.ZipFile(packed)
    except (zipfile.BadZipFile, struct.error, ValueError, OSError, EOFError, NotImplementedError) as error:
        raise DamagedArchiveError("is cut off or damaged") from error
    return archive, [
        member
        for member in archive.infolist()
        if not member.is_dir()
        and not member.filename.startswith("__MACOSX/")
        and not member.filename.endswith(".DS_Store")
    ]


def _directory_size(packed: IO[bytes]) -> int:
    """What the end record says; zipfile reads exactly that much. 0 where there is none (zipfile then refuses)."""
    size = packed.seek(0, 2)
    tail_from = max(0, size - 65535 - _END_SIZE - _LOCATOR_SIZE - _END64_SIZE)
    packed.seek(tail_from)
    tail = packed.read()
    packed.seek(0)
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_SIZE:
        return 0
    claimed: int = struct.unpack_from("<I", tail, at + 12)[0]
    if at >= _LOCATOR_SIZE + _END64_SIZE and tail[at - _LOCATOR_SIZE :].startswith(_LOCATOR):
        claimed = struct.unpack_from("<Q", tail, at - _LOCATOR_SIZE - _END64_SIZE + 40)[0]
    return claimed
