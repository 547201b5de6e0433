"""Head: the first part of a file as text, once its encoding is known."""

from dataclasses import dataclass

from core.errors import InputError, Problem
from core.model.limits import Limits
from core.model.reading import Choice
from core.readers.files import Given, head
from core.readers.lines import bom_encoding, decoder
from core.readers.rows import Findings
from core.readers.stream import Container

PARQUET = b"PAR1"


@dataclass(frozen=True)
class Head:
    """The first part of a file.

    text      its first lines, decoded, without a byte order mark; "" where the file is Parquet
    complete  whether that is the whole file; else `text` ends with a whole line, where it has one
    """

    container: Container
    encoding: str
    text: str
    complete: bool
    parquet: bool = False


def head_of(given: Given, choice: Choice, limits: Limits) -> Head:
    """The first 256 KiB or so of a file as text.

    The encoding is what a byte order mark says, or the one chosen, or UTF-8: nothing else is guessed.

    Raises InputError if the file is empty, binary, or not written in that encoding (with the line and the byte).
    """
    container, data, complete = head(given, limits=limits)
    if data.startswith(PARQUET):
        return Head(container, "", "", complete, parquet=True)
    if not data.strip():
        raise InputError(Problem(given.name, None, "the file is empty", "it holds no bytes, or only blanks"))
    encoding = bom_encoding(data) or choice.encoding or "utf-8"
    text = _decoded(given, data, encoding, complete=complete)
    if not complete:
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1] or text
    if "\0" in text[:4096] and not text.lstrip("\ufeff")[:1].isprintable():
        raise InputError(
            Problem(given.name, None, "this is not a text file", "bring text (TREC, CSV, TSV, JSON) or Parquet")
        )
    return Head(container, encoding, text.removeprefix("\ufeff"), complete)


def _decoded(given: Given, data: bytes, encoding: str, *, complete: bool) -> str:
    try:
        return decoder(encoding, Findings(given.name)).decode(data, complete)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        name = "UTF-8" if encoding == "utf-8" else encoding
        byte = f"byte 0x{data[error.start]:02X} at position {error.start + 1:,}"
        message = f"the file is not {name}: {byte} does not belong to it"
        hint = f'save it as UTF-8, or say how it is written, such as --encoding "{given.name}=cp1252" (Windows)'
        raise InputError(Problem(given.name, line, message, hint)) from error
    except UnicodeError as error:
        raise InputError(Problem(given.name, None, f"the file is not {encoding}: {error}")) from error
