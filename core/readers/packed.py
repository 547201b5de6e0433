"""Packed: judgments, runs and metadata in one file, a zip of what `wire` freezes, checked part by part.

Its first member is named MARK and stored as it is, so that the file is known by its first bytes.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.errors import InputError, Problem
from core.model.limits import LOCAL, Limits, in_words
from core.readers import wire
from core.readers.files import Given
from core.readers.wire import Frozen

SCHEMA: Final = 1
MARK: Final = "ranklens-bundle.json"
LARGEST_MANIFEST: Final = 4_000_000
# The same bytes whenever it is written: a zip's clock starts here.
LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, eq=False)
class Packed:
    """What a bundle holds: what stands in its manifest beside the files, and the parts by name, in their order."""

    told: Mapping[str, Any]
    parts: Mapping[str, Frozen]


def pack(packed: Packed) -> bytes:
    """The bundle as bytes; equal content gives equal bytes."""
    files = frozen(packed.parts)
    listed = {name: {"sha256": _digest(data), "bytes": len(data)} for name, data in files.items()}
    manifest = {"ranklens_bundle": SCHEMA, **packed.told, "parts": list(packed.parts), "files": listed}
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_STORED) as archive:
        text = json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True)
        for name, data in {MARK: text.encode(), **files}.items():
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), data)
    return into.getvalue()


def frozen(parts: Mapping[str, Frozen]) -> dict[str, bytes]:
    """The files of parts, by "part/file", in the order of the parts; equal content gives equal bytes."""
    return {f"{part}/{name}": data for part, what in parts.items() for name, data in wire.frozen(what).items()}


def thawed(names: Sequence[str], read: Callable[[str], bytes], limits: Limits = LOCAL) -> dict[str, Frozen]:
    """The parts of these names, in their order, from what `frozen` gave.

    read  the bytes of a "part/file", checked; KeyError where there is none

    Raises ValueError for names that are none, InputError where a file is missing or damaged, or of a later version.
    """
    if len(names) > limits.runs + 3 or any(not part.replace("-", "").isalnum() for part in names):
        raise ValueError(names)
    return {part: wire.thawed(part, _below(part, read)) for part in names}


def _below(part: str, read: Callable[[str], bytes]) -> Callable[[str], bytes]:
    return lambda file: read(f"{part}/{file}")


def is_packed(given: Given) -> bool:
    """Whether a file is a bundle, by its first bytes. Raises InputError if it cannot be opened."""
    with given.raw() as raw:
        first = raw.read(30 + len(MARK))
    return first[:4] == b"PK\x03\x04" and first[30:] == MARK.encode()


def unpack(given: Given, limits: Limits = LOCAL) -> Packed:
    """Read a bundle back.

    Every part must have the digest that the manifest says. Raises InputError where the file is damaged, too large, no
    bundle, or was made by a later version.
    """
    if given.size > limits.packed:
        raise _problem(given, f"is larger than the limit of {in_words(limits.packed)}")
    if not is_packed(given):
        raise _problem(
            given, "is not a bundle", "a bundle is what the Share page or `ranklens report --format bundle` makes"
        )
    try:
        with given.raw() as raw, zipfile.ZipFile(raw) as archive:
            manifest = _manifest(given, archive)
            return _unpacked(given, archive, manifest, limits)
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        EOFError,
        OSError,
        ValueError,
        KeyError,
        TypeError,
        RecursionError,
    ) as error:
        raise _problem(
            given, "is damaged: it is not as it was written", "save the bundle again, or get a fresh copy"
        ) from error


def _manifest(given: Given, archive: zipfile.ZipFile) -> dict[str, Any]:
    if archive.getinfo(MARK).file_size > LARGEST_MANIFEST:
        raise ValueError(MARK)
    manifest = json.loads(archive.read(MARK))
    if not isinstance(manifest, dict) or not isinstance(manifest["ranklens_bundle"], int):
        raise TypeError(MARK)
    if manifest["ranklens_bundle"] > SCHEMA:
        raise _problem(given, "was made with a newer version of Ranklens", "update Ranklens to open it")
    return manifest


def _unpacked(given: Given, archive: zipfile.ZipFile, manifest: dict[str, Any], limits: Limits) -> Packed:
    names = [str(part) for part in manifest["parts"]]
    listed = manifest["files"]
    known = {info.filename: info for info in archive.infolist()}
    if sum(info.file_size for info in known.values()) > limits.unpacked:
        raise _problem(given, f"holds more than the limit of {in_words(limits.unpacked)}")
    if not isinstance(listed, dict):
        raise TypeError(listed)

    def read(name: str) -> bytes:
        told = listed[name]
        data = archive.read(known[name]) if known[name].file_size == told["bytes"] else b""
        if _digest(data) != told["sha256"]:
            message = f'is damaged: the part "{name}" is not as it was written'
            raise _problem(given, message, "get a fresh copy of the bundle")
        return data

    parts = thawed(names, read, limits)
    told = {key: value for key, value in manifest.items() if key not in ("ranklens_bundle", "parts", "files")}
    return Packed(told, parts)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _problem(given: Given, message: str, hint: str | None = None) -> InputError:
    return InputError(Problem(given.name, None, message, hint))
