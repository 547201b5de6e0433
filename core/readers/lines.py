"""Lines: a file's text as blocks of whole UTF-8 lines, whatever its encoding and its line ends were."""

import codecs
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from core.model.limits import Limits
from core.notices import Notice
from core.readers.files import Given, opened
from core.readers.rows import Findings
from core.readers.stream import BLOCK

LONGEST_LINE = 64 << 20
BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Python calls these text encodings; no file of ids is meant by them.
NO_ENCODINGS = {"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined"}
CP1252_HINT = "if the file is not UTF-8, say how it is written: --encoding windows-1252"


class Block(NamedTuple):
    """Whole lines, each ended by one line feed, and the physical line number of the first."""

    data: bytes
    line: int


def bom_encoding(first: bytes) -> str | None:
    """The encoding that a byte order mark names, or None."""
    return next((name for mark, name in BOMS if first.startswith(mark)), None)


def blocks(given: Given, encoding: str, limits: Limits, findings: Findings, size: int = BLOCK) -> Iterator[Block]:
    """The lines of a file in blocks of about `size` bytes.

    A byte order mark decides over `encoding` and is taken off; UTF-8 passes through unchecked (see `bad_utf8`), other
    encodings are turned into UTF-8. Line ends LF, CRLF and CR all become LF. Adds the notice encoding (info).
    Raises InputError if the encoding is not known, a byte does not belong to it, or a line is longer than 64 MiB.
    """
    rest, line = b"", 1
    for text in _line_feeds(_utf8(given, encoding, limits, findings, size)):
        cut = text.rfind(b"\n") + 1
        if not cut:
            rest += text
            if len(rest) > LONGEST_LINE:
                raise findings.refuse("a line is longer than 64 MiB: is this a text file?", line=line)
            continue
        # Joined in one copy: fresh memory costs more than what is done with it.
        block = b"".join((rest, memoryview(text)[:cut])) if rest or cut < len(text) else text
        rest = text[cut:]
        yield Block(block, line)
        line += int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))
    if rest:
        yield Block(rest + b"\n", line)


def decoder(encoding: str, findings: Findings) -> codecs.IncrementalDecoder:
    """A strict decoder by an encoding's name. Raises InputError if it is not known."""
    try:
        found = codecs.lookup(encoding)
    except (LookupError, ValueError) as error:
        raise findings.refuse(f'the encoding "{encoding}" is not known', "try windows-1252 or utf-16") from error
    if not found._is_text_encoding or found.name in NO_ENCODINGS:
        raise findings.refuse(f'"{encoding}" is not an encoding of text files', "try windows-1252 or utf-16")
    return found.incrementaldecoder("strict")


def _utf8(given: Given, encoding: str, limits: Limits, findings: Findings, size: int) -> Iterator[bytes]:
    with opened(given, limits, findings) as stream:
        data = stream.read(size)
        encoding = bom_encoding(data) or encoding
        decode = decoder(encoding, findings)
        name = codecs.lookup(encoding).name
        if name not in ("utf-8", "utf-8-sig", "ascii"):
            findings.notices.append(
                Notice("encoding", "info", findings.file, f"The file is read as {encoding}, not UTF-8.", 1)
            )
        elif data.startswith(codecs.BOM_UTF8):
            data = data[len(codecs.BOM_UTF8) :]
        done = 0
        while data:
            yield (
                data if name in ("utf-8", "utf-8-sig", "ascii") else _transcoded(data, decode, done, encoding, findings)
            )
            done += len(data)
            data = stream.read(size)
        if name not in ("utf-8", "utf-8-sig", "ascii"):
            yield _transcoded(b"", decode, done, encoding, findings, final=True)


def _transcoded(
    data: bytes, decode: codecs.IncrementalDecoder, done: int, encoding: str, findings: Findings, *, final: bool = False
) -> bytes:
    try:
        return decode.decode(data, final).encode()
    except UnicodeError as error:
        at = done + max(0, getattr(error, "start", 0))
        raise findings.refuse(f"byte {at:,} does not belong to the encoding {encoding}") from error


def _line_feeds(texts: Iterator[bytes]) -> Iterator[bytes]:
    """Turn CRLF and CR into LF, also where a block ends between the two."""
    after_return = False
    for text in texts:
        data = text[1:] if after_return and text.startswith(b"\n") else text
        after_return = text.endswith(b"\r") if text else after_return
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield data


def bad_utf8(data: bytes) -> int | None:
    """Where the first byte stands that is not UTF-8, or None; plain ASCII is found out at once."""
    if data.isascii():
        return None
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None
