"""Steady PDF: the engine's PDF with its objects in one order; it numbers fonts and lists resources in another one each time."""

import re
from typing import Final

REFERENCE: Final = re.compile(rb"\b(\d+) 0 R\b")
LISTED: Final = re.compile(rb"(?:^ +/\w+ \d+ 0 R\n){2,}", re.MULTILINE)


def steady(pdf: bytes) -> bytes:
    """The same document, whose objects are numbered as they are reached from its root, and resources listed by name.

    Raises ValueError where the file is not built as the engine builds it: one section, one table of objects, no updates.
    """
    found = re.search(
        rb"trailer\n<<\n  /Size \d+\n  /Root (\d+) 0 R\n  /Info (\d+) 0 R\n>>\nstartxref\n(\d+)\n%%EOF\s*\Z", pdf
    )
    if found is None:
        raise ValueError("not a PDF of the engine")
    table = int(found[3])
    objects = _objects(pdf, table)
    order: list[int] = []
    waiting = [int(found[2]), int(found[1])]
    while waiting:
        number = waiting.pop()
        if number not in order:
            order.append(number)
            waiting += [int(each) for each in reversed(REFERENCE.findall(_head(objects[number])[0]))]
    new = {number: at for at, number in enumerate(order, 1)}
    return _written(pdf[: pdf.index(b"\n", pdf.index(b"\n") + 1) + 1], [objects[number] for number in order], new)


def _objects(pdf: bytes, table: int) -> dict[int, bytes]:
    """Each object's content by number, cut where the table says that one begins; streams are not looked into."""
    starts = sorted(int(each) for each in re.findall(rb"(\d{10}) \d{5} n", pdf[table:]))
    found: dict[int, bytes] = {}
    for start, end in zip(starts, [*starts[1:], table], strict=True):
        number, _, body = pdf[start:end].partition(b" 0 obj\n")
        head, stream, rest = _head(body.rstrip().removesuffix(b"endobj").rstrip())
        found[int(number)] = (
            LISTED.sub(lambda lines: b"".join(sorted(lines[0].splitlines(keepends=True))), head) + stream + rest
        )
    return found


def _head(body: bytes) -> tuple[bytes, bytes, bytes]:
    """An object's dictionary, and its stream if it has one."""
    return body.partition(b"stream\n")


def _written(first: bytes, bodies: list[bytes], new: dict[int, int]) -> bytes:
    out = bytearray(first)
    places = []
    for at, body in enumerate(bodies, 1):
        head, stream, rest = _head(body)
        places.append(len(out))
        out += (
            b"%d 0 obj\n" % at
            + REFERENCE.sub(lambda seen: b"%d 0 R" % new[int(seen[1])], head)
            + stream
            + rest
            + b"\nendobj\n"
        )
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f\r\n" % (len(bodies) + 1)
    out += b"".join(b"%010d 00000 n\r\n" % place for place in places)
    root, info = 1, len(bodies)
    out += b"trailer\n<<\n  /Size %d\n  /Root %d 0 R\n  /Info %d 0 R\n>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(bodies) + 1,
        root,
        info,
        table,
    )
    return bytes(out)
