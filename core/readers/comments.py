"""Comments: lines that begin with "#" and are no data, and the ir_metadata block in them."""

import re

from core.model.reading import Reading
from core.readers.blanks import FEED, follows
from core.readers.lines import Block
from core.readers.plan import BLANKS
from core.readers.rows import Findings

_START, _END = "ir_metadata.start", "ir_metadata.end"
_LINE = re.compile(rb"^#.*$", re.MULTILINE)
# Fields whose cells are numbers in any row that is data.
_NUMBERS = ("score", "distance", "rank", "relevance")
PAIRS_KEPT = 200
CHARACTERS_KEPT = 500


class Comments:
    """Finds comment lines block by block, counts them, and keeps what an ir_metadata block says.

    A comment begins with "#" and lacks the file's column count. One that has it by chance ("# made by hand" in
    judgments) counts as a comment too where its first cell is "#" alone and no number stands where one must.
    """

    def __init__(self, reading: Reading, findings: Findings) -> None:
        self._width = len(reading.columns)
        self._delimiter = reading.delimiter
        self._numbers = [at for at, column in enumerate(reading.columns) if column.field in _NUMBERS]
        self._findings = findings
        self._inside = False
        self._path: list[tuple[int, str]] = []

    def emptied(self, block: Block) -> Block:
        """The block with its comment lines made empty, so that line numbers stay."""
        data = block.data
        if not _any_line_begins(data):
            return block
        pieces, done = [], 0
        for found in _LINE.finditer(data):
            text = found[0].decode(errors="replace")
            if self.take(text, self._cells(text)):
                pieces.append(data[done : found.start()])
                done = found.end()
        return Block(b"".join([*pieces, data[done:]]), block.line) if pieces else block

    def take(self, text: str, cells: list[str]) -> bool:
        """Whether a line that begins with "#" is a comment; if so it is counted or kept."""
        body = text.lstrip("#").strip()
        if body == _START:
            self._inside = True
        elif self._inside and body == _END:
            self._inside = False
        elif self._inside:
            self._keep(text.lstrip("#").rstrip())
        elif self._is_comment(cells):
            self._findings.comments += 1
        else:
            return False
        return True

    def _cells(self, text: str) -> list[str]:
        return text.split() if self._delimiter == BLANKS else text.split(self._delimiter)

    def _is_comment(self, cells: list[str]) -> bool:
        if len(cells) != self._width:
            return True
        return (
            cells[0].strip() == "#" and bool(self._numbers) and not any(_is_number(cells[at]) for at in self._numbers)
        )

    def _keep(self, text: str) -> None:
        """One line of the block's YAML: `key: value` under the keys that stand further left."""
        body = text.strip()
        key, colon, value = body.removeprefix("- ").partition(":")
        depth = len(text) - len(text.lstrip())
        self._path = [(at, name) for at, name in self._path if at < depth]
        if len(self._findings.metadata) >= PAIRS_KEPT or not body:
            return
        if not colon or (body.startswith("- ") and not value.startswith(" ")):
            name, value = ".".join(name for _, name in self._path) or "note", body.removeprefix("- ")
        elif value.strip():
            name = ".".join([*(name for _, name in self._path), key.strip()])
        else:
            self._path.append((depth, key.strip()))
            return
        self._findings.metadata.append((name[:CHARACTERS_KEPT], value.strip().strip("'\"")[:CHARACTERS_KEPT]))


def _any_line_begins(data: bytes) -> bool:
    """Whether a line begins with "#"."""
    return b"#" in data and (data.startswith(b"#") or follows(data, FEED, ord("#")))


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", ".") if "_" not in text else "")
    except ValueError:
        return False
    return True
