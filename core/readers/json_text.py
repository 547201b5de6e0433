"""JSON text: parsed strictly but for NaN, a repeated key kept, the head of a file closed where it was cut."""

import json
import re
from collections.abc import Iterator
from typing import Any

from core.errors import InputError, Problem
from core.readers.cells import shown
from core.readers.rows import Findings

SIGNS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[\[\]{},]', re.DOTALL)
CLOSING = {"{": "}", "[": "]"}
DEEPEST = 500


class Repeated(dict[str, Any]):
    """An object in which a key comes twice: as a dict the last value counts, `pairs` has them all."""

    pairs: tuple[tuple[str, Any], ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    every = Repeated(pairs)
    every.pairs = tuple(pairs)
    return every


DECODER = json.JSONDecoder(object_pairs_hook=_object)


def items(found: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Keys and values, those of a repeated key too."""
    return iter(found.pairs if isinstance(found, Repeated) else found.items())


def parse(text: str, findings: Findings, line: int | None = None) -> Any:
    """The value that a JSON text holds; NaN and infinities pass, to be refused where they stand.

    `line` is the physical line of a text that is one line of a file.
    Raises InputError with the line of what is not JSON, or if it is nested too deeply.
    """
    try:
        return DECODER.decode(text)
    except json.JSONDecodeError as error:
        cut_off = error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated")
        message = f"not valid JSON: {'file cut off?' if cut_off else f'{error.msg[:1].lower()}{error.msg[1:]}'}"
        where = f" at column {error.colno:,}" if not cut_off else ""
        raise findings.refuse(message + where, line=error.lineno if line is None else line) from error
    except RecursionError as error:
        raise findings.refuse("the JSON is nested too deeply", line=line) from error
    except ValueError as error:
        raise findings.refuse("a number in the JSON has too many digits", line=line) from error


def parse_head(head: str, findings: Findings) -> Any:
    """The value that the first part of a JSON text holds. Raises InputError as `parse`."""
    try:
        return parse(closed(head), findings)
    except RecursionError as error:
        raise findings.refuse("the JSON is nested too deeply") from error


def closed(head: str) -> str:
    """The head of a JSON text cut after its last whole element and closed, so that it can be parsed.

    Raises RecursionError where it is nested too deeply.
    """
    stack: list[str] = []
    cut, open_then = 0, ""
    for found in SIGNS.finditer(head):
        sign = found[0]
        if sign in CLOSING:
            stack.append(CLOSING[sign])
            if len(stack) > DEEPEST:
                raise RecursionError
        elif sign in ("}", "]"):
            if stack:
                stack.pop()
        elif sign == ",":
            cut, open_then = found.start(), "".join(reversed(stack))
    return head[:cut] + open_then


def id_text(value: Any) -> str | None:
    """An id as text: 1 and "1" are one id, 1.0 is 1; None where the value cannot be an id."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return None


def cell_text(value: Any) -> str | None:
    """Any value as the text of a cell: numbers as they are written, lists and objects as JSON, null as None."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError as error:
        raise InputError(Problem("", None, "the JSON is nested too deeply")) from error


def wrong_id(text: str) -> str | None:
    """Why a text cannot be an id, or None."""
    if not text:
        return "is empty"
    if "\0" in text:
        return "holds a NUL character"
    if not text.isascii():
        try:
            size = len(text.encode())
        except UnicodeEncodeError:
            return "holds half of a surrogate pair, which is no character"
    else:
        size = len(text)
    return f"is longer than 512 bytes: {shown(text)}" if size > 512 else None


def flat(record: dict[str, Any]) -> dict[str, Any]:
    """A record with nested objects taken apart: those under `metadata` by their own names, others as `outer.inner`."""
    if dict not in map(type, record.values()) and Repeated not in map(type, record.values()):
        return record
    found: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            plain = name.casefold() in ("metadata", "meta", "attributes", "properties", "extra")
            for inner, one in value.items():
                found.setdefault(inner if plain and inner not in record else f"{name}.{inner}", one)
        else:
            found[name] = value
    return found


def wrong_text(text: str) -> str | None:
    """Why a text cannot be kept, or None: half a surrogate pair is no character."""
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError:
        return "holds half of a surrogate pair, which is no character"
    return None
